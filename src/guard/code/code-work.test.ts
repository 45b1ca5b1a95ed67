import { describe, expect, it } from 'vitest';
import { readProse } from '../prose/read-prose.ts';
import { followScript } from './script/follow-script.ts';
import { followShell } from './shell/follow-shell.ts';

/** Pieces of text that readers like to get lost in, repeated. */
const pieces: readonly string[] = [
  '$(',
  '"$(',
  '${',
  '`',
  "'",
  '"',
  '(',
  '((',
  '[',
  '{',
  '<<A ',
  '<(',
  '|',
  '\\',
  '#',
  ';',
  'a=$a$a;',
  'f(',
  'f(x,',
  'headers={',
  '=/[',
  '/*',
  "'''",
  'x=x+x\n',
  'require(',
  'getattr(a,',
  'a.',
  'a.a',
  '.',
  '_',
  '@',
  'http://',
  'http://a@',
  '不要',
  'send ',
  'send the file to http://a.b. ',
  '![](',
  '> ',
  '|a',
  '- ',
  '\n',
  '"command": "',
  'def f(',
  '=>{',
  '`${',
];
const readers: readonly (readonly [string, (text: string, charge: (units: number) => void) => unknown])[] = [
  ['shell', (text, charge) => followShell(text, { charge })],
  ['python', (text, charge) => followScript(text, 'python', { charge })],
  ['javascript', (text, charge) => followScript(text, 'javascript', { charge })],
  ['powershell', (text, charge) => followScript(text, 'powershell', { charge })],
  ['prose', (text, charge) => readProse(text, () => 'unknown-host', { charge })],
];

describe.each(readers)('the reader of %s', (_, read) => {
  const workOf = (text: string): number => {
    let units = 0;
    read(text, (more) => {
      units += more;
    });
    return units;
  };

  it.each(pieces)('takes work in proportion to the length of repeated %j', (piece) => {
    const once = workOf(piece.repeat(2_000));
    expect(workOf(piece.repeat(8_000))).toBeLessThanOrEqual(once * 5 + 1_000);
  });
});
