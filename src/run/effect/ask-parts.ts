// The parts of an ask: model turns, tools, commands and nested runs, each with entries of its own.
//
// Keys follow the order of the calls: `3/1`, `3/2` … On resume the ask is entered again, and its parts answer from the
// journal, failures included. A part with an unknown outcome, a command that needs an approval and a nested run that
// waits make the ask wait, whatever the answerer does with that error; other parts may finish. Only tools that the ask
// names are called, whatever an answerer offers to a model. A command, a tool that counts as one (budgets.ts) or a
// nested run over the budget is an error in its result, and the agent continues.
import type { Json, JsonObject } from '../../base/json.ts';
import type { AskContext, NestedCommand, Usage } from '../../ports/answerer.ts';
import { outcomeOf } from '../../journal/run-state.ts';
import type { ToolFence } from '../../skill/tools/tool-fence.ts';
import { allowsCommand, allowsHostTool, allowsTool, parseFence } from '../../skill/tools/tool-fence.ts';
import { scopeFault } from '../../skill/tools/tool-scope.ts';
import type { ScopedCall, ToolScope } from '../../ports/tool.ts';
import { AbortSource } from '../../base/abort.ts';
import { noUsage, addUsage, usageFromJson, usedFromJson } from '../budget/budgets.ts';
import { ToolFault } from '../../ports/tool.ts';
import { ceilingFault } from './capability-ceiling.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { attempt, DetachSignal, mustBeSame, Stopping } from './effect-context.ts';
import { failureOf } from './effect-journal.ts';
import { argvFault, commandRequest } from '../program/host-arguments.ts';
import { nestedRunName } from '../nested-run.ts';
import { deniedCommand, performCommand } from './perform-command.ts';
import { performTool } from './perform-tool.ts';

/** A part that failed; the same when it is answered from the journal. */
export class PartFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'PartFailed';
    this.code = code;
  }
}

/** What ended the ask, whatever the answerer does with it. An error detaches the run. */
type PartsStopped = 'waiting' | { readonly code: string; readonly message: string } | Error;

export class AskParts {
  readonly #ask: Attempted;
  readonly #tools: readonly string[] | null;
  readonly #fence: ToolFence | null;
  /** Of the run, and of the skill of this ask. */
  readonly #scopes: readonly ToolScope[];
  readonly #abort: AbortSource;
  readonly #runContext: EffectContext;
  #ownContext: EffectContext | null = null;
  readonly #underWay = new Set<Promise<unknown>>();
  #made = 0;
  #turns = 0;
  #usage: Usage = noUsage;
  #stopped: PartsStopped | null = null;
  /** More than these are refused. */
  turnsAllowed: number;

  /** `tools` are those the ask is fenced to. */
  constructor(context: EffectContext, ask: Attempted, tools: readonly string[] | null, turnsAllowed: number) {
    this.#ask = ask;
    this.#tools = tools;
    this.#fence = parseFence(tools);
    const { disallowed_tools: disallowed } = ask.request;
    this.#scopes = Array.isArray(disallowed)
      ? [...context.scopes, { allowed: null, disallowed: disallowed as readonly string[] }]
      : context.scopes;
    this.turnsAllowed = turnsAllowed;
    this.#abort = new AbortSource(context.signal);
    this.#runContext = context;
  }

  /** That of the run, but for what stops with the ask. Many asks have no parts and need none. */
  get #context(): EffectContext {
    const context = this.#runContext;
    const { signal } = this.#abort;
    this.#ownContext ??= {
      ...context,
      signal,
      begin: (effect, number) =>
        signal.aborted ? Promise.reject(new Stopping()) : context.begin(effect, number),
    };
    return this.#ownContext;
  }

  close(): void {
    this.#abort.close();
  }

  get stopped(): PartsStopped | null {
    return this.#stopped;
  }

  get turns(): number {
    return this.#turns;
  }

  /** What the parts have used; a nested run is not part of what the answerer counts. */
  get usage(): Usage {
    return this.#usage;
  }

  context(retry: number): AskContext {
    const { key, ordinal } = this.#ask;
    return {
      signal: this.#abort.signal,
      run: this.#runContext.run,
      outermost: this.#runContext.caller.outermost ?? this.#runContext.run,
      key,
      ordinal,
      retry,
      child: (kind, request, repeatable, perform) => this.#child(kind, request, repeatable, perform),
      command: (call) => this.#command(call),
      runSkill: (name, input) => this.#runSkill(name, input),
      tool: (call) => this.#tool(call),
      refusal: (call) => this.#refusal(call),
      runsCompositions: !this.#runContext.inComposition,
      onText: (text) => this.#runContext.onText(key, text),
      onLoaded: (loaded) => this.#runContext.onLoaded(key, loaded),
    };
  }

  /** Waits for the parts of an answerer that stopped, so that nothing happens later. */
  async settle(): Promise<void> {
    if (this.#underWay.size === 0) return;
    if (this.#stopped !== 'waiting') this.#abort.abort(new Stopping());
    await Promise.allSettled(this.#underWay);
  }

  #child(
    kind: string,
    request: JsonObject,
    repeatable: boolean,
    perform: () => Promise<{ value: Json; usage?: Usage }>,
  ): Promise<Json> {
    if (kind === 'tool') {
      const over = ceilingFault(this.#runContext.ceilings, 'tool', request, false);
      if (over !== null) return Promise.reject(new PartFailed('CAPABILITY_DENIED', over));
      const outside = scopeFault(this.#scopes, { tool: request['tool'] as string });
      if (outside !== null) return Promise.reject(new PartFailed('TOOL_DENIED', outside));
    }
    const work = async (part: Attempted): Promise<Performed> => {
      await this.#context.begin(part, (this.#context.known(part.key)?.started.attempt ?? 0) + 1);
      const startedMs = this.#context.monotonicMs();
      try {
        const { value, usage = noUsage } = await perform();
        return { outcome: { ok: true, value }, ms: this.#since(startedMs), usage: usageFromJson(usage) };
      } catch (error) {
        const { code, message } = asFailure(error, this.#context.signal.aborted);
        return { outcome: { ok: false, code, message }, ms: this.#since(startedMs), usage: noUsage };
      }
    };
    return this.#part(this.#nextKey(), kind, request, repeatable, work);
  }

  #command({ argv, timeoutMs, cwd, stdin }: NestedCommand): Promise<JsonObject> {
    const fault =
      argvFault(argv) ??
      this.#fenceFault('command', allowsCommand(this.#fence, argv)) ??
      scopeFault(this.#scopes, { tool: 'command', argv }) ??
      ceilingFault(this.#runContext.ceilings, 'command', {}, false);
    if (fault !== null) return Promise.resolve(deniedCommand(fault));
    const request = commandRequest(
      { argv, timeoutMs: timeoutMs ?? null, cwd: cwd ?? null, stdin: stdin ?? null },
      this.#context.limits,
    );
    const performed = this.#part(this.#nextKey(), 'command', request, false, (part) =>
      performCommand(this.#context, part),
    ) as Promise<JsonObject>;
    return performed.catch((error: unknown) => {
      if (error instanceof PartFailed && error.code === 'COMMAND_BUDGET') return deniedCommand(error.message);
      // The ask is stopped, and its answerer may no longer handle a failure.
      if (error instanceof PartFailed && error.code === 'CANCELLED')
        return { ...deniedCommand(error.message), denied: false };
      throw error;
    });
  }

  async #tool({
    tool,
    args,
    timeoutMs,
  }: {
    readonly tool: string;
    readonly args: JsonObject;
    readonly timeoutMs?: number;
  }): Promise<JsonObject> {
    const no = (text: string): JsonObject => ({
      ok: false,
      text: `error: ${text}`,
      value: null,
      truncated: false,
    });
    const { ceilings, tools } = this.#runContext;
    const outside =
      this.#fenceFault(tool, allowsHostTool(this.#tools, tool)) ?? scopeFault(this.#scopes, { tool });
    if (outside !== null) return no(outside);
    // Before anything is awaited: keys follow the order of the calls.
    const key = this.#nextKey();
    const fact = await tools.find(tool).catch(() => null);
    const over =
      ceilings.length === 0 ? null : ceilingFault(ceilings, 'tool', { tool }, fact?.readOnly === true);
    if (over !== null) return no(over);
    const request = { tool, args, timeout_ms: timeoutMs ?? this.#context.limits.commandTimeoutMs };
    try {
      return {
        ok: true,
        ...((await this.#part(key, 'tool', request, fact?.repeatable === true, (part) =>
          performTool(this.#context, part),
        )) as JsonObject),
      };
    } catch (error) {
      // An error that a model can continue with; one that stops the ask is thrown.
      if (error instanceof PartFailed && (error.code.startsWith('TOOL_') || error.code === 'COMMAND_BUDGET'))
        return no(error.message);
      throw error;
    }
  }

  #runSkill(skill: string, input: Json): Promise<string> {
    const fault =
      this.#fenceFault('run_metaskill', allowsTool(this.#fence, 'run_metaskill')) ??
      scopeFault(this.#scopes, { tool: 'run_metaskill' });
    if (fault !== null) return Promise.resolve(`error: ${fault}`);
    const context = this.#context;
    const key = this.#nextKey();
    const run = nestedRunName(context.sha256, context.run, key);
    const work = async (part: Attempted): Promise<Performed> => {
      // Entering it again repeats nothing, so it is not begun again.
      if (context.known(key) === null) await context.begin(part, 1);
      const startedMs = context.monotonicMs();
      const result = await context
        .runNested({ run, key, skill, input, signal: context.signal })
        .catch((error: unknown) => this.#stop(error instanceof Error ? error : new Error(String(error))));
      if (result.status === 'paused' || result.status === 'needs_decision') {
        context.setNested(key, result);
        return 'waiting';
      }
      return {
        outcome: { ok: true, value: result.text },
        ms: this.#since(startedMs),
        usage: usedFromJson(result.usage),
      };
    };
    return this.#part(key, 'skill', { skill, input, run }, true, work).catch((error: unknown) => {
      if (error instanceof PartFailed && error.code === 'RUN_BUDGET') return `error: ${error.message}`;
      throw error;
    }) as Promise<string>;
  }

  #fenceFault(name: string, allowed: boolean): string | null {
    return allowed
      ? null
      : `${name} is not among the tools of this ask (${this.#tools?.join(', ') || 'it has none'})`;
  }

  #refusal({ readOnly, ...call }: ScopedCall & { readonly readOnly: boolean }): string | null {
    const { ceilings } = this.#runContext;
    const outside = scopeFault(this.#scopes, call);
    if (outside !== null || call.tool === 'run_metaskill') return outside;
    return ceilingFault(
      ceilings,
      call.tool === 'command' ? 'command' : 'tool',
      { tool: call.tool },
      readOnly,
    );
  }

  #nextKey(): string {
    this.#made += 1;
    return `${this.#ask.key}/${this.#made}`;
  }

  #part(
    key: string,
    kind: string,
    request: JsonObject,
    repeatable: boolean,
    work: (part: Attempted) => Promise<Performed>,
  ): Promise<Json> {
    const part = attempt(
      this.#context.sha256,
      { key, kind, request, repeatable: repeatable || this.#ask.repeatable },
      0,
    );
    const underWay = this.#carryOut(part, work);
    this.#underWay.add(underWay);
    const forget = (): boolean => this.#underWay.delete(underWay);
    underWay.then(forget, forget);
    return underWay;
  }

  async #carryOut(part: Attempted, work: (part: Attempted) => Promise<Performed>): Promise<Json> {
    const context = this.#context;
    if (part.kind === 'turn') this.#turns += 1;
    if (this.#stopped !== null) throw new Stopping();
    const known = context.known(part.key);
    if (known !== null) {
      this.#sameAsBefore(known, part);
      const recorded = outcomeOf(known);
      if (recorded !== null)
        return this.#give(
          part,
          recorded.ok,
          await context.load(recorded.result),
          usageFromJson(known.ended?.usage ?? {}),
        );
      if (known.decided === null && !part.repeatable && !known.started.repeatable) {
        context.setUndecided(part);
        return this.#stop('waiting');
      }
    }
    if (context.signal.aborted) throw new Stopping();
    const refusal = part.kind === 'turn' ? this.#refuseTurn() : null;
    if (refusal !== null) return this.#stop(refusal);
    this.#mustBeInBudget(part);
    const performed = await work(part);
    if (performed === 'waiting') return this.#stop('waiting');
    const { usage } = performed;
    const outcome = await context.end(part.key, part.kind, performed);
    return this.#give(part, outcome.ok, outcome.ok ? outcome.value : { ...outcome }, usage);
  }

  #give({ kind }: Attempted, ok: boolean, result: Json, usage: Usage): Json {
    if (kind !== 'skill') this.#usage = addUsage(this.#usage, usage);
    if (ok) return result;
    const { code, message } = failureOf(result);
    throw new PartFailed(code, message);
  }

  /** Over the budget: an error in the result, and the agent continues. */
  #mustBeInBudget(part: Attempted): void {
    const context = this.#runContext;
    const counts =
      part.kind === 'command' || part.kind === 'skill' || (part.kind === 'tool' && !part.repeatable);
    if (!counts || context.known(part.key) !== null || context.budgets.has(part.key)) return;
    const refusal = context.budgets.refuse(part.kind, 1);
    if (refusal === null) return context.budgets.count(part.key, part.kind, part.repeatable);
    context.refuse(part, refusal);
    throw new PartFailed(refusal.code, refusal.message);
  }

  #refuseTurn(): { readonly code: string; readonly message: string } | null {
    if (this.#turns > this.turnsAllowed)
      return {
        code: 'TURN_LIMIT',
        message: `ask failed: the answerer took more than ${this.turnsAllowed} turns`,
      };
    return this.#context.budgets.refuseTurn();
  }

  #sameAsBefore(known: Parameters<typeof mustBeSame>[0], part: Attempted): void {
    try {
      mustBeSame(known, part);
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  #stop(why: PartsStopped): never {
    this.#stopped ??= why;
    if (why !== 'waiting') this.#abort.abort(why instanceof Error ? new DetachSignal() : new Stopping());
    throw why instanceof Error ? why : new Stopping();
  }

  #since(startedMs: number): number {
    return Math.max(0, Math.round(this.#context.monotonicMs() - startedMs));
  }
}

/** An error of an answerer or of one of its parts, as the journal keeps it. */
export function asFailure(error: unknown, aborted: boolean): PartFailed {
  if (error instanceof PartFailed) return error;
  if (error instanceof ToolFault)
    return new PartFailed('TOOL_FAILED', cutText(error.text, maxMessageUnits).text);
  if (aborted) return new PartFailed('CANCELLED', 'stopped');
  return new PartFailed(
    'ASK_FAILED',
    cutText(error instanceof Error ? error.message : String(error), maxMessageUnits).text,
  );
}
