// Methods that look for text in a string: find, index, count, startswith, partition and their kin.
import { removeAffix } from '../../python/change-text.ts';
import { chargeRead, chargeScan } from '../../python/charge.ts';
import { chargeTuple } from '../value/charge.ts';
import { EvalError } from '../value/eval-error.ts';
import { indexOfText, lastIndexOfText } from '../../python/find-text.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { excerpt } from '../value/parse-number.ts';
import { countMatches, partitionText } from '../../python/split-text.ts';
import { Tuple, type Value } from '../value/value.ts';
import { wantIndex, wantString, wrongArgument } from './string-arguments.ts';

type Argument = Value | undefined;

/** The index of the first or last `sub` in `self[start:end]`, or -1. */
function search(
  thread: Thread,
  method: string,
  last: boolean,
  self: string,
  a: Argument,
  b: Argument,
  c: Argument,
): number {
  const sub = wantString(method, 'sub', a);
  const start = wantIndex(method, 'start', b, self.length, 0);
  const end = wantIndex(method, 'end', c, self.length, self.length);
  // Unlike in Python an empty text is found in an empty range, wherever that lies.
  if (start >= end) {
    thread.meter.work(1);
    return sub === '' ? start : -1;
  }
  chargeRead(thread.meter, self.length);
  if (!last && end === self.length) return indexOfText(thread.meter, self, sub, start);
  const part = self.slice(start, end);
  const found = last ? lastIndexOfText(thread.meter, part, sub) : indexOfText(thread.meter, part, sub, 0);
  return found < 0 ? -1 : found + start;
}

function finder(name: string, last: boolean, fails: boolean): Native {
  return fixed(name, 'sub, start?, end?, /', (thread, self: string, a, b, c) => {
    const found = search(thread, name, last, self, a, b, c);
    if (found < 0 && fails)
      throw new EvalError(
        'EVAL_VALUE',
        `${name}: substring not found: ${excerpt(a as string)}`,
        'find gives -1 instead of an error',
      );
    return found;
  });
}

function count(thread: Thread, self: string, a: Argument, b: Argument, c: Argument): Value {
  const sub = wantString('count', 'sub', a);
  thread.meter.work(1);
  const start = wantIndex('count', 'start', b, self.length, 0);
  const end = wantIndex('count', 'end', c, self.length, self.length);
  if (sub === '') return Math.max(0, end - start) + 1;
  chargeRead(thread.meter, self.length);
  const part = start === 0 && end === self.length ? self : self.slice(start, Math.max(start, end));
  return countMatches(thread.meter, part, sub);
}

function affix(
  name: 'startswith' | 'endswith',
  parameter: string,
  test: (text: string, affix: string) => boolean,
): Native {
  return fixed(name, `${parameter}, start?, end?, /`, (thread, self: string, a, b, c) => {
    chargeRead(thread.meter, self.length);
    let part = self;
    if (b !== undefined) {
      const start = wantIndex(name, 'start', b, self.length, 0);
      const end = wantIndex(name, 'end', c, self.length, self.length);
      chargeScan(thread.meter, 0);
      part = self.slice(start, Math.max(start, end));
    }
    if (typeof a === 'string') {
      chargeScan(thread.meter, a.length);
      return test(part, a);
    }
    if (!(a instanceof Tuple)) throw wrongArgument(name, parameter, a, 'string or tuple of strings');
    for (let i = 0; i < a.items.length; i++) {
      const item = a.items[i] as Value;
      if (typeof item !== 'string') throw wrongArgument(name, `${parameter}, element ${i}`, item, 'string');
      chargeScan(thread.meter, item.length);
      if (test(part, item)) return true;
    }
    return false;
  });
}

function partitioner(name: 'partition' | 'rpartition'): Native {
  const last = name === 'rpartition';
  return fixed(name, 'sep, /', (thread, self: string, a) => {
    const sep = wantString(name, 'sep', a);
    if (sep === '') throw new EvalError('EVAL_VALUE', `${name}: empty separator`);
    chargeTuple(thread.meter, 3);
    return new Tuple(partitionText(thread.meter, self, sep, last));
  });
}

function remover(name: 'removeprefix' | 'removesuffix', parameter: string): Native {
  return fixed(name, `${parameter}, /`, (thread, self: string, a) => {
    const cut = wantString(name, parameter, a);
    return removeAffix(thread.meter, self, cut, name === 'removesuffix');
  });
}

export const searchMethods: readonly Native[] = [
  finder('find', false, false),
  finder('index', false, true),
  finder('rfind', true, false),
  finder('rindex', true, true),
  fixed('count', 'sub, start?, end?, /', count),
  affix('startswith', 'prefix', (text, prefix) => text.startsWith(prefix)),
  affix('endswith', 'suffix', (text, suffix) => text.endsWith(suffix)),
  partitioner('partition'),
  partitioner('rpartition'),
  remover('removeprefix', 'prefix'),
  remover('removesuffix', 'suffix'),
];
