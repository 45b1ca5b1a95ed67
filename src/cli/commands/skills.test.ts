// techne skills over histories that techne chat, techne run and the MCP server wrote.
import { readFileSync, readdirSync, statSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld } from '../../../test/support/run-cli.ts';

const prose = 'Drafts release notes from merged pull requests, grouped by component and severity.';
let world: World;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/tides/SKILL.md':
      '---\nname: tides\ndescription: Explains tides. Use when somebody asks about tides.\n---\n\nExplain.\n',
    'work/.techne/skills/count/SKILL.md':
      '---\nname: count\ndescription: Counts fruit. Use to count.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `fruit`: what to count\n',
    'work/.techne/skills/count/SKILL.star':
      'def run(input):\n    if input["fruit"] == "stone":\n        fail("no")\n    return {"answer": "two " + input["fruit"]}\n',
    'work/.techne/skills/notes/SKILL.md': `---\nname: notes\ndescription: ${prose}\n---\n\nDraft them.\n`,
    'work/.techne/skills/changelog/SKILL.md': `---\nname: changelog\ndescription: ${prose}\ntriggers: [draft the changelog]\n---\n\nOne line each.\n`,
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false, hosts: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
    }),
  });
});
afterEach(() => world.remove());

async function chat(message: string, ...skills: readonly string[]): Promise<void> {
  const calls = skills.map((name) => `{tool: skill_load, args: {name: ${name}}}`).join(', ');
  world.write({ 'work/talk.yaml': `chat:\n  - calls: [${calls}]\n  - {answer: done}\n` });
  const { code, out } = await world.run(['chat', '--answer', 'script:talk.yaml', '-p', message]);
  expect([code, out]).toEqual([0, 'done\n']);
}
interface Stats {
  readonly chats: number;
  readonly runs: number;
  readonly skills: readonly { readonly skill: string; readonly [figure: string]: unknown }[];
}
async function stats(...argv: readonly string[]): Promise<Stats> {
  return JSON.parse((await world.run(['skills', 'stats', '--json', ...argv])).out) as Stats;
}
/** As if everything had been there for a year. */
function age(): void {
  const year = new Date(Date.now() - 365 * 86_400_000);
  for (const root of [join(world.workspace, '.techne/skills')])
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }))
      if (statSync(join(root, path)).isFile()) utimesSync(join(root, path), year, year);
  mkdirSync(join(world.home, '.techne/uses'), { recursive: true });
  writeFileSync(
    join(world.home, '.techne/uses', `${year.toISOString().slice(0, 7)}.jsonl`),
    `${JSON.stringify({ at: year.getTime(), skill: 'tides', reason: 'on_demand', tokens: 1 })}\n`,
  );
}

describe('techne skills stats', () => {
  it('counts what chats and runs recorded', async () => {
    await chat('what is an ebb?', 'tides');
    await chat('tell me about tides', 'tides');
    for (const fruit of ['pears', 'stone']) await world.run(['run', 'count', `fruit=${fruit}`]);
    expect(await stats()).toMatchObject({
      chats: 2,
      runs: 2,
      isCut: false,
      faults: [],
      skills: [
        {
          skill: 'tides',
          uses: 2,
          activations: 2,
          runs: 0,
          failures: 0,
          misses: 1,
          missed: ['what is an ebb?'],
          lastUsed: expect.stringMatching(/^\d{4}-/),
        },
        { skill: 'count', present: true, uses: 2, activations: 0, runs: 2, failures: 1, misses: 0 },
      ],
    });
    const { code, out } = await world.run(['skills']);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^SKILL +USES +ACTIVATIONS[^\n]*\ntides +2 +2 +0 +0 +1 [^\n]*\ncount +2 +0 +2 +1 /,
      ),
    ]);
    const one = await world.run(['skills', 'stats', 'tides']);
    expect(one.out).toMatch(/^tides, last 90 days\n[^]* {2}misses +1\n {4}"what is an ebb\?"\n$/);
    expect((await stats('--all')).skills.map(({ skill }) => skill)).toEqual([
      'tides',
      'count',
      'changelog',
      'notes',
    ]);
  }, 60_000);

  it('shows skills that are gone, and only the days that were asked for', async () => {
    age();
    expect((await stats('--days', '30')).skills).toEqual([]);
    expect((await world.run(['skills', 'stats', '--days', '30'])).out).toBe(
      'No use of a skill was recorded in the last 30 days.\n',
    );
    mkdirSync(join(world.home, '.techne/uses'), { recursive: true });
    writeFileSync(
      join(world.home, '.techne/uses', `${new Date().toISOString().slice(0, 7)}.jsonl`),
      `${JSON.stringify({ at: Date.now(), skill: 'old-one', reason: 'on_demand', tokens: 7 })}\n{\n`,
    );
    const { code, out, err } = await world.run(['skills', 'stats', '--days', '30']);
    expect([code, out, err]).toEqual([
      1,
      expect.stringContaining('old-one (gone)'),
      'warning: ~/.techne/uses cannot be read: 1 lines cannot be read\n',
    ]);
  });

  it.each([
    [['skills', 'stats', 'tide'], 2, 'did you mean "tides"?'],
    [['skills', 'stats', '--days', '0'], 2, '--days'],
    [['skills', 'prune'], 2, 'prune'],
  ])('says what is wrong with %j', async (argv, code, message) => {
    const ran = await world.run(argv);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(message)]);
  });

  it('stops at Ctrl-C', async () => {
    await chat('what is an ebb?', 'tides');
    expect((await world.run(['skills', 'stats'], { interrupt: 1 })).code).toBe(130);
  });
});

describe('techne skills curate', () => {
  it('calls nothing unused while the records are young, and merges what says the same', async () => {
    const { code, out } = await world.run(['skills', 'curate']);
    expect([code, out]).toEqual([
      0,
      [
        'merge notes into changelog: 83 % of their words are the same; "changelog" was used 0 times, "notes" 0 times',
        'The records do not reach back 90 days, so nothing is called unused. A shorter time: --days.',
        '',
        'Nothing changed. To propose to merge and retire them: techne skills curate --propose',
        '',
      ].join('\n'),
    ]);
  });

  it('proposes only when it is told to, and what it proposes can be accepted and rolled back', async () => {
    age();
    const report = await world.run(['skills', 'curate', '--json']);
    expect(JSON.parse(report.out)).toMatchObject({
      isTooShort: false,
      suggestions: [
        { what: 'merge', skill: 'notes', into: 'changelog' },
        { what: 'retire', skill: 'count', reason: 'not used in 90 days' },
        { what: 'retire', skill: 'tides' },
      ],
      proposed: [],
    });
    const list = async (): Promise<readonly { id: string; kind: string; skill: string; origin: object }[]> =>
      (JSON.parse((await world.run(['proposals', 'list', '--json'])).out) as { proposals: never[] })
        .proposals;
    expect(await list()).toEqual([]);
    const { out } = await world.run(['skills', 'curate', '--propose']);
    expect(out).toMatch(
      /merge notes into changelog: [^\n]*\n {2}proposal [0-9a-f]{16}: edit changelog \(pending\)\n {2}proposal [0-9a-f]{16}: delete notes \(pending\)/,
    );
    const made = await list();
    expect(made.map(({ kind, skill, origin }) => [kind, skill, (origin as { by: string }).by])).toEqual(
      expect.arrayContaining([
        ['edit', 'changelog', 'curator'],
        ['delete', 'notes', 'curator'],
        ['delete', 'tides', 'curator'],
      ]),
    );
    const before = readFileSync(join(world.workspace, '.techne/skills/changelog/SKILL.md'), 'utf8');
    const edit = made.find(({ kind }) => kind === 'edit')?.id ?? '';
    const accepted = await world.run(
      ['proposals', 'accept', edit, '--despite', 'tests', '--despite', 'triggers', '--despite', 'strict'],
      {
        talk: [
          ['[y/N] ', 'y\n'],
          ['[y/N] ', 'n\n'],
        ],
      },
    );
    expect(accepted.out).toContain('Accepted: edit changelog');
    expect(
      readFileSync(join(world.workspace, '.techne/skills/changelog/references/from-notes.md'), 'utf8'),
    ).toBe('Draft them.\n');
    await world.run(['proposals', 'rollback', edit], { typed: '' });
    expect(readFileSync(join(world.workspace, '.techne/skills/changelog/SKILL.md'), 'utf8')).toBe(before);
    // What was rejected is not proposed again, and the report says so.
    const gone = made.find(({ kind, skill }) => kind === 'delete' && skill === 'tides')?.id ?? '';
    await world.run(['proposals', 'reject', gone], { typed: '' });
    age();
    expect((await world.run(['skills', 'curate', '--propose'])).out).toContain(
      `retire tides: not used in 90 days\n  not proposed: this very change was rejected (proposal ${gone})`,
    );
  }, 60_000);
});
