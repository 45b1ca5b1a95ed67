import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovedCommand } from './approvals.ts';
import { createFileApprovals } from './approvals.ts';
import { createNodeFiles } from '../files/files.ts';
import { childProgram } from '../../../test/support/child-program.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-approvals-'));
  file = join(folder, '.techne', 'approvals.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (): ReturnType<typeof createFileApprovals> =>
  createFileApprovals({ file, files: createNodeFiles() });
const command = (more: Partial<ApprovedCommand> = {}): ApprovedCommand => ({
  skill: 'tides',
  digest: 'sha256:1',
  argv: ['npm', 'test'],
  cwd: '/w',
  stdin: null,
  sandboxed: true,
  ...more,
});

describe('createFileApprovals', () => {
  it('knows nothing without a file, and makes none by looking', async () => {
    expect(await open().recall(command())).toBe(null);
    expect(existsSync(file)).toBe(false);
  });

  it('remembers in a file that only its owner can read', async () => {
    await open().remember(command(), 'always');
    await open().remember(command({ argv: ['rm'] }), 'never');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await open().recall(command())).toBe('always');
    expect(
      await open().recall(
        command({ argv: ['rm'], digest: 'sha256:2', cwd: '/x', stdin: 's', sandboxed: false }),
      ),
    ).toBe('never');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      always: [{ ...command(), grantedAt: expect.any(String) as string }],
      never: [{ skill: 'tides', argv: ['rm'], grantedAt: expect.any(String) as string }],
    });
  });

  it.each<[string, Partial<ApprovedCommand>]>([
    ['another skill', { skill: 'other' }],
    ['a changed skill', { digest: 'sha256:2' }],
    ['other arguments', { argv: ['npm', 'test', 'x'] }],
    ['arguments that only look alike', { argv: ['npm test'] }],
    ['another folder', { cwd: '/w/x' }],
    ['another input', { stdin: 'x' }],
    ['no sandbox', { sandboxed: false }],
  ])('does not take an approval for %s', async (_name, more) => {
    await open().remember(command(), 'always');
    expect(await open().recall(command(more))).toBe(null);
  });

  it('remembers the same once', async () => {
    await open().remember(command(), 'always');
    const before = readFileSync(file, 'utf8');
    await open().remember(command(), 'always');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it.each<[string, string]>([
    ['not JSON', 'nope'],
    ['empty', ''],
    ['not an object', '[]'],
    ['without a version', '{"always": [], "never": []}'],
    ['of a later version', '{"version": 2}'],
    ['with an unknown key', '{"version": 1, "always": [], "never": [], "everything": true}'],
    ['with an entry that is no object', '{"version": 1, "always": [1], "never": []}'],
    [
      'with an argv that is no list',
      '{"version": 1, "always": [], "never": [{"skill": "a", "argv": "rm", "grantedAt": "x"}]}',
    ],
    [
      'with a missing field',
      '{"version": 1, "always": [{"skill": "tides", "argv": ["npm", "test"], "grantedAt": "x"}], "never": []}',
    ],
    ['with a key of the prototype', '{"version": 1, "always": [{"__proto__": {}}], "never": []}'],
  ])('grants nothing from a file that is %s, and leaves it alone', async (_name, text) => {
    await open().remember(command({ argv: ['x'] }), 'always');
    writeFileSync(file, text);
    await expect(open().recall(command())).rejects.toMatchObject({ code: 'APPROVALS_STORE' });
    await expect(open().remember(command(), 'always')).rejects.toMatchObject({ code: 'APPROVALS_STORE' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('grants nothing from a file that others can write to, or that is not a file', async () => {
    await open().remember(command(), 'always');
    chmodSync(file, 0o666);
    await expect(open().recall(command())).rejects.toThrow('other users can write');
    rmSync(file);
    mkdirSync(file);
    await expect(open().recall(command())).rejects.toMatchObject({ code: 'APPROVALS_STORE' });
  });

  it('forgets the oldest approvals, never a refusal', async () => {
    await open().remember(command({ argv: ['refused'] }), 'never');
    const many = Array.from({ length: 2000 }, (_, at) => ({
      ...command({ argv: [`old-${at}`] }),
      grantedAt: 'x',
    }));
    writeFileSync(
      file,
      JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), always: many }),
    );
    await open().remember(command({ argv: ['new'] }), 'always');
    expect(
      await Promise.all(
        ['old-0', 'old-1', 'new', 'refused'].map((word) => open().recall(command({ argv: [word] }))),
      ),
    ).toEqual([null, 'always', 'always', 'never']);
  });

  it('loses nothing when processes remember concurrently', async () => {
    const program = await childProgram('approve');
    try {
      await Promise.all(Array.from({ length: 5 }, (_, at) => program.run(file, String(at), '8')));
    } finally {
      program.close();
    }
    const records = JSON.parse(readFileSync(file, 'utf8')) as { always: { argv: string[] }[] };
    expect(new Set(records.always.map(({ argv }) => argv.join(' '))).size).toBe(40);
  });
});

describe('an approvals file that is not as techne writes it', () => {
  const always = { ...command(), grantedAt: '2026-01-02T03:04:05.678Z' };
  const never = { skill: 'tides', argv: ['rm'], grantedAt: '2026-01-02T03:04:05.678Z' };
  const whole = { version: 1, always: [always], never: [never] };

  it.each<[unknown, string]>([
    ['{', 'it is not valid JSON'],
    ['null', 'it is not an object'],
    ['[]', 'it is not an object'],
    [{ ...whole, version: 2 }, 'has version 2, and this techne knows version 1'],
    [{ ...whole, version: '2' }, 'its version is not 1'],
    [{ ...whole, more: 1 }, 'it has an unknown key "more"'],
    [{ version: 1, always: [] }, 'never is not a list'],
    [{ ...whole, always: [always, 1] }, 'always[1] is not an object'],
    [{ ...whole, never: [{ ...never, cwd: '/w' }] }, 'it has an unknown key "cwd"'],
    [{ ...whole, never: [{ ...never, argv: [] }] }, 'never[0].argv is missing or wrong'],
    [{ ...whole, never: [{ ...never, argv: ['a', 1] }] }, 'never[0].argv is missing or wrong'],
    [{ ...whole, never: [{ ...never, argv: 'rm' }] }, 'never[0].argv is missing or wrong'],
    [{ ...whole, never: [{ ...never, skill: '' }] }, 'never[0].skill is missing or wrong'],
    [{ ...whole, always: [{ ...always, digest: null }] }, 'always[0].digest is missing or wrong'],
    [{ ...whole, always: [{ ...always, stdin: '' }] }, 'always[0].stdin is missing or wrong'],
    [{ ...whole, always: [{ ...always, sandboxed: 'yes' }] }, 'always[0].sandboxed is missing or wrong'],
    [{ ...whole, always: [{ ...always, cwd: undefined }] }, 'always[0].cwd is missing or wrong'],
  ])('%j grants nothing, and says why', async (value, fault) => {
    mkdirSync(join(folder, '.techne'), { mode: 0o700 });
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    writeFileSync(file, text, { mode: 0o600 });
    await expect(open().recall(command())).rejects.toMatchObject({
      code: 'APPROVALS_STORE',
      message: expect.stringContaining(fault) as string,
    });
    await expect(open().remember(command(), 'always')).rejects.toMatchObject({ code: 'APPROVALS_STORE' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('is one that anybody can write to, or that is not text', async () => {
    mkdirSync(join(folder, '.techne'), { mode: 0o700 });
    writeFileSync(file, JSON.stringify(whole), { mode: 0o600 });
    expect(await open().recall(command())).toBe('always');
    expect(await open().recall(command({ argv: ['rm'] }))).toBe('never');
    writeFileSync(file, new Uint8Array([0x7b, 0xff, 0x7d]));
    await expect(open().recall(command())).rejects.toMatchObject({
      message: expect.stringContaining('not valid UTF-8') as string,
    });
  });
});
