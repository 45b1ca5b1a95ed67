import { describe, expect, it } from 'vitest';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { started } from '../../journal/sample-entries.ts';
import { createFileRunIndex } from './run-index.ts';
import { createFileRunStore } from './run-store.ts';

describe('createFileRunIndex', () => {
  it('finds the runs inside of a run, whatever the order of their ids', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'techne-index-'));
    const store = createFileRunStore({ folder, durable: false });
    const outer = '01HF7YAT00M000000000000000';
    const [before, behind, deep] = ['A', 'Z', 'B'].map((digit) => `01HF7YAT00${digit.repeat(16)}`) as [
      string,
      string,
      string,
    ];
    const other = '01HF7YAT000000000000000000';
    for (const [run, parent] of [
      [outer, null],
      [before, outer],
      [behind, outer],
      [deep, behind],
      [other, null],
    ] as const)
      await store.create(run, [
        { ...started(run), parent: parent === null ? null : { run: parent, key: '1' } },
      ]);
    // One that was never finished.
    mkdirSync(join(folder, '01HF7YAT00Y000000000000000'));
    const index = createFileRunIndex(folder, store);
    expect(await index.nested(outer)).toEqual([before, deep, behind]);
    expect(await index.nested(behind)).toEqual([deep]);
    expect(await index.nested(other)).toEqual([]);
    await store.close();
    rmSync(folder, { recursive: true });
  });
});
