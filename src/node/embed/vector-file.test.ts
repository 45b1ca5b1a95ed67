import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVectorFile } from './vector-file.ts';

let top = '';
let path = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'techne-vectors-'));
  path = join(top, 'cache', 'vectors.bin');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

type Kept = readonly [string, Float32Array];
const one = (name: string, ...values: number[]): Kept => [name.padEnd(24, '.'), Float32Array.from(values)];
const [a, b, c, d] = [one('a', 1, 2), one('b', 3, 4), one('c', 5, 6), one('d', 7, 8)];
const kept = new Map([a, b]);
const read = (): readonly Kept[] => createVectorFile(path).read();

describe('createVectorFile', () => {
  it('gives back what was added, in order, also by several processes', () => {
    expect(read()).toEqual([]);
    createVectorFile(path).add([a, b], kept);
    const [first, second] = [createVectorFile(path), createVectorFile(path)];
    for (const file of [first, second]) expect(file.read()).toEqual([a, b]);
    first.add([c], new Map([a, b, c]));
    second.add([d], new Map([a, b, d]));
    expect(read()).toEqual([a, b, c, d]);
    expect(readdirSync(join(top, 'cache'))).toEqual(['vectors.bin']);
  });

  it('takes the good beginning of a file that was cut or changed anywhere, and mends it with the next write', () => {
    createVectorFile(path).add([a, b, c], new Map([a, b, c]));
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 0x41;
      for (const bytes of [whole.subarray(0, at), changed]) {
        writeFileSync(path, bytes);
        const file = createVectorFile(path);
        const good = file.read();
        expect(good).toEqual([a, b, c].slice(0, good.length));
        expect(good.length).toBeLessThan(3);
        file.add([d], new Map([...good, d]));
        expect(read()).toEqual([...good, d]);
      }
    }
  });

  it('begins anew for vectors of another length', () => {
    createVectorFile(path).add([a], new Map([a]));
    const file = createVectorFile(path);
    file.read();
    const long = one('long', 1, 2, 3);
    file.add([long], new Map([a, long]));
    expect(read()).toEqual([long]);
  });

  it('stays under its size, and keeps the newest', () => {
    const all = new Map<string, Float32Array>();
    const file = createVectorFile(path, { maxBytes: 400 });
    for (let at = 0; at < 50; at += 1) {
      const made = one(`n${at}`, at, 0);
      all.set(...made);
      file.add([made], all);
      expect(readFileSync(path).length).toBeLessThanOrEqual(400);
    }
    expect(read().at(-1)).toEqual(one('n49', 49, 0));
  });

  it('never throws: where it cannot write, nothing is kept', () => {
    mkdirSync(join(top, 'cache', 'vectors.bin'), { recursive: true });
    const file = createVectorFile(path);
    expect(file.read()).toEqual([]);
    file.add([a], kept);
    expect(file.read()).toEqual([]);
  });
});
