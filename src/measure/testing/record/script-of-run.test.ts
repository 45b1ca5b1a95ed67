import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import type { EffectView, RunView } from '../../../run/history/inspect.ts';
import { scriptOfRun } from './script-of-run.ts';

function effect(kind: string, request: Json, result: Json, more: Partial<EffectView> = {}): EffectView {
  const { key = '1', state = 'ok' } = more;
  return {
    key,
    kind,
    state,
    request,
    result,
    attempt: 1,
    startedAt: 0,
    ms: 0,
    usage: {},
    children: [],
    ...more,
  };
}

function scriptOf(...effects: readonly EffectView[]): ReturnType<typeof scriptOfRun> {
  const skill = { name: 'x', form: 'program', digest: '' };
  return scriptOfRun({ view: { run: 'r', skill, effects, questions: [] } as unknown as RunView, nested: [] });
}

const failed = (code: string, message = 'why'): Partial<EffectView> & { result: Json } => ({
  state: 'failed',
  result: { code, message },
});
const exec = {
  argv: ['python3', '/home/me/skills/x/run.py', 'a'],
  parse: 'json',
  base: { folder: '/home/me/skills/x' },
};

describe('scriptOfRun', () => {
  it.each([
    ['ask', { prompt: 'p' }, 'UNFENCED'],
    ['ask', { prompt: 'p' }, 'QUESTION_EXPIRED'],
    ['chat', { prompt: 'p' }, 'STEP_TIMEOUT'],
    ['command', { argv: ['a'] }, 'COMMAND_FAULT'],
    ['tool', { tool: 'a', args: {} }, 'TOOL_UNKNOWN'],
    ['tool', { tool: 'a', args: {} }, 'TOOL_UNCERTAIN'],
    ['write', { path: 'a.md' }, 'NOTE_TYPE'],
  ])('says that a %s cannot be given (%j, %s), and why', (kind, request, code) => {
    const { problems } = scriptOf(effect(kind, request, null, failed(code)));
    expect(problems).toEqual([expect.stringMatching(`^the call 1 \\(${kind}\\) failed with ${code}; `)]);
  });

  it('names a call that had no end, and one of a kind that it does not know', () => {
    expect(scriptOf(effect('ask', { prompt: 'p' }, null, { state: 'under-way' })).problems).toEqual([
      'the call 1 (ask) was under way when the run ended',
    ]);
    expect(scriptOf(effect('dream', {}, null)).problems).toEqual([
      'the call 1 is of the kind "dream", which a test cannot give',
    ]);
  });

  it('leaves out what the engine refuses by itself', () => {
    const { problems, answers, asks } = scriptOf(
      effect('ask', { prompt: 'p' }, { code: 'ASK_BUDGET' }, { state: 'refused' }),
      effect('tool', { tool: 'a' }, null, failed('CAPABILITY_DENIED')),
    );
    expect([problems, answers, asks]).toEqual([[], [], 0]);
  });

  it('takes asks in the order of the program, each known by its prompt', () => {
    const answers = scriptOf(
      effect('ask', { prompt: 'second' }, { answer: 'b', turns: 3, exhausted: true }, { key: '3.2' }),
      effect('ask', { prompt: 'first', purpose: 'say' }, { answer: 'a', turns: 1 }, { key: '3.1' }),
      effect('chat', { prompt: 'x'.repeat(5_000), system: 's' }, null, {
        key: '4',
        ...failed('ASK_FAILED', 'ask failed: busy'),
      }),
      effect('classify', { prompt: 'p' }, null, { key: '5', ...failed('ANSWER_INVALID') }),
    ).answers;
    expect(answers).toEqual([
      { purpose: 'say', contains: 'first', answer: 'a' },
      { contains: 'second', answer: 'b', turns: 3, exhausted: true },
      { contains: [`s\n\n${'x'.repeat(1_997)}`, 'x'.repeat(2_000)], error: 'busy' },
      { contains: 'p', answer: '' },
    ]);
  });

  it.each([
    [{ exit_code: 0, result: 'out', stdout: 'out', stderr: '' }, { stdout: 'out' }],
    [
      { exit_code: 2, result: 'b\na\n', stdout: 'a\n', stderr: 'b\n' },
      { exit_code: 2, stdout: 'a\n', stderr: 'b\n', output: 'b\na\n' },
    ],
    [
      { exit_code: -1, result: 'error: nope was not found' },
      { exit_code: -1, stderr: 'nope was not found' },
    ],
    [
      { exit_code: -1, result: 'error: command was ended by SIGSEGV\nout', stdout: 'out', signal: 'SIGSEGV' },
      { signal: 'SIGSEGV', stdout: 'out' },
    ],
    [{ exit_code: -1, result: 'error: command timed out after 30 s', timed_out: true }, { timed_out: true }],
    [{ exit_code: -1, result: 'error: not here', denied: true }, { denied: 'not here' }],
  ])('gives a command its result: %j', (result, given) => {
    expect(scriptOf(effect('command', { argv: ['a', 'b'] }, result)).commands).toEqual([
      { argv: ['a', 'b'], ...given },
    ]);
  });

  it.each([
    [
      effect('command', exec, { text: '{"a":1}', value: { a: 1 }, truncated: false }),
      { stdout: '{"a":1}\n' },
    ],
    [
      effect('command', exec, null, failed('EXEC_FAILED', 'x: it ended with exit code 2: no: such')),
      { exit_code: 2, stderr: 'no: such' },
    ],
    [
      effect('command', exec, null, failed('EXEC_FAILED', 'x: it was ended by SIGKILL')),
      { signal: 'SIGKILL' },
    ],
    [
      effect('command', exec, null, failed('EXEC_TIMEOUT', 'x: it took longer than 3 s: so far')),
      { timed_out: true, stderr: 'so far' },
    ],
    [
      effect('command', exec, null, failed('EXEC_OUTPUT', 'x: it did not print JSON (bad): hello')),
      { stdout: 'hello' },
    ],
    [effect('command', exec, null, failed('EXEC_DENIED', 'x: not here')), { denied: 'not here' }],
  ])('gives an entry point its output, wherever its skill is (%#)', (one, given) => {
    expect(scriptOf(one).commands).toEqual([{ argv: ['python3', '*', 'a'], ...given }]);
  });

  it.each([
    [{ text: '{"n":3}', value: { n: 3 } }, 'ok', { result: { n: 3 } }],
    [{ text: 'three', value: { n: 3 } }, 'ok', { result: { n: 3 }, text: 'three' }],
    [{ text: 'three', value: null }, 'ok', { result: 'three' }],
    [{ code: 'TOOL_FAILED', message: 't: full' }, 'failed', { error: 'full' }],
    [{ code: 'TOOL_TIMEOUT', message: 't: late' }, 'failed', { error: 'late', timed_out: true }],
    [{ code: 'TOOL_DENIED', message: 't: no' }, 'failed', { denied: 'no' }],
  ] as const)('gives a tool its result: %j', (result, state, given) => {
    expect(scriptOf(effect('tool', { tool: 't', args: { a: 1 } }, result, { state })).tools).toEqual([
      { tool: 't', args: { a: 1 }, ...given },
    ]);
  });
});
