// Breaks prose at spaces, so that a terminal does not break it inside a word.
//
//   a long line -> lines of at most `columns` cells; the later ones are indented by two cells more than the first
//
// A command at the end of a sentence ("…: techne runs resume 01J…") gets a line of its own and is never broken, so that it can
// be copied. A word that is longer than a line stays whole.
import { displayWidth } from '../base/cut-text.ts';

/** `text` on lines of at most `columns` cells. */
export function wrapLine(text: string, columns: number): string {
  if (text.includes('\n') || displayWidth(text) <= columns) return text;
  const indent = /^ */.exec(text)?.[0] ?? '';
  const [, prose = text, command = null] = /^(.*?:) (techne .*)$/.exec(text) ?? [];
  const lines = wrapWords(prose.slice(indent.length), columns - indent.length - 2).map(
    (line, at) => indent + (at === 0 ? '' : '  ') + line,
  );
  return [...lines, ...(command === null ? [] : [`${indent}  ${command}`])].join('\n');
}

/** The words of `text` on lines of at most `columns` cells. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
