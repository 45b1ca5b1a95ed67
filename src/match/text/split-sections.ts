// A Markdown body -> its sections: titles with their text, in order.
//
// The text before the first heading has the title ''. A heading in a fenced code block is code. One pass over the line
// ends, without backtracking.

export interface Section {
  readonly title: string;
  readonly text: string;
}

const closing = /[ \t]+#{1,20}[ \t]*$/;
const longestTitle = 200;

export function splitSections(body: string): readonly Section[] {
  const sections: Section[] = [];
  let title = '';
  let from = 0;
  let fence = '';
  const close = (end: number): void => {
    if (title !== '' || body.slice(from, end).trim() !== '')
      sections.push({ title, text: body.slice(from, end) });
  };
  for (let start = 0; start < body.length;) {
    const next = body.indexOf('\n', start);
    const end = next === -1 ? body.length : next;
    let at = start;
    while (at < start + 3 && body.charCodeAt(at) === 32) at += 1;
    const code = body.charCodeAt(at);
    if (code === 96 || code === 126) {
      const run = runLength(body, at, code);
      if (run >= 3 && fence === '') fence = body.slice(at, at + run);
      else if (
        run >= fence.length &&
        fence !== '' &&
        code === fence.charCodeAt(0) &&
        body.slice(at + run, end).trim() === ''
      )
        fence = '';
    } else if (code === 35 && fence === '') {
      const run = runLength(body, at, 35);
      const after = body.charCodeAt(at + run);
      if (run <= 6 && (after === 32 || after === 9)) {
        close(start);
        title = body
          .slice(at + run, Math.min(end, at + run + longestTitle))
          .trim()
          .replace(closing, '');
        from = Math.min(body.length, end + 1);
      }
    }
    start = end + 1;
  }
  close(body.length);
  return sections;
}

function runLength(text: string, start: number, code: number): number {
  let at = start;
  while (text.charCodeAt(at) === code) at += 1;
  return at - start;
}
