import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipUnless } from '../../../test/support/skip-unless.ts';
import { ConfinedFiles } from './confined-files.ts';
import { ToolFault } from '../../ports/tool.ts';

let base: string;
let root: string;
let outside: string;
let files: ConfinedFiles;
const anyPath = (): boolean => true;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'techne-confined-')));
  root = join(base, 'root');
  outside = join(base, 'outside');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(root, 'a.txt'), 'inside');
  writeFileSync(join(root, 'sub/b.txt'), 'below');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  files = new ConfinedFiles({
    roots: { read: [root], write: [root] },
    guarded: [join(root, 'skill'), join(root, 'skills'), join(root, 'none/yet'), '/nowhere/at/all'],
    maxBytes: 1000,
  });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function fault(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (!(error instanceof ToolFault)) throw new Error(`expected a ToolFault, got ${String(error)}`);
  return error.message;
}

describe('ConfinedFiles', () => {
  it('reads by relative and absolute paths, also through links that stay inside', async () => {
    symlinkSync('sub', join(root, 'folder-link'));
    symlinkSync('a.txt', join(root, 'file-link'));
    expect(await files.readText('a.txt', anyPath)).toBe('inside');
    expect(await files.readText('./sub//b.txt', anyPath)).toBe('below');
    expect(await files.readText(join(root, 'sub/b.txt'), anyPath)).toBe('below');
    expect(await files.readText('folder-link/b.txt', anyPath)).toBe('below');
    expect(await files.readText('file-link', anyPath)).toBe('inside');
    expect(await files.readTextOrNull('none/x.txt', 'read', anyPath)).toBeNull();
    expect(await files.readTextOrNull('a.txt/x', 'read', anyPath)).toBeNull();
  });

  it.each([
    ['../outside/secret.txt', '"../outside/secret.txt" holds ".."; write the path from the working folder'],
    [
      'sub/../../outside/secret.txt',
      '"sub/../../outside/secret.txt" holds ".."; write the path from the working folder',
    ],
    ['sub\\..\\x', '"sub\\\\..\\\\x" holds ".."; write the path from the working folder'],
    ['/etc/hostname', '"/etc/hostname" lies outside the folders that may be read'],
    ['out-folder/secret.txt', '"out-folder/secret.txt" lies outside the folders that may be read'],
    ['out-file', '"out-file" lies outside the folders that may be read'],
    ['nowhere', '"nowhere" goes through a link that leads nowhere'],
    ['round', '"round" is a link, or a cycle of links'],
    ['nul\0.txt', 'a path cannot hold a NUL character'],
    ['sub', '"sub" is a folder, not a file'],
    ['.', '"." is a folder'],
    ['', '"" is a folder'],
    ['none.txt', 'there is no file "none.txt"'],
    ['binary', '"binary" is a binary file'],
    ['latin', '"latin" is not a text in UTF-8'],
    ['large', '"large" has 1001 bytes, over the limit of 1000'],
  ])('does not read %j', async (path, message) => {
    symlinkSync(outside, join(root, 'out-folder'));
    symlinkSync(join(outside, 'secret.txt'), join(root, 'out-file'));
    symlinkSync(join(outside, 'not-there'), join(root, 'nowhere'));
    symlinkSync('round', join(root, 'round'));
    writeFileSync(join(root, 'binary'), Buffer.from([1, 0, 2]));
    writeFileSync(join(root, 'latin'), Buffer.from([0x61, 0xff]));
    writeFileSync(join(root, 'large'), 'x'.repeat(1001));
    expect(await fault(files.readText(path, anyPath))).toBe(message);
  });

  it('does not wait for a pipe, nor read a device', async () => {
    skipUnless(process.platform !== 'win32', 'pipes have names');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await fault(files.readText('pipe', anyPath))).toBe('"pipe" is a special file, not a file');
    expect(await fault(files.writeText('pipe', 'x', anyPath))).toBe('"pipe" is a special file, not a file');
    const devices = new ConfinedFiles({ roots: { read: ['/dev'], write: ['/dev'] } });
    expect(await fault(devices.readText('zero', anyPath))).toBe('"zero" is a special file, not a file');
  });

  it('writes whole files, makes folders and keeps permissions', async () => {
    chmodSync(join(root, 'a.txt'), 0o755);
    linkSync(join(root, 'a.txt'), join(outside, 'hard-link'));
    await files.writeText('a.txt', 'new', anyPath);
    await files.writeText('deep/er/c.txt', 'made', anyPath);
    expect([
      readFileSync(join(root, 'a.txt'), 'utf8'),
      readFileSync(join(root, 'deep/er/c.txt'), 'utf8'),
    ]).toEqual(['new', 'made']);
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o755);
    // Another name of the old file keeps the old content.
    expect(readFileSync(join(outside, 'hard-link'), 'utf8')).toBe('inside');
    expect(readdirSync(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each([
    ['.git/hooks/pre-commit', '".git/hooks/pre-commit" may not be written to: it is part of .git'],
    ['sub/.GIT/config', '"sub/.GIT/config" may not be written to: it is part of .GIT'],
    ['.techne/config.json', '".techne/config.json" may not be written to: it is part of .techne'],
    ['techne.json', '"techne.json" may not be written to: it is part of techne.json'],
    ['.mcp.json', '".mcp.json" may not be written to: it is part of .mcp.json'],
    ...[
      '.claude',
      '.codex',
      '.cursor',
      '.gemini',
      '.agents',
      '.opencode',
      '.goose',
      '.windsurf',
      '.pi',
      '.husky',
      '.githooks',
      '.envrc',
    ].map((name): [string, string] => [
      `${name}/x`,
      `"${name}/x" may not be written to: it is part of ${name}`,
    ]),
    ['sub/techne.json', '"sub/techne.json" may not be written to: it is part of techne.json'],
    ['sub/.git/config', '"sub/.git/config" may not be written to: it is part of .git'],
    ['linked-editor/tasks.json', '"linked-editor/tasks.json" may not be written to: it is part of .vscode'],
    ['later/tasks.json', '"later/tasks.json" may not be written to: it is part of .idea'],
    ['Skill/SKILL.md', '"Skill/SKILL.md" may not be written to: it belongs to a skill'],
    ['linked-skills/a/SKILL.md', '"linked-skills/a/SKILL.md" may not be written to: it belongs to a skill'],
    ['none/yet/a/SKILL.md', '"none/yet/a/SKILL.md" may not be written to: it belongs to a skill'],
    ['skill/SKILL.star', '"skill/SKILL.star" may not be written to: it belongs to a skill'],
    ['git-link/config', '"git-link/config" may not be written to: it is part of .git'],
    ['out-folder/new.txt', '"out-folder/new.txt" lies outside the folders that may be written to'],
    ['out-folder/deep/new.txt', '"out-folder/deep/new.txt" lies outside the folders that may be written to'],
    ['nowhere', '"nowhere" goes through a link that leads nowhere'],
    ['a.txt/x', 'the folder of "a.txt/x" cannot be made'],
    ['sub', '"sub" is a folder, not a file'],
  ])('does not write %j', async (path, message) => {
    mkdirSync(join(root, '.git'));
    symlinkSync('.git', join(root, 'git-link'));
    mkdirSync(join(root, 'linked-editor'));
    symlinkSync('linked-editor', join(root, '.vscode'));
    symlinkSync('later', join(root, '.idea'));
    mkdirSync(join(root, 'linked-skills'));
    symlinkSync('linked-skills', join(root, 'skills'));
    symlinkSync(outside, join(root, 'out-folder'));
    symlinkSync(join(outside, 'not-there'), join(root, 'nowhere'));
    expect(await fault(files.writeText(path, 'x', anyPath))).toBe(message);
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  it('writes deeper down what is protected at the top only, and beside what is guarded', async () => {
    for (const path of [
      'sub/.vscode/settings.json',
      'sub/.envrc',
      'none/x.txt',
      'skillful/x.txt',
      'sub/SKILL.md',
    ])
      await files.writeText(path, 'x', anyPath);
    expect(readFileSync(join(root, 'sub/.vscode/settings.json'), 'utf8')).toBe('x');
  });

  it('protects the top of a working folder that lies within a root', async () => {
    const wide = new ConfinedFiles({ roots: { read: [join(root, 'sub')], write: [root] } });
    expect(await fault(wide.writeText('.vscode/tasks.json', 'x', anyPath))).toBe(
      '".vscode/tasks.json" may not be written to: it is part of .vscode',
    );
    await wide.writeText('fine.txt', 'x', anyPath);
  });

  it('makes no skill in a folder of skills that holds a whole root', async () => {
    const wide = new ConfinedFiles({
      roots: { read: [root], write: [root] },
      guarded: [base, join(root, 'a.txt')],
    });
    expect(await fault(wide.writeText('sub/new/skill.MD', 'x', anyPath))).toBe(
      '"sub/new/skill.MD" may not be written to: it belongs to a skill',
    );
    expect(await fault(wide.writeText('a.txt', 'x', anyPath))).toBe(
      '"a.txt" may not be written to: it belongs to a skill',
    );
    await wide.writeText('sub/new/notes.md', 'x', anyPath);
  });

  it('touches nothing where it may not, and says why', async () => {
    const none = new ConfinedFiles({ roots: { read: [root], write: [], refusal: 'it is your home folder' } });
    const told = 'files cannot be used here: it is your home folder';
    expect([
      await fault(none.readText('a.txt', anyPath)),
      await fault(none.writeText('a.txt', 'x', anyPath)),
      await fault(none.list('.')),
    ]).toEqual([told, told, told]);
  });

  it('bounds what is written, and keeps to the paths of the fence', async () => {
    expect(await fault(files.writeText('big', 'x'.repeat(1001), anyPath))).toBe(
      'the text has 1001 bytes, over the limit of 1000',
    );
    symlinkSync('../a.txt', join(root, 'sub/link'));
    const onlySub = (path: string): boolean => path.startsWith('sub/');
    expect(await files.readText('sub/b.txt', onlySub)).toBe('below');
    // What a link leads to counts, not its name.
    expect(await fault(files.readText('sub/link', onlySub))).toBe(
      '"sub/link" is not among the paths that may be used here',
    );
  });

  it('has roots that are links themselves, and more than one', async () => {
    symlinkSync(root, join(base, 'root-link'));
    const linked = new ConfinedFiles({
      roots: { read: [join(base, 'root-link'), outside], write: [outside] },
    });
    expect(await linked.readText('a.txt', anyPath)).toBe('inside');
    expect(await linked.readText(join(outside, 'secret.txt'), anyPath)).toBe('secret');
    expect(await fault(linked.writeText('a.txt', 'x', anyPath))).toBe(
      '"a.txt" lies outside the folders that may be written to',
    );
    await linked.writeText(join(outside, 'n.txt'), 'n', anyPath);
    expect(readFileSync(join(outside, 'n.txt'), 'utf8')).toBe('n');
  });

  it('lists by name and says what is a link', async () => {
    symlinkSync(outside, join(root, 'link'));
    expect(await files.list('.')).toEqual([
      { name: 'a.txt', kind: 'file' },
      { name: 'link', kind: 'link' },
      { name: 'sub', kind: 'folder' },
    ]);
    expect(await files.list('a.txt')).toBeNull();
    expect(await files.list('none')).toBeNull();
    expect(await fault(files.list('link'))).toBe('"link" lies outside the folders that may be read');
  });

  it('is not fooled by a folder that is swapped for a link at any moment', async () => {
    skipUnless(process.platform === 'linux', '/proc');
    // Another process swaps the folder and the link as fast as it can; a folder that was made anew meanwhile is removed.
    const swap = `const fs = require('node:fs'); process.chdir(${JSON.stringify(root)}); fs.symlinkSync(${JSON.stringify(outside)}, 'link');
      process.on('disconnect', () => process.exit()); process.send('ready');
      const free = () => { if (fs.lstatSync('sub', { throwIfNoEntry: false })?.isDirectory()) fs.rmSync('sub', { recursive: true }); };
      const attempt = (work) => { for (;;) try { return work(); } catch { try { free(); } catch { } } };
      const turn = () => {
        for (let i = 0; i < 20; i += 1) { fs.renameSync('sub', 'kept'); attempt(() => fs.renameSync('link', 'sub')); fs.renameSync('sub', 'link'); attempt(() => fs.renameSync('kept', 'sub')); }
        setImmediate(turn);
      }; turn();`;
    const { fork } = await import('node:child_process');
    const script = join(base, 'swap.cjs');
    writeFileSync(script, swap);
    writeFileSync(join(outside, 'b.txt'), 'secret');
    const child = fork(script, { stdio: 'inherit' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      await new Promise((resolve) => child.once('message', resolve));
      const seen = new Set<string>();
      for (let round = 0; round < 300; round += 1) {
        seen.add(
          await files
            .readText('sub/b.txt', anyPath)
            .catch((error: unknown) => (error instanceof ToolFault ? 'refused' : String(error))),
        );
        await files.writeText(`sub/w${round % 5}.txt`, 'x', anyPath).catch((error: unknown) => {
          if (!(error instanceof ToolFault)) throw error;
        });
        const listed = await files
          .list('sub')
          .catch((error: unknown) => (error instanceof ToolFault ? [] : Promise.reject(error)));
        seen.add(String(listed?.some(({ name }) => name === 'secret.txt')));
      }
      expect(
        [...seen].filter(
          (each) => each !== 'refused' && each !== 'below' && each !== 'false' && each !== 'undefined',
        ),
      ).toEqual([]);
      expect(readdirSync(outside).sort()).toEqual(['b.txt', 'secret.txt']);
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
  });
});
