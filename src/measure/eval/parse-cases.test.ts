import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../../node/yaml.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { parseCases } from './parse-cases.ts';

const parse = (text: string, path: string): ReturnType<typeof parseCases> =>
  parseCases(text, path, nodeParseFull);
const faults = (text: string, path: string): readonly string[] =>
  parse(text, path).diagnostics.map((one) => renderDiagnostic(one, text).split('\n')[0] as string);

const cases = [
  { message: 'plan my trip', expected: 'travel', kind: 'positive' },
  { message: 'do not plan my trip', expected: null, kind: 'negation' },
];

describe('parseCases', () => {
  it('reads JSON lines, JSON, evals.json and YAML', () => {
    expect(parse(cases.map((one) => JSON.stringify(one)).join('\n'), 'a.jsonl')).toEqual({
      cases,
      spans: [
        { start: 0, end: 64 },
        { start: 65, end: 132 },
      ],
      rubric: [],
      diagnostics: [],
    });
    expect(parse(JSON.stringify(cases), 'a.json').cases).toEqual(cases);
    expect(
      parse(
        JSON.stringify({ skill_name: 'travel', triggers: cases, rubric: ['Names a hotel.'] }),
        'evals.json',
      ).cases,
    ).toEqual(cases);
    expect(
      parse(
        'cases:\n  - message: plan my trip\n    expected: travel\n  - {message: do not plan my trip, expected: null, kind: negation}\n',
        'a.yaml',
      ).cases,
    ).toEqual(cases);
  });

  it('takes a kind from what is expected, and query for message', () => {
    expect(
      parse(
        '\uFEFF{"query": "a", "expected": "x", "more": 1}\n\n{"message": "b", "expected": null}',
        'a.jsonl',
      ).cases,
    ).toEqual([
      { message: 'a', expected: 'x', kind: 'positive' },
      { message: 'b', expected: null, kind: 'neighbouring-domain' },
    ]);
  });

  it('keeps a rubric, and that of the file', () => {
    expect(
      parse(
        'cases:\n  - {message: a, expected: x, kind: rubric}\n  - {message: b, expected: x, kind: rubric, rubric: Is short.}\nrubric: [Is right.]\n',
        'a.yaml',
      ),
    ).toMatchObject({ cases: [{ rubric: ['Is right.'] }, { rubric: ['Is short.'] }], rubric: ['Is right.'] });
    expect(
      parse(JSON.stringify({ triggers: cases, rubric: ['Names a hotel.'] }), 'evals.json').rubric,
    ).toEqual(['Names a hotel.']);
    expect(
      faults(
        '{"message": "a", "expected": "x", "kind": "rubric"}\n{"message": "a", "expected": "x", "kind": "rubric", "rubric": [1]}',
        'a.jsonl',
      ),
    ).toEqual([
      'a.jsonl:1:1: error SCRIPT_VALUE: a case of kind rubric needs a rubric',
      'a.jsonl:2:1: error SCRIPT_VALUE: the rubric of a case must be a list of sentences',
    ]);
    expect(faults('{"cases": [], "rubric": 3}', 'a.json')).toEqual([
      'a.json: error SCRIPT_VALUE: the rubric of the file must be a list of sentences',
    ]);
    expect(
      parse('{"message": "a", "expected": "x", "kind": "rubric", "rubric": ["Is short."]}', 'a.jsonl').cases,
    ).toEqual([{ message: 'a', expected: 'x', kind: 'rubric', rubric: ['Is short.'] }]);
  });

  it('keeps the input of a case, which must be an object where it is judged', () => {
    expect(
      parse(
        'cases:\n  - {message: a, expected: x, kind: rubric, rubric: Is right., input: {task: t, n: 3}}\n  - {message: b, expected: x, input: 3}\n',
        'a.yaml',
      ).cases,
    ).toEqual([
      { message: 'a', expected: 'x', kind: 'rubric', rubric: ['Is right.'], input: { task: 't', n: 3 } },
      { message: 'b', expected: 'x', kind: 'positive' },
    ]);
    expect(
      faults('cases:\n  - {message: a, expected: x, kind: rubric, rubric: Is right., input: t}\n', 'a.yaml'),
    ).toEqual(['a.yaml:2:71: error SCRIPT_VALUE: the input of a case must be a mapping']);
  });

  it('knows where a case of a JSON file stands', () => {
    const text = JSON.stringify({ rubric: ['x'], triggers: [...cases, { message: 'c' }] }, null, 1);
    expect(faults(text, 'evals.json')).toEqual([
      'evals.json:16:3: error SCRIPT_VALUE: the case "c" does not name the expected skill',
    ]);
    expect(parse(JSON.stringify(cases), 'a.json').spans).toEqual([
      { start: 1, end: 65 },
      { start: 66, end: 133 },
    ]);
  });

  it('tells every fault with its place, and gives no case then', () => {
    const text = [
      '{"message": "a"}',
      '{"message": "", "expected": null}',
      '{"message": "c", "expected": "x", "kind": "postive"}',
      'oops',
      '[1]',
      '{"message": "d", "expected": "x"}',
    ].join('\n');
    expect(parse(text, 'a.jsonl').cases).toEqual([]);
    expect(faults(text, 'a.jsonl')).toEqual([
      'a.jsonl:1:1: error SCRIPT_VALUE: the case "a" does not name the expected skill',
      'a.jsonl:2:1: error SCRIPT_VALUE: a case needs a message',
      'a.jsonl:3:1: error SCRIPT_VALUE: "postive" is not a kind of case',
      expect.stringContaining('a.jsonl:4:1: error SCRIPT_SYNTAX: the line is not valid JSON'),
      'a.jsonl:5:1: error SCRIPT_VALUE: a case must be a mapping',
    ]);
    expect(faults('', 'a.jsonl')).toEqual(['a.jsonl: error SCRIPT_SYNTAX: the file has no cases']);
    expect(faults('{}', 'a.json')).toEqual([
      'a.json: error SCRIPT_SYNTAX: there is no list "triggers" or "cases" in the file',
    ]);
    expect(faults('case: 1\n', 'a.yaml')).toEqual([
      'a.yaml: error SCRIPT_SYNTAX: there is no list "cases" in the file',
    ]);
    expect(faults('- a\n', 'a.yaml')).toHaveLength(1);
  });

  it('names the key that may be meant for the message', () => {
    expect(faults('cases:\n  - {mesage: plan my trip, expected: travel}\n', 'e.yaml')).toEqual([
      'e.yaml:2:5: error SCRIPT_VALUE: a case needs a message, and this one has "mesage"',
    ]);
  });

  it('points at the key of a case that is wrong', () => {
    expect(
      faults(
        'cases:\n  - message: plan my trip\n    expected: travel\n    kind: postive\n  - message: ""\n    expected: null\n  - message: x\n    expected: 3\n  - message: y\n',
        'e.yaml',
      ),
    ).toEqual([
      'e.yaml:4:11: error SCRIPT_VALUE: "postive" is not a kind of case',
      'e.yaml:5:14: error SCRIPT_VALUE: a case needs a message',
      'e.yaml:8:15: error SCRIPT_VALUE: the case "x" expects 3, which is not the name of a skill',
      'e.yaml:9:5: error SCRIPT_VALUE: the case "y" does not name the expected skill',
    ]);
  });

  it('reads back any cases that were written as JSON lines', () => {
    const one = fc.record({
      message: fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== ''),
      expected: fc.option(fc.string({ minLength: 1 })),
      kind: fc.constantFrom('positive', 'question'),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (list) => {
        expect(parse(list.map((item) => JSON.stringify(item)).join('\n'), 'a.jsonl').cases).toEqual(list);
      }),
    );
  });
});
