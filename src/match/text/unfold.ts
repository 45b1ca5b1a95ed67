// Long patterns and word lists, written over several lines.
//
//   unfold`a|b      ->  "a|b|c"            wordList`a b     ->  ["a", "b", "c"]
//           |c`                                   c`
//
// In a pattern a line break and the indentation after it count for nothing; every other space counts.

/** The source of a regular expression. Backslashes are kept as written. */
export function unfold({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: raw.map((text) => text.replace(/\n\s*/g, '')) }, ...parts);
}

export function wordList({ raw: [text] }: TemplateStringsArray): readonly string[] {
  return (text as string).trim().split(/\s+/);
}
