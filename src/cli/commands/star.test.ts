import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipUnless } from '../../../test/support/skip-unless.ts';
import { createWorld } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const star = (...argv: readonly string[]) => world.run(['star', ...argv]);
const json = async (...argv: readonly string[]) => JSON.parse((await star(...argv, '--json')).out) as { readonly [key: string]: unknown };

describe('runStar', () => {
  it('runs a file and prints what it prints', async () => {
    world.write({ 'work/a.star': 'print("one", 2)\nprint([x * x for x in range(4)])\n' });
    expect(await star('a.star')).toEqual({ code: 0, out: 'one 2\n[0, 1, 4, 9]\n', err: '' });
  });

  it('shows where a program fails, and the calls that led there', async () => {
    world.write({ 'work/a.star': 'def half(n):\n    return 10 // n\n\ndef run():\n    print("before")\n    return half(0)\n\nrun()\n' });
    const { code, out, err } = await star('a.star');
    expect([code, out]).toEqual([1, 'before\n']);
    await expect(err).toMatchFileSnapshot('../../../test/golden/star/failure.txt');
  });

  it('shows all static errors at once', async () => {
    world.write({ 'work/a.star': 'x = undefnd\nwhile True:\n    pass\ny = f"{x}"\n' });
    const { code, out, err } = await star('a.star');
    expect([code, out]).toEqual([1, '']);
    await expect(err).toMatchFileSnapshot('../../../test/golden/star/static.txt');
  });

  it('gives one JSON document', async () => {
    world.write({ 'work/a.star': 'def run(n):\n    print("hi")\n    return {"n": n + 1, "big": 1 << 70, "__proto__": [b"a"]}\n' });
    expect(await json('a.star', '--entry', 'run', '--input', '41')).toEqual({
      ok: true,
      value: JSON.parse('{"n": 42, "big": "1180591620717411303424", "__proto__": [[97]]}'),
      output: ['hi'],
      diagnostics: [],
      backtrace: [],
      usage: { steps: expect.any(Number) as number, memoryBytes: expect.any(Number) as number, outputUnits: 3 },
    });
  });

  it('gives one JSON document of a failure', async () => {
    world.write({ 'work/a.star': 'def f():\n    print("hi")\n    fail("no", 1)\nf()\n' });
    expect(await json('a.star')).toEqual({
      ok: false,
      value: null,
      output: ['hi'],
      diagnostics: [{ code: 'EVAL_FAIL', severity: 'error', path: 'a.star', line: 3, column: expect.any(Number) as number, endLine: 3, endColumn: expect.any(Number) as number, message: expect.stringContaining('no 1') as string, hint: null }],
      backtrace: [{ function: '<toplevel>', path: 'a.star', line: 4, column: expect.any(Number) as number }, { function: 'f', path: 'a.star', line: 3, column: expect.any(Number) as number }],
      usage: expect.any(Object) as object,
    });
    world.write({ 'work/b.star': 'x = (\n' });
    expect(await json('b.star')).toMatchObject({ ok: false, value: null, output: [], backtrace: [], usage: { steps: 0 }, diagnostics: [{ path: 'b.star', severity: 'error' }] });
  });

  it('calls an entry function and prints what it returns', async () => {
    world.write({ 'work/a.star': 'def run(input): return [input["a"], "x"]\ndef none(): return None\n' });
    expect(await star('a.star', '--entry', 'run', '--input', '{"a": [1.5]}')).toEqual({ code: 0, out: '[\n  [\n    1.5\n  ],\n  "x"\n]\n', err: '' });
    expect(await star('a.star', '--entry=none')).toEqual({ code: 0, out: '', err: '' });
    expect(await star('a.star', '--entry', 'rnu')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('run') as string });
  });

  it('stops at the limits', async () => {
    world.write({ 'work/spin.star': 'def f():\n    for i in range(1000000000): pass\nf()\n', 'work/eat.star': 'x = ["a"] * 100000\n' });
    expect((await json('spin.star', '--steps', '1000'))['diagnostics']).toMatchObject([{ code: 'STEP_LIMIT', line: 2 }]);
    expect((await json('eat.star', '--memory', '64k'))['diagnostics']).toMatchObject([{ code: 'MEMORY_LIMIT', line: 1 }]);
    expect((await star('eat.star', '--memory', '64m')).code).toBe(0);
  });

  it('answers wrong usage with 2', async () => {
    world.write({ 'work/a.star': 'x = 1\n' });
    const wrong = [['missing.star'], ['a.star', 'a.star'], ['a.star', '--input', '1'], ['a.star', '--entry', 'f', '--input', '{'], ['a.star', '--memory', 'much'], ['a.star', '--steps', '-1'], ['a.star', '--check', '--entry', 'f']];
    expect(await Promise.all(wrong.map(async (argv) => (await star(...argv)).code))).toEqual(wrong.map(() => 2));
    expect(await star('missing.star')).toMatchObject({ out: '', err: `techne: "missing.star" does not exist\n  hint: it was looked for at "${join(world.workspace, 'missing.star')}"\n` });
  });

  it('answers what cannot be read with 3', async () => {
    world.write({ 'work/folder.star/x': '' });
    expect(await star('folder.star')).toMatchObject({ code: 3, out: '', err: expect.stringContaining('is a folder') as string });
  });

  it.skipIf(skipUnless(process.getuid?.() !== 0, 'root may read everything'))('answers a file it may not read with 3', async () => {
    world.write({ 'work/a.star': 'x = 1\n' });
    chmodSync(join(world.workspace, 'a.star'), 0);
    expect((await star('a.star')).code).toBe(3);
  });

  it('shows control characters as escapes at a terminal only', async () => {
    world.write({ 'work/a.star': 'print("a\\033[31mb\\ttab")\n' });
    expect((await star('a.star')).out).toBe('a\u001B[31mb\ttab\n');
    expect((await world.run(['star', 'a.star'], { columns: 80 })).out).toBe('a\\u{1B}[31mb\ttab\n');
  });

  it('gives no hints when it is to be quiet', async () => {
    world.write({ 'work/a.star': 'while True: pass\n' });
    const [loud, quiet] = [await star('a.star'), await star('a.star', '-q')];
    expect([/hint:/.test(loud.err), /hint:/.test(quiet.err), quiet.code]).toEqual([true, false, 1]);
  });
});

describe('runStar --check', () => {
  it('runs nothing, and counts what it finds in all files', async () => {
    world.write({ 'work/a.star': 'print("not run")\n', 'work/b.star': 'x = 1 +\n', 'work/c.star': 'def f():\n  return nme\nname = 1\n' });
    expect(await star('--check', 'a.star')).toEqual({ code: 0, out: '1 program checked: 0 errors, 0 warnings\n', err: '' });
    const { code, out, err } = await star('--check', 'a.star', 'b.star', 'c.star', 'b.star');
    expect([code, err]).toEqual([1, '']);
    await expect(out).toMatchFileSnapshot('../../../test/golden/star/check.txt');
    expect(await json('--check', 'a.star', 'c.star')).toMatchObject({ ok: false, files: 2, errors: 1, warnings: 0, diagnostics: [{ path: 'c.star', line: 2, column: 10, code: 'STAR_UNDEFINED' }] });
  });
});

describe('runStar --allow-load', () => {
  beforeEach(() => {
    world.write({
      'work/p/a.star': 'load("lib/b.star", "b", c = "deep")\nprint(b(1), c)\n',
      'work/p/lib/b.star': 'load("more/c.star", "deep")\ndef b(n): return n + 1\n',
      'work/p/lib/more/c.star': 'deep = ["c"]\n',
      'work/secret.star': 'x = 1\n',
    });
  });

  it('is needed for load', async () => {
    expect(await star('p/a.star')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^p\/a\.star:1:\d+: error LOAD_DENIED: /) as string });
  });

  it('reads files below the folder of the program, relative to the one that loads', async () => {
    world.write({ 'work/p/a.star': 'load("lib/b.star", "b")\nprint(b(1))\n', 'work/p/lib/b.star': 'load("more/c.star", "deep")\ndef b(n): return [n, deep]\n' });
    expect(await star('p/a.star', '--allow-load')).toEqual({ code: 0, out: '[1, ["c"]]\n', err: '' });
  });

  it.each(['../secret.star', 'lib/../../secret.star', '/etc/passwd', './lib/b.star', 'lib//b.star', 'lib\\\\b.star', 'lib', 'lib/none.star', 'link.star', 'linked/c.star', '', 'lib/b.star/'])('refuses %j', async (name) => {
    symlinkSync(join(world.workspace, 'secret.star'), join(world.workspace, 'p/link.star'));
    symlinkSync(join(world.workspace, 'p/lib/more'), join(world.workspace, 'p/linked'));
    world.write({ 'work/p/a.star': `load("${name}", "x")\n` });
    expect(await star('p/a.star', '--allow-load')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/error (?:EVAL_LOAD|STAR_LOAD): /) as string });
  });

  it('shows what is wrong in a module with its own name and text', async () => {
    world.write({ 'work/p/a.star': 'load("lib/b.star", "b")\n', 'work/p/lib/b.star': 'b = 1 // 0\n' });
    const { code, err } = await star('p/a.star', '--allow-load');
    expect(code).toBe(1);
    await expect(err).toMatchFileSnapshot('../../../test/golden/star/module.txt');
  });
});
