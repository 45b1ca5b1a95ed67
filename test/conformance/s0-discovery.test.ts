// Seed S0 §4 and §5: which metaskills a host finds and marks, and that reading one is not running it.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discoveryIndex } from '../../src/match/search.ts';
import { precedenceProfiles } from '../../src/config/precedence.ts';
import { readToolArguments, runMetaskillTool } from '../../src/run/tools/run-metaskill.ts';
import { loadFrom, namesOf, rootAt, skillText } from '../support/library.ts';
import { exampleFiles, exampleNames, loadedHost, metaskill, runOf } from '../support/metaskills.ts';
import { createWorld } from '../support/run-cli.ts';

const done = runOf('return "done"');

describe('S0 §4 discovery', () => {
  it('§4.1 the same package gives the same skill and the same result in any folder', async () => {
    const results = await Promise.all(
      ['/work/skills', '/work/deep/down/here', '/work/.agents/skills'].map(async (path) => {
        const files = Object.fromEntries(
          Object.entries(metaskill('tides', done)).map(([file, content]) => [
            file.replace('/work/skills', path),
            content,
          ]),
        );
        const { snapshot, start } = await loadedHost(files, { root: rootAt(path, 'workspace') });
        return [snapshot.get('tides').head, (await start('tides')).text];
      }),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(results[0]?.[1]).toContain('"answer":"done"');
  });

  it('§4.2 every folder with a SKILL.md is a skill, at any depth below a root; others are named', async () => {
    const { snapshot } = await loadedHost({
      ...metaskill('tides', done),
      ...metaskill('sea/ebb', done),
      '/work/skills/notes/todo.txt': '',
    });
    expect(namesOf(snapshot)).toEqual(['ebb', 'tides']);
    expect(snapshot.diagnostics.map(({ code, path }) => [code, path])).toContainEqual([
      'FOLDER_SKIPPED',
      '/work/skills/notes',
    ]);
  });

  it('§4.3 name and description are read and judged for each; a fault is a diagnostic with its place', async () => {
    const { snapshot } = await loadedHost({
      ...metaskill('tides', done),
      '/work/skills/odd/SKILL.md': '---\nname: ODD\ndescription: ""\n---\n',
    });
    expect(snapshot.get('tides')).toMatchObject({
      description: 'Does tides. Use when tides is needed.',
      diagnostics: [],
    });
    expect(snapshot.get('odd').diagnostics.map(({ code }) => code)).toEqual([
      'NAME_INVALID',
      'DESCRIPTION_NONE',
    ]);
    expect(snapshot.facts(snapshot.get('odd')).ready.ok).toBe(false);
  });

  it('§4.4 the program is the one of the field, else SKILL.star where it exists, else there is none', async () => {
    const { snapshot } = await loadedHost({
      ...metaskill('a', done),
      ...metaskill('b', done, 'metaskill: flow.star\n'),
      '/work/skills/b/flow.star': done,
      '/work/skills/c/SKILL.md': skillText('c'),
    });
    expect(snapshot.skills.map(({ head }) => head.program)).toEqual(['SKILL.star', 'flow.star', null]);
  });

  it('§4.5 a path that leaves the folder bars execution and keeps the instructions; SKILL.star does not step in', async () => {
    const { snapshot, start } = await loadedHost(
      metaskill('tides', done, 'metaskill: ../../../etc/passwd\n'),
    );
    expect(snapshot.get('tides').head).toMatchObject({
      form: 'program',
      program: null,
      bar: { code: 'PROGRAM_PATH' },
    });
    expect((await start('tides')).error?.code).toBe('NOT_EXECUTABLE');
    expect((await snapshot.readBody('tides')).text).toBe('Does it.\n');
  });

  it.each(['lua', 'Starlark', 'python', '""', '[starlark]'])(
    '§4.6 the language %s is not executed, and the reason is said',
    async (language) => {
      const { snapshot, start } = await loadedHost(
        metaskill('tides', done, `metaskill_language: ${language}\n`),
      );
      expect(snapshot.get('tides').head.bar?.code).toBe('LANGUAGE_UNSUPPORTED');
      expect((await start('tides')).text).toMatch(
        /^error: metaskill 'tides' is not allowed: metaskill_language is .*, and only starlark is supported/,
      );
    },
  );

  it('§4.7 the catalog marks what can be executed, and leaves the mark off what is barred', async () => {
    const { snapshot, host } = await loadedHost({
      ...metaskill('run-me', done),
      ...metaskill('barred', done, 'metaskill_language: lua\n'),
      '/work/skills/plain/SKILL.md': skillText('plain'),
    });
    expect(snapshot.skills.map(({ name, card }) => [name, card.form, card.bar?.code ?? null])).toEqual([
      ['barred', 'program', 'LANGUAGE_UNSUPPORTED'],
      ['plain', 'instructions', null],
      ['run-me', 'program', null],
    ]);
    expect(host.options.skills.names()).toEqual(['run-me']);
  });

  it('§4.8 of several skills with one name the documented precedence chooses one, in whatever order they are found', async () => {
    const { files } = await loadedHost({});
    for (const [path, word] of [
      ['/one/tides', 'one'],
      ['/two/tides', 'two'],
      ['/two/a/tides', 'below'],
    ] as const)
      files.write(
        `${path}/SKILL.md`,
        `---\nname: tides\ndescription: The ${word}. Use when asked.\n---\nB.\n`,
      );
    files.advance(60_000_000_000n);
    const roots = [rootAt('/one', 'user'), rootAt('/two', 'workspace')];
    const chosen = async (given: typeof roots, precedence: 'default' | 'claude' = 'default') => {
      const snapshot = await loadFrom(files, {
        roots: given,
        config: { precedence: precedenceProfiles[precedence] },
      });
      return [snapshot.get('tides').description, snapshot.shadowed.length];
    };
    expect(await chosen(roots)).toEqual(['The below. Use when asked.', 2]);
    expect(await chosen(roots.toReversed())).toEqual(await chosen(roots));
    expect(await chosen(roots, 'claude')).toEqual(['The one. Use when asked.', 2]);
    expect(readFileSync(new URL('../../docs/guide/registry.md', import.meta.url), 'utf8')).toContain(
      '## Precedence',
    );
  });

  it('§4.9 an entry of the catalog is its name and description, on one line, whatever the body holds', async () => {
    const { snapshot } = await loadedHost({
      ...metaskill('tides', done, '', 'x\n'.repeat(5_000)),
      ...metaskill('ebb', done),
    });
    expect(discoveryIndex(snapshot.skills)).toEqual([
      ['ebb', 'Does ebb. Use when ebb is needed.'],
      ['tides', 'Does tides. Use when tides is needed.'],
    ]);
    const world = createWorld({
      'work/.techne/skills/ebb/SKILL.md': metaskill('ebb', done)['/work/skills/ebb/SKILL.md'] as string,
      'work/.techne/skills/ebb/SKILL.star': done,
    });
    try {
      const { out } = await world.run(['list']);
      expect(out.split('\n').filter((line) => line.includes('ebb'))).toEqual([
        'ebb   workspace  program         Does ebb. Use when ebb is needed.',
      ]);
    } finally {
      world.remove();
    }
  });
});

describe('S0 §5 activation and execution', () => {
  const loud = runOf('command(["touch", "ran"])', 'return ask("ran")["answer"]');

  it('§5.1 reading the instructions executes nothing: no call of the host, no run', async () => {
    const { snapshot, host } = await loadedHost(metaskill('loud', loud));
    await snapshot.readBody('loud');
    await snapshot.readText('loud');
    await snapshot.readFile('loud', 'SKILL.star');
    await host.options.skills.find('loud');
    expect([host.commands.done, host.answerer.asked, host.events]).toEqual([[], [], []]);
    const world = createWorld({
      'work/.techne/skills/loud/SKILL.md': metaskill('loud', loud)['/work/skills/loud/SKILL.md'] as string,
      'work/.techne/skills/loud/SKILL.star': loud,
    });
    try {
      expect((await world.run(['show', 'loud', '--body'])).out).toContain('Does it.');
      expect((await world.run(['check'])).code).toBe(0);
      expect(existsSync(join(world.home, '.techne', 'runs'))).toBe(false);
    } finally {
      world.remove();
    }
  });

  it('§5.2 executing it spends asks and runs commands, and is counted', async () => {
    const { start, host } = await loadedHost(metaskill('loud', loud));
    const result = await start('loud');
    expect([
      host.commands.done,
      host.answerer.asked.length,
      result.usage.asks,
      result.usage.commands,
    ]).toEqual([['touch ran'], 1, 1, 1]);
  });

  it('§5.3 execution is offered as run_metaskill', async () => {
    const { host } = await loadedHost(exampleFiles());
    const tool = runMetaskillTool(
      host.options.skills.names().map((name) => ({ name, description: '', inputs: null })),
      { asks: 50, commands: 100 },
    );
    expect(tool?.name).toBe('run_metaskill');
    const read = readToolArguments({ name: 'diff-review', input: {} }, 'every');
    expect(read.ok && (await host.runner.start(read.request)).status).toBe('completed');
    expect(host.options.skills.names()).toEqual([...exampleNames].sort());
  });

  it('§5.4 techne has no mentions that activate: $name is no name of a skill, and the name that is meant is said', async () => {
    const { start } = await loadedHost(metaskill('loud', loud));
    const result = await start('$loud');
    expect([result.status, result.error?.code, result.error?.hint]).toEqual([
      'refused',
      'SKILL_UNKNOWN',
      "did you mean 'loud'?",
    ]);
  });

  it.each(['$loud', 'please use $loud now', '/loud', '${loud}', 'run_metaskill("loud")'])(
    '§5.5 a mention never executes: %s in an input, a prompt, an answer or an output is text',
    async (mention) => {
      const quiet = runOf(
        'a = ask(input["text"])',
        'c = command(["echo", input["text"]])',
        'trace(input["text"], {"t": input["text"]})',
        'ask(a["answer"] + c["result"])',
        'return a["answer"]',
      );
      const { start, host } = await loadedHost({ ...metaskill('loud', loud), ...metaskill('quiet', quiet) });
      host.answerer.onAsk = () => mention;
      host.commands.onCommand = () => ({ stdout: mention, combined: mention });
      const result = await start('quiet', { text: mention });
      expect(result.envelope?.['answer']).toBe(mention);
      expect(host.answerer.asked.map(({ prompt }) => prompt)).toEqual([mention, mention + mention]);
      expect(host.commands.done).toEqual([`echo ${mention}`]);
      expect(host.events.filter(({ type }) => type === 'run.started')).toHaveLength(1);
    },
  );
});
