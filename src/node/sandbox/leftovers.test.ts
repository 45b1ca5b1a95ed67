import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownRecord } from '../files/owner-record.ts';
import type { HeldFolder } from './leftovers.ts';
import { clearLeftovers, createHold, folderId, heldByLiving, onRecord } from './leftovers.ts';
import { idOf } from './placeholder.ts';

const dead = { ...ownRecord(), pid: 2 ** 22 + 1, startedAt: '1' };
const month = 30 * 24 * 60 * 60 * 1000;

// Placeholders are taken away with a look at /proc, where there is a sandbox.
describe.skipIf(process.platform !== 'linux')('records of placeholders', () => {
  let top: string;
  let root: string;
  let records: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-leftovers-')));
    [root, records] = [join(top, 'work'), join(top, 'held')];
    mkdirSync(root);
    mkdirSync(records);
  });
  afterEach(() => rmSync(top, { recursive: true, force: true }));

  function placeholder(name: string): HeldFolder {
    const path = join(root, name);
    mkdirSync(path);
    chmodSync(path, 0o555);
    return { path, id: idOf(path) as string, parent: folderId(root) as string };
  }
  const put = (name: string, value: unknown): void =>
    writeFileSync(join(records, name), typeof value === 'string' ? value : JSON.stringify(value));

  it('are those of living owners until they are ended', () => {
    const folder = placeholder('.git');
    const hold = createHold(records);
    expect([...onRecord(records)]).toEqual([]);
    hold.write([folder]);
    expect([[...heldByLiving(records)], [...onRecord(records)]]).toEqual([[folder.id], [folder.id]]);
    clearLeftovers(records);
    expect(readdirSync(root)).toEqual(['.git']);
    hold.end();
    expect([[...heldByLiving(records)], [...onRecord(records)]]).toEqual([[], [folder.id]]);
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records)]).toEqual([[], []]);
  });

  it('are removed with their folders when their owner is dead', () => {
    put('a.json', { owner: dead, folders: [placeholder('.git')] });
    expect([...heldByLiving(records)]).toEqual([]);
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records)]).toEqual([[], []]);
  });

  it('do not take a folder that somebody living holds as well', () => {
    const folder = placeholder('.git');
    put('a.json', { owner: dead, folders: [folder] });
    createHold(records).write([folder]);
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records).length]).toEqual([['.git'], 1]);
  });

  it('do not take a folder that is no longer the one that was made', () => {
    const folder = placeholder('.git');
    put('a.json', { owner: dead, folders: [{ ...folder, id: '1:2:3' }] });
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records)]).toEqual([['.git'], []]);
  });

  it('are kept for a month when the folder above is gone', () => {
    const folder = placeholder('.git');
    put('a.json', { owner: dead, folders: [folder] });
    renameSync(root, `${root}2`);
    clearLeftovers(records);
    expect(readdirSync(records)).toEqual(['a.json']);
    const old = (Date.now() - month + 60_000) / 1000;
    utimesSync(join(records, 'a.json'), old, old);
    clearLeftovers(records);
    expect(readdirSync(records)).toEqual(['a.json']);
    utimesSync(join(records, 'a.json'), old - 120, old - 120);
    clearLeftovers(records);
    expect(readdirSync(records)).toEqual([]);
  });

  it('that are torn or wrong hold nothing, and are removed', () => {
    const folder = placeholder('.git');
    const wrong = [
      '{"owner"',
      'null',
      '[]',
      { owner: null, folders: [] },
      { owner: dead, folders: {} },
      { owner: dead, folders: [{ ...folder, id: 5 }] },
      { owner: dead, folders: [null] },
      { owner: { ...ownRecord(), pid: 'x' }, folders: [folder] },
      { owner: { ...ownRecord(), pid: 1.5 }, folders: [folder] },
      { owner: { ...ownRecord(), pid: 0 }, folders: [folder] },
      { owner: { ...ownRecord(), host: null }, folders: [folder] },
    ];
    for (const [at, value] of wrong.entries()) put(`${at}.json`, value);
    put('note.txt', { owner: ownRecord(), folders: [folder] });
    expect([[...onRecord(records)], [...heldByLiving(records)]]).toEqual([[], []]);
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records)]).toEqual([['.git'], ['note.txt']]);
  });

  it('can be read by their owner alone', () => {
    const folder = join(top, 'new', 'held');
    const hold = createHold(folder);
    hold.write([placeholder('.git')]);
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([modeOf(folder), modeOf(hold.file), readdirSync(folder).length]).toEqual(['700', '600', 1]);
    hold.end();
    hold.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('need not be there', () => {
    expect([...onRecord(join(top, 'nowhere'))]).toEqual([]);
    clearLeftovers(join(top, 'nowhere'));
    writeFileSync(join(top, 'file'), '');
    // Where no record can be written the command runs all the same.
    const hold = createHold(join(top, 'file', 'held'));
    hold.write([]);
    hold.end();
    hold.remove();
    expect([folderId(join(top, 'nowhere')), folderId(top) === folderId(root)]).toEqual([null, false]);
  });
});
