// The text of a note -> Markdown that can be shown: no frontmatter, and links between notes as links of this page (`#note=`).
const fence = /^\s*(?:```|~~~)/;

export function noteMarkdown(text: string): string {
  let isCode = false;
  return withoutHead(text)
    .split('\n')
    .map((line) => {
      if (fence.test(line)) isCode = !isCode;
      return isCode ? line : linked(line);
    })
    .join('\n');
}

/** Frontmatter is shown as properties. */
function withoutHead(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n(?:[^]*?\r?\n)?---[ \t]*(?:\r?\n|$)/, '');
}

function linked(line: string): string {
  return line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll(/!?\[\[([^\]\n]+)\]\]/g, (_, inner: string) => linkOf(inner)),
    )
    .join('');
}

function linkOf(inner: string): string {
  const [target = '', shown] = inner.split('|');
  const [name = ''] = target.split('#');
  const label = (shown ?? target).trim().replaceAll(/[\\[\]*_`<>&]/g, String.raw`\$&`);
  return name.trim() === ''
    ? label
    : `[${label}](#note=${encodeURIComponent(name.trim()).replaceAll(/[()']/g, (one) => `%${one.charCodeAt(0).toString(16)}`)})`;
}

/** `#note=A%20B` -> `A B`; `null`: another link. */
export function noteOfLink(href: string | null): string | null {
  const found = /^#note=(.+)$/.exec(href ?? '')?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return null;
  }
}
