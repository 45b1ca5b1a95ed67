// Patterns of commands: `git diff ...`, `npm test`, `ls *`.
//
//   pattern = word { " " word } [ " " rest ]       rest = "..." | "**"
//   word    = letters that stand for themselves, and "*" for any run of letters within one argument
//
// A pattern covers whole commands: each word matches one argument, `rest` any number of further ones. Allowed
// commands are allowed as written: `git` is the program on PATH, never `./git`. Denied commands are denied under
// every path: `rm ...` also denies `/bin/rm -r x`. Neither looks into the arguments of a program that starts others
// (`env rm`, `sh -c …`); the sandbox confines those.
import type { WordPattern } from '../../base/match-words.ts';
import { spellingsOf, wordsFit } from '../../base/match-words.ts';

type CommandPattern = WordPattern;

export function parseCommandPattern(text: string): CommandPattern {
  const words = text.trim().split(/\s+/);
  const openEnded = words.at(-1) === '...' || words.at(-1) === '**';
  return { words: openEnded ? words.slice(0, -1) : words, openEnded };
}

export function allows(pattern: CommandPattern, argv: readonly string[]): boolean {
  return wordsFit(pattern, argv);
}

export function denies(pattern: CommandPattern, argv: readonly string[]): boolean {
  return spellingsOf(argv).some((words) => allows(pattern, words));
}
