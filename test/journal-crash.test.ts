// Journals on a disk that loses what was not synced: a fixed sample; the long mode is scripts/crash-journal.mjs.
import { describe, expect, it } from 'vitest';
import { countCalls, crashRun } from './crash/journal/crash-store.ts';
import { checkCut, checkFlip, checkTear, makeJournal } from './crash/journal/damage-bytes.ts';
import { takeOver } from './crash/journal/two-owners.ts';
import { FaultyDisk, seededRandom } from './support/faulty-journal-files.ts';

describe('a run on a faulty disk', () => {
  it('keeps what it acknowledged, wherever the machine stops', async () => {
    const failures: string[] = [];
    let stops = 0;
    for (let seed = 1; seed <= 8; seed += 1) {
      const calls = await countCalls(seed);
      for (let stopAt = 1; stopAt <= calls; stopAt += 1) {
        try {
          stops += await crashRun({ seed: seed * 1000 + stopAt, stopAt });
        } catch (error) {
          failures.push(`seed ${seed * 1000 + stopAt}, stopped at ${stopAt}: ${String(error)}`);
        }
      }
    }
    expect(failures.slice(0, 5)).toEqual([]);
    expect(stops).toBeGreaterThan(200);
  }, 120_000);

  it('loses nothing that was acknowledged or read when it is taken from an owner that goes on', async () => {
    const failures: string[] = [];
    for (let first = 0; first < 800; first += 40) {
      const seeds = Array.from({ length: 40 }, (_, n) => first + n);
      await Promise.all(
        seeds.map((seed) =>
          takeOver(seed).catch((error: unknown) => failures.push(`seed ${seed}: ${String(error)}`)),
        ),
      );
    }
    expect(failures).toEqual([]);
  }, 60_000);

  it('tells the test when a store does not sync', async () => {
    const disk = new FaultyDisk();
    await disk.files.makeFolders('/runs');
    const file = await disk.files.create('/runs/x');
    await file?.write(new Uint8Array(2000).fill(1), 0);
    const left = new Set<string>();
    for (let seed = 0; seed < 60; seed += 1) {
      const bytes = await disk.restarted(seededRandom(seed)).files.read('/runs/x', 0, false);
      left.add(
        bytes === null
          ? 'gone'
          : bytes.length === 2000 && bytes.every((byte) => byte === 1)
            ? 'whole'
            : bytes.includes(0)
              ? 'holes'
              : 'shorter',
      );
    }
    expect([...left].sort()).toEqual(['gone', 'holes', 'shorter', 'whole']);
  });
});

describe('the bytes of a journal', () => {
  for (const withClaim of [false, true]) {
    const journal = makeJournal(2600, seededRandom(7), withClaim);
    const name = withClaim ? 'of a run with two owners' : 'of a run';
    const last = journal.segments.length - 1;
    const { length } = (journal.segments[last] as (typeof journal.segments)[number]).bytes;

    it(`${name} may be cut anywhere`, () => {
      const failures = Array.from({ length: length + 1 }, (_, at) => checkCut(journal, at)).filter(
        (failure) => failure !== null,
      );
      expect(failures).toEqual([]);
    });

    it(`${name} show every byte that is changed`, () => {
      const failures: string[] = [];
      for (const [index, { bytes }] of journal.segments.entries()) {
        for (const [at, byte] of bytes.entries()) {
          for (const other of [byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0, 0x0a, 0x30]) {
            const failure = other === byte ? null : checkFlip(journal, index, at, other);
            if (failure !== null) failures.push(failure);
          }
        }
      }
      expect(failures.slice(0, 5)).toEqual([]);
    }, 60_000);

    it(`${name} may lose any sectors of the last batch`, () => {
      const random = seededRandom(3);
      const failures: string[] = [];
      for (let n = 0; n < 2000; n += 1) {
        const failure = checkTear(journal, 1 + Math.floor(random() * (journal.batches.length - 1)), random);
        if (failure !== null) failures.push(failure);
      }
      expect(failures.slice(0, 5)).toEqual([]);
    });
  }

  it('of 64 KB may be cut and changed at a sample of places', () => {
    const journal = makeJournal(70_000, seededRandom(11), false);
    const { length } = (journal.segments[0] as (typeof journal.segments)[number]).bytes;
    const random = seededRandom(12);
    const failures: (string | null)[] = [];
    for (let n = 0; n < 250; n += 1) {
      failures.push(
        checkCut(journal, length - Math.floor(random() * 65_536)),
        checkFlip(journal, 0, Math.floor(random() * length), Math.floor(random() * 256)),
      );
    }
    expect(failures.filter((failure) => failure !== null)).toEqual([]);
  }, 60_000);
});
