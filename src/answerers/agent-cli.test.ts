// Agent programs that the test writes itself: they print what the real ones document.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../test/support/fake-ask-context.ts';
import { createAgentCliAnswerer } from './agent-cli.ts';
import type { AgentProgram } from './detect-answerers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-agent-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says `version`, and otherwise runs `body` with its input in `input`. */
function program(name: AgentProgram, version: string, body: string) {
  const path = join(folder, name);
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs');
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
if (process.argv[2] === '--version') { console.log(${JSON.stringify(version)}); process.exit(0); }
fs.writeFileSync(${JSON.stringify(join(folder, 'argv.json'))}, JSON.stringify(process.argv.slice(2)));
const input = fs.readFileSync(0, 'utf8');
${body}
`,
  );
  chmodSync(path, 0o755);
  return createAgentCliAnswerer({
    program: name,
    path,
    cwd: folder,
    variables: { PATH: process.env['PATH'], AGENT_API_KEY: secret },
  });
}

const secret = 'agent-0123456789';

const claudeResult = `say({ type: 'system', subtype: 'init', session_id: 'x' });
console.log('a notice, no event');
say({ type: 'assistant', message: { content: [{ type: 'text', text: 'Looking. ' }, { type: 'tool_use', name: 'Read' }] } });
say({ type: 'something.new', x: 1 });
say({ type: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } });
say({ type: 'result', subtype: 'success', is_error: false, result: 'Asked: ' + input, num_turns: 3, total_cost_usd: 0.0125, usage: { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 100, output_tokens: 7 } });`;

describe('createAgentCliAnswerer', () => {
  it('asks claude, and reads its stream', async () => {
    const answerer = program('claude', '2.1.154 (Claude Code)', claudeResult);
    const context = fakeAskContext();
    const outcome = await answerer.answer(
      askRequest({ prompt: 'Why?', choices: ['a'], maxTurns: 4 }),
      context,
    );
    const usage = { inputTokens: 115, outputTokens: 7, costMicros: 12_500 };
    expect(outcome).toEqual({
      answer: 'Asked: Why?\n\nAnswer with nothing but one of these:\n- a',
      exhausted: false,
      turns: 3,
      usage,
    });
    expect(JSON.parse(readFileSync(join(folder, 'argv.json'), 'utf8'))).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--max-turns',
      '4',
    ]);
    expect(context.text).toEqual(['Looking. ', 'Done.']);
    expect(
      context.parts.map(({ kind, request, repeatable, usage: counted }) => [
        kind,
        request['agent'],
        repeatable,
        counted,
      ]),
    ).toEqual([['tool', 'claude', false, usage]]);
    expect([answerer.name, answerer.fenced]).toEqual(['agent-cli:claude', false]);
  });

  it('asks codex, and reads its stream', async () => {
    const answerer = program(
      'codex',
      'codex-cli 0.142.0',
      `say({ type: 'thread.started', thread_id: 't' }); say({ type: 'turn.started' });
say({ type: 'error', message: 'reconnecting 1/5' });
say({ type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'hm' } });
say({ type: 'item.completed', item: { id: 'i1', type: 'agent_message', text: 'Asked: ' + input } });
say({ type: 'turn.completed', usage: { input_tokens: 20, cached_input_tokens: 5, output_tokens: 9 } });`,
    );
    expect(await answerer.answer(askRequest({ prompt: 'Why?' }), fakeAskContext())).toEqual({
      answer: 'Asked: Why?',
      exhausted: false,
      turns: 1,
      usage: { inputTokens: 20, outputTokens: 9, costMicros: 0 },
    });
    const argv = (): unknown => JSON.parse(readFileSync(join(folder, 'argv.json'), 'utf8'));
    expect(argv()).toEqual(['exec', '--json', '--skip-git-repo-check', '-']);
    mkdirSync(join(folder, '.git'));
    await answerer.answer(askRequest({ prompt: 'Why?' }), fakeAskContext());
    expect(argv()).toEqual(['exec', '--json', '-']);
  });

  it('gives what is recorded without starting anything', async () => {
    const first = fakeAskContext();
    const outcome = await program('claude', '2.0.0', claudeResult).answer(askRequest(), first);
    rmSync(folder, { recursive: true });
    expect(
      await createAgentCliAnswerer({
        program: 'claude',
        path: '/nowhere/claude',
        cwd: '/',
        variables: {},
      }).answer(askRequest(), fakeAskContext({ before: first.parts })),
    ).toEqual(outcome);
  });

  it('takes the last text of a claude that ran out of turns', async () => {
    const answerer = program(
      'claude',
      '1.0.3',
      `say({ type: 'assistant', message: { content: [{ type: 'text', text: 'So far.' }] } }); say({ type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 4, usage: {} });`,
    );
    expect(await answerer.answer(askRequest(), fakeAskContext())).toMatchObject({
      answer: 'So far.',
      exhausted: true,
      turns: 4,
    });
  });

  it.each([
    ['claude', '3.0.0', '', 'claude 3.0.0 is a version that techne does not know (it knows 1.x, 2.x)'],
    ['claude', 'hello', '', 'claude does not say which version it is (exit code 0): hello'],
    [
      'claude',
      '2.1.0',
      "console.error('please log in'); process.exit(1)",
      'claude gave no answer (exit code 1): please log in',
    ],
    [
      'claude',
      '2.1.0',
      "say({ type: 'result', subtype: 'success', is_error: true, result: 'credit balance too low' })",
      'claude failed: credit balance too low',
    ],
    [
      'claude',
      '2.1.0',
      "say({ type: 'result', subtype: 'success', is_error: false, result: ' ' })",
      'claude gave an empty answer (exit code 0)',
    ],
    [
      'codex',
      'codex-cli 0.1.0',
      "say({ type: 'turn.failed', error: { message: 'quota' } })",
      'codex failed: quota',
    ],
    [
      'codex',
      'codex-cli 7.1.0',
      '',
      'codex 7.1.0 is a version that techne does not know (it knows 0.x, 1.x)',
    ],
    [
      'codex',
      'codex-cli 0.1.0',
      "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60000)",
      'codex gave no answer (SIGTERM)',
    ],
  ] as const)('%s %s %j fails: %s', async (name, version, body, message) => {
    await expect(program(name, version, body).answer(askRequest(), fakeAskContext())).rejects.toThrow(
      message,
    );
  });

  it.each([
    [
      'in an event',
      `say({ type: 'result', subtype: 'success', is_error: true, result: 'bad key ' + process.env.AGENT_API_KEY + '\\u001b[31m\\n' + 'x'.repeat(5000) })`,
    ],
    [
      'on standard error',
      `console.error('bad key ' + process.env.AGENT_API_KEY + '\\u001b[31m'); process.exit(1)`,
    ],
  ])('leaves out the key that it was started with %s', async (_where, body) => {
    const { message } = (await program('claude', '2.1.0', body)
      .answer(askRequest(), fakeAskContext())
      .catch((error: unknown) => error)) as Error;
    expect(message).toContain('bad key [key]\\u{1B}[31m');
    expect(message.length).toBeLessThan(600);
  });

  it('says when it cannot be started', async () => {
    const answerer = createAgentCliAnswerer({
      program: 'claude',
      path: join(folder, 'none'),
      cwd: folder,
      variables: {},
    });
    await expect(answerer.answer(askRequest(), fakeAskContext())).rejects.toThrow(
      'cannot be started (ENOENT)',
    );
  });

  it('drops a line that is too long, and reads on', async () => {
    const answerer = program(
      'claude',
      '2.1.0',
      `process.stdout.write('{"type":"user","x":"' + 'x'.repeat(9 * 1024 * 1024) + '"}\\n'); ${claudeResult}`,
    );
    expect(await answerer.answer(askRequest({ prompt: 'q' }), fakeAskContext())).toMatchObject({
      answer: 'Asked: q',
    });
  });

  it('kills the program and what it started when it is aborted', async () => {
    const ready = join(folder, 'pid');
    const answerer = program(
      'claude',
      '2.1.0',
      `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
fs.writeFileSync(${JSON.stringify(`${ready}.tmp`)}, process.pid + ' ' + child.pid); fs.renameSync(${JSON.stringify(`${ready}.tmp`)}, ${JSON.stringify(ready)}); setInterval(() => {}, 1000);`,
    );
    const stop = new AbortController();
    const asking = answerer.answer(askRequest(), fakeAskContext({ signal: stop.signal }));
    asking.catch(() => undefined);
    while (!existsSync(ready)) await sleep(10);
    const pids = readFileSync(ready, 'utf8').split(' ').map(Number);
    stop.abort();
    await expect(asking).rejects.toThrow('stopped');
    // A process that was killed stays a moment, until its new parent has looked at it.
    const deadline = performance.now() + 10_000;
    while (pids.some(isRunning) && performance.now() < deadline) await sleep(10);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
