// One effect by itself: the parts of a run that it needs, in memory. `log` is what happened, in order.
import { AbortSource } from '../../src/base/abort.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { EffectState } from '../../src/journal/run-state.ts';
import { nodeSha256 } from '../../src/node/environment.ts';
import type { CommandCall } from '../../src/ports/command-host.ts';
import type { ToolOutcome } from '../../src/ports/tool-host.ts';
import { defaultLimits } from '../../src/run/budget/limits.ts';
import type { Attempted, EffectContext, Performed } from '../../src/run/effect/effect-context.ts';
import { attempt } from '../../src/run/effect/effect-context.ts';
import { performEffect } from '../../src/run/effect/perform-effect.ts';
import type { OpenQuestion } from '../../src/run/question/question.ts';
import { FakeAnswerer, FakeClock, FakeCommands } from './fake-run-host.ts';

/** What was put to somebody. */
export interface PutQuestion {
  readonly key: string;
  readonly audience: string;
  readonly body: JsonObject;
  readonly expiry: unknown;
}

export interface EffectScene {
  readonly context: EffectContext;
  readonly log: string[];
  readonly clock: FakeClock;
  readonly commands: FakeCommands;
  readonly answerer: FakeAnswerer;
  readonly abort: AbortSource;
  /** What is known of effects by their keys; a test may add to it. */
  readonly known: Map<string, EffectState>;
  /** Of the effect itself, not of its parts. */
  readonly questions: OpenQuestion[];
  readonly put: PutQuestion[];
  readonly calls: CommandCall[];
  /** What a tool gives. */
  toolOutcome: ToolOutcome;
  attempted(this: void, kind: string, request: JsonObject, more?: Partial<Attempted>): Attempted;
  perform(this: void, kind: string, request: JsonObject, timeoutMs?: number | null): Promise<Performed>;
}

export function effectScene(more: Partial<EffectContext> = {}): EffectScene {
  const log: string[] = [];
  const clock = new FakeClock();
  const commands = new FakeCommands();
  const answerer = new FakeAnswerer();
  const abort = new AbortSource();
  const known = new Map<string, EffectState>();
  const questions: OpenQuestion[] = [];
  const put: PutQuestion[] = [];
  const calls: CommandCall[] = [];
  const judge = commands.judge.bind(commands);
  commands.judge = (call, caller, approval) => {
    calls.push(call);
    return judge(call, caller, approval);
  };
  const context = {
    run: 'R',
    caller: { skill: 'one', digest: 'd', trusted: true, skillFolder: null },
    limits: { ...defaultLimits, commandUnits: 100 },
    signal: abort.signal,
    ceilings: [],
    scopes: [],
    inComposition: false,
    model: null,
    artifacts: null,
    sha256: nodeSha256,
    budgets: {
      refuse: () => null,
      refuseTurn: () => null,
      has: () => false,
      count: () => undefined,
    },
    commands,
    answerer,
    tools: {
      list: async () => ({ tools: [], faults: [] }),
      find: async () => ({ name: 't', parameters: { type: 'object' }, readOnly: false, repeatable: true }),
      judge: async () => {
        log.push('judged');
        return { kind: 'allow' };
      },
      call: async () => {
        log.push('called');
        return scene.toolOutcome;
      },
    },
    nowMs: () => clock.ms,
    monotonicMs: () => clock.ms,
    after: (ms: number, task: () => void) => {
      log.push(`timer of ${ms} ms`);
      return clock.after(ms, task);
    },
    known: (key: string) => known.get(key) ?? null,
    load: (stored: { readonly value: Json }) => stored.value,
    begin: async ({ key }: Attempted, number: number) =>
      void log.push(
        key === '1' && number === 1 ? 'begun' : `begun ${key}${number === 1 ? '' : ` as ${number}`}`,
      ),
    end: async (key: string, _kind: string, performed: Exclude<Performed, 'waiting'>) => {
      log.push(`ended ${key}`);
      return performed.outcome;
    },
    refuse: ({ key }: Attempted) => void log.push(`refused ${key}`),
    questionsOf: (key: string) => (key === '1' ? questions : []),
    putQuestion: async (key: string, audience: string, body: JsonObject, expiry: unknown) =>
      void put.push({ key, audience, body, expiry }),
    hasExpired: () => false,
    setUndecided: ({ key }: Attempted) => void log.push(`undecided ${key}`),
    setNested: (key: string) => void log.push(`nested waits ${key}`),
    onText: () => undefined,
    onLoaded: () => undefined,
    runNested: async () => {
      log.push('nested');
      throw new Error('no runs here');
    },
    ...more,
  } as unknown as EffectContext;
  const scene: EffectScene = {
    context,
    log,
    clock,
    commands,
    answerer,
    abort,
    known,
    questions,
    put,
    calls,
    toolOutcome: { ok: true, text: '', value: null },
    attempted: (kind, request, parts = {}) => ({
      ...attempt(nodeSha256, { key: '1', kind, request, repeatable: false }, 0),
      ...parts,
    }),
    perform: (kind, request, timeoutMs = null) =>
      performEffect(context, scene.attempted(kind, request, { timeoutMs })),
  };
  return scene;
}

/** An effect that was started: that, and no more, is known of it. */
export function startedEffect(
  key: string,
  more: Partial<EffectState['started']> = {},
  rest: Partial<EffectState> = {},
): EffectState {
  return {
    key,
    started: {
      type: 'effect.started',
      at: 1_000_000,
      key,
      kind: 'command',
      hash: '',
      request: { value: {} },
      repeatable: false,
      attempt: 1,
      usedMs: 0,
      ...more,
    },
    ended: null,
    decided: null,
    ...rest,
  };
}

/** A question that was put, and its answer if there is one. */
export function openQuestion(body: JsonObject, value?: Json, more: Partial<OpenQuestion> = {}): OpenQuestion {
  const asked = { id: 'Q', nonce: 'n', key: '1', expiresAt: null } as unknown as OpenQuestion['asked'];
  return {
    asked,
    body,
    answered: value === undefined ? null : ({} as unknown as OpenQuestion['answered']),
    value: value ?? null,
    used: false,
    ...more,
  };
}

/** The value, or the code of the failure. */
export function valueOf(performed: Performed): unknown {
  if (performed === 'waiting') return performed;
  return performed.outcome.ok ? performed.outcome.value : performed.outcome.code;
}
