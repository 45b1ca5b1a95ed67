import { describe, expect, it } from 'vitest';
import { placeOf } from '../../base/span.ts';
import { parseTests } from './parse-tests.ts';

function faults(text: string): readonly string[] {
  return parseTests(text, 'tests/x.yaml').diagnostics.map(({ code, span, message, hint }) => {
    const place =
      span === null ? '' : `${placeOf(text, span.start).line}:${placeOf(text, span.start).column} `;
    return `${place}${code} ${message}${hint === null ? '' : ` (${hint})`}`;
  });
}

describe('parseTests', () => {
  it('reads a test with everything in it', () => {
    const text = `name: all of it
input: {task: x, n: 3}
answers: [plain]
commands: [{argv: [git, diff]}]
limits: {asks: 2, timeout: 7}
expect:
  status: accepted
  answer: yes
  answer_contains: [a, b]
  result: {rounds: 2}
  trace: [start, {kind: step, data: {n: 1}}]
  error: {code: ASK_BUDGET, contains: used up}
  asks: 1
  commands: 0
  prompts: [one, [two, three], null]
`;
    const { tests, diagnostics } = parseTests(text, 'tests/x.yaml');
    expect(diagnostics).toEqual([]);
    expect(tests).toMatchObject([
      {
        name: 'all of it',
        path: 'tests/x.yaml',
        input: { task: 'x', n: 3 },
        answers: [{ gives: { text: 'plain' } }],
        commands: [{ argv: ['git', 'diff'] }],
        limits: { asks: 2, wallMs: 7000 },
        expect: {
          status: { value: 'accepted' },
          answer: { value: 'yes' },
          answerContains: [{ value: 'a' }, { value: 'b' }],
          result: { value: { rounds: 2 } },
          trace: {
            value: [{ value: { kind: 'start', data: null } }, { value: { kind: 'step', data: { n: 1 } } }],
          },
          error: { value: { code: 'ASK_BUDGET', contains: 'used up' } },
          asks: { value: 1 },
          commands: { value: 0 },
          prompts: { value: [[{ value: 'one' }], [{ value: 'two' }, { value: 'three' }], []] },
        },
      },
    ]);
  });

  it('reads several tests, and names those without a name after the file', () => {
    const { tests } = parseTests(
      'tests:\n  - name: first\n    input: {}\n  - input: {a: 1}\n',
      'a/tests/loop.yaml',
    );
    expect(tests.map(({ name, span }) => [name, span.start])).toEqual([
      ['first', 11],
      ['loop 2', 41],
    ]);
    expect(parseTests('input: {}\n', 'a/tests/loop.yml').tests[0]?.name).toBe('loop');
  });

  it('says where something is wrong, and what was meant', () => {
    expect(faults('inptu: {}\nexpect:\n  statsu: ok\nlimits: {ask: 1}\n')).toEqual([
      '1:1 SCRIPT_UNKNOWN_KEY "inptu" is not a key of a test (did you mean "input"?)',
      '4:10 SCRIPT_UNKNOWN_KEY "ask" is not a key of limits (did you mean "asks"?)',
      '3:3 SCRIPT_UNKNOWN_KEY "statsu" is not a key of expect (did you mean "status"?)',
    ]);
    expect(
      faults('expect:\n  trace: {}\n  error: it failed\n  asks: -1\n  result: 3\n  prompts: x\n'),
    ).toEqual([
      '5:11 SCRIPT_VALUE expect.result must be a mapping, not the number 3',
      '2:10 SCRIPT_VALUE expect.trace must be a list, not a mapping',
      '3:10 SCRIPT_VALUE expect.error must be a code such as ASK_BUDGET, not "it failed" (for words of the message write {contains: "…"})',
      '4:9 SCRIPT_VALUE expect.asks must be a whole number from 0 to 1000000, not the number -1',
      '6:12 SCRIPT_VALUE expect.prompts must be a list, not "x"',
    ]);
    expect(faults('tests: []\n')).toEqual([
      '1:8 SCRIPT_VALUE tests must be a list of tests, not an empty list (write "- name: …" below it)',
    ]);
    expect(faults('tests:\n  - one\nname: x\n')).toEqual([
      '3:1 SCRIPT_UNKNOWN_KEY "name" is not a key of a file with "tests" (known keys: tests)',
      '2:5 SCRIPT_VALUE a test must be a mapping, not "one" (write "- name: …")',
    ]);
    expect(faults('input: {id: 12345678901234567890}\n')).toEqual([
      '1:13 SCRIPT_VALUE the number 12345678901234567890 is too large to be exact (quote it, if text will do)',
    ]);
    const list: string[] = [];
    parseTests('- name: x\n', 'tests/x.yaml').diagnostics.forEach(({ hint }) => list.push(hint ?? ''));
    expect(list).toEqual(['write keys such as "tests:" at the start of a line']);
    expect(faults('a: [\n')[0]).toMatch(/^\d:\d SCRIPT_SYNTAX /);
  });

  it.each([
    ['tests:\n  - name: a\n    input: {}\n   answers: [\n     x]\n', '4:1'],
    ['tests:\n  - name: a\n   answers: [x]\n', '3:1'],
    ['answers:\n  - a\n - b\n', '3:1'],
  ])('says that the indentation of %j does not fit', (text, place) => {
    expect(faults(text)).toEqual([
      `${place} SCRIPT_SYNTAX the indentation does not fit the lines above (give entries of one map or list the same indentation)`,
    ]);
  });

  it('says what a moment is', () => {
    for (const now of ['soon', '2026-13-01', '2026-03-01T10:00:00', '[1]'])
      expect(faults(`now: ${now}`)).toEqual([
        expect.stringMatching(/^1:6 SCRIPT_VALUE now must be (?:a day or a time with its offset|text)/),
      ]);
  });

  it('says of a line that is not like the others what it could be', () => {
    expect(faults('name: a\n  input: {}\n')).toEqual([
      '1:7 SCRIPT_SYNTAX the next line is indented, so it is part of this value, which then cannot contain a ":" (give the line the indentation of this one, or put the value in quotes)',
    ]);
    expect(faults('answers:\n- a\nb\n')).toEqual([
      '3:1 SCRIPT_SYNTAX a line has no ":" after its key (write "key: value", or indent the line under the key before it)',
    ]);
    expect(faults('name: a: b\n')).toEqual([
      '1:7 SCRIPT_SYNTAX a value that contains ": " needs quotes (put the value in quotes)',
    ]);
  });

  it('gives no test of a file with a fault', () => {
    expect(parseTests('tests:\n  - name: good\n  - nmae: bad\n', 'x.yaml').tests).toEqual([]);
  });
});
