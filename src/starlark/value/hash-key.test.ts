import { chargeJoin } from '../../python/charge.ts';
import { describe, expect, it } from 'vitest';
import { testThread } from '../../../test/support/starlark-thread.ts';
import { compare, equals } from './compare.ts';
import { contains } from './contains.ts';
import { dictCopy, dictHas, dictSet, newDict } from './dict.ts';
import type { Thread } from './native.ts';
import { setMerge, setOf, setWithin } from './set.ts';
import { Bytes, Tuple, type Dict, type Value } from './value.ts';

function stepsOf(work: (thread: Thread) => unknown): number {
  const thread = testThread({ steps: 1e12, bytes: 1e12 });
  work(thread);
  return thread.meter.steps;
}

const roomy = testThread({ steps: 1e12, bytes: 1e12 });

function dictOf(...keys: Value[]): Dict {
  const d = newDict(roomy);
  for (const key of keys) dictSet(roomy, d, key, 1);
  return d;
}

const texts = (count: number, units: number): string[] =>
  Array.from({ length: count }, (_, i) => `${'a'.repeat(units - 4)}${1000 + i}`);

describe('hashKey', () => {
  it.each<[string, (units: number) => Value]>([
    ['a string', (units) => 'a'.repeat(units)],
    ['a tuple whose key is known', (units) => new Tuple(['a'.repeat(units)])],
    ['bytes', (units) => new Bytes(new Uint8Array(units))],
  ])('charges each use of %s by its length (compare#K6)', (_what, make) => {
    const key = make(320_000);
    const d = dictOf(key);
    expect(stepsOf((thread) => dictHas(thread, d, key))).toBeGreaterThanOrEqual(10_000);
  });

  it('charges for the keys of one length that V8 cannot tell apart by their hash (key-index#T6)', () => {
    const [absent, ...keys] = texts(101, 32_000);
    const d = dictOf(...keys);
    const look = (): number => stepsOf((thread) => dictHas(thread, d, absent!));
    expect(look()).toBeGreaterThanOrEqual(100_000);
    expect(stepsOf((thread) => dictHas(thread, d, `${absent}b`))).toBeLessThan(1100);
    d.index.clear();
    expect(look()).toBeLessThan(1100);
  });

  it('does not charge for other keys when the hash tells them apart', () => {
    const [absent, ...keys] = texts(101, 16_000);
    const d = dictOf(...keys);
    expect(stepsOf((thread) => dictHas(thread, d, absent!))).toBeLessThan(600);
  });

  it.each<[string, (thread: Thread, keys: string[]) => unknown]>([
    ['dicts are compared', (thread, keys) => equals(thread, dictOf(...keys), dictOf(...keys))],
    ['a dict is copied', (thread, keys) => dictCopy(thread, dictOf(...keys))],
    ['sets are compared', (thread, keys) => equals(thread, setOf(roomy, keys), setOf(roomy, keys))],
    ['sets are merged', (thread, keys) => setMerge(thread, setOf(roomy, []), setOf(roomy, keys))],
    [
      'a set is looked for in another',
      (thread, keys) => setWithin(thread, setOf(roomy, keys), setOf(roomy, keys)),
    ],
  ])('is not gone round when %s', (_what, work) => {
    expect(stepsOf((thread) => work(thread, texts(20, 16_000)))).toBeGreaterThanOrEqual(10_000);
  });
});

describe('charges by size', () => {
  const big = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

  it('holds for the comparison of large ints', () => {
    expect(stepsOf((thread) => equals(thread, big(1 << 20), big(1 << 20)))).toBeGreaterThanOrEqual(1024);
    expect(stepsOf((thread) => compare(thread, big(1 << 20), big(1 << 20), '<'))).toBeGreaterThanOrEqual(
      1024,
    );
    expect(stepsOf((thread) => equals(thread, big(70), big(70)))).toBeLessThan(10);
  });

  it('holds for a search in a text that was joined and never read', () => {
    const search = (joined: boolean): number =>
      stepsOf((thread) => {
        if (joined) chargeJoin(thread.meter, 800_000, 1);
        contains(thread, 'x', `x${'y'.repeat(800_000)}`);
      });
    expect(search(true) - search(false)).toBeGreaterThanOrEqual(100_000);
  });
});
