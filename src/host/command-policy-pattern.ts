// Patterns of commands: `git diff ...`, `npm test`, `ls *`.
//
//   pattern = word { " " word } [ " " rest ]       rest = "..." | "**"
//   word    = letters that stand for themselves, and "*" for any run of letters within one argument
//
// Y1. A pattern covers whole commands: every argument is matched by its word, `rest` matches any number of further ones.
// Y2. What is allowed is allowed as it is written: `git` is the program that PATH leads to, never `./git`. What is denied
//     is denied under every path: `rm ...` denies `/bin/rm -r x`, too. Neither looks into the arguments of a program that
//     starts others (`env rm`, `sh -c …`): what holds against those is the sandbox.
// Y3. Matching takes time in proportion to pattern times argument, whatever they hold.

export interface CommandPattern {
  readonly words: readonly string[];
  readonly openEnded: boolean;
}

export function parsePattern(text: string): CommandPattern {
  const words = text.trim().split(/\s+/);
  const openEnded = words.at(-1) === '...' || words.at(-1) === '**';
  return { words: openEnded ? words.slice(0, -1) : words, openEnded };
}

export function allows({ words, openEnded }: CommandPattern, argv: readonly string[]): boolean {
  if (openEnded ? argv.length < words.length : argv.length !== words.length) return false;
  return words.every((word, at) => matchesWord(word, argv[at] as string));
}

export function denies(pattern: CommandPattern, argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv;
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return allows(pattern, argv) || allows(pattern, [name, ...rest]) || allows(pattern, [name.replace(/\.(?:exe|cmd|bat|com)$/i, ''), ...rest]);
}

/** The parts between the stars, each at the first place where it fits. */
function matchesWord(word: string, text: string): boolean {
  const parts = word.split('*');
  const first = parts[0] as string;
  if (parts.length === 1) return text === word;
  const last = parts.at(-1) as string;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
