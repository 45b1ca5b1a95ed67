import { describe, expect, it } from 'vitest';
import { renderDiagnostic } from '../base/render-diagnostic.ts';
import { fitsArgv, parseScript } from './script-file.ts';

function script(text: string) {
  const parsed = parseScript(text, 'answers.yaml');
  if (!parsed.ok) throw new Error(faults(text).join('\n'));
  return parsed.script;
}

function faults(text: string): readonly string[] {
  const parsed = parseScript(text, 'answers.yaml');
  return parsed.ok
    ? []
    : parsed.diagnostics.map((diagnostic) =>
        renderDiagnostic(diagnostic, text)
          .split('\n')
          .filter((line) => !/^ {2}(?!hint)/.test(line))
          .join('\n'),
      );
}

describe('parseScript', () => {
  it('reads a long script as YAML, whatever style a printer chose', () => {
    const answers = Array.from({ length: 2_500 }, (_, index) => `No. ${index}: yes, {really} - "quoted"`);
    const texts = [
      `answers: [${answers.map((answer) => JSON.stringify(answer)).join(', ')}]\n`,
      JSON.stringify({ answers }),
      `answers:\n${answers.map((answer) => `- '${answer}'\n`).join('')}`,
    ];
    for (const text of texts)
      expect(script(text).answers.map(({ gives }) => (gives.kind === 'answer' ? gives.text : null))).toEqual(
        answers,
      );
  });

  it('says which bracket is never closed', () => {
    expect(faults('answers:\n  - {purpose: x, answer: y\n')).toEqual([
      expect.stringContaining(
        'a "{" is never closed, or continues on a line that is not indented\n  hint: close it with "}"',
      ),
    ]);
    expect(faults('answers:\n  - [x, y\n')).toEqual([expect.stringContaining('a "[" is never closed')]);
  });

  it('reads plain answers, answers with conditions, errors and commands', () => {
    const { answers, commands } = script(`
answers:
  - plain text
  - |
    two
    lines
  - 42
  - {purpose: draft, contains: heading, answer: done, turns: 2, exhausted: true, tokens: {input: 10, output: 20}, retries: [{a: 1}, b]}
  - {contains: [one, two], answer: {title: x, tags: [1, null]}}
  - error: no network
commands:
  - {argv: [git, diff], exit_code: 1, stdout: out, stderr: err, timed_out: true}
  - {argv: [rm, ...], denied: not today}
`);
    const plain = {
      purpose: null,
      contains: [],
      match: false,
      retries: [],
      turns: 1,
      exhausted: false,
      inputTokens: 0,
      outputTokens: 0,
      span: expect.anything(),
    };
    expect(answers).toEqual([
      { ...plain, gives: { kind: 'answer', text: 'plain text' } },
      { ...plain, gives: { kind: 'answer', text: 'two\nlines\n' } },
      { ...plain, gives: { kind: 'answer', text: '42' } },
      {
        ...plain,
        purpose: 'draft',
        contains: ['heading'],
        gives: { kind: 'answer', text: 'done' },
        turns: 2,
        exhausted: true,
        inputTokens: 10,
        outputTokens: 20,
        retries: ['{"a":1}', 'b'],
      },
      {
        ...plain,
        contains: ['one', 'two'],
        gives: { kind: 'answer', text: '{"title":"x","tags":[1,null]}' },
      },
      { ...plain, gives: { kind: 'error', message: 'no network' } },
    ]);
    expect(commands).toEqual([
      {
        argv: ['git', 'diff'],
        exitCode: 1,
        stdout: 'out',
        stderr: 'err',
        output: null,
        signal: null,
        timedOut: true,
        denied: null,
        span: expect.anything(),
      },
      {
        argv: ['rm', '...'],
        exitCode: 0,
        stdout: '',
        stderr: '',
        output: null,
        signal: null,
        timedOut: false,
        denied: 'not today',
        span: expect.anything(),
      },
    ]);
  });

  it('takes what is left out, or empty, for nothing', () => {
    expect(script('answers:\ncommands: []\n')).toEqual({
      answers: [],
      commands: [],
      tools: [],
      inputs: [],
      chat: null,
    });
  });

  it('counts places from the start of a file with a byte order mark', () => {
    expect(faults('\uFEFFanswer: []\n')).toEqual([
      'answers.yaml:1:2: error SCRIPT_UNKNOWN_KEY: "answer" is not a key of a script\n  hint: did you mean "answers"?',
    ]);
  });

  it('reports every fault with its place', () => {
    expect(
      faults(`answers:
  - {purpos: draft, answer: x}
  - {answer: x, error: y}
  - {purpose: draft}
  - {answer: x, turns: 0, exhausted: maybe, tokens: 5}
  - [a]
commands:
  - git diff
  - {exit_code: 1}
  - {argv: [], stdout: [x]}
  - {argv: [a], denied: no, stdout: x}
answer: []
`),
    ).toEqual([
      'answers.yaml:12:1: error SCRIPT_UNKNOWN_KEY: "answer" is not a key of a script\n  hint: did you mean "answers"?',
      'answers.yaml:2:6: error SCRIPT_UNKNOWN_KEY: "purpos" is not a key of an answer\n  hint: did you mean "purpose"?',
      'answers.yaml:3:17: error SCRIPT_VALUE: "error" and "answer" contradict each other\n  hint: remove one of them',
      'answers.yaml:4:5: error SCRIPT_VALUE: an answer has neither "answer" nor "error"\n  hint: write answer: "…"',
      'answers.yaml:5:53: error SCRIPT_VALUE: tokens must be a mapping, not the number 5\n  hint: write tokens: {input: 10, output: 20}',
      'answers.yaml:5:24: error SCRIPT_VALUE: turns must be a whole number from 1 to 1000, not the number 0',
      'answers.yaml:5:38: error SCRIPT_VALUE: exhausted must be true or false, not "maybe"',
      'answers.yaml:6:5: error SCRIPT_VALUE: an answer must be text, not a list\n  hint: write {answer: […]} for an answer that is data',
      'answers.yaml:8:5: error SCRIPT_VALUE: a command must be a mapping, not "git diff"\n  hint: write {argv: [git, diff], stdout: "…"}',
      'answers.yaml:9:5: error SCRIPT_VALUE: a command has no "argv"\n  hint: write argv: [git, diff]',
      'answers.yaml:10:12: error SCRIPT_VALUE: argv is empty\n  hint: write argv: [git, diff]',
      'answers.yaml:10:24: error SCRIPT_VALUE: stdout must be text, not a list',
      'answers.yaml:11:29: error SCRIPT_VALUE: a command that is denied has no "stdout"\n  hint: remove one of them',
    ]);
  });

  it('reads tools, and replies to forms by step or in order', () => {
    expect(
      script(`tools:
  - {tool: memory_save, args: {path: a}, result: saved}
  - {tool: count, result: {n: 3}}
  - {tool: search, error: late, timed_out: true}
  - {tool: write_file, denied: not here}
inputs:
  - {step: collect, values: {topic: tides, pages: 3}}
  - {text: go on, step: confirm}
  - "topic: moon"
`),
    ).toMatchObject({
      tools: [
        { tool: 'memory_save', args: { path: 'a' }, gives: { kind: 'result', text: 'saved', value: null } },
        { tool: 'count', gives: { text: '{"n":3}', value: { n: 3 } } },
        { tool: 'search', gives: { kind: 'error', message: 'late', timedOut: true } },
        { tool: 'write_file', gives: { kind: 'denied', reason: 'not here' } },
      ],
      inputs: [
        { step: 'collect', value: { topic: 'tides', pages: 3 } },
        { step: 'confirm', value: 'go on' },
        { step: null, value: 'topic: moon' },
      ],
    });
    expect(script('inputs: {collect: {topic: tides}, confirm: "yes"}\n')).toMatchObject({
      inputs: [
        { step: 'collect', value: { topic: 'tides' } },
        { step: 'confirm', value: 'yes' },
      ],
    });
    expect(
      faults(
        'tools:\n  - {tool: a}\n  - {result: b}\n  - {tool: a, result: b, timed_out: true}\n  - x\ninputs:\n  - {step: a}\n  - {value: x}\n',
      ).map((line) => line.split('\n')[0]),
    ).toEqual([
      'answers.yaml:2:5: error SCRIPT_VALUE: a tool needs one of "result", "error" and "denied"',
      'answers.yaml:3:5: error SCRIPT_VALUE: a tool has no "tool"',
      'answers.yaml:4:26: error SCRIPT_VALUE: "timed_out" is for an "error"',
      'answers.yaml:5:5: error SCRIPT_VALUE: a tool must be a mapping, not "x"',
      'answers.yaml:7:5: error SCRIPT_VALUE: a reply needs either "values" or "text"',
      'answers.yaml:8:6: error SCRIPT_UNKNOWN_KEY: "value" is not a key of a reply',
      'answers.yaml:8:5: error SCRIPT_VALUE: a reply needs either "values" or "text"',
    ]);
    expect(faults('inputs: 3\n')[0]).toContain('inputs must be a mapping of steps or a list');
  });

  it('refuses a mix of answers by order and by match', () => {
    expect(faults('answers:\n  - {match: true, answer: a}\n  - b\n')).toEqual([
      'answers.yaml:3:5: error SCRIPT_VALUE: some answers have "match: true" and some have not\n  hint: give it to all of them, or to none: then each ask has one answer that can be foretold',
    ]);
  });

  it.each([
    ['', 'answers.yaml: error SCRIPT_SYNTAX: the file is empty\n  hint: write "answers:" and a list'],
    [
      '- a\n',
      'answers.yaml:1:1: error SCRIPT_SYNTAX: the file is a list, not "key: value" lines\n  hint: write keys such as "answers:" at the start of a line',
    ],
    ['answers: [a\n', 'answers.yaml:2:1: error SCRIPT_SYNTAX: '],
    ['answers: [*a]\n', 'answers.yaml:1:11: error SCRIPT_SYNTAX: '],
    ['answers: [&a x, *a]\n', 'answers.yaml:1:14: error SCRIPT_SYNTAX: '],
    ['answers: [a]\nanswers: [b]\n', 'answers.yaml:2:1: error SCRIPT_SYNTAX: "answers" is given twice'],
    ['answers: [a]\n__proto__: {}\n', 'answers.yaml:2:1: error SCRIPT_SYNTAX: '],
    [`answers: ${'['.repeat(5000)}`, 'error SCRIPT_SYNTAX: '],
    [`answers:\n${'- x\n'.repeat(20_000)}`, 'error SCRIPT_SYNTAX: '],
  ])('refuses what is no clear YAML: %#', (text, message) => {
    const [first = 'no fault'] = faults(text);
    expect(first).toContain(message);
    expect(first).not.toContain('frontmatter');
  });
});

describe('fitsArgv', () => {
  it.each([
    [['git', 'diff'], ['git', 'diff'], true],
    [['git', 'diff'], ['git', 'diff', '-w'], false],
    [['git', '*'], ['git', 'diff'], true],
    [['git', '*'], ['git'], false],
    [['git', '...'], ['git'], true],
    [['git', '...'], ['git', 'a', 'b'], true],
    [['git', '*', '...'], ['git'], false],
    [['...'], ['anything'], true],
    [['git', '...', 'x'], ['git', 'a', 'x'], false],
  ])('%j and %j: %j', (pattern, argv, fits) => {
    expect(fitsArgv(pattern, argv)).toBe(fits);
  });
});
