import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearLeftovers, createHold, folderId } from './leftovers.ts';
import { idOf } from './placeholder.ts';
import type { HeldNames, HoldOptions } from './protected.ts';
import { holdNames, protectionFault } from './protected.ts';

let top: string;
let root: string;
let records: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-hold-')));
  [root, records] = [join(top, 'work'), join(top, 'held')];
  mkdirSync(root);
  mkdirSync(records);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Empty and read-only, as a placeholder is, but somebody's own. */
function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o555);
}

function hold(options: HoldOptions = {}): HeldNames {
  const held = holdNames([root], options);
  if ('fault' in held) throw new Error(held.fault);
  return held;
}

// Folders are held through /proc, where there is a sandbox.
describe.skipIf(process.platform !== 'linux')('holdNames', () => {
  it('gives the folders their rights whatever the mask of the process takes away', async () => {
    const mask = process.umask(0o077);
    try {
      const held = hold();
      expect(statSync(join(root, '.git')).mode & 0o777).toBe(0o555);
      await held.release();
    } finally {
      process.umask(mask);
    }
  });

  it('holds names by read-only folders, and removes them', async () => {
    const held = hold({ places: [join(root, '.github', 'skills')], recordFolder: records });
    expect(held.paths).toEqual(
      expect.arrayContaining([join(root, '.git'), join(root, 'techne.json'), join(root, '.github')]),
    );
    expect([statSync(join(root, '.git')).mode & 0o777, readdirSync(records).length]).toEqual([0o555, 1]);
    await held.release();
    expect([readdirSync(root), readdirSync(records)]).toEqual([[], []]);
  });

  it('protects an empty read-only folder that another program has made, and leaves it there (placeholder#P3)', async () => {
    ownFolder(join(root, '.vscode'));
    ownFolder(join(root, '.github'));
    const held = hold({ places: [join(root, '.github', 'skills')], recordFolder: records });
    expect(held.paths).toEqual(expect.arrayContaining([join(root, '.vscode'), join(root, '.github')]));
    await held.release();
    expect([readdirSync(root).sort(), readdirSync(records)]).toEqual([['.github', '.vscode'], []]);
  });

  it('leaves a folder that was put in place of its own, also under the same number (placeholder#P3)', async () => {
    const held = hold();
    rmdirSync(join(root, '.husky'));
    ownFolder(join(root, '.husky'));
    for (const name of ['.husky', '.idea']) utimesSync(join(root, name), 1, 1);
    await held.release();
    expect(readdirSync(root).sort()).toEqual(['.husky', '.idea']);
  });

  it('takes its folders away where they are now, and nothing through a link that took their place (protected#G7)', async () => {
    const [moved, other] = [join(top, 'moved'), join(top, 'other')];
    ownFolder(join(other, '.husky'));
    const held = hold({ recordFolder: records });
    renameSync(root, moved);
    symlinkSync(other, root);
    await held.release();
    expect([readdirSync(moved), readdirSync(other), readdirSync(records)]).toEqual([[], ['.husky'], []]);
  });

  it('keeps what another command of this process holds, which takes it away in turn (protected#G2)', async () => {
    const [first, second] = [hold(), hold()];
    await first.release();
    expect(readdirSync(root)).toContain('.git');
    await second.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it('takes away what a dead process has left behind, by its record (protected#G2)', async () => {
    ownFolder(join(root, '.git'));
    ownFolder(join(root, '.idea'));
    leaveBehind('.git');
    const held = hold({ recordFolder: records });
    await held.release();
    expect(readdirSync(root)).toEqual(['.idea']);
  });

  it('keeps the folders of two that end together from being left by both (leftovers#H1)', async () => {
    const [first, second] = [hold({ recordFolder: records }), hold({ recordFolder: records })];
    await Promise.all([first.release(), second.release()]);
    expect([readdirSync(root), readdirSync(records)]).toEqual([[], []]);
  });

  it('lets instructions be links, protects where they lead, and puts them back (protected#G1)', async () => {
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs', 'agents.md'), 'mine');
    symlinkSync('docs/agents.md', join(root, 'AGENTS.md'));
    symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
    expect(protectionFault(root)).toBeNull();
    const held = hold();
    expect(held.paths).toContain(join(root, 'docs', 'agents.md'));
    expect(held.paths).not.toContain(join(root, 'AGENTS.md'));
    rmSync(join(root, 'AGENTS.md'));
    rmSync(join(root, 'CLAUDE.md'));
    writeFileSync(join(root, 'CLAUDE.md'), 'planted');
    await held.release();
    expect([
      readlinkSync(join(root, 'AGENTS.md')),
      readlinkSync(join(root, 'CLAUDE.md')),
      readFileSync(join(root, 'CLAUDE.md'), 'utf8'),
      readFileSync(join(root, 'CLAUDE.md.replaced'), 'utf8'),
      readdirSync(root).sort(),
    ]).toEqual([
      'docs/agents.md',
      'AGENTS.md',
      'mine',
      'planted',
      ['AGENTS.md', 'CLAUDE.md', 'CLAUDE.md.replaced', 'docs'],
    ]);
  });

  it('refuses a folder where another name is a link, or instructions lead nowhere', () => {
    for (const [name, target] of [
      ['.npmrc', 'other'],
      ['CLAUDE.md', 'nowhere.md'],
    ] as const) {
      writeFileSync(join(root, 'other'), '');
      symlinkSync(target, join(root, name));
      expect(protectionFault(root)).toBe(
        `"${join(root, name)}" is a link, which cannot be kept from being replaced; so "${root}" cannot be a write root of the sandbox`,
      );
      rmSync(join(root, name));
    }
  });

  it('keeps a folder that has a HEAD from becoming a repository, and others free for the same names', async () => {
    const names = ['config', 'objects', 'refs', 'commondir'].map((name) => join(root, name));
    const before = hold();
    expect(names.filter((name) => before.paths.includes(name))).toEqual([]);
    expect(before.paths).toContain(join(root, 'HEAD'));
    await before.release();
    writeFileSync(join(root, 'HEAD'), 'ref: refs/heads/main\n');
    const held = hold();
    expect(held.paths).toEqual(expect.arrayContaining(names));
    await held.release();
    expect(readdirSync(root)).toEqual(['HEAD']);
  });

  it('has no folder open afterwards', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    await hold().release();
    const before = open();
    await hold().release();
    expect(open()).toBe(before);
  });
});

/** As a process does that is killed together with its cleaner. */
function leaveBehind(...names: readonly string[]): string {
  const record = createHold(records);
  record.write(
    names.map((name) => ({
      path: join(root, name),
      id: idOf(join(root, name)) ?? '',
      parent: folderId(root) ?? '',
    })),
  );
  record.end();
  return record.file.replace(/json$/, 'ending');
}

describe.skipIf(process.platform !== 'linux')('clearLeftovers', () => {
  it('takes away the folders of a record and no others, then the record (leftovers#H2)', () => {
    for (const name of ['.git', '.idea']) ownFolder(join(root, name));
    leaveBehind('.git');
    clearLeftovers(records);
    expect([readdirSync(root), readdirSync(records)]).toEqual([['.idea'], []]);
  });

  it('leaves a folder that another program has taken over', () => {
    for (const name of ['.git', '.idea', '.husky']) ownFolder(join(root, name));
    leaveBehind('.git', '.idea', '.husky');
    chmodSync(join(root, '.git'), 0o755);
    writeFileSync(join(root, '.git', 'config'), '');
    chmodSync(join(root, '.husky'), 0o755);
    clearLeftovers(records);
    expect([readdirSync(root).sort(), readdirSync(records)]).toEqual([['.git', '.husky'], []]);
  });

  it('keeps the record of a workspace that is elsewhere, for a month (leftovers#H4)', () => {
    const moved = join(top, 'moved');
    ownFolder(join(root, '.git'));
    const record = leaveBehind('.git');
    renameSync(root, moved);
    ownFolder(join(root, '.git'));
    clearLeftovers(records);
    expect([existsSync(join(root, '.git')), existsSync(record)]).toEqual([true, true]);
    rmSync(root, { recursive: true });
    renameSync(moved, root);
    clearLeftovers(records);
    expect([existsSync(join(root, '.git')), existsSync(record)]).toEqual([false, false]);
    const old = leaveBehind('.git');
    rmSync(root, { recursive: true });
    clearLeftovers(records);
    expect(existsSync(old)).toBe(true);
    utimesSync(old, 1, 1);
    clearLeftovers(records);
    expect(existsSync(old)).toBe(false);
  });
});
