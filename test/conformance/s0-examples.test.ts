// Seed S0 §1 and §11, and the example of §2: the promises that metaskills make, and each example with its documented result.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { printed } from '../support/fake-run-host.ts';
import type { ExampleName, LoadedHost } from '../support/metaskills.ts';
import { callsOf, exampleFiles, loadedHost, tracedBy } from '../support/metaskills.ts';

interface Played extends LoadedHost {
  readonly result: RunResult;
  readonly prompts: readonly string[];
}

/** Runs an example with answers and exit codes in order. */
async function play(
  name: ExampleName,
  input: JsonObject,
  answers: readonly string[],
  exits: readonly number[] = [],
): Promise<Played> {
  const loaded = await loadedHost(exampleFiles());
  const { host } = loaded;
  const [nextAnswers, nextExits] = [[...answers], [...exits]];
  host.answerer.onAsk = () => nextAnswers.shift() ?? 'nothing left';
  host.commands.onCommand = () => {
    const code = nextExits.shift() ?? 0;
    return printed(code === 0 ? 'fine\n' : `exit ${code}\n`, code);
  };
  const result = await loaded.start(name, input);
  return { ...loaded, result, prompts: host.answerer.asked.map(({ prompt }) => prompt) };
}

describe('S0 §1 what a metaskill promises', () => {
  it('§1.1 a real limit of attempts', async () => {
    const { result, prompts } = await play(
      'checklist',
      { task: 'go' },
      Array.from({ length: 20 }, () => 'nothing'),
    );
    expect([prompts.length, result.envelope?.['status']]).toEqual([3, 'exhausted']);
  });

  it('§1.2 commands go through the policy of the host', async () => {
    const { host, start } = await loadedHost(exampleFiles());
    host.commands.onJudge = ({ argv }) =>
      argv[0] === 'git' ? { kind: 'deny', reason: 'git is not allowed' } : { kind: 'allow' };
    expect((await start('diff-review', {})).envelope).toMatchObject({
      status: 'error',
      answer: 'error: git is not allowed',
    });
    expect(host.commands.done).toEqual([]);
  });

  it('§1.3 nested model calls are counted', async () => {
    const { result } = await play('require-heading', { task: 'go', heading: '# H' }, ['no', 'no', '# H']);
    expect([result.usage.asks, callsOf(result).length]).toEqual([3, 3]);
  });

  it('§1.4 a result with a predictable JSON shape', async () => {
    const { result } = await play('diff-review', {}, ['No bugs.']);
    expect(result.text).toMatch(
      /^\[Metaskill: diff-review completed\]\n\{"status":"ok","answer":"No bugs\.","trace":\[.*\]\}$/,
    );
  });

  it('§1.5 a trace that shows which steps ran, also those the author does not trace', async () => {
    const { result } = await play('test-fix', { test_command: ['make', 'test'] }, ['mended'], [1, 0]);
    expect(result.envelope?.['trace']).toMatchObject([
      { kind: 'command', id: '1' },
      { kind: 'test-run' },
      { kind: 'ask', id: '2' },
      { kind: 'command', id: '3' },
      { kind: 'test-run' },
    ]);
  });
});

describe('S0 §2 the first example', () => {
  it('§2.3 require-heading revises until the heading is there', async () => {
    const { result, host, prompts } = await play(
      'require-heading',
      { task: 'Write a plan.', heading: '# Risks' },
      ['A plan.', 'A plan.\n# Risks\nNone.'],
    );
    expect(result.envelope).toMatchObject({
      status: 'accepted',
      answer: 'A plan.\n# Risks\nNone.',
      attempts: 2,
    });
    expect(tracedBy(result)).toEqual([{ kind: 'missing-heading', data: { attempt: 1, heading: '# Risks' } }]);
    expect(prompts).toEqual([
      'Write a plan.',
      'Put this heading into the text below:\n# Risks\n\nThe text:\nA plan.',
    ]);
    expect(host.answerer.asked.map(({ purpose, maxTurns }) => [purpose, maxTurns])).toEqual([
      ['draft', 4],
      ['draft', 4],
    ]);
  });

  it('§2.3 require-heading gives up after three drafts, with the last one and a warning', async () => {
    const { result } = await play('require-heading', { task: 'Write.', heading: '# Risks' }, [
      'a',
      'b',
      'c',
      '# Risks',
    ]);
    expect(result.envelope).toMatchObject({
      status: 'exhausted',
      answer: 'c',
      warning: 'No draft had the heading.',
    });
    expect([tracedBy(result).length, result.usage.asks]).toEqual([3, 3]);
  });
});

describe('S0 §11 practical examples', () => {
  it('§11.1 test-fix asks for a repair after each failure and is accepted when the tests pass', async () => {
    const { result, host, prompts } = await play(
      'test-fix',
      { test_command: ['make', 'test'] },
      ['mended one', 'mended two'],
      [1, 2, 0],
    );
    expect(result.envelope).toMatchObject({ status: 'accepted', answer: 'All tests pass.', attempts: 3 });
    expect(tracedBy(result)).toEqual(
      [false, false, true].map((ok, index) => ({ kind: 'test-run', data: { attempt: index + 1, ok } })),
    );
    expect(prompts).toEqual([
      'These tests fail. Mend the cause and say when you are done.\n\nexit 1\n',
      'These tests fail. Mend the cause and say when you are done.\n\nexit 2\n',
    ]);
    expect(host.answerer.asked.map(({ purpose, maxTurns }) => [purpose, maxTurns])).toEqual([
      ['fix-tests', 10],
      ['fix-tests', 10],
    ]);
  });

  it('§11.2 test-fix runs the command of its input, with two minutes; without one, the default', async () => {
    const given = await play('test-fix', { test_command: ['pytest', 'tests/test_parser.py', '-q'] }, []);
    expect([given.host.commands.done, given.result.envelope?.['attempts']]).toEqual([
      ['pytest tests/test_parser.py -q'],
      1,
    ]);
    const plain = await loadedHost(exampleFiles());
    const timeouts: number[] = [];
    plain.host.commands.onCommand = ({ timeoutMs }) => (timeouts.push(timeoutMs), {});
    await plain.start('test-fix', {});
    expect([plain.host.commands.done, timeouts]).toEqual([['pytest -q'], [120_000]]);
  });

  it('§11.3 test-fix ends exhausted after three runs, with the last output', async () => {
    const { result } = await play('test-fix', { test_command: ['make'] }, [], [1, 1, 7]);
    expect(result.envelope).toMatchObject({
      status: 'exhausted',
      answer: 'exit 7\n',
      warning: 'Three runs, and the tests fail still.',
    });
    expect([result.usage.asks, result.usage.commands]).toEqual([3, 3]);
  });

  it('§11.4 checklist asks again for what is missing, and only for that', async () => {
    const { result, prompts } = await play(
      'checklist',
      { task: 'Write a checklist.', required: ['install', 'test', 'rollback'] },
      ['Install', 'Install, test', 'Install, test, ROLLBACK'],
    );
    expect(result.envelope).toMatchObject({
      status: 'accepted',
      answer: 'Install, test, ROLLBACK',
      attempts: 3,
    });
    expect(tracedBy(result).map(({ data }) => data)).toEqual([
      { attempt: 1, missing: ['test', 'rollback'] },
      { attempt: 2, missing: ['rollback'] },
    ]);
    expect(prompts.slice(1)).toEqual([
      'The checklist must also name test, rollback.\n\nThe checklist so far:\nInstall',
      'The checklist must also name rollback.\n\nThe checklist so far:\nInstall, test',
    ]);
  });

  it('§11.5 checklist ends exhausted with what is missing; its words have defaults', async () => {
    const { result } = await play('checklist', { task: 'Write.' }, ['install', 'install', 'install, test']);
    expect(result.envelope).toMatchObject({
      status: 'exhausted',
      answer: 'install, test',
      missing: ['rollback'],
    });
  });

  it('§11.6 diff-review reads the diff and gives one review; it needs no input', async () => {
    const { result, host, prompts } = await play('diff-review', {}, ['Line 3 divides by zero.']);
    expect(result.envelope).toMatchObject({ status: 'ok', answer: 'Line 3 divides by zero.' });
    expect([host.commands.done, prompts]).toEqual([
      ['git diff'],
      ['Look for bugs in these changes and leave style alone.\n\nfine\n'],
    ]);
    expect(host.answerer.asked.map(({ purpose, maxTurns }) => [purpose, maxTurns])).toEqual([
      ['bug-review', 6],
    ]);
  });

  it('§11.7 diff-review gives the error of the command, and asks nobody', async () => {
    const { result, prompts } = await play('diff-review', {}, [], [128]);
    expect([result.envelope?.['status'], result.envelope?.['answer'], prompts]).toEqual([
      'error',
      'exit 128\n',
      [],
    ]);
  });
});
