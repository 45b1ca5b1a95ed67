// Parts of Markdown and HTML that a person does not see and a model reads.
//
//   text -> parts { start, end, way }
//
// Comments of HTML, link definitions used as comments (`[//]: # (…)`), elements with a style or attribute that hides them, and what
// stands far below or far to the right of everything else.

export interface HiddenPart {
  readonly way: 'html-comment' | 'markdown-comment' | 'hidden-style' | 'padding';
  /** Of what is hidden, without the marks around it. */
  readonly start: number;
  readonly end: number;
}

/** A text with more of them is not wholly read: who makes views of them says so. */
export const maxParts = 2000;
/** What is longer is read as part of the whole text all the same. */
const maxComment = 50_000;

export function hiddenParts(text: string, isMarkup: boolean): readonly HiddenPart[] {
  const parts: HiddenPart[] = [];
  const add = (way: HiddenPart['way'], start: number, end: number): void => {
    if (parts.length < maxParts && text.slice(start, end).trim() !== '') parts.push({ way, start, end });
  };
  if (isMarkup) {
    for (let at = text.indexOf('<!--'); at !== -1;) {
      const close = text.indexOf('-->', at + 4);
      const end = close === -1 ? text.length : close;
      add('html-comment', at + 4, Math.min(end, at + maxComment));
      at = text.indexOf('<!--', end);
    }
    for (const match of text.matchAll(
      /^[ \t]{0,3}\[(?:\/\/|\/|#|comment|_|\.|\^?_+)\]:[ \t]{0,8}(?:<>|#|\S{1,40})[ \t]{0,8}["'(]([^\n]{1,2000})["')][ \t]{0,8}$/gim,
    )) {
      const start = match.index + match[0].indexOf(match[1] as string);
      add('markdown-comment', start, start + (match[1] as string).length);
    }
    for (const part of hiddenElements(text)) add('hidden-style', part.start, part.end);
  }
  let shown = 0;
  for (const match of text.matchAll(/\s{41,}/g)) {
    const start = match.index + match[0].length;
    if (start < shown || !isPadding(match[0]) || start >= text.length || text[start] === '|') continue;
    shown = Math.min(text.length, start + 4000);
    add('padding', start, shown);
  }
  return parts;
}

/** Forty empty lines, or two hundred blanks on a line. */
function isPadding(blank: string): boolean {
  let lines = 0;
  let columns = 0;
  for (let at = 0; at < blank.length; at += 1) {
    if (blank[at] === '\n') {
      lines += 1;
      columns = 0;
    } else {
      columns += 1;
    }
  }
  return lines > 40 || columns >= 200;
}

const hides =
  /style\s{0,4}=\s{0,4}["'][^"'<>]{0,300}(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}(?:hidden|collapse)|font-size\s{0,4}:\s{0,4}0|opacity\s{0,4}:\s{0,4}0(?:[;"'.\s]|$)|color\s{0,4}:\s{0,4}(?:white|transparent|#fff(?:fff)?\b|rgba?\(\s{0,4}255\s{0,4},\s{0,4}255\s{0,4},\s{0,4}255)|text-indent\s{0,4}:\s{0,4}-\d{3}|(?:left|top)\s{0,4}:\s{0,4}-\d{3}|(?:height|width|line-height)\s{0,4}:\s{0,4}0)|\shidden(?:[\s=>]|$)/i;
const colourWhite =
  /<font[^<>]{0,100}(?:color\s{0,4}=\s{0,4}["']?(?:white|#fff(?:fff)?\b)|size\s{0,4}=\s{0,4}["']?0)/i;

function* hiddenElements(text: string): Generator<{ readonly start: number; readonly end: number }> {
  // What is inside a hidden element is part of it.
  let end = 0;
  for (const match of text.matchAll(/<([A-Za-z][A-Za-z0-9]{0,15})(?=[\s])[^<>]{1,1000}>/g)) {
    if (match.index < end || (!hides.test(match[0]) && !colourWhite.test(match[0]))) continue;
    const start = match.index + match[0].length;
    const rest = text.slice(start, start + 20_000);
    const close = rest.indexOf(`</${match[1] as string}`);
    end = start + (close === -1 ? rest.length : close);
    yield { start, end };
  }
}
