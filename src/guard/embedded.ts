// Code inside a text: fenced blocks and inline code of Markdown, scripts of HTML, cells of notebooks.
//
//   view -> Embedded[]
//
// A fence is closed by one of the same character that is at least as long, or by the end of the text. Blocks are found in every
// view of the whole text; those of other views count only where they differ from the raw ones.
import type { Gap } from './classify/classify.ts';
import type { Embedded, View } from './detector.ts';
import { languageOfBlock } from './classify/language.ts';
import { extensionOf } from './classify/language.ts';
import { guessLanguage } from './view/guess-language.ts';

const maxBlocks = 20_000;

export interface EmbeddedBlocks {
  readonly blocks: readonly Embedded[];
  /** There is more code than is read. */
  readonly gap: Gap | null;
}

export function embeddedOf(views: readonly View[]): EmbeddedBlocks {
  const found: Embedded[] = [];
  let gap: Gap | null = null;
  const seen = new Set<string>();
  for (const view of views) {
    if (view.language === 'markdown') for (const block of blocksOf(view)) add(block);
    else if (view.language === 'html') for (const block of scriptsOf(view)) add(block);
    else if (view.language === 'notebook' && view.kind === 'raw') {
      const cells = cellsIn(view);
      if (cells === null) gap ??= { reason: 'undecodable', message: 'it is no notebook that can be read' };
      else for (const cell of cellsOf(view, cells)) add(cell);
    }
  }
  return { blocks: found, gap };

  function add(block: Embedded): void {
    const key = `${block.rawOffset(0)}\0${block.language}\0${block.text}`;
    if (seen.has(key)) return;
    if (found.length >= maxBlocks) {
      gap = { reason: 'timed-out', message: `it holds more than ${maxBlocks} pieces of code` };
      return;
    }
    seen.add(key);
    found.push(block);
  }
}

function part(view: View, start: number, end: number, language: Embedded['language']): Embedded {
  return {
    language,
    text: view.text.slice(start, end),
    rawOffset: (offset) => view.rawOffset(start + offset),
    hiddenBy: view.hiddenBy,
  };
}

function* blocksOf(view: View): Generator<Embedded> {
  const { text } = view;
  let open: { readonly fence: string; readonly word: string; readonly start: number } | null = null;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + 400));
    const mark = /^[ \t>]{0,12}(`{3,40}|~{3,40})[ \t]{0,8}([\w+#.-]{0,40})/.exec(line);
    const next = Math.min(text.length, end + 1);
    if (open !== null) {
      const fence = mark?.[1] ?? '';
      if (fence.startsWith(open.fence) && mark?.[2] === '') {
        yield blockAt(view, open.start, at, open.word);
        open = null;
      }
    } else if (mark !== null) {
      open = { fence: mark[1] as string, word: mark[2] as string, start: next };
    } else {
      yield* inlineOf(view, at, end);
    }
    at = newline === -1 ? text.length : next;
  }
  if (open !== null) yield blockAt(view, open.start, text.length, open.word);
  // Indented by four blanks or a tab after an empty line, or between <pre> and </pre>: the language is not named.
  for (const match of text.matchAll(
    /(?<=^|\n)[ \t]{0,8}\n((?:(?: {4}|\t)[^\n]{0,100000}(?:\n|$)){1,200000})/g,
  ))
    yield* unnamed(match.index + match[0].length - (match[1] as string).length, match[1] as string);
  for (let at = text.indexOf('<pre'); at !== -1;) {
    const start = text.indexOf('>', at) + 1;
    const close = start === 0 ? -1 : text.indexOf('</pre', start);
    if (start > 0) yield* unnamed(start, text.slice(start, close === -1 ? text.length : close));
    at = close === -1 ? -1 : text.indexOf('<pre', close);
  }

  function* unnamed(start: number, code: string): Generator<Embedded> {
    const language = guessLanguage(code.replace(/^ {0,3}<code[^<>]{0,100}>/, ''));
    if (language !== 'text' && language !== 'json' && language !== 'html')
      yield part(view, start, start + code.length, language);
  }
}

function blockAt(view: View, start: number, end: number, word: string): Embedded {
  const name = word.includes('.') ? extensionOf(word) : word;
  return part(view, start, end, languageOfBlock(name, view.text.slice(start, Math.min(end, start + 200))));
}

/** Code between backticks on a line, where it looks like a command: a word, a space and more. */
function* inlineOf(view: View, from: number, to: number): Generator<Embedded> {
  const line = view.text.slice(from, to);
  for (let at = line.indexOf('`'); at !== -1;) {
    let ticks = 1;
    while (line[at + ticks] === '`') ticks += 1;
    const close = line.indexOf('`'.repeat(ticks), at + ticks);
    if (close === -1) return;
    const code = line.slice(at + ticks, close);
    if (/^\s{0,4}[$]?\s{0,4}[\w./~-]{1,80}\s/.test(code))
      yield part(view, from + at + ticks, from + close, 'shell');
    at = line.indexOf('`', close + ticks);
  }
}

function* scriptsOf(view: View): Generator<Embedded> {
  const { text } = view;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf('<script'); at !== -1;) {
    const start = text.indexOf('>', at) + 1;
    if (start === 0) return;
    const close = lower.indexOf('</script', start);
    const end = close === -1 ? text.length : close;
    if (end > start) yield part(view, start, end, 'javascript');
    at = lower.indexOf('<script', end);
  }
}

function cellsIn(view: View): readonly unknown[] | null {
  const notebook = parseJson(view.text);
  const cells = isObject(notebook) ? notebook['cells'] : undefined;
  return Array.isArray(cells) ? (cells as readonly unknown[]) : null;
}

/** The sources of the cells; code is Python unless the notebook says otherwise. */
function* cellsOf(view: View, cells: readonly unknown[]): Generator<Embedded> {
  let from = 0;
  for (const cell of cells) {
    if (!isObject(cell)) continue;
    const source: unknown = cell['source'];
    const lines = Array.isArray(source) ? source : [source];
    const text = lines.filter((line) => typeof line === 'string').join('');
    const first = JSON.stringify(lines.find((line) => typeof line === 'string') ?? '').slice(1, -1);
    const at = view.text.indexOf(first, from);
    const start = at === -1 ? from : at;
    from = start;
    const end = start + first.length;
    const language =
      cell['cell_type'] === 'code'
        ? /^\s{0,8}%%(?:bash|sh|script|system|sx|cmd|!)/.test(text)
          ? 'shell'
          : 'python'
        : 'markdown';
    const rawOffset = (offset: number): number => Math.min(view.text.length, Math.min(end, start + offset));
    if (text !== '') yield { language, text, hiddenBy: view.hiddenBy, rawOffset };
    // `!curl …`, `x = !curl …`, `%sx curl …`: lines for the shell.
    const commands = [
      ...text.matchAll(/^[ \t]{0,20}(?:[\w, ]{1,40}=[ \t]{0,4})?(?:!|%(?:sx|system)\b)([^\n]{1,100000})/gm),
    ];
    if (commands.length > 0)
      yield {
        language: 'shell',
        text: commands.map((match) => match[1]).join('\n'),
        hiddenBy: view.hiddenBy,
        rawOffset,
      };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
