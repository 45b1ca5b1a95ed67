// The files of its folder that a body points to.
//
//   [guide](references/guide.md#setup)   `scripts/run.py`   {baseDir}/assets/logo.svg
//
// N1. Markdown links to relative targets, and paths in backticks that start with a resource folder or `./`.
// N2. Not in code blocks, not URLs, not anchors, nothing with a placeholder in it.
import type { Span } from '../base/span.ts';
import { markdownLines } from './markdown-lines.ts';

export interface Reference {
  /** As written, without fragment, query and base-folder placeholder. */
  readonly path: string;
  /** Offsets into the text that was searched. */
  readonly span: Span;
}

const link = /\]\(\s*(?:<([^<>\n]{0,400})>|([^\s()]{1,400}(?:\([^\s()]{0,400}\)[^\s()]{0,400})?))(?:\s+["'][^"'\n]*["'])?\s*\)/g;
const codeSpan = /(`+)([^`]+)\1(?!`)/g;
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
  path = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
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
      for (const match of prose.matchAll(codeSpan)) {
        const inner = match[2] as string;
        const target = inner.trim();
        if (resourcePath.test(target.replace(baseFolder, ''))) add(target, line.start + match.index + (match[1] as string).length + inner.indexOf(target));
      }
      // A link shown as code is an example; a link around code is a link.
      prose = prose.replace(codeSpan, (all) => (all.includes('](') ? ' '.repeat(all.length) : all));
    }
    if (!prose.includes('](')) continue;
    for (const match of prose.matchAll(link)) {
      const target = match[1] ?? (match[2] as string);
      add(target, line.start + match.index + match[0].indexOf(target));
    }
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}
