// The lines of a Markdown text, each marked as code or prose.
//
// A fence of three or more ` or ~ opens a code block; a line of the same character, at least as long and nothing else,
// closes it. A block that is never closed runs to the end, as in CommonMark.

interface MarkdownLine {
  readonly text: string;
  /** Offset of the line's first character. */
  readonly start: number;
  /** Inside a code block, or one of its fences. */
  readonly code: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

export function* markdownLines(text: string, from = 0): Generator<MarkdownLine> {
  let open: string | null = null;
  let start = from;
  while (start < text.length) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, text.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
    const marks = fence.exec(line);
    let code = open !== null;
    if (marks !== null) {
      const run = marks[1] as string;
      const rest = line.slice(marks[0].length);
      if (open === null) {
        // An info string with a backtick is inline code, not a fence.
        if (run[0] === '~' || !rest.includes('`')) {
          open = run;
          code = true;
        }
      } else if (run[0] === open[0] && run.length >= open.length && rest.trim() === '') open = null;
    }
    yield { text: line, start, code };
    start = end + 1;
  }
}
