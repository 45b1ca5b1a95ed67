// A `tool` of a plan, or of a nested agent -> policy, approval, the tool -> its output.
//
// Nothing is journaled before the policy allows the call; a question to the operator comes before the start, and the
// approval is for exactly this call. A failing tool fails the effect: TOOL_FAILED, TOOL_TIMEOUT, TOOL_DENIED,
// TOOL_UNKNOWN; a host that cannot judge or call it is TOOL_FAULT. A call without an end is repeated only if the
// author or the tool declares that it may be. Otherwise a call that may have been performed although it failed (it
// took too long, its server went away) is TOOL_UNCERTAIN. Text and value are bounded; a cut is marked.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { splitCommandLine } from '../../base/split-command-line.ts';
import type { CommandCaller, CommandVerdict } from '../../ports/command-host.ts';
import type { ScopedCall, ToolScope } from '../../ports/tool.ts';
import { scopeFault } from '../../skill/tools/tool-scope.ts';
import type { ToolCall, HostTool, ToolHost, ToolOutcome } from '../../ports/tool-host.ts';
import { noUsage } from '../budget/budgets.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce } from './effect-context.ts';
import type { RunLimits } from '../budget/limits.ts';
import { approvalQuestion, judgeApproved } from '../question/question.ts';
import type { OpenQuestion } from '../question/question.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

export async function performTool(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.hasExpired(effect.key))
    return failAtOnce(context, effect, 'QUESTION_EXPIRED', 'the question was not answered in time');
  const call = callOf(effect.request, context.limits);
  const { skill, digest, trusted, skillFolder, outermost } = context.caller;
  const { run } = context;
  const caller: CommandCaller = { run, key: effect.key, skill, digest, trusted, skillFolder, outermost };
  const questions = context.questionsOf(effect.key);
  let fact: HostTool | null;
  let verdict: CommandVerdict;
  let terms: string | null = null;
  try {
    fact = await context.tools.find(call.tool);
    if (fact === null)
      return await failAtOnce(context, effect, 'TOOL_UNKNOWN', await unknownTool(context.tools, call.tool));
    const faults = checkSchema(fact.parameters, call.args, 'the call');
    if (faults.length > 0)
      return await failAtOnce(context, effect, 'TOOL_FAILED', `${call.tool}: ${faults.join('; ')}`);
    const outside = scopeFault(context.scopes, scopedCall(fact.name, call.args));
    if (outside !== null) verdict = { kind: 'deny', reason: outside };
    // Without a question there is no answer to look for, and no promise to await.
    else if (questions.length === 0) verdict = await context.tools.judge(call, caller, null);
    else ({ verdict, terms } = await judgeAnswered(context.tools, call, caller, questions, effect.hash));
  } catch (error) {
    if (context.signal.aborted) throw error;
    // A policy that cannot be asked allows nothing.
    return failAtOnce(
      context,
      effect,
      'TOOL_FAULT',
      `the tool ${call.tool} could not be judged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (verdict.kind === 'approve') {
    if (questions.every(({ answered }) => answered !== null))
      await context.putQuestion(
        effect.key,
        'operator',
        approvalQuestion('tool', effect.request, verdict, effect.hash, skill),
      );
    return 'waiting';
  }
  const mayRepeat = fact.repeatable || effect.repeatable;
  await context.begin(
    mayRepeat && !effect.repeatable ? asRepeatable(effect) : effect,
    (context.known(effect.key)?.started.attempt ?? 0) + 1,
  );
  if (verdict.kind === 'deny')
    return {
      outcome: { ok: false, code: 'TOOL_DENIED', message: `${call.tool}: ${verdict.reason}` },
      ms: 0,
      usage: noUsage,
    };
  const startedMs = context.monotonicMs();
  let outcome: EffectOutcome;
  try {
    outcome = outcomeOf(
      call,
      await context.tools.call(call, caller, {
        signal: context.signal,
        ...(terms === null ? {} : { terms }),
        ...(context.scopes.length === 0 ? {} : { mayTouch: touchesWithin(context.scopes, fact.name) }),
      }),
      context.limits,
      mayRepeat,
    );
    // The call was stopped with the run: that is not a fault of the tool.
    if (!outcome.ok && context.signal.aborted)
      outcome = {
        ok: false,
        code: 'CANCELLED',
        message: `${call.tool}: stopped before it ended${mayRepeat ? '' : ` (${unknownOutcome})`}`,
      };
  } catch (error) {
    outcome = {
      ok: false,
      code: 'TOOL_FAULT',
      message: `the tool ${call.tool} could not be called: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  return { outcome, ms: Math.max(0, Math.round(context.monotonicMs() - startedMs)), usage: noUsage };
}

/** A command that cannot be split is refused by its tool. */
function scopedCall(tool: string, { command }: JsonObject): ScopedCall {
  if (tool !== 'exec_command') return { tool };
  const words = typeof command === 'string' ? splitCommandLine(command) : command;
  return Array.isArray(words) ? { tool, argv: words as readonly string[] } : { tool };
}

function touchesWithin(scopes: readonly ToolScope[], tool: string): (path: string) => boolean {
  return (path) => scopeFault(scopes, { tool, path }) === null;
}

/** Apart from `performTool`, which would keep its variables in a context for this closure. */
function judgeAnswered(
  tools: ToolHost,
  call: ToolCall,
  caller: CommandCaller,
  questions: readonly OpenQuestion[],
  hash: string,
): ReturnType<typeof judgeApproved> {
  return judgeApproved(
    (approval, by) => tools.judge(call, by === null ? caller : { ...caller, approvedBy: by }, approval),
    questions,
    hash,
  );
}

/** Spelt out: a spread takes more than a microsecond. */
function asRepeatable({ key, kind, hash, request, text, timeoutMs, ordinal }: Attempted): Attempted {
  return { key, kind, hash, request, text, repeatable: true, timeoutMs, ordinal };
}

function callOf({ tool, args, timeout_ms: timeoutMs }: JsonObject, limits: RunLimits): ToolCall {
  const wanted = typeof timeoutMs === 'number' && timeoutMs > 0 ? timeoutMs : limits.commandTimeoutMs;
  return {
    tool: tool as string,
    args: isJsonObject(args) ? args : {},
    timeoutMs: Math.min(wanted, limits.wallMs),
  };
}

function outcomeOf(
  { tool, timeoutMs }: ToolCall,
  outcome: ToolOutcome,
  { commandUnits }: RunLimits,
  mayRepeat: boolean,
): EffectOutcome {
  if (!outcome.ok) {
    const { message, timedOut, isUncertain = timedOut } = outcome;
    const { text } = cutMiddle(
      message === '' && timedOut ? `it took longer than ${timeoutMs / 1_000} s` : message,
      2_000,
    );
    if (isUncertain && !mayRepeat)
      return { ok: false, code: 'TOOL_UNCERTAIN', message: `${tool}: ${text} (${unknownOutcome})` };
    return { ok: false, code: timedOut ? 'TOOL_TIMEOUT' : 'TOOL_FAILED', message: `${tool}: ${text}` };
  }
  const { text, truncated } = cutMiddle(outcome.text, commandUnits);
  const isWhole = outcome.value === null || JSON.stringify(outcome.value).length <= commandUnits;
  const value: Json = isWhole ? outcome.value : null;
  return { ok: true, value: { text, value, truncated: truncated || !isWhole } };
}

/** Why it is not tried again. */
export const unknownOutcome = 'it may have been performed anyway';

/** A person's decision about a call with an unknown outcome. */
export function decidedTool(value: Json): JsonObject {
  if (isJsonObject(value) && typeof value['text'] === 'string')
    return { value: null, truncated: false, ...value };
  return {
    text: typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value),
    value: typeof value === 'string' ? null : value,
    truncated: false,
  };
}

async function unknownTool(tools: ToolHost, name: string): Promise<string> {
  const { tools: known, faults } = await tools.list();
  const same = known.filter((tool) => tool.name.endsWith(`__${name}`)).map((tool) => tool.name);
  if (same.length > 1) return `"${name}" could be ${same.join(' or ')}; write which`;
  const meant = nearest(
    name,
    known.map((tool) => tool.name),
  );
  const down = faults
    .map(({ server, message }) => `; the server "${server}" is not there: ${message}`)
    .join('');
  return `there is no tool "${name}"${meant === null ? '' : `; did you mean "${meant}"?`}${down}`;
}

export const noTools: ToolHost = {
  list: async () => ({ tools: [], faults: [] }),
  find: async () => null,
  judge: async () => ({ kind: 'deny', reason: 'this host has no tools' }),
  call: async () => ({ ok: false, message: 'this host has no tools', timedOut: false }),
  close: async () => undefined,
};
