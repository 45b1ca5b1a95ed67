import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectEnded, effectStarted, ended, started, trace } from '../../journal/sample-entries.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { createMemoryRunStore } from '../../journal/memory-run-store.ts';
import { createMemoryBlobs } from '../../ports/memory-blobs.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { RunStore } from '../../ports/run-store.ts';
import { parseRunFile, renderRunFile } from './format.ts';
import type { RunFile } from './format.ts';
import { exportRun, importRun } from './move-run.ts';

const outer = '01HF7YAT000000000000000000';
const inner = '01HF7YAT000000000000000001';
const large = Buffer.from(JSON.stringify('x'.repeat(9000)));
const largeDigest = `sha256:${nodeSha256(large)}` as const;

const numbered = (entries: readonly JournalEntry[]): RunFile['runs'][number]['entries'] =>
  entries.map((entry, seq) => ({ seq, entry }));

const file = (): RunFile => ({
  runs: [
    {
      run: outer,
      entries: numbered([
        started(outer),
        effectStarted('1'),
        { ...effectEnded('1'), result: { blob: largeDigest, bytes: large.length } },
        trace('é 漢 \u0000 \ud800'),
        { type: 'owner.claimed', at: 5, epoch: 2, owner: 'process 1 on a' },
        ended(),
      ]),
    },
    { run: inner, entries: numbered([{ ...started(inner), parent: { run: outer, key: '1' } }, ended()]) },
  ],
  blobs: [{ digest: largeDigest, bytes: large }],
});

/** The file with other lines, and the digest that belongs to them. */
function resealed(change: (lines: string[]) => string[]): Buffer {
  const lines = renderRunFile(file()).toString().split('\n').slice(0, -2);
  const body = Buffer.from(`${change(lines).join('\n')}\n`);
  return Buffer.concat([body, Buffer.from(`{"end":"sha256:${nodeSha256(body)}"}\n`)]);
}

const replaced = (at: number, line: string): Buffer =>
  resealed((lines) => lines.map((old, index) => (index === at ? line : old)));

function faultOf(bytes: Uint8Array): string {
  try {
    parseRunFile(bytes, 'x.run');
    return 'taken';
  } catch (error) {
    return `${(error as { code?: string }).code} ${(error as Error).message}`;
  }
}

describe('parseRunFile', () => {
  it('reads what was rendered, byte for byte', () => {
    const bytes = renderRunFile(file());
    expect(renderRunFile(parseRunFile(bytes, 'x.run'))).toEqual(bytes);
  });

  it('refuses every torn file', () => {
    const bytes = renderRunFile(file());
    for (let length = 0; length < bytes.length; length += 1)
      expect(faultOf(bytes.subarray(0, length))).toMatch(/^FILE_INVALID x\.run:\d+: /);
  });

  it('refuses a file with any other byte', () => {
    const bytes = renderRunFile(file());
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const edited = Buffer.from(bytes);
        edited[at] = (edited[at] as number) ^ change;
        expect(faultOf(edited)).toMatch(/^FILE_INVALID x\.run:\d+: /);
      }),
      { numRuns: 500 },
    );
  });

  const entry = (change: object): string => JSON.stringify({ ...effectStarted('1'), ...change });
  it.each([
    ['another format', replaced(0, '{"techne":"skill","version":1}'), '1: this is not a file that'],
    [
      'a newer version',
      replaced(0, `{"techne":"run","version":2,"run":"${outer}"}`),
      '1: a newer techne made',
    ],
    [
      'another first run',
      replaced(0, `{"techne":"run","version":1,"run":"${inner}"}`),
      '2: the run of the first',
    ],
    [
      'a name that is a path',
      replaced(1, '{"run":"../../x","entries":6}'),
      '2: the name of the run cannot be one',
    ],
    ['too many entries', replaced(1, `{"run":"${outer}","entries":1000000}`), '2: run '],
    ['a negative count', replaced(1, `{"run":"${outer}","entries":-1}`), '2: run '],
    ['an entry that is no JSON', replaced(3, '{"type":'), '4: the entry is not JSON'],
    ['an unknown type', replaced(3, '{"type":"run.exploded","at":1}'), '4: the entry has the unknown type'],
    ['a member of another type', replaced(3, entry({ key: 1 })), '4: "key" of effect.started'],
    ['a missing member', replaced(3, entry({ request: undefined })), '4: "request" of effect.started'],
    ['a member that is unknown', replaced(3, entry({ extra: 1 })), '4: "extra" of effect.started'],
    [
      'a member __proto__',
      replaced(3, entry({}).replace('{', '{"__proto__":{},')),
      '4: "__proto__" of effect',
    ],
    [
      'an epoch that no store could follow',
      resealed((lines) => lines.map((line) => line.replace('"epoch":2', '"epoch":9007199254740991'))),
      '7: "epoch" of owner.claimed',
    ],
    ['an order that no engine writes', resealed((lines) => swapped(lines, 3, 4)), '2: run'],
    ['the journal of another run', replaced(2, JSON.stringify(started(inner))), '2: the journal of run'],
    [
      'a nested run of elsewhere',
      replaced(9, JSON.stringify({ ...started(inner), parent: { run: 'else', key: '1' } })),
      '9: run ',
    ],
    [
      'a run inside of itself',
      replaced(9, JSON.stringify({ ...started(inner), parent: { run: inner, key: '1' } })),
      '9: run 01HF7YAT000000000000000001 is inside of itself',
    ],
    ['a run twice', replaced(8, `{"run":"${outer}","entries":2}`), '9: run '],
    [
      'a blob that is not its digest',
      replaced(11, `{"blob":"${largeDigest}","base64":"AAAA"}`),
      '12: the line is not a blob',
    ],
    [
      'a blob that no run names',
      resealed((lines) => [...lines, blobLine('else')]),
      '13: no run of this file',
    ],
    ['a blob that is missing', resealed((lines) => lines.slice(0, -1)), '2: run '],
    ['text between the lines', resealed((lines) => [...lines, 'and more']), '13: the line is not a blob'],
  ])('refuses %s', (_what, bytes, expected) => {
    expect(faultOf(bytes)).toContain(`FILE_INVALID x.run:${expected}`);
  });
});

describe('importRun', () => {
  const open = (): { store: RunStore; blobs: ReturnType<typeof createMemoryBlobs>; index: never } => ({
    store: createMemoryRunStore(),
    blobs: createMemoryBlobs(nodeSha256),
    index: { nested: async (run: string) => (run === outer ? [inner] : []) } as never,
  });

  it('gives the same file again from another store, with a mark that it was imported', async () => {
    const bytes = renderRunFile(file());
    const parts = open();
    const options = { trusted: false, nowMs: 7 };
    expect(await importRun(parts, parseRunFile(bytes, 'x'), options)).toEqual({
      run: outer,
      added: [outer, inner],
    });
    expect(renderRunFile(await exportRun(parts, inner))).toEqual(bytes);
    expect((await parts.store.read(outer)).at(-1)?.entry).toEqual({
      type: 'owner.claimed',
      at: 7,
      epoch: 3,
      owner: 'techne runs import',
      imported: true,
    });
    // Again: nothing is added. Another run under the same id is refused, before anything is written.
    expect((await importRun(parts, parseRunFile(bytes, 'x'), options)).added).toEqual([]);
    const other = resealed((lines) => lines.map((line) => line.replace('"steps":12', '"steps":13')));
    await expect(importRun(parts, parseRunFile(other, 'x'), options)).rejects.toMatchObject({
      code: 'RUN_EXISTS',
    });
  });

  it('finishes an import that was interrupted', async () => {
    const bytes = renderRunFile(file());
    const parts = open();
    const failing = {
      ...parts.store,
      create: async (run: string, entries: readonly JournalEntry[]) => {
        if (run === outer) throw new Error('killed');
        return parts.store.create(run, entries);
      },
    };
    const options = { trusted: true, nowMs: 7 };
    await expect(importRun({ ...parts, store: failing }, parseRunFile(bytes, 'x'), options)).rejects.toThrow(
      'killed',
    );
    expect((await importRun(parts, parseRunFile(bytes, 'x'), options)).added).toEqual([outer]);
    expect(renderRunFile(await exportRun(parts, outer))).toEqual(bytes);
  });
});

function swapped(lines: readonly string[], a: number, b: number): string[] {
  const copy = [...lines];
  [copy[a], copy[b]] = [lines[b] as string, lines[a] as string];
  return copy;
}

function blobLine(text: string): string {
  return JSON.stringify({ blob: `sha256:${nodeSha256(text)}`, base64: Buffer.from(text).toString('base64') });
}
