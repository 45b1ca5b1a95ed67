// The truth table in docs/guide/invocation.md is made from the function that decides; `npm test -- -u` writes it anew.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Surface } from '../src/prompt/invocation.ts';
import { standingOf, surfaces, takesPart } from '../src/prompt/invocation.ts';
import { readToolArguments } from '../src/run/tools/run-metaskill.ts';
import type { LoadOptions } from './support/library.ts';
import { filesOf, loadSkills, matchOf, openSession, scriptedMatcher } from './support/session.ts';

interface Row {
  readonly says: string;
  readonly fields: string;
  readonly config?: LoadOptions['config'];
}

/** Every combination of the flags, and what takes a skill out of everything. */
const rows: readonly Row[] = [
  { says: 'nothing', fields: '' },
  { says: '`user-invocable: false`', fields: 'user-invocable: false\n' },
  { says: '`disable-model-invocation: true`', fields: 'disable-model-invocation: true\n' },
  { says: '`agent_ready: false`', fields: 'agent_ready: false\n' },
  {
    says: '`disable-model-invocation: true`, `agent_ready: false`',
    fields: 'disable-model-invocation: true\nagent_ready: false\n',
  },
  {
    says: '`user-invocable: false`, `disable-model-invocation: true`',
    fields: 'user-invocable: false\ndisable-model-invocation: true\n',
  },
  {
    says: '`user-invocable: false`, `agent_ready: false`',
    fields: 'user-invocable: false\nagent_ready: false\n',
  },
  {
    says: 'all three',
    fields: 'user-invocable: false\ndisable-model-invocation: true\nagent_ready: false\n',
  },
  { says: 'anything, but something it requires is missing', fields: 'requires:\n  bins: [not-there]\n' },
  {
    says: 'anything, and `skills.disabled` names it',
    fields: '',
    config: { skills: { disabled: ['tides'] } },
  },
];

const cell = async ({ fields, config }: Row, surface: Surface): Promise<string> => {
  // A program, so that only flags decide; chosen to be preloaded.
  const snapshot = await loadSkills(
    filesOf({
      tides: {
        fields: `always: true\n${fields}`,
        files: { 'SKILL.star': 'def run(input):\n    return "x"\n' },
      },
    }),
    config === undefined ? {} : { config },
  );
  const skill = snapshot.get('tides');
  const [before, after] = [false, true].map((given) =>
    takesPart(surface, standingOf(skill, snapshot.facts(skill), ['always']), given),
  );
  return before ? 'yes' : after ? 'given' : '—';
};

describe('the guide to invocation', () => {
  it('has the truth table of flags and surfaces', async () => {
    const head = ['the frontmatter says', ...surfaces.map((surface) => `\`${surface}\``)];
    const lines = await Promise.all(
      rows.map(async (row) => [
        row.says,
        ...(await Promise.all(surfaces.map((surface) => cell(row, surface)))),
      ]),
    );
    const table = [head, head.map(() => '---'), ...lines]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n');
    const page = readFileSync(new URL('../docs/guide/invocation.md', import.meta.url), 'utf8');
    await expect(
      page.replace(/<!-- table -->\n[^]*?<!-- end -->/, () => `<!-- table -->\n${table}\n<!-- end -->`),
    ).toMatchFileSnapshot('../docs/guide/invocation.md');
  });
});

/** The same, by going each way in a real session. */
const ways: { readonly [surface in Surface]: (fields: string) => Promise<boolean> } = {
  index: async (fields) => (await open(fields)).session.prefix.includes('- tides'),
  search: async (fields) =>
    (await (await open(fields)).call('skill_search', { query: 'tides' })).metadata['result_count'] === 1,
  load: async (fields) => (await (await open(fields)).call('skill_load', { name: 'tides' })).ok,
  read: async (fields) =>
    (await (await open(fields)).call('skill_read', { name: 'tides', path: 'SKILL.md' })).ok,
  match: async (fields) => (await (await open(fields)).session.match('water')).matches.length === 1,
  eager: async (fields) =>
    (await (await open(fields, 'eager')).session.enrich({ message: 'water' })).given.length === 1,
  mention: async (fields) =>
    (await (await open(fields)).session.enrich({ message: '$tides' })).given.length === 1,
  slash: async (fields) => (await (await open(fields)).session.slash('/tides')).kind === 'invoked',
  'mcp-prompt': async (fields) =>
    (await (await open(fields)).session.invoke('tides', { text: '', words: [], named: new Map() })) !== null,
  // Named by the model, whether it was offered or not.
  run_metaskill: async (fields) =>
    readToolArguments({ name: 'tides', input: {} }, (await open(fields)).session).ok,
  preload: async (fields) =>
    (await open(`always: true\n${fields}`, 'on-demand', ['always'])).session.prefix.includes(
      '### Skill: tides',
    ),
};

const open = (
  fields: string,
  disclosure: 'eager' | 'on-demand' = 'on-demand',
  preload: readonly string[] = [],
) =>
  openSession(
    { tides: { fields, files: { 'SKILL.star': 'def run(input):\n    return "x"\n' } } },
    {
      settings: { disclosure, preload },
      matcher: scriptedMatcher({
        water: { matches: [matchOf('tides')] },
        $tides: { matches: [matchOf('tides', 'explicit', 1)] },
      }),
    },
  );

describe('a session', () => {
  it.each(rows.filter(({ config }) => config === undefined))(
    'keeps to the table where the frontmatter says $says',
    async (row) => {
      for (const [surface, goes] of Object.entries(ways))
        expect([surface, await goes(row.fields)]).toEqual([
          surface,
          (await cell(row, surface as Surface)) === 'yes',
        ]);
    },
  );
});
