// Patterns of commands: `git diff ...`, `npm test`, `ls *`.
//
//   pattern = word { " " word } [ " " rest ]       rest = "..." | "**"
//   word    = letters that stand for themselves, and "*" for any run of letters within one argument
//
// Y1. A pattern covers whole commands: every argument is matched by its word, `rest` matches any number of further ones.
// Y2. What is allowed is allowed as it is written: `git` is the program that PATH leads to, never `./git`. What is denied
//     is denied under every path: `rm ...` denies `/bin/rm -r x`, too. Neither looks into the arguments of a program that
//     starts others (`env rm`, `sh -c …`): what holds against those is the sandbox.
import type { WordPattern } from '../../base/match-words.ts';
import { wordsFit } from '../../base/match-words.ts';

type CommandPattern = WordPattern;

export function parsePattern(text: string): CommandPattern {
  const words = text.trim().split(/\s+/);
  const openEnded = words.at(-1) === '...' || words.at(-1) === '**';
  return { words: openEnded ? words.slice(0, -1) : words, openEnded };
}

export function allows(pattern: CommandPattern, argv: readonly string[]): boolean {
  return wordsFit(pattern, argv);
}

export function denies(pattern: CommandPattern, argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv;
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return (
    allows(pattern, argv) ||
    allows(pattern, [name, ...rest]) ||
    allows(pattern, [name.replace(/\.(?:exe|cmd|bat|com)$/i, ''), ...rest])
  );
}
