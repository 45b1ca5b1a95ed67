import { Writable } from 'node:stream';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipUnless } from '../../test/support/skip-unless.ts';
import { createWorld, skillText } from '../../test/support/run-cli.ts';
import type { World } from '../../test/support/run-cli.ts';
import { errorCodes } from '../base/error.ts';
import { exitCodeOf } from './exit-code.ts';
import { run } from './main.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

function json(text: string): unknown {
  return JSON.parse(text);
}

describe('run', () => {
  it('prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await world.run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(json((await world.run(['--json', '-V'])).out)).toEqual({ version });
  });

  it('prints the same help for --help, -h and help', async () => {
    const [first, second, third] = [
      await world.run(['check', '--help']),
      await world.run(['-h', 'check']),
      await world.run(['help', 'check']),
    ];
    expect([first.code, second, third]).toEqual([0, first, first]);
    expect((await world.run([])).out).toBe((await world.run(['--help'])).out);
  });

  it('gives help and scripts as JSON when asked for it', async () => {
    const text = (await world.run(['check', '--help'])).out;
    for (const argv of [
      ['check', '--help', '--json'],
      ['help', 'check', '--json'],
    ])
      expect(json((await world.run(argv)).out)).toEqual({ help: text });
    expect(json((await world.run(['completion', 'bash', '--json'])).out)).toEqual({
      shell: 'bash',
      script: (await world.run(['completion', 'bash'])).out,
    });
  });

  it('knows what other tools call its commands', async () => {
    const hints = await Promise.all(
      ['version', 'ls', 'init', 'validate', 'constructor'].map(
        async (word) => (await world.run([word])).err.split('\n')[1],
      ),
    );
    expect(hints).toEqual([
      '  hint: did you mean "techne --version"?',
      '  hint: did you mean "techne list"?',
      '  hint: did you mean "techne new"?',
      '  hint: did you mean "techne check"?',
      '  hint: see "techne --help"',
    ]);
    expect((await world.run(['help', 'ls'])).err).toContain('did you mean "techne help list"?');
  });

  it('refuses a language server at a terminal, which would wait for ever', async () => {
    expect(await world.run(['lsp'], { typed: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('techne lsp speaks with an editor'),
    });
  });

  it('gives no hints when it is to be quiet', async () => {
    world.write({
      'work/techne.json': '{"indx": 1}',
      'work/.techne/skills/rare/SKILL.md': skillText(
        'rare',
        'Needs a tool. Use it.',
        'requires:\n  bins: [no-such-program]\n',
      ),
    });
    expect((await world.run(['lits', '-q'])).err).toBe('techne: "lits" is not a command\n');
    for (const argv of [
      ['config'],
      ['list', '--all'],
      ['doctor'],
      ['doctor', 'rare'],
      ['show', 'rare'],
      ['check'],
      ['show', 'rae'],
      ['untrust', 'rae'],
      ['search', 'rare'],
    ]) {
      const loud = await world.run(argv);
      const { out, err } = await world.run([...argv, '--quiet']);
      expect([argv, /hint:|did you mean|(?<!hub\.)install |run "techne/.exec(out + err)?.[0]]).toEqual([
        argv,
        undefined,
      ]);
      expect(loud.out + loud.err).not.toBe(out + err);
    }
  });

  it('answers wrong usage with 2, a message and a hint', async () => {
    expect(await world.run(['lits'])).toEqual({
      code: 2,
      out: '',
      err: 'techne: "lits" is not a command\n  hint: did you mean "techne list"?\n',
    });
    expect(await world.run(['help', 'lits'])).toEqual({
      code: 2,
      out: '',
      err: 'techne: "lits" is not a command\n  hint: did you mean "techne help list"?\n',
    });
  });

  it('answers with JSON when asked for it, errors too', async () => {
    expect(await world.run(['show', 'x', '--json'])).toEqual({
      code: 2,
      out: '{\n  "error": {\n    "code": "SKILL_UNKNOWN",\n    "message": "there is no skill \\"x\\"",\n    "hint": "\\"techne list\\" shows every skill"\n  }\n}\n',
      err: '',
    });
  });

  it('gives every error code an exit code', () => {
    for (const code of Object.keys(errorCodes))
      expect(code === 'INTERNAL' ? [70] : [1, 2, 3, 4]).toContain(
        exitCodeOf(code as keyof typeof errorCodes),
      );
  });

  it('says so when the fault is its own', async () => {
    const broken = {
      get columns(): number {
        throw new TypeError('boom');
      },
      isTTY: true,
    };
    const stdout = Object.defineProperties(
      new Writable({ write: (_chunk, _encoding, done) => done() }),
      Object.getOwnPropertyDescriptors(broken),
    );
    let err = '';
    const stderr = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        err += chunk.toString();
        done();
      },
    });
    const io = {
      stdin: process.stdin,
      stdout: stdout as never,
      stderr,
      env: {},
      cwd: world.workspace,
      homeFolder: world.home,
      platform: 'linux',
    };
    expect([await run(['list'], io), err]).toEqual([
      70,
      'techne: this is a bug in techne (TypeError: boom)\n  hint: run it again with TECHNE_DEBUG=1, and report what it prints\n',
    ]);
  });

  it('ends quietly when the reader has gone', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
    });
    const stderr = new Writable({ write: () => expect.unreachable() });
    const io = {
      stdin: process.stdin,
      stdout,
      stderr,
      env: {},
      cwd: world.workspace,
      homeFolder: world.home,
      platform: 'linux',
    };
    expect(await run(['--help'], io)).toBe(0);
  });

  it('says so when the output cannot be written for another reason', async () => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    });
    let err = '';
    const stderr = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        err += chunk.toString();
        done();
      },
    });
    const io = {
      stdin: process.stdin,
      stdout,
      stderr,
      env: {},
      cwd: world.workspace,
      homeFolder: world.home,
      platform: 'linux',
    };
    expect([await run(['--help'], io), err]).toEqual([
      3,
      'techne: the output cannot be written: no space left\n',
    ]);
  });

  it('waits for a slow reader', async () => {
    let got = '';
    const stdout = new Writable({
      highWaterMark: 16,
      write: (chunk: Buffer, _encoding, done) => {
        setTimeout(() => {
          got += chunk.toString();
          done();
        }, 5);
      },
    });
    const io = {
      stdin: process.stdin,
      stdout,
      stderr: stdout,
      env: {},
      cwd: world.workspace,
      homeFolder: world.home,
      platform: 'linux',
    };
    expect(await run(['schema'], io)).toBe(0);
    expect(typeof json(got)).toBe('object');
  });

  it('refuses a root and a workspace that are not there', async () => {
    expect(await world.run(['list', '--root', 'nope'])).toEqual({
      code: 2,
      out: '',
      err: `techne: the root "nope" is not a folder\n  hint: techne looked for it at "${join(world.workspace, 'nope')}"\n`,
    });
    expect(await world.run(['list', '--workspace', 'nope'])).toEqual({
      code: 2,
      out: '',
      err: `techne: the workspace "nope" is not a folder\n  hint: techne looked for it at "${join(world.workspace, 'nope')}"\n`,
    });
  });
});

describe('techne list', () => {
  beforeEach(() => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'work/.techne/skills/moon/SKILL.md': skillText(
        'moon',
        'Says the phase of the moon. Use at night.',
        'disable-model-invocation: true\n',
      ),
      'work/.techne/skills/rare/SKILL.md': skillText(
        'rare',
        'Needs a tool. Use when it is there.',
        'requires:\n  bins: [no-such-program]\n',
      ),
      'work/.techne/skills/empty/readme.txt': '',
      'home/.techne/skills/tides/SKILL.md': skillText('tides', 'The other one. Use never.'),
    });
  });

  it('shows a line for each skill', async () => {
    expect(await world.run(['list'])).toEqual({
      code: 0,
      out: [
        'NAME   SOURCE     FORM          FACTS      DESCRIPTION',
        'moon   workspace  instructions  user only  Says the phase of the moon. Use at night.',
        'rare   workspace  instructions  not ready  Needs a tool. Use when it is there.',
        'tides  workspace  instructions             Does tides. Use when tides is needed.',
        '',
        '3 skills, 1 not ready, 1 shadowed (--all shows why)',
        '',
      ].join('\n'),
      err: '',
    });
  });

  it('cuts descriptions to the terminal', async () => {
    const { out } = await world.run(['list', '-q', '--no-color'], { columns: 60 });
    expect(out.split('\n')[1]).toBe('moon   workspace  instructions  user only  Says the phase o…');
  });

  it('is never wider than the terminal', async () => {
    for (const columns of [10, 20, 30, 42, 50, 60, 79, 120]) {
      const lines = (await world.run(['list', '-q', '--no-color'], { columns })).out.trimEnd().split('\n');
      expect([columns, lines.filter((line) => line.length > columns)]).toEqual([columns, []]);
    }
    expect(
      (await world.run(['list', '-q', '--no-color'], { columns: 45 })).out.split('\n').slice(2, 4),
    ).toEqual(['moon   workspace  instructions  user only', '  Says the phase of the moon. Use at night.']);
    expect((await world.run(['list', '-q', '--no-color'], { columns: 0 })).out).toBe(
      (await world.run(['list', '-q', '--no-color'], { columns: 80 })).out,
    );
  });

  it('counts what is wrong with the skills themselves', async () => {
    world.write({
      'work/.techne/skills/broken/SKILL.md': '---\nname: broken\n---\n',
      'work/.techne/skills/lower/skill.md': skillText('lower'),
    });
    const { err, code } = await world.run(['list']);
    expect([code, err]).toEqual([0, '1 error and 1 warning in skill files; "techne check" shows them\n']);
    expect((await world.run(['list', '--strict'])).code).toBe(1);
    expect(await world.run(['list', '--json'])).toMatchObject({ code: 0, err: '' });
    expect((await world.run(['list', '--json', '--strict'])).code).toBe(1);
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([
      1,
      expect.stringMatching(/^ {2}1 error and 1 warning in skill files; "techne check" shows them$/m),
    ]);
  });

  it('shows one source', async () => {
    expect((await world.run(['list', '-q', '--source', 'user'])).out).toBe('');
    expect(
      (
        json((await world.run(['list', '--json', '--all', '--source', 'user'])).out) as { name: string }[]
      ).map(({ name }) => name),
    ).toEqual(['tides']);
    expect((await world.run(['list', '--source', 'usr'])).err).toContain('did you mean "user"?');
  });

  it('gives machines with --all what is in the way, shadowed and skipped', async () => {
    const rows = json((await world.run(['list', '--json', '--all'])).out) as { [field: string]: unknown }[];
    const file = (path: string): string => join(world.folder, path);
    expect(
      rows.map(({ name, reasons, shadowedBy, skipped, code, path }) => ({
        name,
        reasons: (reasons as { code: string }[] | undefined)?.map((each) => each.code),
        shadowedBy,
        skipped,
        code,
        path,
      })),
    ).toEqual([
      { name: 'moon', reasons: ['NOT_MODEL_INVOCABLE'], path: file('work/.techne/skills/moon/SKILL.md') },
      { name: 'rare', reasons: ['BIN_MISSING'], path: file('work/.techne/skills/rare/SKILL.md') },
      { name: 'tides', reasons: [], path: file('work/.techne/skills/tides/SKILL.md') },
      {
        name: 'tides',
        shadowedBy: file('work/.techne/skills/tides/SKILL.md'),
        path: file('home/.techne/skills/tides/SKILL.md'),
      },
      { skipped: true, code: 'FOLDER_SKIPPED', path: file('work/.techne/skills/empty') },
    ]);
  });

  it('gives machines an array', async () => {
    const { out, code } = await world.run(['list', '--json']);
    const file = (path: string): string => join(world.folder, path);
    expect([code, json(out)]).toEqual([
      0,
      [
        {
          name: 'moon',
          description: 'Says the phase of the moon. Use at night.',
          form: 'instructions',
          source: 'workspace',
          host: 'techne',
          path: file('work/.techne/skills/moon/SKILL.md'),
          ready: true,
          visible: { user: true, model: false },
          listed: false,
          executable: false,
          shadows: [],
        },
        {
          name: 'rare',
          description: 'Needs a tool. Use when it is there.',
          form: 'instructions',
          source: 'workspace',
          host: 'techne',
          path: file('work/.techne/skills/rare/SKILL.md'),
          ready: false,
          visible: { user: false, model: false },
          listed: false,
          executable: false,
          shadows: [],
        },
        {
          name: 'tides',
          description: 'Does tides. Use when tides is needed.',
          form: 'instructions',
          source: 'workspace',
          host: 'techne',
          path: file('work/.techne/skills/tides/SKILL.md'),
          ready: true,
          visible: { user: true, model: true },
          listed: true,
          executable: false,
          shadows: [file('home/.techne/skills/tides/SKILL.md')],
        },
      ],
    ]);
  });

  it('says with --all what is in the way, shadowed and skipped', async () => {
    const { out } = await world.run(['list', '--all']);
    expect(out).toContain('Limited:\n  moon: NOT_MODEL_INVOCABLE ');
    expect(out).toMatch(/ {2}rare: BIN_MISSING .*no-such-program/);
    expect(out).toMatch(
      /Shadowed:\n {2}tides: ~\/\.techne\/skills\/tides\/SKILL\.md, shadowed by \.techne\/skills\/tides\/SKILL\.md: /,
    );
    expect(out).toMatch(/Skipped:\n {2}\.techne\/skills\/empty: FOLDER_SKIPPED /);
  });

  it('looks only into the roots it is given', async () => {
    const { out } = await world.run(['list', '--root', '../home/.techne/skills', '--json']);
    expect((json(out) as { name: string; host: string }[]).map(({ name, host }) => [name, host])).toEqual([
      ['tides', 'option'],
    ]);
  });

  it('helps where nothing is found', async () => {
    mkdirSync(join(world.folder, 'bare'));
    const { out } = await world.run(['list', '--root', '../bare']);
    expect(out).toBe(
      `0 skills\nNo skills were found for ${world.workspace}. "techne new my-skill" creates one; "techne doctor" shows where techne looks.\n`,
    );
    expect((await world.run(['list', '--root', '../bare', '--json'])).out).toBe('[]\n');
  });
});

describe('what a hostile skill says', () => {
  it('reaches no terminal raw, from any command', async () => {
    const evil = '\u001B]52;c;ZXZpbA==\u0007\u001B[2J\u009B31m\u202Egnp.exe\u200B\u{E0041}';
    world.write({
      'work/.techne/skills/evil/SKILL.md': `---\nname: "evil"\ndescription: "x ${evil}"\nlicense: "${evil}"\ntriggers: ["${evil}", 7]\nversion: "${evil}"\nunknwon${evil}: 1\nrequires:\n  bins: ["${evil}"]\n---\n\n${evil}\n\n[a](references/${evil}.md)\n`,
      [`work/.techne/skills/evil/scripts/${evil.replaceAll('/', '')}.sh`]: '',
      'work/techne.json': `{"${evil.replaceAll('\u001B', '').replaceAll('\u0007', '')}": 1}`,
    });
    const lines = [
      ['list'],
      ['list', '--all'],
      ['list', '--json'],
      ['show', 'evil'],
      ['show', 'evil', '--body'],
      ['show', 'evil', '--json'],
      ['search', 'x'],
      ['search', 'x', '--json'],
      ['check'],
      ['check', '--strict'],
      ['check', '--format', 'json'],
      ['check', '--format', 'sarif'],
      ['doctor'],
      ['doctor', 'evil'],
      ['doctor', '--json'],
      ['config'],
      ['config', '--json'],
      ['show', evil],
      ['new', evil],
      [evil],
      [`--${evil}`],
      ['untrust', evil],
    ];
    for (const argv of lines) {
      const { out, err } = await world.run(argv);
      expect([
        argv,
        /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]|\u{E0041}/u.exec(out + err)
          ?.index,
      ]).toEqual([argv, undefined]);
    }
    const raw = join(world.folder, 'a\u001B[2Jb');
    mkdirSync(join(raw, 'none'), { recursive: true });
    for (const argv of [
      ['list', '--root', 'none'],
      ['list'],
      ['doctor'],
      ['config'],
      ['check', 'none'],
      ['check', 'nope'],
      ['trust', '--list'],
      ['untrust'],
      ['new', 'x', '--dir', '.'],
      ['list', '--root', 'nope'],
    ]) {
      const { out, err } = await world.run(argv, { cwd: raw });
      expect([argv, (out + err).includes('\u001B')]).toEqual([argv, false]);
    }
    const asked = await world.run(['trust', 'evil'], { typed: 'n\n' });
    expect(asked.err).not.toMatch(
      /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]/,
    );
  });
});

describe('techne show', () => {
  it('shows everything that is known', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText(
        'tides',
        'Says when the tide is. Use at the sea.',
        'license: MIT\ntriggers:\n  - when is high tide\n  - tide at {place}\n',
      ),
      'work/.techne/skills/tides/references/a.md': 'abc',
    });
    const { out, code } = await world.run(['show', 'tides']);
    expect(code).toBe(0);
    expect(
      out
        .replace(/sha256:[0-9a-f]{64}/, 'sha256:…')
        .replace(/^(version +)[0-9a-f]{16}$/m, '$1…')
        .replace(/ +$/gm, ''),
    ).toMatchInlineSnapshot(`
      "tides
      Says when the tide is. Use at the sea.

      file           .techne/skills/tides/SKILL.md
      source         workspace (techne)
      form           instructions
      ready          yes
      for people     yes
      for the model  yes
      listed         yes
      runnable       no: NOT_EXECUTABLE "tides" is instructions to read; there is nothing to execute
      triggers       "when is high tide", "tide at {place}"
      license        MIT
      dialects       techne
      resource       references/a.md, 3 bytes
      tokens         about 4
      version        …
      digest         sha256:…
      "
    `);
  });

  it('prints the body alone', async () => {
    world.write({ 'work/.techne/skills/tides/SKILL.md': skillText('tides') });
    expect((await world.run(['show', 'tides', '--body'])).out).toBe('# tides\n\nDo it.\n');
    expect(json((await world.run(['show', 'tides', '--body', '--json'])).out)).toEqual({
      name: 'tides',
      body: '# tides\n\nDo it.\n',
    });
  });

  it('gives machines the same', async () => {
    world.write({ 'work/.techne/skills/tides/SKILL.md': skillText('tides') });
    const shown = json((await world.run(['show', 'tides', '--json'])).out) as {
      facts: { runnable: unknown };
      digest: string;
      version: string;
      unavailable: unknown;
    };
    expect([
      shown.unavailable,
      /^sha256:[0-9a-f]{64}$/.test(shown.digest),
      /^[0-9a-f]{16}$/.test(shown.version),
      Object.keys(shown.facts),
    ]).toEqual([[], true, true, ['sound', 'ready', 'visibleToUser', 'visibleToModel', 'listed', 'runnable']]);
  });

  it('says what is wrong with a folder that gave no skill', async () => {
    world.write({
      'work/.techne/skills/empty/a.txt': '',
      'work/.techne/skills/huge/SKILL.md': 'x'.repeat(5 * 1024 * 1024),
    });
    mkdirSync(join(world.workspace, '.techne/skills/isdir/SKILL.md'), { recursive: true });
    for (const [name, code] of [
      ['empty', 'FOLDER_SKIPPED'],
      ['huge', 'FILE_TOO_LARGE'],
      ['isdir', 'FILE_NOT_A_FILE'],
    ] as const) {
      for (const command of ['show', 'doctor']) {
        const ran = await world.run([command, name]);
        expect([ran.code, ran.err.startsWith(`techne: "${name}" is not a usable skill: ${code} `)]).toEqual([
          2,
          true,
        ]);
      }
    }
  });

  it('names the skill that was meant', async () => {
    world.write({ 'work/.techne/skills/tides/SKILL.md': skillText('tides') });
    expect(await world.run(['show', 'tide'])).toEqual({
      code: 2,
      out: '',
      err: 'techne: there is no skill "tide"\n  hint: did you mean "tides"?\n',
    });
  });
});

describe('techne search', () => {
  it('ranks names before descriptions', async () => {
    world.write({
      'work/.techne/skills/alpha/SKILL.md': skillText('alpha', 'About the moon. Use it.'),
      'work/.techne/skills/moon/SKILL.md': skillText('moon'),
    });
    expect((await world.run(['search', 'moon'])).out).toBe(
      'moon   workspace  Does moon. Use when moon is needed.\nalpha  workspace  About the moon. Use it.\n',
    );
    const found = json((await world.run(['search', 'moon', '--limit', '1', '--json'])).out) as {
      query: string;
      results: { name: string }[];
    };
    expect([found.query, found.results.map(({ name }) => name)]).toEqual(['moon', ['moon']]);
    expect((await world.run(['search', 'moon', '--limit', '1'])).err).toBe(
      '1 of 2 skills; --limit shows more\n',
    );
  });

  it('finds skills that have every word, and all without words', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [`work/.techne/skills/s${at}/SKILL.md`, skillText(`s${at}`)]),
    );
    world.write({
      ...many,
      'work/.techne/skills/notes/SKILL.md': skillText('notes', 'Writes down a meeting. Use it.'),
      'work/.techne/skills/meeting/SKILL.md': skillText('meeting'),
    });
    expect(await world.run(['search', 'meeting', 'notes'])).toEqual({
      code: 0,
      out: 'notes  workspace  Writes down a meeting. Use it.\n',
      err: '1 skill found\n',
    });
    expect(await world.run(['search', 'meeting notes'])).toMatchObject({ err: '1 skill found\n' });
    expect((await world.run(['search'])).out.trimEnd().split('\n')).toHaveLength(16);
    expect(await world.run(['search', 'meeting', 'xyz'])).toEqual({
      code: 0,
      out: '',
      err: 'no skill has all of these words; "techne list" shows every skill\n',
    });
  });
});

describe('techne check', () => {
  const bad = '---\nname: Bad Name\ndescription: Does it. Use when needed.\n---\n\nText.\n';

  it('finds nothing in a good skill', async () => {
    world.write({ 'work/skills/tides/SKILL.md': skillText('tides') });
    for (const path of ['skills', 'skills/tides', 'skills/tides/SKILL.md']) {
      const { out, code } = await world.run(['check', path]);
      expect([code, out.split('\n').at(-2)]).toEqual([
        0,
        expect.stringMatching(/^1 skill checked: 0 errors, 0 warnings, \d notes?$/),
      ]);
    }
  });

  it('draws each fault under its line and counts them', async () => {
    world.write({ 'work/skills/tides/SKILL.md': bad });
    const { out, code } = await world.run(['check', 'skills']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^skills\/tides\/SKILL\.md:2:7: warning NAME_INVALID: .*\n {2}name: Bad Name\n {8}\^{8}\n/m,
    );
    expect(out).toMatch(/\n1 skill checked: 0 errors, [1-9]\d* warnings?, \d+ notes?\n$/);
  });

  it('holds to the standard with --strict', async () => {
    world.write({ 'work/skills/tides/SKILL.md': bad });
    const { out, code } = await world.run(['check', '--strict', 'skills']);
    expect(code).toBe(1);
    expect(out).toMatch(/^skills\/tides\/SKILL\.md:2:7: error STRICT_NAME: /m);
    expect(out).not.toContain('NAME_INVALID');
  });

  it('stops at too many warnings', async () => {
    world.write({ 'work/skills/tides/SKILL.md': bad });
    expect([
      (await world.run(['check', 'skills', '--max-warnings', '0'])).code,
      (await world.run(['check', 'skills', '--max-warnings', '99'])).code,
    ]).toEqual([1, 0]);
  });

  it('gives machines counts and places', async () => {
    world.write({ 'work/skills/tides/SKILL.md': bad });
    for (const argv of [
      ['check', 'skills', '--json'],
      ['check', 'skills', '--format', 'json'],
    ]) {
      const found = json((await world.run(argv)).out) as {
        skills: number;
        errors: number;
        diagnostics: { code: string }[];
      };
      expect([found.skills, found.errors]).toEqual([1, 0]);
      expect(found.diagnostics.find(({ code }) => code === 'NAME_INVALID')).toMatchObject({
        severity: 'warning',
        path: 'skills/tides/SKILL.md',
        line: 2,
        column: 7,
        endLine: 2,
        endColumn: 15,
      });
    }
    const sarif = json((await world.run(['check', 'skills', '--format', 'sarif'])).out) as {
      version: string;
      runs: { results: { ruleId: string }[] }[];
    };
    expect([sarif.version, sarif.runs[0]?.results.some(({ ruleId }) => ruleId === 'NAME_INVALID')]).toEqual([
      '2.1.0',
      true,
    ]);
  });

  it('checks everything that is configured when no path is given', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': bad,
      'home/.techne/skills/tides/SKILL.md': skillText('tides'),
    });
    const { out } = await world.run(['check', '--json']);
    expect((json(out) as { skills: number }).skills).toBe(2);
  });

  it('goes on after files that cannot be read', async () => {
    world.write({
      'work/skills/good/SKILL.md': skillText('good'),
      'work/skills/huge/SKILL.md': `${skillText('huge')}${'x'.repeat(5 * 1024 * 1024)}`,
    });
    mkdirSync(join(world.workspace, 'skills/folder/SKILL.md'), { recursive: true });
    mkdirSync(join(world.workspace, 'skills/loop'), { recursive: true });
    symlinkSync('SKILL.md', join(world.workspace, 'skills/loop/SKILL.md'));
    const { out, code } = await world.run(['check', 'skills', '--json']);
    const found = json(out) as { errors: number; diagnostics: { code: string; path: string }[] };
    expect([
      code,
      new Set(
        found.diagnostics
          .filter(({ code: each }) => each.startsWith('FILE_') || each.startsWith('LINK_'))
          .map(({ path }) => path.split('/')[1]),
      ),
    ]).toEqual([1, new Set(['folder', 'huge', 'loop'])]);
  });

  it('refuses what is not there and what is not a skill', async () => {
    world.write({ 'work/a.txt': '' });
    expect(await world.run(['check', 'nope'])).toEqual({
      code: 2,
      out: '',
      err: `techne: "nope" does not exist\n  hint: neither a file "${join(world.workspace, 'nope')}" nor a skill of this name exists\n`,
    });
    world.write({ 'work/.techne/skills/tides/SKILL.md': skillText('tides') });
    expect(await world.run(['check', 'tides'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 skill checked') as string,
    });
    symlinkSync('gone', join(world.workspace, 'broken'));
    for (const path of ['a.txt', '', 'broken']) expect((await world.run(['check', path])).code).toBe(2);
  });

  it('says so when a path gives no skill', async () => {
    world.write({
      'work/docs/a.md': '',
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'work/skills/good/SKILL.md': skillText('good'),
    });
    expect(await world.run(['check', 'docs'])).toEqual({
      code: 1,
      out: 'docs: warning SKILLS_NONE: there is no skill in this folder\n  hint: a skill is a folder with a SKILL.md; dot folders are not entered; skills are looked for in .techne/skills\n\n0 skills checked: 0 errors, 1 warning, 0 notes\n',
      err: '',
    });
    expect((await world.run(['check', '-q', 'docs'])).out).toBe(
      'docs: warning SKILLS_NONE: there is no skill in this folder\n\n0 skills checked: 0 errors, 1 warning, 0 notes\n',
    );
    expect((await world.run(['check', 'docs', 'skills'])).code).toBe(1);
    expect((await world.run(['check', 'skills'])).code).toBe(0);
  });

  it('checks the skills of a workspace by its folder', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'work/.claude/skills/moon/SKILL.md': skillText('moon'),
      'work/skills/good/SKILL.md': skillText('good'),
      'home/.techne/skills/mine/SKILL.md': skillText('mine'),
    });
    const count = async (...argv: string[]): Promise<number> =>
      (json((await world.run(['check', '--json', ...argv])).out) as { skills: number }).skills;
    expect([await count('.'), await count(), await count(world.workspace, 'skills')]).toEqual([3, 3, 3]);
  });

  it('says the same of a fault whichever way its file was named', async () => {
    world.write({
      'work/skills/lower/skill.md': skillText('lower'),
      'work/skills/huge/SKILL.md': 'x'.repeat(5 * 1024 * 1024),
      'work/elsewhere/SKILL.md': skillText('elsewhere'),
    });
    mkdirSync(join(world.workspace, 'skills/isdir/SKILL.md'), { recursive: true });
    mkdirSync(join(world.workspace, 'skills/leaves'), { recursive: true });
    symlinkSync('../../elsewhere/SKILL.md', join(world.workspace, 'skills/leaves/SKILL.md'));
    const cases = [
      ['lower', 'skill.md', 'FILE_NAME_CASE'],
      ['huge', 'SKILL.md', 'FILE_TOO_LARGE'],
      ['isdir', 'SKILL.md', 'FILE_NOT_A_FILE'],
      ['leaves', 'SKILL.md', 'LINK_LEAVES_ROOTS'],
    ] as const;
    type Found = { skills: number; diagnostics: { code: string; path: string; message: string }[] };
    const whole = (json((await world.run(['check', '--json', 'skills'])).out) as Found).diagnostics;
    for (const [name, file, code] of cases) {
      const expected = whole.filter(({ path }) => path === `skills/${name}/${file}`);
      for (const path of [`skills/${name}`, `skills/${name}/${file}`]) {
        const ran = await world.run(['check', '--json', path]);
        const skills = name === 'lower' ? 1 : 0;
        expect([ran.code, json(ran.out)]).toMatchObject([1 - skills, { skills, diagnostics: expected }]);
      }
      expect(expected.map((each) => each.code)).toEqual([code]);
    }
  });

  it('counts what is wrong with the configuration when it checks the workspace', async () => {
    world.write({ 'work/techne.json': '{"indx": 1}', 'work/skills/good/SKILL.md': skillText('good') });
    for (const argv of [
      ['check', '--root', 'skills'],
      ['check', '.'],
    ]) {
      const text = await world.run(argv);
      expect([
        text.code,
        text.err,
        text.out.includes('techne.json:1:2: error CONFIG_UNKNOWN_KEY: '),
        / 1 error, /.test(text.out),
      ]).toEqual([1, '', true, true]);
      const found = await world.run([...argv, '--json']);
      expect([found.code, json(found.out)]).toMatchObject([
        1,
        { errors: 1, diagnostics: [{ code: 'CONFIG_UNKNOWN_KEY', path: 'techne.json', line: 1, column: 2 }] },
      ]);
      const sarif = json((await world.run([...argv, '--format', 'sarif'])).out) as {
        runs: { results: { ruleId: string }[] }[];
      };
      expect(sarif.runs[0]?.results.map(({ ruleId }) => ruleId)).toContain('CONFIG_UNKNOWN_KEY');
    }
    const one = await world.run(['check', 'skills']);
    expect([one.code, one.err.includes('CONFIG_UNKNOWN_KEY')]).toEqual([0, true]);
  });

  it('takes --json and another format for a contradiction', async () => {
    expect((await world.run(['check', '--json', '--format', 'json'])).code).toBe(0);
    for (const format of ['text', 'sarif'])
      expect((await world.run(['check', '--json', '--format', format])).code).toBe(2);
  });

  it('looks at the program too', async () => {
    world.write({
      'work/skills/prog/SKILL.md': skillText('prog', 'Does it. Use when needed.', 'metaskill: SKILL.star\n'),
      'work/skills/prog/SKILL.star': `# ${'x'.repeat(70_000)}\n`,
    });
    expect((await world.run(['check', 'skills'])).out).toContain('PROGRAM_TOO_LARGE');
  });

  it.each([
    ['def run(input): return ask("x")["answer"]\n', []],
    ['\uFEFFrun = lambda input: command(["ls"])\n', []],
    ['def run(input):\n    return nothing\nx = 1 +\n', ['STAR_SYNTAX 3', 'STAR_UNDEFINED 2']],
    ['def rnu(input): pass\n', ['PROGRAM_RUN_MISSING null']],
    ['x = 1\ndef run(): pass\n', ['PROGRAM_RUN_MISSING 2']],
    ['def run(a, b): pass\n', ['PROGRAM_RUN_MISSING 1']],
    ['def run(input, more = 1, *rest, **named): pass\n', []],
    ['first = [ask(p) for p in ["a"]]\ndef run(input): return first\n', ['PROGRAM_HOST_CALL 1']],
    ['def run(input, at = trace("x", {})): pass\n', ['PROGRAM_HOST_CALL 1']],
    [
      'def run(input):\n    ask("x", {"purpos": "y"})\n    command(["ls"], opts = {"timeout": 1, "dir": "."})\n',
      ['PROGRAM_OPTION 2', 'PROGRAM_OPTION 3'],
    ],
    [
      'def run(input):\n    opts = {"any": 1}\n    ask("x", opts)\n    return input.ask("x", {"any": 1})\ndef use(command): return command([], {"any": 1})\n',
      [],
    ],
    ['\uFEFFx = 1\ny = z\ndef run(input): pass\n', ['STAR_UNDEFINED 2']],
    ['a\0b', ['PROGRAM_NOT_TEXT null']],
  ])('checks the program as Starlark: %j', async (program, expected) => {
    world.write({
      'work/skills/prog/SKILL.md': skillText('prog', 'Does it. Use when needed.', 'metaskill: SKILL.star\n'),
      'work/skills/prog/SKILL.star': program,
    });
    const checked = await world.run(['check', 'skills', '--json']);
    const { diagnostics } = json(checked.out) as {
      diagnostics: { code: string; path: string; line: number | null }[];
    };
    const about = diagnostics.filter(({ path }) => path === 'skills/prog/SKILL.star');
    expect([checked.code, about.map(({ code, line }) => `${code} ${line}`).sort()]).toEqual([
      expected.length === 0 ? 0 : 1,
      [...expected].sort(),
    ]);
  });

  it('looks at the test prompts too', async () => {
    world.write({
      'work/skills/tides/SKILL.md': skillText('tides'),
      'work/skills/tides/evals/evals.json': '{',
    });
    const { diagnostics } = json((await world.run(['check', 'skills', '--json'])).out) as {
      diagnostics: { code: string; path: string }[];
    };
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['LINT_EVALS', 'skills/tides/evals/evals.json'],
    ]);
  });
});

describe('techne new', () => {
  for (const form of ['instructions', 'program', 'composition', 'workflow', 'chain']) {
    it(`makes a skill of the form ${form} that passes check --strict`, async () => {
      const made = json((await world.run(['new', 'my-skill', '--form', form, '--json'])).out) as {
        folder: string;
        form: string;
        files: string[];
      };
      expect([
        made.folder,
        made.form,
        made.files.every((path) => existsSync(join(made.folder, path))),
      ]).toEqual([join(world.workspace, '.techne/skills/my-skill'), form, true]);
      const listed = json((await world.run(['list', '--json'])).out) as { name: string; form: string }[];
      expect(listed.map(({ name, form: found }) => [name, found])).toEqual([['my-skill', form]]);
      // The chain runs skills that techne ships, which this world has not.
      if (form === 'chain')
        world.write({
          'work/.techne/skills/diff-review/SKILL.md': skillText('diff-review'),
          'work/.techne/skills/require-heading/SKILL.md': skillText('require-heading'),
        });
      const { out, code } = await world.run([
        'check',
        '--strict',
        '--json',
        '--max-warnings',
        '0',
        made.folder,
      ]);
      expect([code, json(out)]).toEqual([0, expect.objectContaining({ errors: 0, warnings: 0 })]);
    });
  }

  it('uses the description and the folder it is given', async () => {
    const { code, out } = await world.run([
      'new',
      'tides',
      '--dir',
      'skills',
      '--description',
      'Says when: the "tide" is. Use at sea.',
    ]);
    expect([code, out.split('\n')[0]]).toEqual([0, 'Created skills/tides:']);
    expect(
      (json((await world.run(['list', '--root', 'skills', '--json'])).out) as { description: string }[])[0]
        ?.description,
    ).toBe('Says when: the "tide" is. Use at sea.');
  });

  it('overwrites nothing and leaves nothing behind', async () => {
    world.write({ 'work/skills/tides/keep.txt': 'x' });
    expect(await world.run(['new', 'tides', '--dir', 'skills'])).toEqual({
      code: 2,
      out: '',
      err: `techne: "${join(world.workspace, 'skills/tides')}" already exists\n  hint: choose another name, or --dir\n`,
    });
    expect(readFileSync(join(world.workspace, 'skills/tides/keep.txt'), 'utf8')).toBe('x');
  });

  it('refuses a bad name with a better one', async () => {
    expect(await world.run(['new', 'My Skill!'])).toEqual({
      code: 2,
      out: '',
      err: 'techne: "My Skill!" is not a good name: use lower-case letters, digits and single hyphens between them, at most 64\n  hint: try "my-skill"\n',
    });
    expect((await world.run(['new', '../up'])).code).toBe(2);
  });

  it.skipIf(skipUnless(process.getuid?.() !== 0, 'root may write anywhere'))(
    'says when it may not write',
    async () => {
      mkdirSync(join(world.workspace, 'locked'));
      chmodSync(join(world.workspace, 'locked'), 0o500);
      expect((await world.run(['new', 'tides', '--dir', 'locked'])).code).toBe(3);
    },
  );
});

describe('techne config', () => {
  it('shows a value and where it came from', async () => {
    world.write({ 'work/techne.json': '{\n  "index": {"budgetTokens": 77}\n}' });
    expect(await world.run(['config', 'index'])).toEqual({
      code: 0,
      out: 'index.budgetTokens  77  workspace: techne.json:2\n',
      err: '',
    });
    expect(json((await world.run(['config', 'index.budgetTokens', '--json'])).out)).toEqual({
      value: 77,
      layer: 'workspace',
      path: join(world.workspace, 'techne.json'),
      line: 2,
    });
    expect((await world.run(['config', 'roots.builtin'])).out).toBe(
      'roots.builtin  false  user: ~/.techne/config.json:1\n',
    );
  });

  it('exits with 1 and the faults when a file is invalid', async () => {
    world.write({ 'work/techne.json': '{"indx": {}}' });
    expect(await world.run(['config', 'watch.pollMs'])).toEqual({
      code: 1,
      out: 'watch.pollMs  2000  default\n',
      err: 'techne.json:1:2: error CONFIG_UNKNOWN_KEY: "indx" is not a known key\n  {"indx": {}}\n   ^^^^^^\n  hint: did you mean "index"?\n',
    });
  });

  it('names the key that was meant', async () => {
    expect(await world.run(['config', 'sandbox.mod'])).toEqual({
      code: 2,
      out: '',
      err: 'techne: "sandbox.mod" is not a configuration key\n  hint: did you mean "sandbox.mode"?\n',
    });
  });

  it('hides what servers are given in their environment', async () => {
    world.write({
      'home/.techne/config.json': '{"mcpServers": {"s": {"command": "x", "env": {"TOKEN": "very-secret"}}}}',
    });
    for (const argv of [['config'], ['config', 'mcpServers'], ['config', '--json']]) {
      const { out, err } = await world.run(argv);
      expect([(out + err).includes('very-secret'), out.includes('(hidden)')]).toEqual([false, true]);
    }
  });

  it('prints its schema', async () => {
    expect(json((await world.run(['config', '--schema'])).out)).toMatchObject({
      title: 'techne configuration',
    });
  });

  it('lets a workspace widen only once a person trusts it', async () => {
    world.write({ 'work/techne.json': '{"sandbox": {"mode": "off"}}' });
    const before = await world.run(['config', 'sandbox.mode']);
    expect([before.code, before.out, before.err.split('\n')[0]]).toEqual([
      0,
      'sandbox.mode  "auto"  default\n',
      'techne.json:1:22: warning CONFIG_NARROWED: "sandbox.mode" was not widened: this workspace is not trusted, so it can only narrow it',
    ]);
    await world.run(['trust'], { typed: 'y\n' });
    expect(await world.run(['config', 'sandbox.mode'])).toEqual({
      code: 0,
      out: 'sandbox.mode  "off"  workspace: techne.json:1\n',
      err: '',
    });
  });
});

describe('techne doctor', () => {
  it('explains the environment and what is in the way of a skill', async () => {
    world.write({
      'work/.techne/skills/rare/SKILL.md': skillText(
        'rare',
        'Needs a tool. Use it.',
        'requires:\n  bins: [no-such-program]\n',
      ),
      'work/.mcp.json': '{"mcpServers": {"a": {}}}',
    });
    const { out, code } = await world.run(['doctor'], { env: { ANTHROPIC_API_KEY: 'sk-very-secret' } });
    expect(code).toBe(0);
    expect(out).not.toContain('very-secret');
    expect(out).toMatch(/^ {2}ok {2}node +\d+\.\d+\.\d+$/m);
    expect(out).toMatch(
      /^ {2}-> {2}model:anthropic +claude-[\w.-]+ \(anthropic\), key in ANTHROPIC_API_KEY$/m,
    );
    expect(out).toMatch(/^ {2}ok {2}caller +the run waits, and the caller answers$/m);
    expect(out).toMatch(
      /^ {2}-- {2}MCP +\.mcp\.json names 1 server, not used: the workspace is not trusted \(trust the folder with /m,
    );
    expect(out).toMatch(/^ {2}rare\n {6}BIN_MISSING .*no-such-program/m);
  });

  it('says what is wrong with .mcp.json, the trust file and the configuration', async () => {
    world.write({ 'work/.mcp.json': '{', 'home/.techne/trust.json': 'nonsense' });
    const broken = await world.run(['doctor']);
    expect([
      broken.code,
      /^ {2}!! {2}MCP +\.mcp\.json cannot be read: /m.test(broken.out),
      /^ {2}!! {2}trust +/m.test(broken.out),
    ]).toEqual([3, true, true]);
    world.write({ 'work/techne.json': '{"x": 1}' });
    expect((await world.run(['doctor'])).code).toBe(1);
  });

  it('goes on after a folder that cannot be read', async () => {
    mkdirSync(join(world.workspace, '.techne'));
    symlinkSync('skills', join(world.workspace, '.techne/skills'));
    const { code, out } = await world.run(['doctor', '--no-color']);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^ {2}!! {2}\S+\/\.techne\/skills +workspace +techne +cannot be read: .*$/m),
    ]);
    expect(out).toMatch(/^ {2}0 skills, 0 ready, 0 shadowed$/m);
  });

  it('counts the shadowed skills of a folder', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'home/.techne/skills/tides/SKILL.md': skillText('tides'),
    });
    expect((await world.run(['doctor'])).out).toMatch(
      /^ +~\/\.techne\/skills +user +techne +1 skill, 1 of them shadowed$/m,
    );
    const { roots } = json((await world.run(['doctor', '--json'])).out) as {
      roots: { exists: boolean; skills: number; shadowed: number }[];
    };
    expect(roots.filter(({ exists }) => exists).map(({ skills, shadowed }) => [skills, shadowed])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('takes a sandbox that is required and missing for a fault', async () => {
    world.write({
      'home/.techne/config.json': '{"roots": {"builtin": false}, "sandbox": {"mode": "required"}}',
    });
    const { code, out } = await world.run(['doctor', '--no-color'], { env: { PATH: '/nowhere' } });
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(/^ {2}!! {2}sandbox +bubblewrap is not installed \(sandbox\.mode is "required"/m),
    ]);
    expect((await world.run(['doctor', '--no-color'], { env: { PATH: '/nowhere' } })).code).toBe(3);
  });

  it('says whether the cache can be kept', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'home/.techne/config.json': '{"roots": {"builtin": false}}',
    });
    expect((await world.run(['doctor'])).out).toMatch(
      /^ {2}ok {2}cache +~\/\.techne\/cache\/skills\.index, (?:\d+ bytes|empty)$/m,
    );
    rmSync(join(world.home, '.techne/cache'), { recursive: true });
    world.write({ 'home/.techne/cache': 'in the way' });
    expect((await world.run(['doctor'])).out).toMatch(
      /^ {2}-- {2}cache +~\/\.techne\/cache\/skills\.index cannot be written: /m,
    );
  });

  it('names what skills.disabled names in vain', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'work/techne.json': '{"skills": {"disabled": ["tide", "tides"]}}',
    });
    expect((await world.run(['doctor'])).out.match(/^.*skills\.disabled names.*$/gm)).toEqual([
      expect.stringMatching(
        /^ {2}-- {2}disabled +skills\.disabled names "tide", which is not a skill \(did you mean "tides"\?\)$/,
      ),
    ]);
  });

  it('exits with 1 for a skill that is not ready when it is to be strict', async () => {
    world.write({
      'work/.techne/skills/rare/SKILL.md': skillText(
        'rare',
        'Needs a tool. Use it.',
        'requires:\n  bins: [no-such-program]\n',
      ),
    });
    expect([(await world.run(['doctor'])).code, (await world.run(['doctor', '--strict'])).code]).toEqual([
      0, 1,
    ]);
    expect((await world.run(['show', 'rare', '--strict'])).code).toBe(2);
  });

  it('says that errors in the configuration switch execution off', async () => {
    await world.run(['new', 'prog', '--form', 'program']);
    world.write({ 'work/techne.json': '{\n"indx": 1}' });
    const { facts } = json((await world.run(['doctor', 'prog', '--json'])).out) as {
      facts: { runnable: { reasons: unknown } };
    };
    expect(facts.runnable.reasons).toEqual([
      {
        code: 'EXECUTION_OFF',
        message: `execution is off because the configuration file "${join(world.workspace, 'techne.json')}" has errors: line 2, CONFIG_UNKNOWN_KEY "indx" is not a known key`,
        hint: 'fix the file; "techne config" shows all its errors',
      },
    ]);
    expect((await world.run(['config', 'execution.policy'])).out).toBe(
      'execution.policy  "off"  off because techne.json has errors\n',
    );
    expect(json((await world.run(['config', 'execution.policy', '--json'])).out)).toEqual({
      value: 'off',
      layer: 'workspace',
      path: join(world.workspace, 'techne.json'),
      line: 2,
      because: 'the file has errors',
    });
  });

  it('explains one skill in full', async () => {
    await world.run(['new', 'prog', '--form', 'program']);
    const { out, code } = await world.run(['doctor', 'prog']);
    expect([code, out.match(/^ {2}(?:yes|no ) {2}.*$/gm)]).toEqual([
      0,
      [
        '  yes  found',
        '  yes  ready',
        '  yes  visible to people',
        '  yes  visible to the model',
        '  yes  listed',
        '  yes  passed by the guard',
        '  no   runnable',
      ],
    ]);
    expect(out).toContain('NOT_TRUSTED');
    const facts = json((await world.run(['doctor', 'prog', '--json'])).out) as {
      facts: { runnable: { ok: boolean; reasons: { code: string }[] } };
    };
    expect([facts.facts.runnable.ok, facts.facts.runnable.reasons.map(({ code: each }) => each)]).toEqual([
      false,
      ['NOT_TRUSTED'],
    ]);
  });
});

async function runnable(): Promise<readonly string[]> {
  const { facts } = json((await world.run(['doctor', 'prog', '--json'])).out) as {
    facts: { runnable: { reasons: { code: string }[] } };
  };
  return facts.runnable.reasons.map(({ code }) => code);
}

describe('techne trust', () => {
  beforeEach(async () => {
    await world.run(['new', 'prog', '--form', 'program']);
  });

  it('refuses without a person, and says what to do', async () => {
    for (const argv of [['trust'], ['trust', 'prog'], ['trust', '.', '--json']]) {
      const { code, out, err } = await world.run(argv);
      expect([code, (out + err).includes('trust.folders')]).toEqual([3, true]);
    }
    expect(existsSync(join(world.home, '.techne/trust.json'))).toBe(false);
  });

  it('has no option that answers for the person', async () => {
    for (const option of ['--yes', '-y', '--force'])
      expect((await world.run(['trust', 'prog', option], { typed: '' })).code).toBe(2);
  });

  it('takes anything but yes for no', async () => {
    for (const typed of ['', '\n', 'n\n', 'yep\n', ' no\n']) {
      const { code, out, err } = await world.run(['trust', 'prog'], { typed });
      expect([code, out, err.endsWith('Nothing was trusted.\n')]).toEqual([1, '', true]);
    }
    expect(await runnable()).toEqual(['NOT_TRUSTED']);
  });

  it('shows the files and the digest of a skill, trusts it as it is, and no longer after a change', async () => {
    const { code, out, err } = await world.run(['trust', 'prog'], { typed: 'y\n' });
    expect([code, out]).toEqual([0, 'Trusted: prog, as it is now\n']);
    expect(err).toMatch(/SKILL\.md +\d+ bytes/);
    expect(err).toMatch(/sha256:[0-9a-f]{64}/);
    expect(await runnable()).toEqual(['TRUSTED_DIGEST']);
    world.write({ 'work/.techne/skills/prog/scripts/new.sh': 'x' });
    expect(await runnable()).toEqual(['CHANGED_SINCE_TRUSTED']);
  });

  it('trusts a folder with what will be in it, lists it, and takes it back', async () => {
    expect((await world.run(['trust'], { typed: 'YES\n' })).out).toBe(`Trusted: ${world.workspace}\n`);
    expect(await runnable()).toEqual(['TRUSTED_FOLDER']);
    const listed = json((await world.run(['trust', '--list', '--json'])).out) as {
      folders: { path: string }[];
    };
    expect(listed.folders.map(({ path }) => path)).toEqual([world.workspace]);
    expect((await world.run(['untrust'])).out).toBe(`No longer trusted: ${world.workspace}\n`);
    expect(await runnable()).toEqual(['NOT_TRUSTED']);
    expect(await world.run(['untrust', 'prog'])).toEqual({
      code: 1,
      out: 'prog was not trusted.\n',
      err: '',
    });
    expect((await world.run(['trust', '--list'])).out).toBe(
      'Only the skills shipped with techne are trusted.\n',
    );
  });

  it('says when what was untrusted stays trusted through its folder', async () => {
    await world.run(['trust'], { typed: 'y\n' });
    const kept = await world.run(['untrust', 'prog']);
    expect(kept).toEqual({
      code: 1,
      out: '',
      err: `prog is trusted: it is in the trusted folder "${world.workspace}"\n  hint: to revoke the trust in that folder: techne untrust "${world.workspace}"\n`,
    });
    expect(json((await world.run(['untrust', 'prog', '--json'])).out)).toEqual({
      folders: [],
      digests: [],
      still: {
        message: `it is in the trusted folder "${world.workspace}"`,
        hint: `to revoke the trust in that folder: techne untrust "${world.workspace}"`,
      },
    });
    expect((await world.run(['untrust'])).code).toBe(0);
    world.write({ 'home/.techne/config.json': JSON.stringify({ trust: { folders: [world.workspace] } }) });
    expect((await world.run(['untrust', 'prog'])).err).toContain(
      'hint: remove the folder from "trust.folders"',
    );
  });

  it('asks which skill was meant by an unknown name', async () => {
    expect(await world.run(['untrust', 'prgo'])).toEqual({
      code: 1,
      out: '',
      err: 'There is no skill "prgo", and nothing of that name was trusted.\n  hint: did you mean "prog"?\n',
    });
  });

  it('refuses a folder that is too wide or not there', async () => {
    for (const path of [world.home, '~', '/', world.folder, './nope']) {
      const { code, err } = await world.run(['trust', path], { typed: 'y\n' });
      expect([path, code, err.includes('[y/N]')]).toEqual([path, 2, false]);
    }
  });

  it('asks nothing where the trust file is broken', async () => {
    world.write({ 'home/.techne/trust.json': 'nonsense' });
    for (const target of ['.', 'prog']) {
      const { code, err } = await world.run(['trust', target], { typed: 'y\n' });
      expect([code, err.includes('[y/N]')]).toEqual([3, false]);
    }
  });

  it('takes nothing for an answer that was typed before the question', async () => {
    const { code, err } = await world.run(['trust', 'prog'], { typedAhead: 'y\n', typed: '\n' });
    expect([code, err.endsWith('May it be executed? [y/N] Nothing was trusted.\n')]).toEqual([1, true]);
  });

  it('says what a folder holds before it is trusted', async () => {
    world.write({
      'work/.techne/skills/read/SKILL.md': skillText('read'),
      'work/skills/more/SKILL.md': skillText('more'),
    });
    expect((await world.run(['trust'], { typed: 'n\n' })).err).toContain(
      '\nIt has 3 skills now; these can be executed: prog\n',
    );
    mkdirSync(join(world.folder, 'bare'));
    expect((await world.run(['trust', '../bare'], { typed: 'n\n' })).err).toContain(
      '\nIt has no skills now.\n',
    );
  });

  it('takes instructions, whose text then counts as the own one, and says what that means', async () => {
    world.write({
      'work/.techne/skills/read/SKILL.md': skillText(
        'read',
        'Does it.',
        'always: true\nallowed-tools: Bash(git status)\n',
      ),
    });
    expect((await world.run(['index'])).err).toContain('run "techne trust read"');
    const { code, out, err } = await world.run(['trust', 'read'], { typed: 'y\n' });
    expect([code, out]).toEqual([0, 'Trusted: read, as it is now\n']);
    expect(err).toContain(
      [
        'techne executes nothing in it. In a conversation its text counts as your own: what you allow is still done without asking.',
        'It declares always: true, so its body is in every prompt.',
        'While it is in use, a conversation does this without asking: Bash(git status)',
        '',
        'May models follow it as if you had written it? [y/N] ',
      ].join('\n'),
    );
    expect((await world.run(['index'])).err).not.toContain('not preloaded');
    world.write({
      'work/.techne/skills/read/SKILL.md': skillText(
        'read',
        'Does it.',
        'always: true\nallowed-tools: Bash(git ...)\n',
      ),
    });
    expect((await world.run(['index'])).err).toContain('the skill "read" is not preloaded');
  });

  it('says when there is nothing to trust', async () => {
    world.write({ 'home/.techne/config.json': '{"cache": {"enabled": false}}' });
    expect(await world.run(['trust', 'require-heading'], { typed: 'y\n' })).toEqual({
      code: 1,
      out: '',
      err: '"require-heading" is part of techne and needs no trust.\nNothing was trusted.\n',
    });
  });
});

describe('techne __complete', () => {
  it('gives only names that no shell would expand', async () => {
    world.write({
      'work/.techne/skills/tides/SKILL.md': skillText('tides'),
      'work/.techne/skills/$(touch x)/SKILL.md': skillText('x'),
    });
    expect(await world.run(['__complete', 'skill'])).toEqual({ code: 0, out: 'tides\n', err: '' });
    expect((await world.run(['__complete', 'key'])).out.split('\n')).toContain('sandbox.mode');
  });
});
