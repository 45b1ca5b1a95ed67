// From an interview to a skill that is used, and back: skill-creator without a model, review, accept, use, roll back.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorld } from '../support/run-cli.ts';

const world = createWorld({
  'home/.techne/config.json': '{"cache": {"enabled": false}}\n',
  's.yaml': 'answers: [{purpose: step1, answer: the facts}, {purpose: step2, answer: Dear Ana}]\n',
});
afterAll(() => world.remove());

interface Ran {
  readonly status: string;
  readonly run: string;
  readonly envelope: { readonly answer: string };
}

const answers = {
  instructions: [
    'name=release-notes',
    'purpose=Writes "release notes" from merged changes: one line each.',
    'when=the user is about to ship a version and needs notes',
    'triggers=write release notes; draft the notes for this version',
    'steps=Read the merged {{ changes }} since the last tag; Group them: by what users notice; Write one line each',
    'never=Invent a change',
    'result=Every line names a change that was merged',
  ],
  workflow: [
    'form=workflow',
    'name=soften-mail',
    'purpose=Rewrites an angry mail in a friendly tone',
    'when=the user is angry and has to answer a mail',
    'triggers:=["soften this mail", "make this mail friendlier"]',
    'steps:=["List what the {{ mail }} has to say", "Rewrite it; keep the facts"]',
  ],
};

describe('skill-creator', () => {
  const ids: string[] = [];

  it.each(Object.entries(answers))(
    'makes %s of the answers alone, as a proposal that passes every check',
    async (_, words) => {
      const { code, out } = await world.run(['run', 'skill-creator', ...words, '--json']);
      const { status, envelope } = JSON.parse(out) as Ran;
      expect([code, status]).toEqual([0, 'completed']);
      const checks = [...envelope.answer.matchAll(/^- ([a-z-]+): (\w+)/gm)].map(([, name, outcome]) => [
        name,
        outcome,
      ]);
      expect(checks.filter(([, outcome]) => outcome !== 'passed')).toEqual([]);
      expect(checks).toHaveLength(12);
      ids.push(/Proposal (\w+)/.exec(envelope.answer)?.[1] ?? '');
    },
    120_000,
  );

  it('asks for what is missing, as a form', async () => {
    const { code, out } = await world.run(['run', 'skill-creator', 'name=some-skill']);
    expect(code).toBe(5);
    expect(out).toContain('needs to know more before it can begin');
  });

  it('has changed nothing before a person accepts; then the skill is used, tested, and rolled back', async () => {
    const id = ids[1] ?? '';
    const place = join(world.workspace, '.techne/skills/soften-mail');
    expect(existsSync(place)).toBe(false);
    expect((await world.run(['show', 'soften-mail'])).code).not.toBe(0);
    const accepted = await world.run(['proposals', 'accept', id], {
      talk: [
        ['[y/N] ', 'y\n'],
        ['[y/N] ', 'y\n'],
      ],
    });
    expect([accepted.code, accepted.err]).toEqual([0, expect.stringContaining('[y/N] ')]);
    expect(readFileSync(join(place, 'SKILL.md'), 'utf8')).toContain(
      'system: "Rewrite it; keep the facts. What is',
    );
    expect((await world.run(['test', 'soften-mail'])).out).toContain('2 passed, 0 failed');
    const used = await world.run([
      'run',
      'soften-mail',
      'request=Grrr',
      '--answer',
      'script:../s.yaml',
      '--json',
    ]);
    expect((JSON.parse(used.out) as Ran).envelope.answer).toBe('Dear Ana');
    const matched = await world.run(['match', 'please soften this mail', '--json']);
    expect(matched.out).toContain('"soften-mail"');
    const made = await world.run(['runs', 'to-test', 'last']);
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('answer: Dear Ana')]);
    expect((await world.run(['proposals', 'rollback', id], { talk: [['[y/N] ', 'y\n']] })).code).toBe(0);
    expect(existsSync(place)).toBe(false);
  }, 120_000);
});

describe('a skill that an agent was asked for', () => {
  it('is proposed in the chat, which says how to review it; the page shows only added lines', async () => {
    const text =
      '---\\nname: tide-note\\ndescription: Write down the tides of a day. Use when the user asks for a note about tides.\\nmetadata:\\n  techne.risk: low\\n---\\n\\n# Tide note\\n\\nAsk for the harbour.';
    world.write({
      'work/chat.yaml': `answers: [x]\nchat:\n  - calls:\n      - {tool: skill_propose, args: {action: create, name: tide-note, why: you asked, files: [{path: SKILL.md, text: "${text}"}]}}\n  - It is done.\n`,
    });
    const said = await world.run([
      'chat',
      '-p',
      'create a new skill for tide notes',
      '--answer',
      'script:chat.yaml',
    ]);
    expect([said.code, said.out]).toEqual([0, 'It is done.\n']);
    expect(said.err).toContain('· skills: skill-creator');
    const [, id = ''] =
      /nothing changed yet; to review it: techne proposals accept (\w+)/.exec(said.err) ?? [];
    const { out } = await world.run(['proposals', 'diff', id]);
    expect(out).toContain('added SKILL.md\n  + ---\n  + name: tide-note\n');
    expect(out).not.toMatch(/^ {2}- /m);
  }, 60_000);
});
