// A candidate, run in a scripted world: once for a look, and by its own tests. Nothing real is performed.
//
// A test that asserts nothing proves nothing, and so do tests that only say that a run ends: both fail the check. Instructions
// are not executed: their dry run is the load of a conversation, and their tests are eval prompts of both kinds.
import { counted } from '../../base/render-table.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { TechneError } from '../../base/error.ts';
import { loadSkillCases } from '../../measure/eval/load-cases.ts';
import { findTests } from '../../measure/testing/find-tests.ts';
import type { SkillTest } from '../../measure/testing/skill-test.ts';
import { noExpectation } from '../../measure/testing/skill-test.ts';
import { skillsOf, testSkills } from '../../measure/testing/test-skills.ts';
import { runSkillTest } from '../../measure/testing/run-test.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { callTool } from '../../ports/tool.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { CheckResult } from '../../proposals/proposal.ts';
import type { ScriptedAnswer, ScriptedCommand } from '../../scripted/script-file.ts';
import type { Skill } from '../../registry/types.ts';
import type { Checked } from './check-proposal.ts';
import type { Outcome } from './outcome.ts';
import { failed, lineOf, passed, skipped } from './outcome.ts';

const nowhere = { start: 0, end: 0 };
const scripted = 32;

export async function checkDryRun(subject: Checked): Promise<Outcome> {
  const { skill, changed, library, folder } = subject;
  if (skill === null || folder === null) return skipped('there is no skill that could run');
  if (!isExecutable(skill)) return loadBody(subject, skill);
  const { tests } = await findTests(library.files, folder);
  const [first] = tests;
  const source = skillsOf(changed);
  if (first !== undefined) {
    const { ok, faults } = await runSkillTest(skill.name, source, { ...first, expect: noExpectation });
    return ok
      ? passed(`it runs with the script of its test "${printableLine(first.name)}"`)
      : failed(
          'it does not run with the script of its first test',
          faults.map(({ message }) => printableLine(message)),
        );
  }
  const { faults } = await runSkillTest(skill.name, source, anyTest(skill));
  const real = faults.filter(({ message }) => !/^no (?:ask|command|call|form) used/.test(message));
  return real.length === 0
    ? passed('it runs to its end with answers that say nothing')
    : skipped(
        `answers that say nothing do not carry it to its end (${printableLine(real[0]?.message ?? '')}); give it a test`,
      );
}

export async function checkTests(subject: Checked, triggers: Pick<CheckResult, 'outcome'>): Promise<Outcome> {
  const { skill, changed, library, folder } = subject;
  if (skill === null || folder === null) return skipped('there is no skill that could be tested');
  if (!isExecutable(skill)) return checkPrompts(subject, skill, triggers);
  const [all] = await testSkills({
    snapshot: changed,
    files: library.files,
    skills: [{ name: skill.name, folder }],
  });
  const { outcomes = [], diagnostics = [], texts = new Map<string, string>() } = all ?? {};
  if (diagnostics.some(({ severity }) => severity === 'error'))
    return failed(
      'its tests have errors',
      diagnostics.map((one) => lineOf(one, texts.get(one.path) ?? null)),
    );
  if (outcomes.length === 0) return skipped('it has no tests (tests/*.yaml)');
  const empty = outcomes.filter(({ test }) => !assertsAnything(test));
  if (empty.length > 0)
    return failed(
      `${counted(empty.length, 'test')} assert nothing`,
      empty.map(({ test }) => `"${printableLine(test.name)}" expects nothing`),
    );
  if (!outcomes.some(({ test }) => assertsContent(test)))
    return failed('its tests only say that a run ends, and nothing about what it gives');
  const wrong = outcomes.filter(({ ok }) => !ok);
  return wrong.length === 0
    ? passed(`${counted(outcomes.length, 'test')} pass`)
    : failed(
        `${counted(wrong.length, 'test')} of ${outcomes.length} fail`,
        wrong.flatMap(({ test, faults }) =>
          faults.map(({ message }) => `${printableLine(test.name)}: ${printableLine(message)}`),
        ),
      );
}

async function checkPrompts(
  { changed, library }: Checked,
  skill: Skill,
  triggers: Pick<CheckResult, 'outcome'>,
): Promise<Outcome> {
  const source = {
    files: library.files,
    parseFull: nodeParseFull,
    resolvePath: (file: string) => file,
    showPath: (path: string) => path,
    faults: { any: false, add: () => undefined, addMessage: () => undefined },
  };
  const own = await loadSkillCases(source, changed, skill.name);
  const cases = (own?.cases ?? []).filter(({ kind }) => kind !== 'rubric');
  if (cases.length === 0) return skipped('it is instructions without eval prompts (evals/evals.json)');
  if (
    !cases.some(({ expected }) => expected === skill.name) ||
    !cases.some(({ expected }) => expected !== skill.name)
  )
    return failed('its eval prompts assert too little: one must reach it, and one must not');
  return triggers.outcome === 'passed'
    ? passed(`it is instructions, and ${counted(cases.length, 'eval prompt')} hold`)
    : failed('its eval prompts do not hold: see triggers');
}

/** What a conversation would do with it. */
async function loadBody({ changed, library }: Checked, skill: Skill): Promise<Outcome> {
  const session = await createSkillSession({
    snapshot: changed,
    offers: ({ name }) => name === skill.name,
    settings: { ...library.loaded.config.prompt, preload: [] },
    isUntrusted: async () => true,
  });
  const load = session.tools.find(({ name }) => name === 'skill_load');
  if (load === undefined || !changed.facts(skill).visibleToModel.ok)
    return skipped('a conversation does not offer it here');
  try {
    const { ok, text } = await callTool(load, { name: skill.name });
    return ok
      ? passed('a conversation loads its body')
      : failed('a conversation cannot load it', [printableLine(text)]);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return failed('a conversation cannot load it', [error.message]);
  }
}

function isExecutable({ card, head }: Skill): boolean {
  return card.form !== 'instructions' || (head.frontmatter['entrypoint'] ?? null) !== null;
}

function assertsAnything({ expect }: SkillTest): boolean {
  return expect.status !== null || assertsContent({ expect });
}

function assertsContent({ expect }: Pick<SkillTest, 'expect'>): boolean {
  const { answer, answerContains, noteContains, result, trace, error, asks, commands, prompts } = expect;
  return (
    answer !== null ||
    [...answerContains, ...noteContains].some(({ value }) => value.trim() !== '') ||
    (result !== null && Object.keys(result.value).length > 0) ||
    (trace !== null && trace.value.length > 0) ||
    error !== null ||
    asks !== null ||
    commands !== null ||
    (prompts !== null && prompts.value.some((texts) => texts.some(({ value }) => value.trim() !== '')))
  );
}

/** Answers and results that fit everything. */
export function anyTest(skill: Skill): SkillTest {
  const answer: ScriptedAnswer = {
    purpose: null,
    contains: [],
    match: true,
    gives: { kind: 'answer', text: 'dry run' },
    retries: ['{}'],
    turns: 1,
    exhausted: false,
    inputTokens: 0,
    outputTokens: 0,
    span: nowhere,
  };
  const command: ScriptedCommand = {
    argv: ['...'],
    exitCode: 0,
    stdout: '',
    stderr: '',
    output: null,
    signal: null,
    timedOut: false,
    denied: null,
    span: nowhere,
  };
  return {
    name: 'dry run',
    path: '',
    span: nowhere,
    input: inputOf(skill),
    answers: [answer],
    commands: Array.from({ length: scripted }, () => ({ ...command })),
    tools: [],
    inputs: [],
    artifacts: null,
    notes: new Map(),
    limits: {},
    now: null,
    expect: { ...noExpectation, status: { value: 'completed', span: nowhere } },
  };
}

function inputOf({ head }: Skill): JsonObject {
  return Object.fromEntries(
    (head.inputs ?? [])
      .filter(({ required }) => required)
      .map(({ key, schema }) => [key, exampleOf(schema ?? {})]),
  );
}

function exampleOf(schema: JsonObject): Json {
  if (schema['default'] !== undefined) return schema['default'];
  const choices = schema['enum'];
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0] as Json;
  const type = schema['type'];
  if (type === 'integer' || type === 'number')
    return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (type === 'array')
    return isJsonObject(schema['items'] as Json) ? [exampleOf(schema['items'] as JsonObject)] : [];
  return 'example';
}
