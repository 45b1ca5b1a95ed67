// Which characters are white space, and which can be in a name: as Python has it, since its Jinja is the model.
import { isPythonSpace, pythonSpaces } from '../../python/text.ts';

/** For a regular expression: one white space character. */
export const spaceClass = `[${pythonSpaces}]`;

/** The first offset from `from` on that holds no white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isPythonSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The offset behind the last character of `text` before `to`, not before `from`, that is not white space. */
export function trimEndAt(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isPythonSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Characters that hang together as a word; whether they are a name is decided by `isName`. */
export const wordPattern = /[\p{L}\p{N}\p{XID_Continue}_]+/uy;

const namePattern = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export function isName(word: string): boolean {
  return namePattern.test(word);
}

/** Whether a text holds nothing but white space. */
export function isBlank(text: string): boolean {
  return skipSpace(text, 0) === text.length;
}
