// Text that is safe to show in a terminal.
//
// P1. What a skill says reaches the screen as characters, never as commands to the
//     terminal: C0, C1, bidi controls, zero-width and tag characters are shown as escapes.
// P2. Emoji that need a joiner or a selector keep it.

// C0 (not tab, newline), DEL, C1, soft hyphen, bidi and zero-width, invisible operators, BOM, interlinear, tags.
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB]|\p{Cs}|[\u{E0000}-\u{E0FFF}]/u;
const hiddenEverywhere = new RegExp(hidden.source, 'gu');
const joinedEmoji = /(?<=[\p{Extended_Pictographic}\uFE0F\u{1F3FB}-\u{1F3FF}])\u200D(?=\p{Extended_Pictographic})/gu;

/** `text` with every invisible or controlling character written as an escape; newlines and tabs stay. */
export function printable(text: string): string {
  if (!hidden.test(text)) return text;
  const joiners = new Set<number>();
  for (const match of text.matchAll(joinedEmoji)) joiners.add(match.index);
  return text.replace(hiddenEverywhere, (found, at: number) => (joiners.has(at) ? found : escapeOf(found)));
}

/** `printable`, on one line: line ends and tabs become single spaces. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\r\n\t\u2028\u2029]+/g, ' '));
}

export function hasHiddenCharacters(text: string): boolean {
  return printable(text) !== text;
}

function escapeOf(character: string): string {
  const point = character.codePointAt(0) as number;
  return `\\u{${point.toString(16).toUpperCase()}}`;
}
