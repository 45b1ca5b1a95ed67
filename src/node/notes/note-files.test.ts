import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NoteHost } from '../../ports/note-host.ts';
import { createNodeFiles } from '../files/files.ts';
import { createNoteFiles } from './note-files.ts';

let base: string;
let vault: string;
let notes: Pick<NoteHost, 'read' | 'replace'>;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'techne-note-files-')));
  vault = join(base, 'vault');
  mkdirSync(join(vault, 'skills'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  notes = createNoteFiles({
    vault,
    guarded: [join(vault, 'skills')],
    lock: join(base, 'home', 'notes.lock'),
    files: createNodeFiles(),
  });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const faultOf = async (path: string): Promise<string> => {
  const outcome = await notes.replace(path, null, 'x');
  return outcome.ok ? `written: ${outcome.value}` : `${outcome.code} ${outcome.message}`;
};

describe('createNoteFiles', () => {
  it('makes, changes and removes a note, with folders, and only from what it was', async () => {
    expect(await notes.replace('a/b/N.md', null, 'one')).toEqual({ ok: true, value: 'done' });
    expect(await notes.read('a/b/N.md')).toEqual({ ok: true, value: 'one' });
    expect(await notes.replace('a/b/N.md', null, 'two')).toEqual({ ok: true, value: 'changed' });
    expect(await notes.replace('a/b/N.md', 'other', 'two')).toEqual({ ok: true, value: 'changed' });
    expect(await notes.replace('a/b/N.md', 'one', 'two')).toEqual({ ok: true, value: 'done' });
    expect(readFileSync(join(vault, 'a/b/N.md'), 'utf8')).toBe('two');
    expect(await notes.replace('a/b/N.md', 'one', null)).toEqual({ ok: true, value: 'changed' });
    expect(await notes.replace('a/b/N.md', 'two', null)).toEqual({ ok: true, value: 'done' });
    expect(await notes.read('a/b/N.md')).toEqual({ ok: true, value: null });
    expect(await notes.read('none/N.md')).toEqual({ ok: true, value: null });
  });

  it('removes what a crash left beside the note, and nothing else', async () => {
    for (const name of ['.N.md.0123456789ab.tmp', '.N.md.mine.tmp', '.M.md.0123456789ab.tmp'])
      writeFileSync(join(vault, name), 'half');
    await notes.replace('N.md', null, 'one');
    expect(readdirSync(vault).sort()).toEqual(['.M.md.0123456789ab.tmp', '.N.md.mine.tmp', 'N.md', 'skills']);
  });

  it('goes nowhere but into the vault, and not where skills or protected names are', async () => {
    symlinkSync(join(base, 'outside'), join(vault, 'out'));
    symlinkSync(join(base, 'outside', 'x.md'), join(vault, 'link.md'));
    expect(await faultOf('../outside/x.md')).toMatch(/^NOTE_FAILED .*holds "\.\."/);
    expect(await faultOf(join(base, 'outside/x.md'))).toMatch(/outside the folders/);
    expect(await faultOf('out/x.md')).toMatch(/outside the folders/);
    expect(await faultOf('link.md')).toMatch(/link that leads nowhere/);
    expect(await faultOf('skills/x/SKILL.md')).toMatch(/may not be written to/);
    expect(await faultOf('.git/hooks/x.md')).toMatch(/may not be written to/);
    expect(readdirSync(join(base, 'outside'))).toEqual([]);
  });

  it('leaves what is not text alone', async () => {
    writeFileSync(join(vault, 'N.md'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(await notes.read('N.md')).toMatchObject({ ok: false, code: 'NOTE_DENIED' });
    mkdirSync(join(vault, 'F.md'));
    expect(await notes.read('F.md')).toMatchObject({ ok: false, code: 'NOTE_DENIED' });
  });
});
