// An effect -> the function that performs its kind, within its time and under the ceiling of the run.
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce, Stopping } from './effect-context.ts';
import { isAsk, isReentered } from './effect.ts';
import { ceilingFault } from './capability-ceiling.ts';
import { performAsk } from './perform-ask.ts';
import { performCommand } from './perform-command.ts';
import { performSkill } from './perform-skill.ts';
import { performTool, unknownOutcome } from './perform-tool.ts';
import { noUsage } from '../budget/budgets.ts';
import { AbortSource } from '../../base/abort.ts';

export function performEffect(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.ceilings.length > 0 && (effect.kind === 'tool' || effect.kind === 'command'))
    return performUnder(context, effect);
  return performInTime(context, effect);
}

async function performUnder(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { tool } = effect.request;
  const isReadOnly =
    effect.kind === 'tool' &&
    typeof tool === 'string' &&
    (await context.tools.find(tool).catch(() => null))?.readOnly === true;
  const fault = ceilingFault(context.ceilings, effect.kind, effect.request, isReadOnly);
  return fault === null
    ? performInTime(context, effect)
    : failAtOnce(context, effect, 'CAPABILITY_DENIED', fault);
}

function performInTime(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { timeoutMs } = effect;
  return timeoutMs === null
    ? perform(context, effect)
    : performWithin(context, effect, timeoutMs, (own) => perform(own, effect));
}

function perform(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (isAsk(effect.kind)) return performAsk(context, effect);
  switch (effect.kind) {
    case 'command':
      return performCommand(context, effect);
    case 'tool':
      return performTool(context, effect);
    case 'input':
      return performForm(context, effect);
    case 'skill':
      return performSkill(context, effect);
    case 'sleep':
      return performSleep(context, effect);
    case 'artifact':
      return performArtifact(context, effect);
    case 'write':
      return performNote(context, effect);
    default:
      return failAtOnce(context, effect, 'EFFECT_UNSUPPORTED', `this host cannot do "${effect.kind}"`);
  }
}

/** Forms are rare and their code is large: it is loaded with the first of them. */
async function performForm(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { performInput } = await import('./perform-input.ts');
  return performInput(context, effect);
}

/** Few skills write notes. */
async function performNote(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { performWrite } = await import('./perform-write.ts');
  return performWrite(context, effect);
}

/** An `artifact` of an output contract: whether the file exists (ports/artifacts.ts). */
async function performArtifact(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { artifacts } = context;
  if (artifacts === null)
    return failAtOnce(context, effect, 'EFFECT_UNSUPPORTED', 'this host does not look at files');
  if (context.known(effect.key) === null) await context.begin(effect, 1);
  const { exists, bytes, reason } = await artifacts.look(effect.request['path'] as string);
  return { outcome: { ok: true, value: { exists, bytes, reason } }, ms: 0, usage: noUsage };
}

/**
 * Ends so many milliseconds after it began, also when the run was interrupted meanwhile. When the run stops, the sleep has not
 * ended: a resume waits for the rest.
 */
async function performSleep(context: EffectContext, effect: Attempted): Promise<Performed> {
  const ms = effect.request['ms'] as number;
  const known = context.known(effect.key);
  if (known === null) await context.begin(effect, 1);
  const passed = known === null ? 0 : Math.max(0, context.nowMs() - known.started.at);
  if (passed < ms) await pause(context, ms - passed);
  return { outcome: { ok: true, value: null }, ms, usage: noUsage };
}

function pause({ signal, after }: EffectContext, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.cancel();
      reject(new Stopping());
    };
    const timer = after(
      ms,
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      'wait',
    );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

/**
 * An effect with a time limit of its own. The time runs from its start in the journal: a policy or an approval before that, and
 * waiting for an answer, do not count. When it is over, the effect is aborted and fails with STEP_TIMEOUT, after nothing of it
 * is under way any more; a tool that must not be repeated fails with TOOL_UNCERTAIN instead.
 */
async function performWithin(
  context: EffectContext,
  effect: Attempted,
  timeoutMs: number,
  performOwn: (context: EffectContext) => Promise<Performed>,
): Promise<Performed> {
  const abort = new AbortSource(context.signal);
  const { signal } = abort;
  let timer: { cancel(): void } | null = null;
  let isOver = false;
  let { repeatable } = effect;
  const start = (): void => {
    timer ??= context.after(timeoutMs, () => {
      isOver = true;
      abort.abort(new Stopping());
    });
  };
  const own: EffectContext = {
    ...context,
    signal,
    async begin(one, attempt) {
      if (signal.aborted) throw new Stopping();
      await context.begin(one, attempt);
      if (one.key !== effect.key) return;
      // The tool itself may declare that it can be repeated.
      ({ repeatable } = one);
      start();
    },
  };
  // Entered again: it was begun before.
  if (context.known(effect.key) !== null && (isReentered(effect.kind) || effect.kind === 'skill')) start();
  const failed = (): Performed => {
    const message = `it took longer than ${timeoutMs / 1_000} s`;
    const isUncertain = effect.kind === 'tool' && !repeatable;
    return {
      outcome: isUncertain
        ? { ok: false, code: 'TOOL_UNCERTAIN', message: `${message} (${unknownOutcome})` }
        : { ok: false, code: 'STEP_TIMEOUT', message },
      ms: timeoutMs,
      usage: noUsage,
    };
  };
  try {
    const performed = await performOwn(own);
    if (performed === 'waiting' || !isOver) return performed;
    return { ...(failed() as Exclude<Performed, 'waiting'>), usage: performed.usage };
  } catch (error) {
    if (isOver && error instanceof Stopping && !context.signal.aborted) return failed();
    throw error;
  } finally {
    (timer as { cancel(): void } | null)?.cancel();
    abort.close();
  }
}
