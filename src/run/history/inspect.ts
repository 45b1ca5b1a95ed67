// A journal -> everything there is to see of a run: `techne runs show`, `runs diff`, the studio.
//
// A value that is lost (its blob is missing, damaged or unreadable) is `{ lost: why }`; everything else is shown.
import { TechneError } from '../../base/error.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { FileFault } from '../../ports/files.ts';
import type { AnsweredBy, Audience, Stored } from '../../journal/entry.ts';
import { foldRun, outcomeOf } from '../../journal/run-state.ts';
import type { EffectState, RunState } from '../../journal/run-state.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import { Budgets, isRefusal, noUsage, addUsage, usageFromJson } from '../budget/budgets.ts';
import { isChild, isReentered, rootOf } from '../effect/effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { RunUsage, UndecidedEffect } from '../result/result.ts';
import { readFacts } from '../run-facts.ts';
import type { RunSettings, StoredValues } from '../run-facts.ts';
import type { StepView } from '../plan/view.ts';
import { timeSteps } from '../plan/time-steps.ts';
import type { TimedStep } from '../plan/time-steps.ts';

/** Everything there is to see of a run. */
export interface RunView {
  readonly run: string;
  readonly skill: { readonly name: string; readonly form: string; readonly digest: string };
  /** `running` does not mean that its owner is alive. */
  readonly status: RunState['status'];
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly input: Json;
  readonly limits: RunLimits;
  readonly settings: RunSettings;
  readonly profile: string;
  readonly files: { readonly [path: string]: string };
  readonly parent: { readonly run: string; readonly key: string } | null;
  /** Calls of the program in order, each with its parts. */
  readonly effects: readonly EffectView[];
  /** What the program traced and printed, and how many calls were made before it. */
  readonly trace: readonly {
    readonly kind: string;
    readonly data: Json;
    readonly at: number;
    readonly printed: boolean;
    readonly after: number;
  }[];
  /** Also the open ones of nested runs. */
  readonly questions: readonly QuestionView[];
  /** Effects that have an unknown outcome and may not be repeated, also of a detached run. */
  readonly undecided: readonly UndecidedEffect[];
  /** Nested runs, by the effect that started each of them. */
  readonly nested: readonly { readonly key: string; readonly run: string }[];
  readonly usage: RunUsage;
  /** Of a plan: the status of each step so far, in the order of the document; null for a program. */
  readonly steps: readonly TimedStep[] | null;
  readonly text: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly owners: number;
  /** When its last owner detached it; null while a process drives it, or when that is not recorded. */
  readonly leftAt: number | null;
  /** Who cancelled it, and why. */
  readonly cancelled: { readonly by: string; readonly reason: string } | null;
}

/** A call of a run, with its parts. */
export interface EffectView {
  readonly key: string;
  readonly kind: string;
  readonly state: 'ok' | 'failed' | 'refused' | 'under-way' | 'decided';
  readonly request: Json;
  /** The value, or `{ code, message }`; null while there is none. */
  readonly result: Json;
  readonly attempt: number;
  readonly startedAt: number;
  readonly ms: number | null;
  readonly usage: JsonObject;
  readonly children: readonly EffectView[];
}

/** A question of a run, and its answer. */
export interface QuestionView {
  /** The run that asked: this one, or a nested one. */
  readonly run: string;
  readonly id: string;
  readonly nonce: string;
  readonly key: string;
  readonly audience: Audience;
  readonly question: Json;
  readonly expiresAt: number | null;
  readonly answer: {
    readonly by: AnsweredBy;
    /** Who that was, where it is known. */
    readonly name?: string;
    readonly value: Json;
    readonly at: number;
  } | null;
}

/** What the caller knows about the run besides its journal. */
export interface InspectRequest {
  /** The process that drove it is gone, which the journal does not show: the run then counts as detached. Default: false. */
  readonly isAbandoned?: boolean;
}

interface InspectParts extends InspectRequest {
  readonly values: StoredValues;
  /** The entries of another run, or null when there is none. */
  readonly read: (run: string) => Promise<readonly StoredEntry[] | null>;
  /** Of a plan. Default: not known. */
  readonly viewSteps?: (state: RunState) => Promise<readonly StepView[] | null>;
}

/** Throws JOURNAL_CORRUPT. */
export async function inspectRun(
  entries: readonly StoredEntry[],
  { values, read, viewSteps = async () => null, isAbandoned = false }: InspectParts,
): Promise<RunView> {
  const state = foldRun(entries);
  const { meta, ended } = state;
  const { limits, settings } = readFacts(meta);
  const load = async (stored: Stored): Promise<Json> => {
    try {
      return await values.load(stored);
    } catch (error) {
      if (!(error instanceof TechneError) && !(error instanceof FileFault)) throw error;
      return { lost: error.message };
    }
  };
  const loaded = ended === null ? null : await load(ended.text);
  const text = isJsonObject(loaded)
    ? `error: the text of the result is lost: ${loaded['lost'] as string}`
    : (loaded as string | null);
  const effects = await viewEffects(state, load);
  // A detached run is like one that waits: the process that resumes it asks the same.
  const isOpen =
    ended === null && (state.paused?.reason === 'decision' || state.detached !== null || isAbandoned);
  const nested = flat(effects).flatMap(({ key, kind, request }) =>
    kind === 'skill' && isJsonObject(request) && typeof request['run'] === 'string'
      ? [{ key, run: request['run'], ended: outcomeOf(state.effects.get(key) as EffectState) !== null }]
      : [],
  );
  const inside: RunView[] = [];
  for (const { run, ended: isOver } of nested) {
    // Those that have ended have nothing to ask.
    const found = ended !== null || isOver ? null : await read(run);
    if (found !== null) inside.push(await inspectRun(found, { values, read, isAbandoned }));
  }
  const undecided = isOpen
    ? flat(effects)
        .filter(
          ({ key, state: of, kind }) =>
            of === 'under-way' &&
            !isReentered(kind) &&
            kind !== 'skill' &&
            mayBeAsked(state.effects.get(key)),
        )
        .map(({ key, kind, request }) => ({ run: meta.run, key, kind, request }))
    : [];
  return {
    run: meta.run,
    skill: meta.skill,
    status: state.status,
    startedAt: meta.at,
    endedAt: ended?.at ?? null,
    input: await load(meta.input),
    limits,
    settings,
    profile: meta.profile,
    files: meta.files,
    parent: meta.parent,
    effects,
    trace: await viewTrace(entries, load),
    questions: [
      ...(await viewQuestions(state, load)),
      ...inside.flatMap(({ questions }) => questions.filter(({ answer }) => answer === null)),
    ],
    undecided: [...undecided, ...inside.flatMap((view) => view.undecided)],
    nested: nested.map(({ key, run }) => ({ key, run })),
    usage:
      ended === null
        ? Budgets.fromJournal(limits, state).usage(0, Math.round(state.usedMs), settings.clamped)
        : (ended.usage as unknown as RunUsage),
    steps: timeSteps(await viewSteps(state).catch(orNone), effects),
    text,
    error: ended?.error ?? null,
    owners: state.epoch,
    leftAt: state.detached?.at ?? null,
    cancelled: state.cancel === null ? null : { by: state.cancel.by, reason: state.cancel.reason },
  };
}

/** Without effects that may be repeated, and those that a person decided to repeat. */
function mayBeAsked(effect: EffectState | undefined): boolean {
  return effect?.started.repeatable !== true && effect?.decided === null;
}

/** A plan that is lost: the run is shown with its effects, without steps. */
function orNone(error: unknown): null {
  if (error instanceof TechneError || error instanceof FileFault) return null;
  throw error;
}

async function viewEffects(
  state: RunState,
  load: (stored: Stored) => Promise<Json>,
): Promise<readonly EffectView[]> {
  const children = new Map<string, EffectState[]>();
  for (const effect of state.effects.values())
    if (isChild(effect.key))
      children.set(rootOf(effect.key), [...(children.get(rootOf(effect.key)) ?? []), effect]);
  const view = async (effect: EffectState): Promise<EffectView> => {
    const { key, started, ended, decided } = effect;
    const outcome = outcomeOf(effect);
    const parts = await Promise.all((isChild(key) ? [] : (children.get(key) ?? [])).map(view));
    const used = [ended?.usage ?? {}, ...parts.map(({ usage }) => usage)].map(usageFromJson);
    const total = used.reduce(addUsage, noUsage);
    return {
      key,
      kind: started.kind,
      state:
        outcome === null
          ? 'under-way'
          : ended === null
            ? decided?.as === 'fail'
              ? 'failed'
              : 'decided'
            : ended.ok
              ? 'ok'
              : isRefusal(ended.result)
                ? 'refused'
                : 'failed',
      request: await load(started.request),
      result: outcome === null ? null : await load(outcome.result),
      attempt: started.attempt,
      startedAt: started.at,
      ms: ended?.ms ?? null,
      usage: { ...total },
      children: parts,
    };
  };
  return Promise.all([...state.effects.values()].filter(({ key }) => !isChild(key)).map(view));
}

async function viewTrace(
  entries: readonly StoredEntry[],
  load: (stored: Stored) => Promise<Json>,
): Promise<RunView['trace']> {
  const trace: RunView['trace'][number][] = [];
  let after = 0;
  for (const { entry } of entries) {
    if (entry.type === 'effect.started' && !isChild(entry.key) && entry.attempt === 1) after += 1;
    if (entry.type === 'trace.added')
      trace.push({
        kind: entry.kind,
        data: await load(entry.data),
        at: entry.at,
        printed: entry.printed === true,
        after,
      });
  }
  return trace;
}

async function viewQuestions(
  state: RunState,
  load: (stored: Stored) => Promise<Json>,
): Promise<readonly QuestionView[]> {
  return Promise.all(
    [...state.questions.values()].map(async ({ asked, answered }) => ({
      run: state.meta.run,
      id: asked.id,
      nonce: asked.nonce,
      key: asked.key,
      audience: asked.audience,
      question: await load(asked.question),
      expiresAt: asked.expiresAt,
      answer:
        answered === null
          ? null
          : {
              by: answered.by,
              ...(answered.name === undefined ? {} : { name: answered.name }),
              value: await load(answered.answer),
              at: answered.at,
            },
    })),
  );
}

function flat(effects: readonly EffectView[]): readonly EffectView[] {
  return effects.flatMap((effect) => [effect, ...effect.children]);
}
