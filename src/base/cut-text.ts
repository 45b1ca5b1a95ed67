// Cuts text to a limit, in UTF-16 units. A character is never cut in half.

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
