// The words of a template at an offset: inside of `{{ … }}` and `{% … %}`, or in a value that is an expression.
import type { Span } from '../base/span.ts';
import { filters } from '../template/filters/filters.ts';
import { tests } from '../template/filters/tests.ts';
import type { Declared } from './declared.ts';
import {
  expressionWords,
  filterDocs,
  loopDocs,
  tagDocs,
  testDocs,
  variableDocs,
} from './docs/template-docs.ts';
import type { Completion, Completions, Hover, Named } from './language.ts';
import { completion, unique, wordAround } from './language.ts';

const word = /[\w-]/;
const simpleWord = /\w/;
/** How far back an opening brace is looked for. */
const farthest = 4_000;

/** The start of the expression around `offset`, and whether it is that of a tag; `null`: it is text. */
export function expressionAt(
  text: string,
  offset: number,
  from = 0,
): { readonly start: number; readonly isTag: boolean } | null {
  const start = Math.max(from, offset - farthest);
  const before = text.slice(start, offset);
  const open = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (open < 0 || before.startsWith('{#', open)) return null;
  const isTag = before.startsWith('{%', open);
  if (before.includes(isTag ? '%}' : '}}', open + 2)) return null;
  return { start: start + open + 2, isTag };
}

/** What kind of word stands at `offset` of an expression that begins at `start`. */
function roleAt(
  text: string,
  start: number,
  at: number,
  isTag: boolean,
):
  | 'filter'
  | 'test'
  | 'tag'
  | 'variable'
  | 'none'
  | { readonly memberOf: string; readonly isQuoted: boolean } {
  const before = text.slice(start, at);
  const quoted = /(?:^|[^\w.])(\w+)(?:\[|\.get\()\s*(['"])$/.exec(before);
  if (quoted !== null) return { memberOf: quoted[1] as string, isQuoted: true };
  // An odd number of quotes: inside of a text.
  if ((before.match(/'/g)?.length ?? 0) % 2 === 1 || (before.match(/"/g)?.length ?? 0) % 2 === 1)
    return 'none';
  const member = /(?:^|[^\w.])(\w+)\.$/.exec(before);
  if (member !== null) return { memberOf: member[1] as string, isQuoted: false };
  if (before.endsWith('.')) return 'none';
  if (/(?:^|[^|])\|\s*$/.test(before)) return 'filter';
  if (/\bis(?:\s+not)?\s+$/.test(before)) return 'test';
  if (isTag && /^-?\s*$/.test(before)) return 'tag';
  return 'variable';
}

export function completeTemplate(
  text: string,
  offset: number,
  { start, isTag }: { readonly start: number; readonly isTag: boolean },
  declared: Declared,
): Completions {
  const loose = wordAround(text, offset, word, start, offset);
  const isQuoted = typeof roleAt(text, start, loose.start, isTag) === 'object';
  const span = isQuoted ? loose : wordAround(text, offset, simpleWord, start, offset);
  const role = roleAt(text, start, span.start, isTag);
  return { span, items: unique(wordsOf(role, declared)) };
}

type Role = ReturnType<typeof roleAt>;

function wordsOf(role: Role, declared: Declared): readonly Completion[] {
  if (typeof role === 'object') return membersOf(role.memberOf, role.isQuoted, declared);
  switch (role) {
    case 'none':
      return [];
    case 'filter':
      return [...filters.keys()].map((name) => completion('filter', name, filterDocs[name] ?? ''));
    case 'test':
      return [...tests.keys()]
        .filter((name) => simpleWord.test(name))
        .map((name) => completion('test', name, testDocs[name] ?? ''));
    case 'tag':
      return described('tag', tagDocs);
    case 'variable':
      return [
        ...described('variable', variableDocs),
        ...(declared.isComposition ? [] : named('step', declared.steps, false)),
        ...expressionWords.map((name) => completion('keyword', name, '')),
      ];
  }
}

function membersOf(owner: string, isQuoted: boolean, declared: Declared): readonly Completion[] {
  if (owner === 'inputs') return named('input', inputsIn(declared), isQuoted);
  if (owner === 'outputs' || owner === 'errors') return named('step', declared.steps, isQuoted);
  if (owner === 'loop' && !isQuoted) return described('variable', loopDocs);
  return [];
}

/** What a template reads as `inputs`: what is declared, and for a plan the message that started it. */
export function inputsIn({ inputs, isPlan }: Declared): readonly Named[] {
  if (!isPlan || inputs.some(({ name }) => name === 'user_message')) return inputs;
  return [...inputs, { name: 'user_message', description: 'The message that started the skill.' }];
}

function named(kind: 'step' | 'input', all: readonly Named[], isQuoted: boolean): readonly Completion[] {
  return all
    .filter(({ name }) => isQuoted || /^[A-Za-z_]\w*$/.test(name))
    .map(({ name, description }) => completion(kind, name, description));
}

function described(
  kind: Completion['kind'],
  docs: { readonly [name: string]: string },
): readonly Completion[] {
  return Object.entries(docs).map(([name, text]) => completion(kind, name, text));
}

export function hoverTemplate(
  text: string,
  offset: number,
  { start, isTag }: { readonly start: number; readonly isTag: boolean },
  declared: Declared,
): Hover | null {
  const span: Span = wordAround(text, offset, word, start);
  const name = text.slice(span.start, span.end);
  if (name === '') return null;
  const role = roleAt(text, start, span.start, isTag);
  const found = wordsOf(role, declared).find(({ label }) => label === name);
  if (found === undefined || found.description === '') return null;
  return { span, title: `${found.kind} ${name}`, text: found.description };
}
