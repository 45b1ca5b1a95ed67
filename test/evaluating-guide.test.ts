// The examples of docs/guide/evaluating.md are read by what they are examples of.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { caseKinds } from '../src/measure/eval/eval-case.ts';
import { judgeSchema } from '../src/measure/eval/judge-request.ts';
import { readJudgement } from '../src/measure/eval/judge.ts';
import { readEvalPrompts } from '../src/measure/eval/output-case.ts';
import { parseCases } from '../src/measure/eval/parse-cases.ts';
import { parseScript } from '../src/scripted/script-file.ts';
import { nodeParseFull } from '../src/node/yaml.ts';
import { toJson } from '../src/skill/yaml/node.ts';

const page = readFileSync(new URL('../docs/guide/evaluating.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => text);
const block = (start: string): string => blocks.find((text) => text.startsWith(start)) ?? '';

describe('docs/guide/evaluating.md', () => {
  it('has a case of each of the five kinds that a skill should have', () => {
    const { cases, diagnostics } = parseCases(block('cases:'), 'cases.yaml', nodeParseFull);
    expect(diagnostics).toEqual([]);
    expect(cases.map(({ kind }) => kind)).toEqual([
      'positive',
      'explicit',
      'pasted-history',
      'neighbouring-domain',
      'rubric',
    ]);
    expect(cases.at(-1)?.rubric).toHaveLength(2);
  });

  it('has a case with the input of a skill that can be executed', () => {
    const text = blocks.find((one) => one.includes('input: {')) ?? '';
    expect(parseCases(text, 'cases.yaml', nodeParseFull)).toMatchObject({
      diagnostics: [],
      cases: [
        { expected: 'require-heading', input: { task: expect.any(String) as string, heading: 'Safety' } },
      ],
    });
  });

  it('has a row for every kind', () => {
    expect(caseKinds.filter((kind) => !page.includes(`| \`${kind}\` |`))).toEqual([]);
  });

  it('has prompts of a skill that can be judged', () => {
    const text = block('eval_prompts:');
    const map = nodeParseFull(text, 0, text.length, (_code, _at, message) => expect.fail(message));
    const value = map === null ? {} : (toJson(map) as JsonObject);
    expect(readEvalPrompts('travel-planner', value['eval_prompts'], [])).toMatchObject({
      faults: [],
      cases: [{ name: 'lisbon', rubric: [expect.any(String), expect.any(String)] }],
    });
  });

  it('has a script whose judgement is valid', () => {
    const parsed = parseScript(block('chat:'), 'script.yaml');
    const judging = parsed.ok ? parsed.script.chat?.find(({ purpose }) => purpose === 'judge') : undefined;
    expect(readJudgement(judging?.text ?? '', 2)).toMatchObject({ ok: true, better: 'tie' });
    expect(judgeSchema(2)).toMatchObject({ additionalProperties: false });
  });
});
