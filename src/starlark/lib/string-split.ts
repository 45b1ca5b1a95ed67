// Methods that cut a string up or put one together: split, rsplit, splitlines, strip, join, replace, elems.
import { insertBetween, replaceText, stripText } from '../../python/change-text.ts';
import { chargeScan, listBytes } from '../../python/charge.ts';
import { detachParts } from '../../python/slice-text.ts';
import { PART_BYTES, joinTexts, splitText, splitOnSpace } from '../../python/split-text.ts';
import { isSpace } from '../../python/white-space.ts';
import { EvalError } from '../value/eval-error.ts';
import { toArray } from '../value/iterate.ts';
import { fixed, type Native, type Thread } from '../value/native.ts';
import { ELEMS_BYTES } from '../value/sizes.ts';
import { typeName } from '../value/type-name.ts';
import { Elems, List, Tuple, type Value } from '../value/value.ts';
import { wantCount, wantString, wrongArgument } from './string-arguments.ts';

function splitter(name: 'split' | 'rsplit'): Native {
  const fromRight = name === 'rsplit';
  return fixed(name, 'sep?, maxsplit?, /', (thread, self: string, a, b) => {
    const most = b === undefined || b === null ? -1 : wantCount(name, 'maxsplit', b);
    if (a === undefined || a === null)
      return new List(splitOnSpace(thread.meter, self, most, fromRight, isSpace));
    const sep = wantString(name, 'sep', a);
    if (sep === '')
      throw new EvalError(
        'EVAL_VALUE',
        `${name}: empty separator`,
        name === 'split' ? 'list(s.elems()) gives the characters' : null,
      );
    return new List(splitText(thread.meter, self, sep, most, fromRight));
  });
}

/** Lines end with CR, LF or both: Python knows seven more line ends. */
function splitlines(thread: Thread, self: string, a: Value | undefined): Value {
  if (a !== undefined && typeof a !== 'boolean') throw wrongArgument('splitlines', 'keepends', a, 'bool');
  chargeScan(thread.meter, self.length);
  const parts: string[] = [];
  const length = self.length;
  // Searched anew only once passed, so that each is found once.
  let cr = self.indexOf('\r');
  let lf = self.indexOf('\n');
  let from = 0;
  while (cr >= 0 || lf >= 0) {
    const crFirst = cr >= 0 && (lf < 0 || cr < lf);
    const at = crFirst ? cr : lf;
    const end = crFirst && lf === cr + 1 ? at + 2 : at + 1;
    parts.push(self.slice(from, a === true ? end : at));
    if ((parts.length & 0xff) === 0) thread.meter.allocate(0x100 * PART_BYTES);
    from = end;
    if (cr >= 0 && cr < end) cr = self.indexOf('\r', end);
    if (lf >= 0 && lf < end) lf = self.indexOf('\n', end);
  }
  if (from < length) parts.push(self.slice(from));
  thread.meter.work(parts.length * 3);
  thread.meter.allocate(listBytes(0) + (parts.length & 0xff) * PART_BYTES + length * 2);
  detachParts(self, parts);
  return new List(parts);
}

function stripper(name: string, left: boolean, right: boolean): Native {
  return fixed(name, 'cutset?, /', (thread, self: string, a) => {
    const cutset = a === undefined || a === null ? null : wantString(name, 'cutset', a);
    return stripText(thread.meter, self, cutset, left, right, isSpace);
  });
}

function join(thread: Thread, self: string, a: Value | undefined): Value {
  const items = a instanceof List || a instanceof Tuple ? a.items : toArray(thread, a as Value, 'join');
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Value;
    if (typeof item !== 'string') {
      throw new EvalError(
        'EVAL_TYPE',
        `join: in ${typeName(a as Value)}, want string, got ${typeName(item)} at index ${i}`,
        'make strings first: ", ".join([str(x) for x in xs])',
      );
    }
  }
  return joinTexts(thread.meter, self, items as string[]);
}

function replace(
  thread: Thread,
  self: string,
  a: Value | undefined,
  b: Value | undefined,
  c: Value | undefined,
): Value {
  const before = wantString('replace', 'old', a);
  const after = wantString('replace', 'new', b);
  const most = c === undefined || c === null ? -1 : wantCount('replace', 'count', c);
  return before === ''
    ? insertBetween(thread.meter, self, unitsOf, after, most)
    : replaceText(thread.meter, self, before, after, most);
}

/** A character of a Starlark string is a UTF-16 unit. */
function unitsOf(text: string): readonly string[] {
  return text.split('');
}

function elems(thread: Thread, self: string): Value {
  thread.meter.work(1);
  thread.meter.allocate(ELEMS_BYTES);
  return new Elems(self);
}

export const splitMethods: readonly Native[] = [
  splitter('split'),
  splitter('rsplit'),
  fixed('splitlines', 'keepends?, /', splitlines),
  stripper('strip', true, true),
  stripper('lstrip', true, false),
  stripper('rstrip', false, true),
  fixed('join', 'iterable, /', join),
  fixed('replace', 'old, new, count?, /', replace),
  fixed('elems', '', elems),
];
