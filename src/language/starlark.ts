// The words of a program at an offset: functions of the language and of the host, methods, options, keys of the input.
import type { Span } from '../base/span.ts';
import { hostFunctionNames, hostFunctionOptions } from '../skill/host-functions.ts';
import { jsonModule } from '../starlark/lib/json.ts';
import { dictMethods, listMethods, setMethods, stringMethods } from '../starlark/lib/methods.ts';
import { universe } from '../starlark/lib/universe.ts';
import { keywords } from '../starlark/syntax/token.ts';
import type { Native } from '../starlark/value/native.ts';
import { Builtin } from '../starlark/value/value.ts';
import type { Declared } from './declared.ts';
import { builtinDocs, hostFunctionDocs, hostOptionDocs, jsonDocs, methodDocs } from './docs/starlark-docs.ts';
import type { Completion, Completions, Hover } from './language.ts';
import { completion, unique, wordAround } from './language.ts';

const word = /\w/;
const mostNames = 500;

/** Where an offset of a program is. */
interface Around {
  /** The offset behind the opening quote; null: not in a text. */
  readonly text: number | null;
  readonly isComment: boolean;
  /** Offsets of the brackets that are open. */
  readonly brackets: readonly number[];
}

function lookAround(text: string, offset: number): Around {
  const brackets: number[] = [];
  for (let at = 0; at < offset;) {
    const unit = text.charAt(at);
    if (unit === '#') {
      const end = text.indexOf('\n', at);
      if (end < 0 || end >= offset) return { text: null, isComment: true, brackets };
      at = end;
    } else if (unit === '"' || unit === "'") {
      const quote = text.startsWith(unit.repeat(3), at) ? unit.repeat(3) : unit;
      const end = textEnd(text, at + quote.length, quote);
      if (end > offset) return { text: at + quote.length, isComment: false, brackets };
      at = end;
      continue;
    } else if ('([{'.includes(unit)) brackets.push(at);
    else if (')]}'.includes(unit)) brackets.pop();
    at += 1;
  }
  return { text: null, isComment: false, brackets };
}

/** The offset behind a text; one that is not closed ends with its line, or past the end of the program. */
function textEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (quote.length === 1 && text[at] === '\n') return at + 1;
  }
  return text.length + 1;
}

export function completeStarlark(text: string, offset: number, declared: Declared): Completions {
  const around = lookAround(text, offset);
  const span = wordAround(text, offset, word, around.text ?? 0, offset);
  return { span, items: unique(wordsAt(text, span.start, around, declared)) };
}

function wordsAt(text: string, at: number, around: Around, declared: Declared): readonly Completion[] {
  if (around.isComment) return [];
  if (around.text !== null) return at === around.text ? keysAt(text, around, declared) : [];
  const before = text.slice(Math.max(0, at - 200), at);
  const owner = /(\w+)\s*\.\s*$/.exec(before)?.[1];
  if (owner === 'json') return jsonMembers();
  if (/\.\s*$/.test(before)) return /\d\.$/.test(before) ? [] : methods();
  return [
    ...hostFunctions(),
    ...builtins(),
    ...ownNames(text, at),
    ...[...keywords].map((name) => completion('keyword', name, '')),
  ];
}

/** In a text that may be a key: of the input, or of the options of a host function. */
function keysAt(text: string, { text: start, brackets }: Around, declared: Declared): readonly Completion[] {
  const before = text.slice(Math.max(0, (start as number) - 200), (start as number) - 1);
  if (/\binput(?:\[|\.get\()\s*$/.test(before))
    return declared.inputs.map(({ name, description }) => completion('input', name, description));
  const inner = brackets.at(-1);
  const outer = brackets.at(-2);
  if (inner === undefined || outer === undefined || text[inner] !== '{' || text[outer] !== '(') return [];
  if (!/[{,]\s*$/.test(before)) return [];
  const called = /(\w+)\s*$/.exec(text.slice(Math.max(0, outer - 60), outer))?.[1] ?? '';
  if (!Object.hasOwn(hostFunctionOptions, called)) return [];
  return hostFunctionOptions[called as keyof typeof hostFunctionOptions].map((name) =>
    completion('value', name, hostOptionDocs[name] ?? '', { detail: `option of ${called}` }),
  );
}

function hostFunctions(): readonly Completion[] {
  return hostFunctionNames.map((name) => {
    const { signature = name, text } = hostFunctionDocs[name] ?? { text: '' };
    return completion('function', name, text, { detail: signature });
  });
}

function builtins(): readonly Completion[] {
  return [...universe].map(([name, value]) =>
    value instanceof Builtin
      ? completion('function', name, builtinDocs[name] ?? '', { detail: signatureOf(name, value.native) })
      : completion(name === 'json' ? 'variable' : 'keyword', name, builtinDocs[name] ?? ''),
  );
}

function jsonMembers(): readonly Completion[] {
  return [...jsonModule.members].map(([name, value]) =>
    completion('function', name, jsonDocs[name] ?? '', {
      detail: value instanceof Builtin ? signatureOf(`json.${name}`, value.native) : '',
    }),
  );
}

/** By the name of the type. */
export const methodTables: ReadonlyMap<string, ReadonlyMap<string, Native>> = new Map([
  ['string', stringMethods],
  ['list', listMethods],
  ['dict', dictMethods],
  ['set', setMethods],
]);

function methods(): readonly Completion[] {
  return [...methodTables].flatMap(([type, table]) =>
    [...table].map(([name, native]) =>
      completion('method', name, methodDocs[type]?.[name] ?? '', {
        detail: `${type}.${signatureOf(name, native)}`,
      }),
    ),
  );
}

/** `split(sep = None, maxsplit = None)`: what is optional is in brackets. */
function signatureOf(name: string, native: Native): string {
  if (native.kind === 'variadic') return `${name}(…)`;
  const shown = native.params.map((param, index) => (index < native.required ? param : `[${param}]`));
  return `${name}(${shown.join(', ')})`;
}

/** Functions, variables and parameters of the program itself. */
function ownNames(text: string, except: number): readonly Completion[] {
  const found: Completion[] = [];
  const names =
    /\bdef[ \t]+(\w{1,128})[ \t]*(\([^)\n]{0,200})?|^[ \t]*(\w{1,128})[ \t]*=(?!=)|\bfor[ \t]+(\w{1,128})/gm;
  for (const match of text.matchAll(names)) {
    if (found.length >= mostNames) break;
    const [, called, parameters = '', assigned, looped] = match;
    if (called !== undefined) {
      found.push(
        completion('function', called, 'A function of this program.', {
          detail: `${called}${parameters}${parameters === '' ? '()' : ')'}`,
        }),
      );
      for (const [, name = ''] of parameters.matchAll(/(?:^\(|[,*]\s*)([A-Za-z_]\w*)/g))
        found.push(completion('variable', name, ''));
    }
    const variable = assigned ?? looped;
    if (variable !== undefined && match.index + match[0].length !== except)
      found.push(completion('variable', variable, ''));
  }
  return found;
}

export function hoverStarlark(text: string, offset: number, declared: Declared): Hover | null {
  const around = lookAround(text, offset);
  const span: Span = wordAround(text, offset, word, around.text ?? 0);
  const name = text.slice(span.start, span.end);
  if (name === '' || /^\d/.test(name)) return null;
  const all = wordsAt(text, span.start, around, declared).filter(({ label }) => label === name);
  const shown = all.filter(({ description, detail }) => description !== '' || detail !== '');
  if (shown.length === 0) return null;
  const [first] = shown as [Completion];
  return {
    span,
    title: first.detail === '' ? name : first.detail,
    text: shown
      .map(({ detail, description }, index) => (index === 0 ? description : `${detail}: ${description}`))
      .join('\n'),
  };
}
