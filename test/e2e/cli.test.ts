// The built command as a process: pipes, signals, terminals.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipUnless } from '../support/skip-unless.ts';
import { createWorld, skillText } from '../support/run-cli.ts';
import type { World } from '../support/run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const skillCount = 3000;
let world: World;

beforeAll(() => {
  if (!existsSync(fileURLToPath(new URL('../../dist/cli.js', import.meta.url))))
    throw new Error('dist/ is missing: run "npm run build" first');
  world = createWorld();
  const files: { [path: string]: string } = {};
  for (let at = 0; at < skillCount; at += 1)
    files[`many/skill-${at}/SKILL.md`] = skillText(
      `skill-${at}`,
      `Does ${'a thing and another '.repeat(8)}${at}. Use it when needed.`,
    );
  world.write(files);
});
afterAll(() => world.remove());

function techne(argv: readonly string[], input?: string) {
  const done = spawnSync(process.execPath, [bin, ...argv], {
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home },
    encoding: 'utf8',
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** A shell line in which `techne` is the built command. */
function shell(line: string) {
  const done = spawnSync('bash', ['-c', `techne() { "${process.execPath}" "${bin}" "$@"; }\n${line}`], {
    cwd: world.workspace,
    env: { PATH: process.env['PATH'], HOME: world.home },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

/** The built files that loading `file` loads, without those behind `import()`. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /\b(?:from|import)\s*["'](\.[^"'\n]+)["']/g,
  ))
    loadedWith(join(dirname(file), specifier), seen);
  return seen;
}

describe('the built files', () => {
  it('keep the YAML library off every path but those that need it', () => {
    const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
    const withYaml = (name: string): boolean =>
      [...loadedWith(join(dist, name))].some((file) => readFileSync(file, 'utf8').includes('YAMLMap'));
    const chunks = readdirSync(join(dist, 'chunks')).map((name) => `chunks/${name}`);
    const chunkOf = (command: string): string =>
      chunks.find((name) => name.startsWith(`chunks/${command}-`)) ?? 'missing';
    expect([
      withYaml('cli.js'),
      withYaml(chunkOf('shell')),
      withYaml(chunkOf('commands')),
      withYaml(chunkOf('check')),
    ]).toEqual([false, false, false, false]);
    // Imports are found, or the line above would say nothing; and the library would be seen in the chunk that holds it.
    expect([...loadedWith(join(dist, chunkOf('commands')))].length).toBeGreaterThan(3);
    expect(withYaml('yaml.cjs')).toBe(true);
  });
});

describe('the build', () => {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

  it('leaves a folder that every user can enter', () => {
    expect(statSync(dist).mode & 0o777).toBe(0o755);
  });

  it.skipIf(skipUnless(existsSync(join(dist, 'types')), 'dist/ was built without types'))(
    'leaves declarations that name no .ts file',
    () => {
      const broken = readdirSync(join(dist, 'types'), { recursive: true, encoding: 'utf8' }).filter(
        (name) =>
          name.endsWith('.d.ts') &&
          /['"]\.{1,2}\/[^'"\n]*\.ts['"]/.test(readFileSync(join(dist, 'types', name), 'utf8')),
      );
      expect(broken).toEqual([]);
    },
  );
});

describe('the techne command', () => {
  it('has a version, help and exit codes', () => {
    expect(techne(['--version'])).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      err: '',
    });
    expect([techne(['--help']).code, techne(['nope']).code, techne(['trust']).code]).toEqual([0, 2, 3]);
  });

  it('gives whole JSON through a slow pipe', () => {
    const { out, err } = shell(
      `techne list --json --root ../many | (sleep 0.5; dd bs=4096 2>/dev/null) | (sleep 0.3; cat)`,
    );
    expect([err, (JSON.parse(out) as unknown[]).length]).toEqual(['', skillCount]);
  });

  it('gives whole JSON to a reader that takes little at a time', async () => {
    const child = spawn(process.execPath, [bin, 'list', '--json', '--root', '../many'], {
      cwd: world.workspace,
      env: { PATH: process.env['PATH'], HOME: world.home },
    });
    let text = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), 2);
    });
    const code = await new Promise((done) => child.on('close', done));
    expect([code, (JSON.parse(text) as unknown[]).length]).toEqual([0, skillCount]);
  });

  it('ends quietly when its reader has enough', () => {
    expect(shell('set -o pipefail; techne list --root ../many | head -1')).toEqual({
      code: 0,
      out: expect.stringMatching(/^NAME +SOURCE/),
      err: '',
    });
  });

  it('is ended by Ctrl-C without a stack', async () => {
    const child = spawn(process.execPath, [bin, 'list', '--json', '--root', '../many'], {
      cwd: world.workspace,
      env: { PATH: process.env['PATH'], HOME: world.home },
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    // It has begun to write, and cannot end: what it writes is more than a pipe holds while nobody reads on.
    await new Promise((done) => child.stdout.once('readable', done));
    child.kill('SIGINT');
    const ended = await new Promise((done) => child.on('exit', (...how) => done(how)));
    child.stdout.resume();
    await new Promise((done) => child.on('close', done));
    expect([ended, err]).toEqual([[null, 'SIGINT'], '']);
  });

  it('finds the same with the cache as without, and reads no SKILL.md for it', async () => {
    world.write({ 'home/.techne/config.json': '{"roots": {"builtin": false}}' });
    const countFile = join(world.folder, 'opened');
    const preload = fileURLToPath(new URL('../fixtures/preload/count-reads.mjs', import.meta.url));
    const list = (...more: readonly string[]) => {
      const argv = ['--import', preload, bin, 'list', '--json', '--root', '../many', ...more];
      const { stdout } = spawnSync(process.execPath, argv, {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home, COUNT_FILE: countFile },
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return { out: stdout, opened: Number(readFileSync(countFile, 'utf8')) };
    };
    // Files that were only just written are read again each time.
    const newestMs = statSync(join(world.folder, 'many', `skill-${skillCount - 1}`, 'SKILL.md')).ctimeMs;
    await sleep(Math.max(0, newestMs + 2100 - Date.now()));
    const without = list('--no-cache');
    const [cold, warm] = [list(), list()];
    expect([without.opened, cold.opened, warm.opened]).toEqual([skillCount, skillCount, 0]);
    expect([cold.out === without.out, warm.out === without.out]).toEqual([true, true]);
  });

  it('says so when it is not built', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-')));
    spawnSync('cp', ['-r', fileURLToPath(new URL('../../bin', import.meta.url)), folder]);
    const done = spawnSync(process.execPath, [join(folder, 'bin/techne.mjs'), 'list'], { encoding: 'utf8' });
    symlinkSync('dist', join(folder, 'dist'));
    const unreadable = spawnSync(process.execPath, [join(folder, 'bin/techne.mjs'), 'list'], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect([done.status, done.stdout, done.stderr]).toEqual([
      3,
      '',
      'techne: techne is not built yet\n  hint: run "npm run build" in the folder of techne\n',
    ]);
    expect([unreadable.status, unreadable.stdout, unreadable.stderr]).toEqual([
      3,
      '',
      `techne: "${join(folder, 'dist/cli.js')}" cannot be read (ELOOP)\n  hint: give this user read permission for its folder\n`,
    ]);
  });

  it.skipIf(skipUnless(existsSync('/proc/self'), 'there is no /proc'))(
    'ends where its folders cannot be made',
    () => {
      const env = { PATH: process.env['PATH'], HOME: '/proc/nohome' };
      const list = spawnSync(process.execPath, [bin, 'list', '--json'], {
        cwd: world.workspace,
        env,
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect([list.status, list.stderr]).toEqual([0, '']);
      const made = spawnSync(process.execPath, [bin, 'new', 't2', '--dir', '/proc/foo'], {
        cwd: world.workspace,
        env,
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect([
        made.status,
        made.stdout,
        made.stderr.startsWith('techne: "/proc/foo/t2" cannot be made: '),
      ]).toEqual([3, '', true]);
    },
  );
});

const hasScript = spawnSync('sh', ['-c', 'script --version | grep -q util-linux']).status === 0;

/** Types into a pseudo terminal, `waitS` seconds after the start; what comes early waits in the terminal. */
function atTerminal(argv: string, typed: string, waitS = 0) {
  return shell(
    `(sleep ${waitS}; printf '${typed}'; sleep 0.3) | script -qec "'${process.execPath}' '${bin}' ${argv}" /dev/null`,
  );
}

describe.skipIf(skipUnless(hasScript, 'script of util-linux is not installed'))(
  'the techne command at a terminal',
  () => {
    beforeAll(() => {
      techne(['new', 'prog', '--form', 'program']);
    });

    it('asks a person and remembers the answer', () => {
      const no = atTerminal('trust prog', 'n\\n', 1.5);
      expect([
        no.code,
        no.out.includes('May it be executed? [y/N]'),
        no.out.includes('Nothing was trusted.'),
      ]).toEqual([1, true, true]);
      const yes = atTerminal('trust prog', 'y\\n', 1.5);
      expect([yes.code, yes.out.includes('Trusted: prog, as it is now')]).toEqual([0, true]);
      const { facts } = JSON.parse(techne(['doctor', 'prog', '--json']).out) as {
        facts: { runnable: { ok: boolean } };
      };
      expect(facts.runnable.ok).toBe(true);
    });

    it('is ended by Ctrl-C at the question, and nothing is trusted', () => {
      techne(['untrust', 'prog']);
      const ended = atTerminal('trust prog', '\\003', 1.5);
      expect([ended.code, ended.out.includes('at ')]).toEqual([130, false]);
      expect(JSON.parse(techne(['trust', '--list', '--json']).out)).toEqual({
        folders: [],
        digests: [],
        configured: [],
      });
    });

    it('uses colours at a terminal only, and not when told not to', () => {
      const escape = '\u001B[';
      expect([
        atTerminal('list --root ../many', '').out.includes(escape),
        atTerminal('list --root ../many --no-color', '').out.includes(escape),
        techne(['list', '--root', '../many']).out.includes(escape),
      ]).toEqual([true, false, false]);
      expect(techne(['list', '--root', '../many', '--color']).out.includes(escape)).toBe(true);
    });
  },
);
