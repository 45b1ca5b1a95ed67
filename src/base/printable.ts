// Text that is safe to show in a terminal.
//
// Text from a skill reaches the screen as characters, never as commands to the terminal: the characters in
// `hidden-characters.ts` are shown as escapes. Emoji keep the joiner or selector that they need.
import { escapeHidden } from './hidden-characters.ts';

/** `text` with every invisible or controlling character written as an escape; newlines and tabs stay. */
export function printable(text: string): string {
  return escapeHidden(text, escapeOf);
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
