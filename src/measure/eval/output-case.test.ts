import { describe, expect, it } from 'vitest';
import { casesUnderRubric, readEvalPrompts, rubricCases, withoutCall } from './output-case.ts';

describe('readEvalPrompts', () => {
  it('reads name, prompt and rubric, and takes the rubric of the file for what brings none', () => {
    expect(
      readEvalPrompts(
        'travel',
        [
          { name: 'rome', prompt: 'Plan Rome.', rubric: ['Names a hotel.'] },
          { prompt: 'Plan Oslo.', rubric: 'Is short.' },
          'Plan Bonn.',
        ],
        ['Is right.'],
      ),
    ).toEqual({
      cases: [
        { name: 'rome', skill: 'travel', prompt: 'Plan Rome.', rubric: ['Names a hotel.'] },
        { name: 'prompt 2', skill: 'travel', prompt: 'Plan Oslo.', rubric: ['Is short.'] },
        { name: 'prompt 3', skill: 'travel', prompt: 'Plan Bonn.', rubric: ['Is right.'] },
      ],
      faults: [],
    });
    expect(readEvalPrompts('travel', undefined, [])).toEqual({ cases: [], faults: [] });
  });

  it('tells everything that is wrong', () => {
    expect(
      readEvalPrompts('travel', [{ name: 'x' }, 'Plan Bonn.', { prompt: 'a', rubric: [1] }, 7], []),
    ).toEqual({
      cases: [],
      faults: [
        'eval_prompts[0] has no prompt',
        'eval_prompts[1] has no rubric, and there is none in evals/evals.json',
        'the rubric of eval_prompts[2] must be a list of sentences',
        'eval_prompts[3] has no prompt',
      ],
    });
    expect(readEvalPrompts('travel', { prompt: 'a' }, []).faults).toEqual([
      'eval_prompts must be a list of {name, prompt, rubric, input}',
    ]);
  });
});

describe('rubricCases', () => {
  it('takes the cases of kind rubric, which must say whose result it is', () => {
    expect(
      rubricCases([
        { message: 'a', expected: 'travel', kind: 'positive' },
        { message: 'b', expected: 'travel', kind: 'rubric', rubric: ['x'] },
        { message: 'c', expected: null, kind: 'rubric', rubric: ['x'] },
      ]),
    ).toEqual({
      cases: [{ name: 'case 1', skill: 'travel', prompt: 'b', rubric: ['x'] }],
      faults: ['the case "c" names no skill to judge: "expected" is null'],
    });
  });
});

describe('input', () => {
  it('goes along with the case, and must be an object', () => {
    expect(
      readEvalPrompts('heading', [{ prompt: 'a', rubric: 'x', input: { task: 't' } }], []).cases,
    ).toMatchObject([{ input: { task: 't' } }]);
    expect(readEvalPrompts('heading', [{ prompt: 'a', rubric: 'x', input: 't' }], [])).toEqual({
      cases: [],
      faults: ['the input of eval_prompts[0] must be a mapping'],
    });
    expect(
      rubricCases([
        {
          message: 'b',
          expected: 'heading',
          kind: 'rubric',
          rubric: ['x'],
          input: { task: 't' },
          place: 'a.jsonl:1',
        },
      ]).cases,
    ).toMatchObject([{ input: { task: 't' }, place: 'a.jsonl:1' }]);
    expect(
      casesUnderRubric(
        'heading',
        [{ message: 'b', expected: 'heading', kind: 'positive', input: {} }],
        ['x'],
      ),
    ).toMatchObject([{ input: {} }]);
  });
});

describe('withoutCall', () => {
  it('takes the name off that a person would call the skill by, and nothing else', () => {
    expect(
      [
        ' /count apples in Oslo',
        '$count apples',
        '/count',
        '/counter apples',
        'use /count apples',
        '/other apples',
      ].map((prompt) => withoutCall(prompt, 'count')),
    ).toEqual(['apples in Oslo', 'apples', '', '/counter apples', 'use /count apples', '/other apples']);
  });
});

describe('casesUnderRubric', () => {
  it('takes the messages that should start the skill', () => {
    const cases = [
      { message: 'a', expected: 'travel', kind: 'positive' },
      { message: 'b', expected: 'other', kind: 'positive' },
      { message: 'c', expected: null, kind: 'negation' },
      { message: 'd', expected: 'travel', kind: 'explicit' },
    ] as const;
    expect(casesUnderRubric('travel', cases, ['x']).map(({ name, prompt }) => [name, prompt])).toEqual([
      ['positive 1', 'a'],
      ['explicit 2', 'd'],
    ]);
    expect(casesUnderRubric('travel', cases, [])).toEqual([]);
  });
});
