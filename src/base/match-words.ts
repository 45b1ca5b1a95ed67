// Matches the words of a pattern against the words of a command, one by one.
//
// Every argument must match its word; a pattern with an open end takes any further arguments. The time is at most
// proportional to pattern times text.

export interface WordPattern {
  readonly words: readonly string[];
  readonly openEnded: boolean;
}

/** `fits` compares one word. Default: `*` in it stands for any text. */
export function wordsFit(
  { words, openEnded }: WordPattern,
  argv: readonly string[],
  fits: (word: string, text: string) => boolean = wildcardFits,
): boolean {
  if (openEnded ? argv.length < words.length : argv.length !== words.length) return false;
  return words.every((word, at) => fits(word, argv[at] as string));
}

/** The same command, with the program as written, without its folder, and without the ending that Windows gives it: for what denies. */
export function spellingsOf(argv: readonly string[]): readonly (readonly string[])[] {
  const [program = '', ...rest] = argv;
  const name = program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
  return [argv, [name, ...rest], [name.replace(/\.(?:exe|cmd|bat|com)$/i, ''), ...rest]];
}

/** `*` stands for any text, also none: the parts between the stars, each at the first place where it fits. */
export function wildcardFits(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] as string;
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) as string;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
