// How long a text is, and how it is cut: to a limit in UTF-16 units, or to the cells of a terminal. A character is never
// cut in half.

/** The limit of a fault's message in entries and results, where nothing else bounds it. */
export const maxMessageUnits = 4_000;

/** The beginning. */
export function cutText(
  text: string,
  maxUnits: number,
): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= maxUnits) return { text, truncated: false };
  return { text: text.slice(0, wholeCharacters(text, maxUnits)), truncated: true };
}

/** The beginning and the end, and between them how much is missing: the end of an output shows its outcome. */
export function cutMiddle(
  text: string,
  maxUnits: number,
): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= maxUnits) return { text, truncated: false };
  const mark = `\n[… ${text.length - maxUnits} characters and more left out …]\n`;
  const room = maxUnits - mark.length;
  if (room < 2) return cutText(text, maxUnits);
  const head = wholeCharacters(text, Math.floor(room / 2));
  let tail = text.length - (room - head);
  if (isLowHalf(text, tail)) tail += 1;
  return { text: text.slice(0, head) + mark + text.slice(tail), truncated: true };
}

/** The largest end of at most `units` that does not stand within a character. */
function wholeCharacters(text: string, units: number): number {
  const end = Math.max(0, Math.floor(units));
  return isLowHalf(text, end) ? end - 1 : end;
}

function isLowHalf(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
}

// Cells of a terminal. Good enough for tables and carets: East Asian wide characters and emoji take two, combining marks
// and joiners none, everything else one. Control characters are not expected here; `printable` comes first.

const beyondLatin = /[^\u0020-\u02FF]/;
const zeroWidth = /\p{Mn}|\p{Me}|\p{Cf}/u;
const wide =
  /[\u1100-\u115F\u231A\u231B\u2329\u232A\u23E9-\u23EC\u23F0\u23F3\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD\u26BE\u26C4\u26C5\u26CE\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2705\u270A\u270B\u2728\u274C\u274E\u2753-\u2755\u2757\u2795-\u2797\u27B0\u27BF\u2B1B\u2B1C\u2B50\u2B55\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{16FE0}-\u{18AFF}\u{1B000}-\u{1B2FF}\u{1F004}\u{1F0CF}\u{1F18E}\u{1F191}-\u{1F19A}\u{1F1E6}-\u{1F202}\u{1F210}-\u{1F23B}\u{1F240}-\u{1F248}\u{1F250}\u{1F251}\u{1F260}-\u{1F265}\u{1F300}-\u{1F64F}\u{1F680}-\u{1F6FF}\u{1F7E0}-\u{1F7EB}\u{1F90C}-\u{1F9FF}\u{1FA70}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** The cells of one code point. */
function widthOf(character: string): number {
  if (!beyondLatin.test(character)) return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

export function displayWidth(text: string): number {
  if (!beyondLatin.test(text)) return text.length;
  let cells = 0;
  let joined = false;
  for (const character of text) {
    if (!joined) cells += widthOf(character);
    // What follows a joiner is drawn in the cells of what came before it.
    joined = character === '\u200D';
  }
  return cells;
}

/** `text` cut to at most `cells`, ending in `…` when something was cut. */
export function cutToWidth(text: string, cells: number): string {
  if (text.length <= cells && !beyondLatin.test(text)) return text;
  if (displayWidth(text) <= cells) return text;
  return `${takeStart(text, cells - 1)}…`;
}

/** The longest start of `text` that fits. */
export function takeStart(text: string, cells: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    const next = widthOf(character);
    if (used + next > cells) break;
    used += next;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The longest end of `text` that fits. */
export function takeEnd(text: string, cells: number): string {
  let used = 0;
  let start = text.length;
  const characters = Array.from(text);
  for (let at = characters.length - 1; at >= 0; at -= 1) {
    const character = characters[at] as string;
    const next = widthOf(character);
    if (used + next > cells) break;
    used += next;
    start -= character.length;
  }
  return text.slice(start);
}
