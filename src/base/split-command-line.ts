// A command line -> its words.
//
// It is split as a shell would, without anything else of a shell: pipes, redirections, variables, wildcards and
// several commands are refused, so that a line never means less than it says.

/** Its words, or why it cannot be parted into them without a shell. */
export function splitCommandLine(line: string): readonly string[] | string {
  const words: string[] = [];
  let word: string | null = null;
  const needsShell = (what: string): string =>
    `the command needs a shell (${what}), and there is none; write a program and its arguments`;
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charAt(at);
    if (unit === "'" || unit === '"') {
      const end = closingOf(line, at);
      if (end < 0) return 'a quote in the command is never closed';
      const inside = line.slice(at + 1, end);
      if (unit === '"' && /[$`]/.test(inside)) return needsShell('a variable or a command in quotes');
      word = (word ?? '') + (unit === '"' ? inside.replaceAll(/\\(["\\])/g, '$1') : inside);
      at = end;
    } else if (unit === '\\' && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else if (/\s/.test(unit)) {
      if (unit === '\n' && line.slice(at).trim() !== '' && line.slice(0, at).trim() !== '')
        return needsShell('several lines');
      if (word !== null) words.push(word);
      word = null;
    } else if (
      /[|&;<>()`$*?[\]]/.test(unit) ||
      (unit === '~' && word === null) ||
      (unit === '#' && word === null)
    ) {
      return needsShell(`"${unit}"`);
    } else if (unit === '{' && /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.test(line.slice(at))) {
      return needsShell('"{a,b}"');
    } else word = (word ?? '') + unit;
  }
  if (word !== null) words.push(word);
  return words;
}

function closingOf(line: string, open: number): number {
  const quote = line.charAt(open);
  for (let at = open + 1; at < line.length; at += 1) {
    if (quote === '"' && line.charAt(at) === '\\') at += 1;
    else if (line.charAt(at) === quote) return at;
  }
  return -1;
}
