// Everything a run needs, in memory: a world that counts what was done to it, a clock that is moved by hand, and
// answers and commands that a test writes down.
import type { Abort } from '../../src/base/abort.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { nodeSha256 } from '../../src/node/environment.ts';
import type { Answerer, AskContext, AskOutcome, AskRequest } from '../../src/ports/answerer.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import type {
  Approval,
  CommandCall,
  CommandCaller,
  CommandHost,
  CommandVerdict,
} from '../../src/ports/command-host.ts';
import type { Ids } from '../../src/ports/ids.ts';
import type { RunClock } from '../../src/ports/run-clock.ts';
import type { CommandOutcome } from '../../src/ports/shell.ts';
import type { InputFact, SkillSource, SkillToRun } from '../../src/ports/skill-source.ts';
import type { MemoryRuns, MemoryRunStore } from '../../src/journal/memory-run-store.ts';
import { createMemoryRuns, createMemoryRunStore } from '../../src/journal/memory-run-store.ts';
import type { RunStore } from '../../src/ports/run-store.ts';
import { createMemoryBlobs } from '../../src/ports/memory-blobs.ts';
import type { RunEvent } from '../../src/run/events.ts';
import type { Runner, RunnerOptions } from '../../src/run/runner.ts';
import { createRunner } from '../../src/run/create-runner.ts';

export class FakeClock implements RunClock {
  ms = 1_000_000;
  readonly #timers = new Set<{ readonly at: number; readonly task: () => void }>();

  nowMs(): number {
    return this.ms;
  }

  monotonicMs(): number {
    return this.ms;
  }

  after(ms: number, task: () => void): { cancel(): void } {
    const timer = { at: this.ms + ms, task };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  yieldTurn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  pass(ms: number): void {
    this.ms += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.ms) continue;
      this.#timers.delete(timer);
      timer.task();
    }
  }

  get waiting(): number {
    return this.#timers.size;
  }
}

export function fakeIds(): Ids {
  let made = 0;
  return { ulid: () => `01${String((made += 1)).padStart(24, '0')}`, nonce: () => `nonce-${(made += 1)}` };
}

export const succeeded: CommandOutcome = {
  started: true,
  fault: null,
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  stdout: '',
  stderr: '',
  combined: '',
  truncated: false,
  durationMs: 1,
};

export function printed(text: string, exitCode = 0): CommandOutcome {
  return { ...succeeded, exitCode, stdout: text, combined: text };
}

type OnCommand = (
  call: CommandCall,
  context: { readonly signal: Abort; readonly key: string },
) => Partial<CommandOutcome> | Promise<Partial<CommandOutcome>>;
type OnJudge = (
  call: CommandCall,
  caller: CommandCaller,
  approval: Approval | null,
) => CommandVerdict | Promise<CommandVerdict>;

/** Commands that do what the test says; `done` is what happened to the world. */
export class FakeCommands implements CommandHost {
  readonly done: string[] = [];
  readonly callers: CommandCaller[] = [];
  /** What was approved, where an operator was asked. */
  readonly terms: string[] = [];
  readonly attempts: number[] = [];
  onCommand: OnCommand = () => ({});
  onJudge: OnJudge = () => ({ kind: 'allow' });

  async judge(call: CommandCall, caller: CommandCaller, approval: Approval | null): Promise<CommandVerdict> {
    return this.onJudge(call, caller, approval);
  }

  async run(
    call: CommandCall,
    caller: CommandCaller,
    {
      signal,
      terms,
      attempt = 1,
    }: { readonly signal: Abort; readonly terms?: string; readonly attempt?: number },
  ): Promise<CommandOutcome> {
    this.done.push(call.argv.join(' '));
    this.attempts.push(attempt);
    if (terms !== undefined) this.terms.push(terms);
    this.callers.push(caller);
    return { ...succeeded, ...(await this.onCommand(call, { signal, key: caller.key })) };
  }
}

type OnAsk = (
  request: AskRequest,
  context: AskContext,
) => string | Partial<AskOutcome> | Promise<string | Partial<AskOutcome>>;

export class FakeAnswerer implements Answerer {
  readonly name: string;
  readonly description = 'a test';
  readonly fenced = true;
  readonly asked: AskRequest[] = [];
  onAsk: OnAsk = () => 'answer';

  constructor(name = 'script') {
    this.name = name;
  }

  async answer(request: AskRequest, context: AskContext): Promise<AskOutcome> {
    this.asked.push(request);
    const given = await this.onAsk(request, context);
    const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
    return typeof given === 'string'
      ? { answer: given, exhausted: false, turns: 1, usage }
      : { answer: '', exhausted: false, turns: 1, usage, ...given };
  }
}

export interface FakeSkill {
  readonly program: string;
  readonly inputs?: readonly InputFact[];
  readonly typed?: boolean;
  readonly instructions?: string;
  readonly runnable?: SkillToRun['runnable'];
  readonly form?: SkillToRun['form'];
  readonly allowedTools?: readonly string[];
  /** Why runs of it may not go on. Default: they may. */
  readonly stopped?: SkillToRun['runnable'];
}

export function fakeSkills(skills: { readonly [name: string]: FakeSkill }): SkillSource {
  return {
    names: () => Object.keys(skills),
    mayContinue: async ({ name }) => skills[name]?.stopped ?? { ok: true, reasons: [] },
    async find(name) {
      const skill = Object.hasOwn(skills, name) ? skills[name] : undefined;
      if (skill === undefined) return null;
      const files = new Map([
        ['SKILL.md', new TextEncoder().encode(`# ${name}\n`)],
        ['SKILL.star', new TextEncoder().encode(skill.program)],
      ]);
      return {
        name,
        description: `The skill ${name}.`,
        form: skill.form ?? 'program',
        digest: `sha256:${nodeSha256(skill.program)}`,
        folder: `/skills/${name}`,
        runnable: skill.runnable ?? { ok: true, reasons: [] },
        instructions: skill.instructions ?? 'Do it.',
        inputs: skill.inputs ?? null,
        inputsAreTyped: skill.typed ?? false,
        program: 'SKILL.star',
        files,
        scopes: skill.allowedTools === undefined ? [] : [{ allowed: skill.allowedTools, disallowed: [] }],
        model: null,
      };
    },
  };
}

export interface FakeRunHost {
  readonly runs: MemoryRuns;
  readonly store: MemoryRunStore;
  readonly blobs: Blobs;
  readonly clock: FakeClock;
  readonly commands: FakeCommands;
  readonly answerer: FakeAnswerer;
  readonly events: RunEvent[];
  readonly options: RunnerOptions;
  readonly runner: Runner;
  /** Runs a program once with an input. */
  run(program: string, input?: JsonObject): ReturnType<Runner['start']>;
}

export interface FakeRunHostOptions extends Partial<RunnerOptions> {
  readonly programs?: { readonly [name: string]: FakeSkill | string };
  /** What another host left behind. */
  readonly after?: FakeRunHost;
  /** Around the memory store. */
  readonly wrapStore?: (store: RunStore) => RunStore;
}

export function fakeRunHost(given: FakeRunHostOptions = {}): FakeRunHost {
  const { programs = {}, after, wrapStore = (store) => store, ...more } = given;
  const clock = after?.clock ?? new FakeClock();
  const runs = after?.runs ?? createMemoryRuns();
  const store = createMemoryRunStore({ runs, nowMs: () => clock.ms });
  const blobs = after?.blobs ?? createMemoryBlobs(nodeSha256);
  const commands = after?.commands ?? new FakeCommands();
  const answerer = after?.answerer ?? new FakeAnswerer();
  const events: RunEvent[] = [];
  const skills: { [name: string]: FakeSkill } = {};
  for (const [name, skill] of Object.entries(programs))
    skills[name] = typeof skill === 'string' ? { program: skill } : skill;
  const options: RunnerOptions = {
    store: wrapStore(store),
    blobs,
    clock,
    ids: after?.options.ids ?? fakeIds(),
    sha256: nodeSha256,
    answerers: [answerer],
    commands,
    skills: fakeSkills(skills),
    onEvent: (event) => events.push(event),
    ...more,
  };
  const runner = createRunner(options);
  return {
    runs,
    store,
    blobs,
    clock,
    commands,
    answerer,
    events,
    options,
    runner,
    run(program, input = { go: true }) {
      skills['one'] = { program };
      return runner.start({ skill: 'one', input });
    },
  };
}

/** Lets promises and immediates run. */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
