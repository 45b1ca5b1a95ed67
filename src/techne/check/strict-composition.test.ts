import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';
import type { World } from '../../../test/support/run-cli.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

const folder = 'work/.techne/skills/reply';
const prompts = (kinds: readonly string[]): string =>
  JSON.stringify({ triggers: kinds.map((kind) => ({ kind, message: 'Answer this.' })) });
const all = ['positive', 'explicit', 'pasted-history', 'neighbouring-domain', 'rubric'];
const good = `kind: meta
triggers: [answer this complaint, draft a reply]
metadata: {techne: {risk: high, capabilities: [memory-write]}}
composition:
  steps:
    - {id: a, kind: tool_call, tool: memory_save, tool_allowlist: [memory_save], tool_args: {content: hello}}
    - {id: b, skill: other}
`;

async function told(fields: string, kinds: readonly string[] = all): Promise<readonly string[]> {
  world.write({
    [`${folder}/SKILL.md`]: skillText('reply', 'Answers complaints. Use when someone complains.', fields),
    [`${folder}/evals/evals.json`]: prompts(kinds),
    'work/.techne/skills/other/SKILL.md': skillText(
      'other',
      'Does another thing. Use it.',
      'metadata: {techne: {risk: low}}\n',
    ),
  });
  const { out } = await world.run(['check', '--strict', '--json', '.techne/skills/reply']);
  const { diagnostics } = JSON.parse(out) as {
    readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
  };
  return diagnostics
    .filter(({ code }) => code === 'STRICT_PLAN' || code === 'STRICT_RISK')
    .map(({ code, message }) => `${code} ${message}`);
}

describe('techne check --strict of a composition', () => {
  it('is content with one that keeps the rules', async () => {
    expect(await told(good)).toEqual([]);
  });

  it.each([
    ['tool_allowlist: [memory_save], ', '', 'STRICT_PLAN a tool_call has no tool_allowlist'],
    ['skill: other', 'skill: oher', 'STRICT_PLAN step "b": there is no skill "oher" here'],
    ['risk: high, ', '', 'STRICT_RISK the composition declares no risk'],
    [
      'kind: meta\n',
      'kind: meta\ndisable-model-invocation: true\n',
      'STRICT_PLAN a composition is started by a model, which this one keeps away: disable-model-invocation',
    ],
  ])('misses %j where it became %j', async (there, instead, message) => {
    expect(good).toContain(there);
    expect(await told(good.replace(there, instead))).toContain(message);
  });

  it('misses a rubric among the test prompts', async () => {
    expect(await told(good, all.slice(0, 4))).toEqual([
      'STRICT_PLAN there is no rubric among the test prompts',
    ]);
    expect(await told('', all.slice(0, 4))).toEqual([]);
  });
});
