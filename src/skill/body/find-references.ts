// The files of its folder that a body refers to.
//
//   [guide](references/guide.md#setup)   `scripts/run.py`   {baseDir}/assets/logo.svg
//
// Markdown links to relative targets, and paths in backticks that start with a resource folder or `./`. Code blocks,
// URLs, anchors and anything with a placeholder do not count. Linear in the text; a path has at most `longestPath`
// characters.
import type { Span } from '../../base/span.ts';
import { markdownLines } from './markdown-lines.ts';

interface Reference {
  /** As written, without fragment, query and base-folder placeholder. */
  readonly path: string;
  /** Offsets into the text that was searched. */
  readonly span: Span;
}

const link =
  /\]\(\s*(?:<([^<>\n]{0,400})>|([^\s()]{1,400}(?:\([^\s()]{0,400}\)[^\s()]{0,400})?))(?:\s+["'][^"'\n]*["'])?\s*\)/g;
const longestPath = 400;
const resourcePath = /^(?:\.{1,2}\/)*(?:scripts|references|assets|templates)\/[^\s]+$/;
const baseFolder = /^(?:\{base_?dir\}|\$\{?(?:CLAUDE_SKILL_DIR|HERMES_SKILL_DIR|SKILL_DIR)\}?)\//i;

function cleaned(target: string): string | null {
  let path = target.replace(baseFolder, '').replace(/[#?].*$/, '');
  if (path.includes('%')) {
    try {
      path = decodeURIComponent(path);
    } catch {
      return null; // A stray percent sign: not a path anyone can open.
    }
  }
  path = path.replace(/^(?:\.\/)+/, '');
  while (path.endsWith('/')) path = path.slice(0, -1);
  if (path === '' || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path) || path.startsWith('//')) return null;
  return /[{}<>*$|\0]|\.\.\.|…/.test(path) ? null : path;
}

export function findReferences(text: string, from = 0): readonly Reference[] {
  const found: Reference[] = [];
  const add = (target: string, start: number): void => {
    const path = cleaned(target);
    if (path !== null) found.push({ path, span: { start, end: start + target.length } });
  };
  for (const line of markdownLines(text, from)) {
    if (line.code) continue;
    let prose = line.text;
    if (prose.includes('`')) {
      const kept: string[] = [];
      let copied = 0;
      for (const { start, end } of codeSpans(prose)) {
        const inner = prose.slice(start, end);
        const target = inner.trim();
        if (target.length <= longestPath && resourcePath.test(target.replace(baseFolder, '')))
          add(target, line.start + start + inner.indexOf(target));
        // A link shown as code is an example; a link around code is a link.
        if (!inner.includes('](')) continue;
        kept.push(prose.slice(copied, start), ' '.repeat(inner.length));
        copied = end;
      }
      prose = kept.join('') + prose.slice(copied);
    }
    if (!prose.includes('](')) continue;
    for (const match of prose.matchAll(link)) {
      const target = match[1] ?? (match[2] as string);
      add(target, line.start + match.index + match[0].indexOf(target));
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** What stands between two runs of backticks of equal length, as CommonMark pairs them. */
function codeSpans(line: string): readonly Span[] {
  const runs: Span[] = [];
  for (let at = line.indexOf('`'); at !== -1;) {
    let end = at + 1;
    while (line[end] === '`') end += 1;
    runs.push({ start: at, end });
    at = line.indexOf('`', end);
  }
  // The next run of the same length, for each run: found from the end in one pass.
  const partner: (number | undefined)[] = [];
  const nextOf = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { start, end } = runs[index] as Span;
    partner[index] = nextOf.get(end - start);
    nextOf.set(end - start, index);
  }
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const closing = partner[index];
    if (closing === undefined) continue;
    spans.push({ start: (runs[index] as Span).end, end: (runs[closing] as Span).start });
    index = closing;
  }
  return spans;
}
