import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uncoveredFiles } from './uncovered-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-uncovered-')));
  write('SKILL.md', 'scripts/run.py');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
}

const inSandbox = (): unknown => uncoveredFiles('tides', folder, true);
const without = (): unknown => uncoveredFiles('tides', folder, false);
const refused = (names: string, why: string): unknown => ({
  ok: false,
  reason: `${names}: no part of the skill "tides", since its digest does not cover such files, and ${why}`,
});
const quoted = (path: string): string => `"${join(folder, path)}"`;

describe('uncoveredFiles', () => {
  it('are none in a folder that its digest covers, and where there is no folder', () => {
    expect([inSandbox(), without()]).toEqual([
      { ok: true, hide: [] },
      { ok: true, hide: [] },
    ]);
    expect([uncoveredFiles('tides', null, true), uncoveredFiles('tides', '/no/such', false)]).toEqual([
      { ok: true, hide: [] },
      { ok: true, hide: [] },
    ]);
  });

  it('are hidden by a sandbox, each whole', () => {
    write(
      'scripts/__pycache__/run.cpython-311.pyc',
      'node_modules/a/index.js',
      'lib/old.pyc',
      '.git/config',
      'scripts/.run.py.swp',
    );
    symlinkSync('user@host.1:2', join(folder, '.#SKILL.md'));
    expect(inSandbox()).toEqual({
      ok: true,
      hide: ['.git', 'lib/old.pyc', 'node_modules', 'scripts/.run.py.swp', 'scripts/__pycache__'].map(
        (path) => join(folder, path),
      ),
    });
  });

  it('keep a command from starting where a sandbox cannot hide them', () => {
    write('vendor/a.js');
    symlinkSync('vendor', join(folder, 'node_modules'));
    expect(inSandbox()).toEqual(
      refused(quoted('node_modules'), 'a link cannot be hidden from a command; remove it'),
    );
    rmSync(join(folder, 'node_modules'));
    write(...Array.from({ length: 257 }, (_, at) => `lib/m${String(at).padStart(3, '0')}.pyc`));
    expect(inSandbox()).toEqual(
      refused(
        `${quoted('lib/m000.pyc')}, ${quoted('lib/m001.pyc')}, ${quoted('lib/m002.pyc')} and 254 more`,
        'no more than 256 can be hidden from a command; remove them',
      ),
    );
  });

  it.each([
    'scripts/__pycache__/x',
    'node_modules/x',
    'lib/old.pyc',
    '.git/hooks/x.sh',
    'scripts/tool.sh~',
    'scripts/.tool.sh.swp',
    '#tool.sh#',
    '.DS_Store',
  ])('keep a command from starting without a sandbox: %s', (path) => {
    write(path);
    const named = path.replace(/(__pycache__|node_modules|\.git)\/.*/, '$1');
    expect(without()).toEqual(
      refused(quoted(named), 'without a sandbox a command could execute it; remove it'),
    );
  });

  it('are not looked for among more files than can be looked at', () => {
    // With the three that are there, as many as there may be.
    write(...Array.from({ length: 19_997 }, (_, at) => `f${at}`));
    expect(inSandbox()).toEqual({ ok: true, hide: [] });
    write('one-more');
    expect([inSandbox(), without()]).toEqual(
      Array.from({ length: 2 }, () => ({
        ok: false,
        reason: `"${folder}" has more than 20000 files, too many to look for those that are no part of the skill "tides"; move generated files out of it`,
      })),
    );
  });

  it('let a command start without a sandbox where they are links to nothing', () => {
    symlinkSync('user@host.1:2', join(folder, '.#SKILL.md'));
    expect(without()).toEqual({ ok: true, hide: [] });
  });
});
