// The Markdown of a skill -> HTML, in a small subset.
//
//   headings, paragraphs, lists, quotations, code, rules, **strong**, *emphasis*, `code`
//
// Everything else is shown as text: links with their address beside them and not to be clicked, HTML with its tags. It is read
// line by line, in time proportional to its length.
import { escapeHtml } from './html.ts';

const mostCharacters = 200_000;
const fence = /^ {0,3}(```+|~~~+)/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const item = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const rule = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$/;

/** `code`: indented lines, and lines of a table. */
type Open = 'paragraph' | 'list' | 'quote' | 'code' | null;

export function renderMarkdown(markdown: string): string {
  const shown = markdown.length > mostCharacters ? markdown.slice(0, mostCharacters) : markdown;
  const html: string[] = [];
  let open: Open = null;
  let lines: string[] = [];
  const close = (): void => {
    if (open === 'paragraph') html.push(`<p>${inline(lines.join('\n'))}</p>`);
    else if (open === 'quote') html.push(`<blockquote><p>${inline(lines.join('\n'))}</p></blockquote>`);
    else if (open === 'list') html.push(`<ul>\n${lines.join('\n')}\n</ul>`);
    else if (open === 'code') html.push(codeBlock(lines));
    open = null;
    lines = [];
  };
  const add = (kind: Exclude<Open, null>, line: string): void => {
    if (open !== kind) close();
    open = kind;
    lines.push(line);
  };
  const source = shown.split(/\r\n|\r|\n/);
  for (let at = 0; at < source.length; at += 1) {
    const line = source[at] as string;
    const [, mark] = fence.exec(line) ?? [];
    if (mark !== undefined) {
      close();
      const end = closingFence(source, at + 1, mark);
      html.push(codeBlock(source.slice(at + 1, end)));
      at = end;
      continue;
    }
    const [, level, title = ''] = heading.exec(line) ?? [];
    const [, indent, text = ''] = item.exec(line) ?? [];
    if (line.trim() === '') close();
    else if (level !== undefined) {
      close();
      // The page has its own first and second level.
      const tag = `h${Math.min(6, level.length + 2)}`;
      html.push(`<${tag}>${inline(title.replace(/[ \t]+#+[ \t]*$/, ''))}</${tag}>`);
    } else if (rule.test(line)) {
      close();
      html.push('<hr>');
    } else if (indent !== undefined) {
      const depth = Math.min(4, Math.floor(indent.replaceAll('\t', '    ').length / 2) + 1);
      add('list', `<li${depth === 1 ? '' : ` class="d${depth}"`}>${inline(text)}</li>`);
    } else if (/^ {0,3}>/.test(line)) add('quote', line.replace(/^ {0,3}> ?/, ''));
    else if (line.startsWith('|') || (/^(?: {4}|\t)/.test(line) && (open === null || open === 'code')))
      add('code', line);
    else if (open === 'code') add('paragraph', line);
    else if (open === 'list' && /^[ \t]/.test(line)) {
      const last = lines.at(-1) as string;
      lines[lines.length - 1] = `${last.slice(0, -'</li>'.length)} ${inline(line.trim())}</li>`;
    } else if (open === 'list') add('paragraph', line);
    else add(open ?? 'paragraph', line);
  }
  close();
  if (shown.length < markdown.length)
    html.push('<p><em>The rest is not shown here; the archive has all of it.</em></p>');
  return html.join('\n');
}

function codeBlock(lines: readonly string[]): string {
  return `<pre><code>${escapeHtml(lines.join('\n'))}</code></pre>`;
}

function closingFence(lines: readonly string[], from: number, mark: string): number {
  const end = new RegExp(`^ {0,3}\\${mark[0] as string}{${mark.length},}[ \\t]*$`);
  for (let at = from; at < lines.length; at += 1) if (end.test(lines[at] as string)) return at;
  return lines.length;
}

/** Escaped first; what is added afterwards is only `code`, `strong` and `em`. */
function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part)
            .replace(/\*\*([^*\n]+)\*\*/g, '<strong>$1</strong>')
            .replace(/(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g, '<em>$1</em>'),
    )
    .join('');
}
