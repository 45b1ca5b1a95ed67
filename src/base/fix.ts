// A mechanical correction of a file: text that is inserted, so that everything else stays as it was.
export interface Fix {
  readonly at: number;
  readonly insert: string;
  /** Its purpose, for people. */
  readonly why: string;
}

/** `fixes` by place. */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  let made = '';
  let from = 0;
  for (const { at, insert } of fixes) {
    made += text.slice(from, at) + insert;
    from = at;
  }
  return made + text.slice(from);
}
