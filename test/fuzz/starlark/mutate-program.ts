// Damages a program: by characters, by tokens, by lines.
import type { Random } from './generate-program.ts';

const pieces = [
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '    ',
  '\n    ',
  '\n  ',
  ':',
  ';',
  ',',
  '.',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '"""',
  "'''",
  '\\',
  '\\\n',
  '#',
  '=',
  '==',
  '!=',
  '<',
  '>',
  '<<',
  '>>',
  '<<=',
  '>>=',
  '+',
  '-',
  '*',
  '**',
  '/',
  '//',
  '%',
  '&',
  '|',
  '^',
  '~',
  '+=',
  '//=',
  'def f():\n',
  'def f(a, *b, c = 1, **d): return a\n',
  'lambda: ',
  'lambda x: ',
  'for x in ',
  'for x in range(3):\n',
  'if ',
  ' if x else ',
  'elif ',
  'else:\n',
  'return ',
  'break',
  'continue',
  'pass',
  'load("a", "b")',
  'load("m.star", y = "x")\n',
  ' in ',
  ' not in ',
  ' not ',
  ' and ',
  ' or ',
  'None',
  'True',
  'while',
  'class',
  'import',
  'try',
  'is',
  'f"',
  'b"',
  'r"',
  'rb"',
  '0',
  '1',
  '-1',
  '1e999',
  '0x',
  '0xG',
  '08',
  '1_000',
  '9007199254740992',
  '1.5',
  '.5',
  '1.',
  '1e5',
  '"%s"',
  '%',
  '"a" "b"',
  'x',
  'len',
  'str(',
  'list(',
  'sorted(',
  'range(',
  'ask(1)',
  'note()',
  'input',
  'json.encode(',
  'json.decode(',
  '*args',
  '**kwargs',
  '[x for x in [1]]',
  '{x: 1 for x in [1]}',
  '[:]',
  '[::-1]',
  '.append(1)',
  '.format(',
  '.items()',
  '\0',
  '\u001b',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\ud800',
  '😀',
  'é',
  '\u200b',
  '$',
  '?',
  '`',
  '@',
  '!',
  '---',
  '### x',
] as const;

const token =
  /"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w+|[+\-*/%<>=!&|^~]+|[^\S\n]+|\n|[\s\S]/g;

export function mutateProgram(
  source: string,
  random: Random,
  corpus: readonly string[],
  maxLength: number,
): string {
  let text = source;
  const times = 1 + random(4);
  for (let time = 0; time < times; time += 1)
    text = (random(2) === 0 ? mutateTokens : random(3) === 0 ? mutateLines : mutateCharacters)(
      text,
      random,
      corpus,
    );
  return text.slice(0, maxLength);
}

function mutateTokens(text: string, random: Random, corpus: readonly string[]): string {
  const tokens = text.match(token) ?? [];
  if (tokens.length === 0) return text;
  const at = random(tokens.length);
  const other = corpus[random(corpus.length)]?.slice(0, 4000).match(token) ?? ['x'];
  switch (random(6)) {
    case 0:
      tokens.splice(at, 1 + random(3));
      break;
    case 1:
      tokens.splice(at, 0, pieces[random(pieces.length)] as string);
      break;
    case 2:
      tokens[at] = other[random(other.length)] as string;
      break;
    case 3:
      tokens.splice(at, 0, ...tokens.slice(at, at + 1 + random(8)));
      break;
    case 4: {
      const with_ = random(tokens.length);
      [tokens[at], tokens[with_]] = [tokens[with_] as string, tokens[at] as string];
      break;
    }
    default: {
      const from = random(other.length);
      tokens.splice(at, 0, ...other.slice(from, from + random(12)));
    }
  }
  return tokens.join('');
}

function mutateLines(text: string, random: Random, corpus: readonly string[]): string {
  const lines = text.split('\n');
  const at = random(lines.length);
  const other = (corpus[random(corpus.length)] ?? '').split('\n');
  switch (random(5)) {
    case 0:
      lines.splice(at, 1 + random(3));
      break;
    case 1:
      lines.splice(at, 0, other[random(other.length)] as string);
      break;
    case 2:
      lines[at] = ' '.repeat(random(9)) + (lines[at] as string).trimStart();
      break;
    case 3:
      lines.splice(at, 0, ...lines.slice(at, at + 1 + random(4)));
      break;
    default: {
      const from = random(other.length);
      lines.splice(at, 0, ...other.slice(from, from + random(6)));
    }
  }
  return lines.join('\n');
}

function mutateCharacters(text: string, random: Random): string {
  const at = random(text.length + 1);
  const to = Math.min(text.length, at + random(random(4) === 0 ? 100 : 6));
  const piece = pieces[random(pieces.length)] as string;
  switch (random(6)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, at) + piece + text.slice(at);
    case 2:
      return text.slice(0, at) + piece + text.slice(to);
    case 3:
      return text.slice(0, at) + piece.repeat(1 + random(random(6) === 0 ? 400 : 5)) + text.slice(at);
    case 4:
      return text.slice(0, to) + text.slice(at);
    default:
      return (
        text.slice(0, at) +
        String.fromCharCode(random(random(3) === 0 ? 0x10000 : 128)) +
        text.slice(Math.min(text.length, at + 1))
      );
  }
}
