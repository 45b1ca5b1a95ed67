import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../../test/support/run-cli.ts';
import { createWorld } from '../../test/support/run-cli.ts';
import type { Caller } from './caller.ts';
import { OwnRuns } from '../techne/own-runs.ts';
import type { CallSettings, RunSessions, RunOutcome } from './run-sessions.ts';
import type { McpService } from './service.ts';
import { openServiceOf } from '../../test/support/mcp-service.ts';

const program = (name: string, text: string): { readonly [path: string]: string } => ({
  [`work/.techne/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}.\nmetaskill: SKILL.star\n---\n\nDo it.\n`,
  [`work/.techne/skills/${name}/SKILL.star`]: text,
});
let world: World;
let service: McpService;
let sessions: RunSessions;
const caller: Caller = { own: new OwnRuns(), relaysForms: true, knows: async () => true };
const call = (signal: AbortSignal = new AbortController().signal): CallSettings => ({
  signal,
  onEvent: () => {},
  caller,
});
const nameOf = (outcome: RunOutcome): string =>
  outcome.kind === 'result' ? (outcome.result.run as string) : outcome.run;
const ended = (promise: Promise<RunOutcome>): Promise<string> =>
  promise.then(
    ({ kind }) => kind,
    (error: { readonly message: string }) => error.message.replace(/[0-9A-Z]{26}/, 'RUN'),
  );

beforeAll(async () => {
  world = createWorld({
    ...program(
      'slow',
      'def run(input):\n    return {"answer": "slept %s" % command(["sleep", "2"])["ok"]}\n',
    ),
    ...program('ask', 'def run(input):\n    return {"answer": ask("q")["answer"]}\n'),
    ...program('fast', 'def run(input):\n    return {"answer": "x"}\n'),
  });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      trust: { folders: [world.workspace] },
      commands: { allow: ['sleep ...'] },
    }),
  });
  const variables = { PATH: process.env['PATH'] };
  service = await openServiceOf(world, { variables, waitMs: 1_500 });
  ({ sessions } = service);
  // Opening what runs need takes a while the first time.
  await sessions.start({ skill: 'fast', input: {} }, call());
});
afterAll(async () => {
  await service.close();
  world.remove();
});

/** A run under way that no call waits for. */
async function underWay(): Promise<string> {
  const outcome = await sessions.start({ skill: 'slow', input: {} }, call());
  expect(outcome.kind).toBe('running');
  return nameOf(outcome);
}

describe('RunSessions', () => {
  it('continues for the other calls when one is cancelled', async () => {
    const run = await underWay();
    const back = new AbortController();
    const [stays, looks, leaves] = [
      sessions.resume(run, call()),
      sessions.look(run, 5_000, call()),
      sessions.resume(run, call(back.signal)),
    ];
    setTimeout(() => back.abort(), 50);
    expect(await Promise.all([stays, looks, leaves].map(ended))).toEqual([
      'result',
      'result',
      'the call was cancelled; run RUN continues for other calls',
    ]);
  });

  it('stops a run when the last call that waits for it is cancelled, and resumes it for the next', async () => {
    const back = new AbortController();
    let run = '';
    const first = sessions.start(
      { skill: 'slow', input: {} },
      {
        ...call(back.signal),
        onEvent: (event) => {
          if (event.type !== 'effect.started') return;
          run = event.run;
          back.abort();
        },
      },
    );
    expect(await ended(first)).toBe(
      'run RUN was stopped when the last call that waited for it was cancelled; it can be resumed',
    );
    expect(await sessions.look(run, 0, call())).toMatchObject({
      kind: 'stopped',
      underWay: ['command sleep 2'],
    });
    expect(await sessions.resume(run, call())).toMatchObject({
      kind: 'result',
      result: { status: 'needs_decision' },
    });
  });

  it('lets no one stop a run by looking at it', async () => {
    const run = await underWay();
    const back = new AbortController();
    const looks = sessions.look(run, 5_000, call(back.signal));
    setTimeout(() => back.abort(), 20);
    expect(await ended(looks)).toBe('the call was cancelled; run RUN continues for other calls');
    expect(await sessions.resume(run, call())).toMatchObject({
      kind: 'result',
      result: { status: 'completed' },
    });
  });

  it('lists what is unfinished, however long ago it was started', async () => {
    const run = nameOf(await sessions.start({ skill: 'ask', input: {} }, call()));
    for (let at = 0; at < 201; at += 1) await sessions.start({ skill: 'fast', input: {} }, call());
    expect((await sessions.list(caller)).runs.map((one) => one.run)).toContain(run);
  }, 60_000);

  it('keeps runs of skills that are not open to the model from callers that did not start them', async () => {
    const run = nameOf(await sessions.start({ skill: 'ask', input: {} }, call()));
    const outsider = {
      ...call(),
      caller: { own: new OwnRuns(), relaysForms: true, knows: async (skill: string) => skill !== 'ask' },
    };
    for (const act of [
      () => sessions.look(run, 0, outsider),
      () => sessions.resume(run, outsider),
      () => sessions.cancel(run, 'no', outsider),
      () => sessions.decide(run, run, { key: '1', as: 'done', value: null }, outsider),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    expect((await sessions.list(outsider.caller)).runs.map((one) => one.run)).not.toContain(run);
    expect(
      await sessions.look(run, 0, { ...outsider, caller: { ...outsider.caller, own: caller.own } }),
    ).toMatchObject({ kind: 'result', result: { status: 'paused' } });
  });
});
