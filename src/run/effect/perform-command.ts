// A `command` of the program, or of a nested agent -> policy, approval, shell -> the dict that the program gets (S0
// §7).
//
// Nothing is journaled before the policy allows the command; a question to the operator comes before the start. `ok`
// means: allowed, started, not timed out, exit code 0. Nothing is guessed from text. Failures of the host are `error:
// …` in `result`, followed by what the command printed.
//
// An entry point (a request with `parse`) runs as the skill it belongs to, with its environment and files. Its output
// is the outcome; another exit code than 0, or output that is not what it promises, is a failure with what it printed,
// short and without secrets. A command that is stopped with its run fails as CANCELLED, without a result: a fork
// performs it again, and no program continues with a signal that techne sent.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { CommandCall, CommandCaller, CommandVerdict } from '../../ports/command-host.ts';
import type { CommandOutcome } from '../../ports/shell.ts';
import type { ToolScope } from '../../ports/tool.ts';
import { fileCall, scopeFault } from '../../skill/tools/tool-scope.ts';
import { scopesFromJson } from '../run-facts.ts';
import { noUsage } from '../budget/budgets.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce } from './effect-context.ts';
import type { RunLimits } from '../budget/limits.ts';
import { approvalQuestion, judgeApproved } from '../question/question.ts';
import { execOutcome } from '../plan/exec-outcome.ts';

export async function performCommand(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.hasExpired(effect.key))
    return failAtOnce(context, effect, 'QUESTION_EXPIRED', 'the question was not answered in time');
  const call = callOf(effect.request, context.limits);
  const { skill, digest, trusted, skillFolder, outermost } = callerOf(effect.request, context.caller);
  const { run } = context;
  // Spelt out: a spread takes more than a microsecond.
  const caller: CommandCaller = { run, key: effect.key, skill, digest, trusted, skillFolder, outermost };
  const scopes = scopesFor(effect.request, context.scopes);
  const questions = context.questionsOf(effect.key);
  let verdict: CommandVerdict;
  let terms: string | null = null;
  try {
    const outside = outsideOf(scopes, call);
    if (outside !== null) verdict = { kind: 'deny', reason: outside };
    // Without a question there is no answer to look for, and no promise to await.
    else if (questions.length === 0) verdict = await context.commands.judge(call, caller, null);
    else
      ({ verdict, terms } = await judgeApproved(
        (approval, by) =>
          context.commands.judge(call, by === null ? caller : { ...caller, approvedBy: by }, approval),
        questions,
        effect.hash,
      ));
  } catch (error) {
    // A policy that cannot be asked allows nothing.
    return failAtOnce(
      context,
      effect,
      'COMMAND_FAULT',
      `command could not be judged: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (verdict.kind === 'approve') {
    if (questions.every(({ answered }) => answered !== null)) {
      await context.putQuestion(
        effect.key,
        'operator',
        approvalQuestion('command', effect.request, verdict, effect.hash, skill),
      );
    }
    return 'waiting';
  }
  const attempt = (context.known(effect.key)?.started.attempt ?? 0) + 1;
  await context.begin(effect, attempt);
  const { parse } = effect.request;
  if (verdict.kind === 'deny')
    return {
      outcome:
        parse === undefined
          ? { ok: true, value: deniedCommand(verdict.reason) }
          : { ok: false, code: 'EXEC_DENIED', message: `${skill}: ${verdict.reason}` },
      ms: 0,
      usage: noUsage,
    };
  const startedMs = context.monotonicMs();
  let outcome: EffectOutcome;
  try {
    const onOutput = (text: string): void => context.onText(caller.key, text);
    const plain = { signal: context.signal, attempt, onOutput };
    const done = await context.commands.run(
      call,
      caller,
      terms === null && call.files === undefined
        ? plain
        : { ...plain, ...(terms === null ? {} : { terms }), mayWrite: writesWithin(scopes) },
    );
    if (parse !== undefined) outcome = execOutcome(skill, done, call, parse, context.limits);
    // A fork performs it again; no program continues with a signal that techne sent.
    else if (done.aborted && context.signal.aborted)
      outcome = { ok: false, code: 'CANCELLED', message: 'command was stopped' };
    else outcome = { ok: true, value: commandValue(done, call, context.limits) };
  } catch (error) {
    outcome = {
      ok: false,
      code: 'COMMAND_FAULT',
      message: `command could not be executed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  return { outcome, ms: Math.max(0, Math.round(context.monotonicMs() - startedMs)), usage: noUsage };
}

/** An entry point runs on behalf of its skill, with no more trust than its caller has. */
function callerOf({ base }: JsonObject, own: EffectContext['caller']): EffectContext['caller'] {
  if (!isJsonObject(base)) return own;
  const { skill, digest, folder, trusted } = base;
  return {
    skill: skill as string,
    digest: digest as string,
    trusted: own.trusted && trusted === true,
    skillFolder: typeof folder === 'string' ? folder : null,
    outermost: own.outermost,
  };
}

/** An entry point is a command of its skill, too. */
function scopesFor({ base }: JsonObject, own: readonly ToolScope[]): readonly ToolScope[] {
  return isJsonObject(base) ? [...own, ...scopesFromJson(base)] : own;
}

/** Why the command, or a file that is written before it, is outside of the boundary. */
function outsideOf(scopes: readonly ToolScope[], { argv, files = [] }: CommandCall): string | null {
  if (scopes.length === 0) return null;
  const outside = scopeFault(scopes, { tool: 'command', argv });
  if (outside !== null) return outside;
  for (const { path } of files) {
    const fault = scopeFault(scopes, fileCall(path));
    if (fault !== null) return `the file ${JSON.stringify(path)} would be written first, and ${fault}`;
  }
  return null;
}

/** The host knows where the path really leads. */
function writesWithin(scopes: readonly ToolScope[]): (path: string) => boolean {
  return (path) => scopeFault(scopes, { tool: 'write_file', path }) === null;
}

/** JSON is of no use when it is cut. */
const maxParsedBytes = 1024 * 1024;

function callOf(request: JsonObject, limits: RunLimits): CommandCall {
  const {
    argv,
    timeout_ms: timeoutMs,
    cwd = null,
    stdin = null,
    parse,
    env,
    pass_env: pass,
    files,
    base,
  } = request;
  const call = {
    argv: argv as readonly string[],
    timeoutMs: timeoutMs as number,
    cwd: cwd as string | null,
    stdin: stdin as string | null,
    // The most that can become so many units.
    maxOutputBytes: parse === undefined || parse === 'text' ? limits.commandUnits * 4 : maxParsedBytes,
  };
  if (parse === undefined && env === undefined) return call;
  return {
    ...call,
    environment: {
      set: (isJsonObject(env) ? env : {}) as { readonly [name: string]: string },
      pass: (Array.isArray(pass) ? pass : []) as readonly string[],
    },
    files: (Array.isArray(files) ? files : []) as unknown as readonly {
      readonly path: string;
      readonly content: string;
    }[],
    ...(isJsonObject(base) && typeof base['content'] === 'string' ? { content: base['content'] } : {}),
  };
}

export function commandValue(
  outcome: CommandOutcome,
  { timeoutMs }: Pick<CommandCall, 'timeoutMs'>,
  { commandUnits }: Pick<RunLimits, 'commandUnits'>,
): JsonObject {
  const { started, exitCode, signal, timedOut, aborted } = outcome;
  const fault = faultOf(outcome, timeoutMs);
  const text =
    fault === null
      ? outcome.combined
      : `error: ${fault}${outcome.combined === '' ? '' : `\n${outcome.combined}`}`;
  const result = cutMiddle(text, commandUnits);
  const stdout = cutMiddle(outcome.stdout, commandUnits);
  const stderr = cutMiddle(outcome.stderr, commandUnits);
  const value: { [key: string]: Json } = {
    ok: started && !timedOut && !aborted && signal === null && exitCode === 0,
    exit_code: exitCode ?? -1,
    result: result.text,
    truncated: outcome.truncated || result.truncated || stdout.truncated || stderr.truncated,
    stdout: stdout.text,
    stderr: stderr.text,
    signal,
    timed_out: timedOut,
    denied: false,
  };
  return value;
}

function faultOf(
  { started, fault, signal, timedOut, aborted }: CommandOutcome,
  timeoutMs: number,
): string | null {
  if (!started) return fault ?? 'the command could not be started';
  if (timedOut) return `command timed out after ${timeoutMs / 1_000} s`;
  if (aborted) return 'command was stopped';
  return signal === null ? null : `command was ended by ${signal}`;
}

/** The dict of a command that was not carried out. */
export function deniedCommand(reason: string): JsonObject {
  return {
    ok: false,
    exit_code: -1,
    result: `error: ${reason}`,
    truncated: false,
    stdout: '',
    stderr: '',
    signal: null,
    timed_out: false,
    denied: true,
  };
}

/** A person's decision about a command with an unknown outcome. */
export function decidedCommand(value: Json): JsonObject {
  const given =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  const result = typeof value === 'string' ? value : '';
  return {
    ok: true,
    exit_code: 0,
    result,
    truncated: false,
    stdout: result,
    stderr: '',
    signal: null,
    timed_out: false,
    denied: false,
    ...given,
  };
}
