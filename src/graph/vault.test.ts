import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../node/files/files.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { Vault } from './vault.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function vaultWith(notes: { readonly [path: string]: string | Uint8Array }, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'techne-vault-'));
  folders.push(folder);
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(notes)) write(path, content);
  const open = (): Vault =>
    new Vault({ files: createNodeFiles(), folder, parseFull: nodeParseFull, ...more });
  return { folder, write, open };
}
const paths = (vault: Vault): readonly string[] => vault.graph.nodes().map(({ path }) => path);
const codes = (vault: Vault): readonly string[] => vault.diagnostics.map(({ code }) => code);
const leads = (vault: Vault, path: string) =>
  vault.graph.get(path)?.edges.map(({ to, problem }) => to ?? problem);

describe('Vault', () => {
  it('reads notes of all folders, not those of dot folders, node_modules or named ones', () => {
    const { open } = vaultWith(
      {
        'a.md': '',
        'x/y/B.MD': '',
        '.obsidian/c.md': '',
        'node_modules/d.md': '',
        'out/e.md': '',
        'f.txt': '',
      },
      { without: ['out'] },
    );
    expect(paths(open())).toEqual(['a.md', 'x/y/B.MD']);
  });

  it('follows an edit, a new note, a removal, and a new picture', () => {
    const { folder, write, open } = vaultWith({ 'a.md': '[[b]] ![[c.png]]' });
    const vault = open();
    expect(leads(vault, 'a.md')).toEqual(['missing', 'missing']);
    write('b.md', '');
    write('img/c.png', 'x');
    expect(vault.refresh()).toEqual(['img/c.png', 'b.md']);
    expect(leads(vault, 'a.md')).toEqual(['b.md']);
    write('a.md', 'nothing any more');
    expect([vault.update('a.md'), vault.update('a.md'), leads(vault, 'a.md')]).toEqual([true, false, []]);
    rmSync(join(folder, 'b.md'));
    expect([vault.update('b.md'), paths(vault)]).toEqual([true, ['a.md']]);
  });

  it('keeps a note without content that is too large, no text or not readable, and says so', () => {
    const { open } = vaultWith(
      { 'large.md': '[[a]]'.repeat(30), 'binary.md': new Uint8Array([65, 0, 66]), 'a.md': 'x'.repeat(100) },
      { maxBytes: 100 },
    );
    const vault = open();
    expect([paths(vault), codes(vault)]).toEqual([
      ['a.md', 'binary.md', 'large.md'],
      ['NOTE_NOT_TEXT', 'NOTE_TOO_LARGE'],
    ]);
    expect(vault.graph.get('large.md')?.edges).toEqual([]);
  });

  it('follows no links of the file system, and none out of the vault', () => {
    const { folder, open } = vaultWith({ 'in/a.md': '[[../../etc/passwd]] [x](../../../../etc/passwd)' });
    const other = vaultWith({ 'secret.md': 'secret' }).folder;
    symlinkSync(other, join(folder, 'in', 'out'));
    symlinkSync(join(other, 'secret.md'), join(folder, 'secret.md'));
    symlinkSync(folder, join(folder, 'round'));
    const vault = open();
    expect([paths(vault), leads(vault, 'in/a.md')]).toEqual([['in/a.md'], ['outside', 'outside']]);
    expect([vault.textOf('secret.md'), vault.textOf('in/out/secret.md')]).toEqual(['', '']);
  });

  it('stops at the limits of files and depth, and says so', () => {
    const { open } = vaultWith({ 'a.md': '', 'b.md': '', 'c/d/e.md': '' }, { maxFiles: 2 });
    expect([open().isCut, paths(open())]).toEqual([true, ['a.md', 'b.md']]);
    expect(vaultWith({ 'c/d/e.md': '' }, { maxDepth: 2 }).open().isCut).toBe(true);
  });

  it.each([
    [
      'a YAML bomb',
      `---\n${Array.from({ length: 30 }, (_, at) => `a${at}: &a${at} [${at === 0 ? '1' : `*a${at - 1}, *a${at - 1}`}]`).join('\n')}\n---\n[[b]]`,
    ],
    ['a forbidden key', '---\n__proto__: {x: 1}\nconstructor: 2\n---\n[[b]]'],
    ['an open fence', '---\na: b\n[[b]]'],
    ['half a surrogate pair', '\ud800 [[b]]'],
  ])('survives %s', (_, text) => {
    const vault = vaultWith({ 'a.md': text, 'b.md': '' }).open();
    expect(leads(vault, 'a.md')).toEqual(['b.md']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('survives notes that link in circles', () => {
    const notes = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`n${at}.md`, `[[n${(at + 1) % 50}]]`]),
    );
    expect(paths(vaultWith(notes).open())).toHaveLength(50);
  });
});
