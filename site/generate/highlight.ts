// Code -> HTML with a class for each comment, string, number, keyword and command.
//
// One scanner for all languages: it knows how their comments and strings begin, and nothing of their grammar. What it
// does not know stays plain.
import { escapeHtml } from './page.ts';

interface Language {
  readonly comment: RegExp | null;
  readonly string: RegExp;
  readonly words: ReadonlySet<string>;
}

const quoted = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;
const script: Language = {
  comment: /\/\/[^\n]*|\/\*[^]*?\*\//y,
  string: /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/y,
  words: new Set(
    'async await break case class const continue declare default else export extends false for from function if import in interface let new null of readonly return static switch throw true try type typeof undefined while'.split(
      ' ',
    ),
  ),
};
const python: Language = {
  comment: /#[^\n]*/y,
  string: /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y,
  words: new Set(
    'and break continue def elif else False for if in lambda load None not or pass return True'.split(' '),
  ),
};
const data: Language = { comment: /#[^\n]*/y, string: quoted, words: new Set(['true', 'false', 'null']) };
const json: Language = { ...data, comment: /\/\/[^\n]*/y };
const shell: Language = {
  comment: /(?<![\w$&"'])#[^\n]*/y,
  string: quoted,
  words: new Set('if then else fi for in do done while case esac'.split(' ')),
};
const jinja: Language = {
  comment: /\{#[^]*?#\}/y,
  string: quoted,
  words: new Set('if elif else endif for in endfor set not and or is'.split(' ')),
};

const languages: { readonly [name: string]: Language } = {
  ts: script,
  js: script,
  python,
  starlark: python,
  yaml: data,
  toml: data,
  json,
  sh: shell,
  jinja,
};

const word = /[A-Za-z_][\w]*/y;
const number = /(?<![\w.])\d[\w.]*/y;

export function highlight(code: string, name: string): string {
  if (name === 'console') return highlightConsole(code);
  const language = languages[name];
  if (language === undefined) return escapeHtml(code);
  let html = '';
  let at = 0;
  const take = (pattern: RegExp | null): string | null => {
    if (pattern === null) return null;
    pattern.lastIndex = at;
    const found = pattern.exec(code)?.[0] ?? null;
    return found === '' ? null : found;
  };
  while (at < code.length) {
    const comment = take(language.comment);
    const string = comment === null ? take(language.string) : null;
    const plain = comment === null && string === null ? take(word) : null;
    const digits = comment === null && string === null && plain === null ? take(number) : null;
    const text = comment ?? string ?? plain ?? digits ?? (code[at] as string);
    const kind =
      comment !== null
        ? 'c'
        : string !== null
          ? 's'
          : digits !== null
            ? 'n'
            : plain !== null && language.words.has(plain)
              ? 'k'
              : null;
    html += kind === null ? escapeHtml(text) : `<span class="${kind}">${escapeHtml(text)}</span>`;
    at += text.length;
  }
  return html;
}

/** What is typed stands out from what is answered. */
function highlightConsole(code: string): string {
  return code
    .split('\n')
    .map((line) =>
      line.startsWith('$ ')
        ? `<span class="c">$</span> <span class="t">${escapeHtml(line.slice(2))}</span>`
        : escapeHtml(line),
    )
    .join('\n');
}
