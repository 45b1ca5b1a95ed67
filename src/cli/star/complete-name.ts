// What Tab does at the prompt.
//
//   the line before the cursor -> what may stand there, and the part of it that is typed already

const indent = '    ';

/** As the completer of readline. In the indentation it is four blanks; after a dot, and where no name has begun, nothing. */
export function completeName(before: string, names: Iterable<string>): [string[], string] {
  if (before.trim() === '') return [[indent], ''];
  const [, dot, typed] = /(\.\s*)?([\p{L}_][\p{L}\p{N}_]*)$/u.exec(before) ?? [];
  if (typed === undefined || dot !== undefined) return [[], ''];
  return [[...new Set(names)].filter((name) => name.startsWith(typed)).sort(), typed];
}
