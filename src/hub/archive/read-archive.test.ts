import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paxOf, tarHeader, tarOf, zipOf } from '../../../test/support/hub/craft.ts';
import type { CraftedEntry, ZipEntryChange } from '../../../test/support/hub/craft.ts';
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { defaultLimits } from '../fetch/options.ts';
import { readArchive } from './read-archive.ts';

async function contents(bytes: Uint8Array): Promise<{ readonly [path: string]: string }> {
  const listing = await readArchive(bytes, 'a', defaultLimits, neverAborted);
  const found: { [path: string]: string } = {};
  for (const entry of listing.entries)
    found[entry.path] =
      entry.fault ??
      (entry.kind === 'file' ? Buffer.from(await listing.read(entry)).toString('latin1') : entry.kind);
  return found;
}

async function codeOf(bytes: Uint8Array): Promise<string> {
  try {
    return JSON.stringify(await contents(bytes));
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error.code;
  }
}

const long = `${'folder/'.repeat(20)}file.md`;

describe('readArchive', () => {
  it('gives back what was packed, as tar, tar.gz and zip', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.tuple(fc.stringMatching(/^[a-z]{1,8}(?:\/[a-z]{1,150})?$/), fc.uint8Array({ maxLength: 2000 })),
          {
            selector: ([name]) => name,
            minLength: 1,
            maxLength: 8,
          },
        ),
        async (files) => {
          const entries = files.map(([name, bytes]): CraftedEntry => ({ name, bytes: Buffer.from(bytes) }));
          const expected = Object.fromEntries(
            files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]),
          );
          for (const packed of [tarOf(entries), gzipSync(tarOf(entries)), zipOf(entries)])
            expect(await contents(packed)).toEqual(expected);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reads the long names of GNU, of pax and of ustar', async () => {
    const body = Buffer.alloc(512);
    body.write('x');
    const gnu = Buffer.concat([
      tarHeader(Buffer.from('././@LongLink'), 'L', long.length + 1, 0o644),
      pad(Buffer.from(`${long}\0`)),
      tarHeader(Buffer.from('short'), '0', 1, 0o644),
      body,
    ]);
    const pax = Buffer.concat([
      ...paxOf([
        ['path', long],
        ['mtime', '1.5'],
      ]),
      tarHeader(Buffer.from('short'), '0', 1, 0o644),
      body,
    ]);
    const global = Buffer.concat([
      ...paxOf([['comment', 'commit']], 'g'),
      tarHeader(Buffer.from('plain'), '0', 1, 0o644),
      body,
    ]);
    expect([await contents(gnu), await contents(pax), await contents(global)]).toEqual([
      { [long]: 'x' },
      { [long]: 'x' },
      { plain: 'x' },
    ]);
  });

  it('never fails with anything but a TechneError, whatever the bytes are', async () => {
    const seeds = [
      tarOf([{ name: 'SKILL.md', bytes: 'text' }]),
      zipOf([{ name: 'SKILL.md', bytes: 'text' }]),
      gzipSync(tarOf([{ name: 'a', bytes: 'b' }])),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
        fc.nat(),
        async (seed, edits, cut) => {
          const bytes = Buffer.from(seed);
          for (const [at, value] of edits) bytes[at % bytes.length] = value;
          const given = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
          expect(await codeOf(given)).toMatch(/^(?:SOURCE_(?:DAMAGED|LIMIT)$|\{)/);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each<readonly [string, Partial<CraftedEntry & ZipEntryChange>, string]>([
    ['is encrypted', { flags: 0x801 }, '{"x":"it is encrypted"}'],
    ['has another name in its own header', { localName: 'y' }, 'SOURCE_DAMAGED'],
    ['is packed by another method', { method: 12 }, '{"x":"it is packed by a method that is not read (12)"}'],
    ['has a second name', { extra: Buffer.from([0x75, 0x70, 1, 0, 0]) }, '{"x":"it has a second name"}'],
    ['has a wrong checksum', { crc: 1 }, 'SOURCE_DAMAGED'],
    ['has a wrong size', { statedSize: 3 }, 'SOURCE_DAMAGED'],
  ])('refuses an entry of a zip that %s', async (_, change, expected) => {
    expect(await codeOf(zipOf([{ name: 'x', bytes: 'text', ...change }]))).toBe(expected);
  });

  it('refuses a zip with something before, behind or between its parts', async () => {
    const zip = zipOf([{ name: 'x', bytes: 'text' }]);
    const other = zipOf([{ name: 'y', bytes: 'evil' }]);
    expect([
      await codeOf(Buffer.concat([zip, other])),
      await codeOf(Buffer.concat([zip, Buffer.from('tail')])),
      await codeOf(zipOf([{ name: 'x', bytes: 'text' }], { comment: other.toString('latin1') })),
    ]).toEqual(['SOURCE_DAMAGED', 'SOURCE_DAMAGED', 'SOURCE_DAMAGED']);
  });

  it('refuses a tar with a wrong checksum, a cut one and an empty one', async () => {
    const tar = tarOf([{ name: 'x', bytes: 'text' }]);
    const wrong = Buffer.from(tar);
    wrong[0] = 0x79;
    expect([await codeOf(wrong), await codeOf(tar.subarray(0, 700)), await codeOf(Buffer.alloc(0))]).toEqual([
      'SOURCE_DAMAGED',
      'SOURCE_DAMAGED',
      'SOURCE_DAMAGED',
    ]);
  });
});

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
