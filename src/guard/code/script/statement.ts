// Tokens of one statement -> what it is: an import, a definition, an assignment. What its parts are worth is followed elsewhere
// (follow-script.ts).
import type { Language, Work } from '../../detector.ts';
import type { Token } from './tokenise.ts';
import { connectionModules } from './vocabulary.ts';

const longestImport = 2_000;
const longestStart = 60;

/** Names that an import gives: the local one -> `module.name`. */
export interface Imports {
  readonly names: ReadonlyMap<string, string>;
  /** Whether it brings what opens connections. */
  readonly connects: boolean;
  /** Whether nothing else is in the statement. */
  readonly isAll: boolean;
}

/** What a statement imports; `null`: nothing. */
export function readImports(
  all: readonly Token[],
  start: number,
  end: number,
  language: Language,
  work: Work,
): Imports | null {
  const first = all[start]?.text;
  const isImport = first === 'import' || first === 'from';
  const most = isImport ? longestImport : longestStart;
  if (isImport && end - start > most) work.leaveOut?.('it imports more names at once than are followed');
  const tokens = all.slice(start, Math.min(end, start + most));
  const words = tokens.map(({ text }) => text);
  if (!((first === 'import' && words[1] !== '(') || first === 'from' || words.includes('require')))
    return null;
  if (language === 'javascript') return readModule(tokens, words);
  return language === 'python' && isImport ? readPythonImport(words) : null;
}

/** `import { a as b } from 'm'`, `const { a: b } = require('m')`. */
function readModule(tokens: readonly Token[], words: readonly string[]): Imports | null {
  const isImport = words[0] === 'import';
  const module = tokens
    .find(
      (token, at) =>
        token.kind === 'text' && (words[at - 1] === 'from' || words[at - 2] === 'require' || isImport),
    )
    ?.text.replace(/^node:/, '');
  if (module === undefined) return null;
  const names = new Map<string, string>();
  const from = words.indexOf('from');
  const stop = from === -1 ? words.indexOf('=') : from;
  const destructured = words.slice(0, Math.max(0, stop)).includes('{');
  for (let at = 1; at < stop; at += 1)
    if (tokens[at]?.kind === 'name' && words[at] !== 'as') {
      // `{ key as k }`, `{ key: k }`
      const isRenamed = words[at - 1] === 'as' || words[at - 1] === ':';
      const original = isRenamed ? words[at - 2] : words[at];
      names.set(words[at] as string, destructured ? `${module}.${original}` : module);
    }
  return {
    names,
    connects: connectionModules.test(module),
    isAll: isImport || (stop !== -1 && words[words.indexOf(module) + 2] !== '.'),
  };
}

/** `import a.b as c, d`, `from m import (a as b, c)`. */
function readPythonImport(words: readonly string[]): Imports {
  const names = new Map<string, string>();
  let connects = false;
  const at = words.indexOf('import');
  const prefix = words[0] === 'from' ? `${words.slice(1, at).join('')}.` : '';
  let name = '';
  for (let index = at + 1; index <= words.length; index += 1) {
    const word = words[index];
    if (word === 'as') {
      names.set(words[index + 1] ?? '', prefix + name);
      index += 1;
      name = '';
    } else if (word === ',' || word === undefined) {
      if (name !== '' && prefix !== '') names.set(name, prefix + name);
      connects ||= connectionModules.test(prefix === '' ? name : prefix.slice(0, -1));
      name = '';
    } else if (word !== '(' && word !== ')') name += word;
  }
  return { names, connects, isAll: true };
}

export interface Definition {
  readonly name: string;
  readonly parameters: ReadonlySet<string>;
  /** Whether nothing else is in the statement. */
  readonly isAll: boolean;
}

/** `def f(a, b):`, `function f(a) {`, `const f = (a) => {`. */
export function readDefinition(
  tokens: readonly Token[],
  start: number,
  end: number,
  language: Language,
): Definition | null {
  const words = tokens.slice(start, Math.min(end, start + 40)).map(({ text }) => text);
  let at = words.findIndex(
    (word) => word === 'def' || word === 'function' || word === 'func' || word === 'sub',
  );
  if (at === -1 && words.includes('=>') && words.includes('=') && words.indexOf('=') < words.indexOf('=>'))
    at = words.indexOf('=') - 2;
  if (at < 0 || at > 4) return null;
  const name = words[at + 1] ?? '';
  const open = words.indexOf('(', at);
  const close = words.indexOf(')', open);
  if (open === -1 || close === -1 || !/^[A-Za-z_$][\w$]*$/.test(name)) return null;
  const colon = words.indexOf(':', close);
  return {
    name,
    parameters: new Set(words.slice(open + 1, close).filter((word) => /^[A-Za-z_$][\w$]*$/.test(word))),
    isAll: language === 'python' ? colon === words.length - 1 || colon === -1 : end - start <= close + 4,
  };
}

/** Where the sign of an assignment is; -1: there is none. */
export function findAssignment(tokens: readonly Token[], start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const { kind, text } = tokens[at] as Token;
    if (kind !== 'mark') continue;
    if ('([{'.includes(text)) depth += 1;
    else if (')]}'.includes(text)) depth -= 1;
    else if (depth === 0 && (text === '=' || text === '+=' || text === '.=' || text === ':=')) return at;
  }
  return -1;
}

/** The names that are assigned to. */
export function readTargets(tokens: readonly Token[], start: number, equal: number): readonly string[] {
  const names: string[] = [];
  for (let at = start; at < equal; at += 1) {
    const { kind, text } = tokens[at] as Token;
    if (kind === 'name' && !/^(?:const|let|var|my|our|local|global|self|this|export|final)$/.test(text))
      names.push(text);
    if (names.length >= 200) break;
  }
  return names;
}
