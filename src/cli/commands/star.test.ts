import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
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
const json = async (...argv: readonly string[]) =>
  JSON.parse((await star(...argv, '--json')).out) as { readonly [key: string]: unknown };

describe('runStar', () => {
  it('runs a file and prints what it prints', async () => {
    world.write({ 'work/a.star': 'print("one", 2)\nprint([x * x for x in range(4)])\n' });
    expect(await star('a.star')).toEqual({ code: 0, out: 'one 2\n[0, 1, 4, 9]\n', err: '' });
  });

  it('shows where a program fails, and the calls that led there', async () => {
    world.write({
      'work/a.star':
        'def half(n):\n    return 10 // n\n\ndef run():\n    print("before")\n    return half(0)\n\nrun()\n',
    });
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
    world.write({
      'work/a.star':
        'def run(n):\n    print("hi")\n    return {"n": n + 1, "big": 1 << 70, "__proto__": [b"a"]}\n',
    });
    expect(await json('a.star', '--entry', 'run', '--input', '41')).toEqual({
      ok: true,
      value: JSON.parse('{"n": 42, "big": 1180591620717411303424, "__proto__": [[97]]}'),
      output: ['hi'],
      diagnostics: [],
      backtrace: [],
      usage: {
        steps: expect.any(Number) as number,
        memoryBytes: expect.any(Number) as number,
        outputUnits: 3,
      },
    });
  });

  it('gives one JSON document of a failure', async () => {
    world.write({ 'work/a.star': 'def f():\n    print("hi")\n    fail("no", 1)\nf()\n' });
    expect(await json('a.star')).toEqual({
      ok: false,
      value: null,
      output: ['hi'],
      diagnostics: [
        {
          code: 'EVAL_FAIL',
          severity: 'error',
          path: 'a.star',
          line: 3,
          column: expect.any(Number) as number,
          endLine: 3,
          endColumn: expect.any(Number) as number,
          message: expect.stringContaining('no 1') as string,
          hint: null,
        },
      ],
      backtrace: [
        { function: '<toplevel>', path: 'a.star', line: 4, column: expect.any(Number) as number },
        { function: 'f', path: 'a.star', line: 3, column: expect.any(Number) as number },
      ],
      usage: expect.any(Object) as object,
    });
    world.write({ 'work/b.star': 'x = (\n' });
    expect(await json('b.star')).toMatchObject({
      ok: false,
      value: null,
      output: [],
      backtrace: [],
      usage: { steps: 0 },
      diagnostics: [{ path: 'b.star', severity: 'error' }],
    });
  });

  it('calls an entry function and prints what it returns', async () => {
    world.write({ 'work/a.star': 'def run(input): return [input["a"], "x"]\ndef none(): return None\n' });
    expect(await star('a.star', '--entry', 'run', '--input', '{"a": [1.5]}')).toEqual({
      code: 0,
      out: '[\n  [\n    1.5\n  ],\n  "x"\n]\n',
      err: '',
    });
    expect(await star('a.star', '--entry=none')).toEqual({ code: 0, out: 'null\n', err: '' });
    expect(await star('a.star', '--entry', 'rnu')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('run') as string,
    });
  });

  it('keeps every digit of an int, in and out', async () => {
    world.write({
      'work/a.star': 'def run(n): return [n["a"] + 1, -n["a"], n["b"], n["__proto__"]]\n',
      'work/in.json': '{"a": 123456789012345678901234567890, "b": 1e30, "__proto__": "x"}\n',
    });
    const digits =
      '[\n  123456789012345678901234567891,\n  -123456789012345678901234567890,\n  1e+30,\n  "x"\n]\n';
    expect(await star('a.star', '--entry', 'run', '--input', '@in.json')).toEqual({
      code: 0,
      out: digits,
      err: '',
    });
    expect((await star('a.star', '--entry', 'run', '--input', '@in.json', '--json')).out).toContain(
      '    123456789012345678901234567891,\n',
    );
    expect(await star('a.star', '--entry', 'run', '--input', '@none.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"none.json" does not exist') as string,
    });
    expect(
      (await star('a.star', '--entry', 'run', '--input', `${'['.repeat(600)}${']'.repeat(600)}`)).code,
    ).toBe(2);
  });

  it('runs code from the command line', async () => {
    expect(await star('-c', 'print(1 + 2)')).toEqual({ code: 0, out: '3\n', err: '' });
    expect(await star('--code', 'def f(x): return x\nprint(1 // 0)')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^<code>:2:\d+: error EVAL_ZERO_DIVISION/) as string,
    });
    expect(await star('-c', 'def f(x): return x', '--entry', 'f', '--input', '[]')).toEqual({
      code: 0,
      out: '[]\n',
      err: '',
    });
    expect(await star('--check', '-c', 'x = )')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^<code>:1:5: error STAR_/) as string,
    });
    expect((await star('-c', 'x = 1', 'a.star')).code).toBe(2);
  });

  it('names the option in the hint of a limit', async () => {
    const hint = async (...argv: readonly string[]) =>
      ((await json(...argv))['diagnostics'] as { code: string; hint: string }[]).map((found) => [
        found.code,
        found.hint,
      ]);
    world.write({ 'work/spin.star': 'def f():\n    for i in range(1000000): print(i)\nf()\n' });
    expect(await hint('spin.star', '--steps', '1k')).toEqual([
      ['STEP_LIMIT', expect.stringContaining('--steps')],
    ]);
    expect(await hint('spin.star', '--output', '10')).toEqual([
      ['OUTPUT_LIMIT', expect.stringContaining('--output')],
    ]);
    expect(await hint('-c', 'x = ["a"] * 100000', '--memory', '65536')).toEqual([
      ['MEMORY_LIMIT', expect.stringContaining('--memory')],
    ]);
    expect(await hint('-c', 'load("a.star", "b")')).toEqual([
      ['LOAD_DENIED', expect.stringContaining('--allow-load')],
    ]);
    expect((await star('-c', 'print("x" * 2000000)')).code).toBe(1);
    expect((await star('-c', 'print("x" * 2000000)', '--output', '4m')).code).toBe(0);
  });

  it('knows the host functions of a skill, and has none', async () => {
    world.write({
      'work/s/SKILL.star': 'def run(input):\n    return ask("x")\n',
      'work/a.star': 'def run(): return fetch(1)\n',
    });
    expect((await star('--check', 's/SKILL.star')).code).toBe(0);
    expect((await star('--check', 'a.star')).code).toBe(1);
    expect((await star('--check', 'a.star', '--predeclare', 'fetch', '--predeclare', 'other')).code).toBe(0);
    expect((await star('s/SKILL.star')).code).toBe(0);
    const run = await star('s/SKILL.star', '--entry', 'run', '--input', '{}');
    expect([run.code, run.err]).toEqual([
      1,
      expect.stringMatching(
        /^s\/SKILL\.star:2:\d+: error EVAL_HOST: ask: host functions are not available in "techne star"\n/,
      ),
    ]);
    expect((await star('a.star', '--predeclare', 'fetch', '--entry', 'run')).err).toContain(
      'EVAL_HOST: fetch: host functions are',
    );
    expect((await star('a.star', '--predeclare', 'a b')).code).toBe(2);
  });

  it('says where a host function exists', async () => {
    expect(await star('-c', 'ask("x")')).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'hint: "ask" is a function of executable skills: put it into a SKILL.star and start it with techne run\n',
      ) as string,
    });
    expect((await star('-c', 'askk("x")')).err).not.toContain('executable');
  });

  it('says in one message that a file is no text', async () => {
    const put = (bytes: readonly number[]) =>
      writeFileSync(join(world.workspace, 'a.star'), Buffer.from(bytes));
    put([0x78, 0x20, 0x3d, 0x20, 0x31, 0x0a, 0x79, 0x20, 0x3d, 0x20, 0x22, 0xc3, 0xa9, 0xff, 0x22, 0x0a]);
    expect(await json('a.star')).toMatchObject({
      ok: false,
      diagnostics: [
        { code: 'PROGRAM_NOT_TEXT', line: 2, column: 7, message: 'the byte 0xFF here is not UTF-8' },
      ],
    });
    put([0x23, 0xe2, 0x82]);
    expect(await json('--check', 'a.star')).toMatchObject({
      diagnostics: [
        { code: 'PROGRAM_NOT_TEXT', line: 1, column: 2, message: 'the byte 0xE2 here is not UTF-8' },
      ],
    });
    put([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 3]);
    expect(await star('a.star')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^a\.star: error PROGRAM_NOT_TEXT: the file is not a text file\n/) as string,
    });
    put([0xff, 0xfe, 0x78, 0x00]);
    expect((await star('a.star')).err).toContain('the file is UTF-16');
  });

  it('says where it was when it is interrupted', async () => {
    world.write({
      'work/spin.star': 'def f():\n    for i in range(1000000000000): pass\nprint("on")\nf()\n',
    });
    const run = await world.run(['star', 'spin.star', '--steps', '9000g', '--json'], { interrupt: 1 });
    expect([run.code, JSON.parse(run.out)]).toMatchObject([
      130,
      {
        ok: false,
        output: ['on'],
        diagnostics: [{ code: 'INTERRUPTED', path: 'spin.star', line: 2 }],
        backtrace: [
          { function: '<toplevel>', line: 4 },
          { function: 'f', line: 2 },
        ],
      },
    ]);
  });

  it('stops at the limits', async () => {
    world.write({
      'work/spin.star': 'def f():\n    for i in range(1000000000): pass\nf()\n',
      'work/eat.star': 'x = ["a"] * 100000\n',
    });
    expect((await json('spin.star', '--steps', '1000'))['diagnostics']).toMatchObject([
      { code: 'STEP_LIMIT', line: 2 },
    ]);
    expect((await json('eat.star', '--memory', '64k'))['diagnostics']).toMatchObject([
      { code: 'MEMORY_LIMIT', line: 1 },
    ]);
    expect((await star('eat.star', '--memory', '64m')).code).toBe(0);
  });

  it('answers wrong usage with 2', async () => {
    world.write({ 'work/a.star': 'x = 1\n' });
    const wrong = [
      ['missing.star'],
      ['a.star', 'a.star'],
      ['a.star', '--input', '1'],
      ['a.star', '--entry', 'f', '--input', '{'],
      ['a.star', '--memory', 'much'],
      ['a.star', '--steps', '-1'],
      ['a.star', '--check', '--entry', 'f'],
    ];
    expect(await Promise.all(wrong.map(async (argv) => (await star(...argv)).code))).toEqual(
      wrong.map(() => 2),
    );
    expect(await star('missing.star')).toMatchObject({
      out: '',
      err: `techne: "missing.star" does not exist\n  hint: techne looked for it at "${join(world.workspace, 'missing.star')}"\n`,
    });
  });

  it('answers what cannot be read with 3', async () => {
    world.write({ 'work/folder.star/x': '' });
    expect(await star('folder.star')).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('is a folder') as string,
    });
  });

  it.skipIf(skipUnless(process.getuid?.() !== 0, 'root may read everything'))(
    'answers a file it may not read with 3',
    async () => {
      world.write({ 'work/a.star': 'x = 1\n' });
      chmodSync(join(world.workspace, 'a.star'), 0);
      expect((await star('a.star')).code).toBe(3);
    },
  );

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
    world.write({
      'work/a.star': 'print("not run")\n',
      'work/b.star': 'x = 1 +\n',
      'work/c.star': 'def f():\n  return nme\nname = 1\n',
    });
    expect(await star('--check', 'a.star')).toEqual({
      code: 0,
      out: '1 program checked: 0 errors, 0 warnings\n',
      err: '',
    });
    const { code, out, err } = await star('--check', 'a.star', 'b.star', 'c.star', 'b.star');
    expect([code, err]).toEqual([1, '']);
    await expect(out).toMatchFileSnapshot('../../../test/golden/star/check.txt');
    expect(await json('--check', 'a.star', 'c.star')).toMatchObject({
      ok: false,
      files: 2,
      errors: 1,
      warnings: 0,
      diagnostics: [{ path: 'c.star', line: 2, column: 10, code: 'STAR_UNDEFINED' }],
    });
  });
});

describe('runStar --check of files that cannot be read', () => {
  it('goes on, and gives the worst exit code', async () => {
    world.write({ 'work/a.star': 'x = 1\n', 'work/b.star': 'x = )\n', 'work/folder.star/x': '' });
    expect(await star('--check', 'none.star', 'b.star', 'a.star')).toMatchObject({
      code: 2,
      err: '',
      out: expect.stringMatching(
        /^none\.star: error FILE_UNREADABLE: [^]*b\.star:1:5: [^]*2 programs checked: 2 errors, 0 warnings\n$/,
      ) as string,
    });
    expect(await star('--check', 'folder.star', 'none.star', 'a.star')).toMatchObject({ code: 3 });
    expect(await json('--check', 'none.star', 'a.star')).toMatchObject({
      ok: false,
      files: 1,
      errors: 1,
      diagnostics: [{ code: 'FILE_UNREADABLE', path: 'none.star', line: null }],
    });
  });
});

describe('runStar --check --allow-load', () => {
  it('follows loads', async () => {
    world.write({
      'work/p/a.star': 'load("lib/b.star", "b", "bee")\nload("lib/none.star", "x")\n',
      'work/p/lib/b.star': 'load("../c.star", "c")\nload("./d.star", "d")\nb = [c, d]\n',
      'work/p/c.star': 'c = 1 +\n',
      'work/p/lib/d.star': 'load("b.star", "b")\nd = 1\n',
    });
    const found = await json('--check', '--allow-load', 'p/a.star');
    expect([
      found['files'],
      (found['diagnostics'] as { path: string; line: number; code: string }[]).map(({ path, line, code }) => [
        path,
        line,
        code,
      ]),
    ]).toEqual([
      4,
      [
        ['p/c.star', 1, expect.stringContaining('STAR_')],
        ['p/lib/d.star', 1, 'EVAL_LOAD'],
        ['p/a.star', 1, 'EVAL_LOAD'],
        ['p/a.star', 2, 'EVAL_LOAD'],
      ],
    ]);
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
    expect(await star('p/a.star')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^p\/a\.star:1:\d+: error LOAD_DENIED: /) as string,
    });
  });

  it('reads files below the folder of the program, relative to the one that loads', async () => {
    world.write({
      'work/p/a.star': 'load("lib/b.star", "b")\nprint(b(1))\n',
      'work/p/lib/b.star': 'load("more/c.star", "deep")\ndef b(n): return [n, deep]\n',
    });
    expect(await star('p/a.star', '--allow-load')).toEqual({ code: 0, out: '[1, ["c"]]\n', err: '' });
  });

  it.each([
    ['../secret.star', 'it is outside the folder of the program'],
    ['lib/../../secret.star', 'it is outside the folder of the program'],
    ['/etc/passwd', 'the name is absolute'],
    ['lib//b.star', 'the name has an empty part'],
    ['lib\\\\b.star', 'a name must not contain a backslash or NUL'],
    ['lib', 'only files whose name ends in .star can be loaded'],
    ['lib/none.star', 'it does not exist'],
    ['link.star', 'it is a link, or reached through one'],
    ['linked/c.star', 'it is a link, or reached through one'],
    ['', 'the name is empty'],
    ['folder.star', 'it is not a file'],
  ])('refuses %j and says why', async (name, reason) => {
    symlinkSync(join(world.workspace, 'secret.star'), join(world.workspace, 'p/link.star'));
    symlinkSync(join(world.workspace, 'p/lib/more'), join(world.workspace, 'p/linked'));
    world.write({ 'work/p/a.star': `load("${name}", "x")\n`, 'work/p/folder.star/x': '' });
    const { diagnostics } = await json('p/a.star', '--allow-load');
    expect(diagnostics).toMatchObject([
      {
        code: 'EVAL_LOAD',
        path: 'p/a.star',
        line: 1,
        message: `cannot load "${JSON.parse(`"${name}"`) as string}": ${reason}`,
      },
    ]);
  });

  it('takes names that go up and down inside the folder', async () => {
    world.write({
      'work/p/a.star': 'load("./lib/b.star", "b")\nload("lib/../top.star", "top")\nprint(b, top)\n',
      'work/p/lib/b.star': 'load("../top.star", t = "top")\nb = t + 1\n',
      'work/p/top.star': 'top = 1\n',
    });
    expect(await star('p/a.star', '--allow-load')).toEqual({ code: 0, out: '2 1\n', err: '' });
  });

  it('takes one name in two folders for two files', async () => {
    world.write({
      'work/p/a.star': 'load("x/m.star", x = "m")\nload("y/m.star", y = "m")\nprint(x, y)\n',
      'work/p/x/m.star': 'load("n.star", "n")\nm = n\n',
      'work/p/y/m.star': 'load("n.star", "n")\nm = n\n',
      'work/p/x/n.star': 'n = 1\n',
      'work/p/y/n.star': 'n = 2\n',
    });
    expect(await star('p/a.star', '--allow-load')).toEqual({ code: 0, out: '1 2\n', err: '' });
  });

  it('shows the static errors of a module', async () => {
    world.write({
      'work/p/a.star': 'load("lib/b.star", "b")\n',
      'work/p/lib/b.star': 'b = 1\nc = nothing_here\nd = f"x"\n',
    });
    const { diagnostics } = await json('p/a.star', '--allow-load');
    expect(diagnostics).toMatchObject([
      { path: 'p/lib/b.star', line: 2, code: 'STAR_UNDEFINED' },
      { path: 'p/lib/b.star', line: 3, code: 'STAR_FSTRING' },
      { path: 'p/a.star', line: 1, code: 'EVAL_LOAD', message: 'cannot load "lib/b.star": it has errors' },
    ]);
    expect((await star('p/a.star', '--allow-load')).err).toMatch(/p\/lib\/b\.star:\d:/);
  });

  it('shows what is wrong in a module with its own name and text', async () => {
    world.write({ 'work/p/a.star': 'load("lib/b.star", "b")\n', 'work/p/lib/b.star': 'b = 1 // 0\n' });
    const { code, err } = await star('p/a.star', '--allow-load');
    expect(code).toBe(1);
    await expect(err).toMatchFileSnapshot('../../../test/golden/star/module.txt');
  });
});
