// A run and edits -> the first entries of a new run, which begins with what the old one did.
//
// An effect is kept if it has ended, comes before `from`, and the (edited) program asks for the same. From the first
// other effect everything is performed again; in a plan, everything that depends on it. Failed effects are performed
// again too, except that with `from` a plan keeps everything that started before it, failed or not. (In a program
// nothing comes after a failure.) A stopped effect has no outcome and is always performed again. Trace entries between
// kept effects are kept.
//
// The old run is not changed, and the new one records where it came from. An edited skill counts as another skill:
// trust and approvals of the old one do not apply to it, unless the same content is trusted in the same place. An
// edited outcome must belong to a kept effect. Any other edit is refused, never lost.
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { BlobDigest, Blobs } from '../../ports/blobs.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { RunClock } from '../../ports/run-clock.ts';
import type { JournalEntry, TraceAdded } from '../../journal/entry.ts';
import { outcomeOf } from '../../journal/run-state.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { StoredEntry } from '../../ports/run-store.ts';
import type { InterpreterCaches } from '../start/admit-run.ts';
import { createInterpreter } from '../start/admit-run.ts';
import type { EffectOutcome } from '../effect/effect.ts';
import { failureOf } from '../effect/effect-journal.ts';
import { rootOf, requestHash } from '../effect/effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import { planMaximum } from '../plan/limits.ts';
import { bundlePath } from '../plan/runs.ts';
import { resolveLimits } from '../budget/budgets.ts';
import type { RunFacts, StoredValues } from '../run-facts.ts';
import { writeFacts } from '../run-facts.ts';
import { TraceLog } from '../result/trace.ts';

/** How a new run differs from the old one. */
export interface ForkRequest {
  /** The first effect that is performed again. Default: the first without an outcome. */
  readonly from?: string;
  readonly edits?: ForkEdits;
}

/** What is to be different in the new run. */
export interface ForkEdits {
  readonly input?: JsonObject;
  /** Instead of the pinned ones: the edited program. */
  readonly files?: { readonly [path: string]: Uint8Array };
  /** Results that replace those of effects. */
  readonly outcomes?: { readonly [key: string]: Json };
  /** Such as more asks, for a run that had used them up. */
  readonly limits?: Partial<RunLimits>;
}

interface ForkParts {
  readonly run: string;
  /** Of the new run. */
  readonly name: string;
  readonly entries: readonly StoredEntry[];
  readonly state: RunState;
  readonly facts: RunFacts;
  readonly request: ForkRequest;
  readonly values: StoredValues;
  readonly blobs: Blobs;
  readonly sha256: Sha256;
  readonly clock: RunClock;
  readonly caches: InterpreterCaches;
  readonly defaults: RunLimits;
  readonly maximum: RunLimits;
  readonly answerer: string;
  /** Judges the skill with these files, by path, in place of those that it was started with. */
  readonly judgeEdited: (files: { readonly [path: string]: BlobDigest }) => Promise<EditedSkill>;
  /** Of a plan: what is pinned for edited files. Throws USAGE. */
  readonly replan: (files: ReadonlyMap<string, Uint8Array>) => Promise<ReadonlyMap<string, Uint8Array>>;
}

export interface EditedSkill {
  readonly digest: string;
  readonly trusted: boolean;
}

interface PlannedFork {
  readonly entries: readonly JournalEntry[];
  readonly facts: RunFacts;
  readonly input: JsonObject;
}

/** Throws USAGE for an unknown effect, an edit that would be lost, an invalid limit, or a program that does not compile. */
export async function planFork(parts: ForkParts): Promise<PlannedFork> {
  const { request, clock, state } = parts;
  for (const key of [
    ...(request.from === undefined ? [] : [request.from]),
    ...Object.keys(request.edits?.outcomes ?? {}),
  ]) {
    if (![...state.effects.keys()].some((known) => isFrom(known, key)))
      throw new TechneError('USAGE', `run ${parts.run} has no effect "${key}"`, {
        hint: `techne runs show ${parts.run}`,
      });
  }
  const facts = await editedStart(parts);
  const input = request.edits?.input ?? (await parts.values.loadObject(facts.meta.input));
  const { kept, traces } = await keptEffects(parts, facts, input);
  for (const key of Object.keys(request.edits?.outcomes ?? {}))
    if (!kept.has(key)) throw lostEdit(key, state, request);
  const at = clock.nowMs();
  const copied: JournalEntry[] = [];
  for (const { entry } of parts.entries) {
    if (
      (entry.type !== 'effect.started' && entry.type !== 'effect.ended' && entry.type !== 'effect.decided') ||
      !kept.has(rootOf(entry.key))
    )
      continue;
    if (entry.type === 'effect.started') {
      copied.push(...(traces.get(entry.key) ?? []));
      traces.delete(entry.key);
    }
    const edited = request.edits?.outcomes?.[entry.key];
    // The time that the old run used is not that of the new one.
    if (entry.type === 'effect.ended' && edited !== undefined)
      copied.push({ ...entry, at, usedMs: 0, ok: true, result: await parts.values.store(edited) });
    else if (entry.type === 'effect.decided' && entry.as !== 'retry' && edited !== undefined)
      copied.push({ ...entry, at, as: 'done', result: await parts.values.store(edited) });
    else copied.push(entry.type === 'effect.decided' ? { ...entry, at } : { ...entry, at, usedMs: 0 });
  }
  return { entries: [facts.meta, ...copied, ...[...traces.values()].flat()], facts, input };
}

async function editedStart({
  name,
  run,
  facts: { meta, limits: old, settings },
  request,
  values,
  blobs,
  clock,
  caches,
  defaults,
  maximum,
  answerer,
  judgeEdited,
  replan,
}: ForkParts): Promise<RunFacts> {
  const { input, files = {}, limits = {} } = request.edits ?? {};
  const isPlan = meta.skill.form !== 'program';
  const resolved = resolveLimits({ ...old, ...limits }, defaults, isPlan ? planMaximum(maximum) : maximum);
  if (!resolved.ok) throw new TechneError('USAGE', resolved.message);
  const pinned: { [path: string]: BlobDigest } = { ...meta.files };
  for (const [path, bytes] of Object.entries(files)) pinned[path] = await blobs.put(bytes);
  const edited = Object.keys(files).some((path) => pinned[path] !== meta.files[path])
    ? await judgeEdited(pinned)
    : null;
  if (isPlan && Object.keys(files).length > 0) {
    const whole = new Map<string, Uint8Array>();
    for (const [path, digest] of Object.entries(pinned))
      if (path !== bundlePath) whole.set(path, await blobs.get(digest));
    for (const [path, bytes] of await replan(whole)) pinned[path] = await blobs.put(bytes);
  }
  const program = settings.program === null ? undefined : pinned[settings.program];
  if (program !== undefined && settings.program !== null) {
    const compiled = await caches.programs.load(program, settings.program);
    if (!compiled.ok)
      throw new TechneError(
        'USAGE',
        `the edited program has errors: ${compiled.diagnostics.map(({ message }) => message).join('; ')}`,
      );
  }
  return writeFacts(
    {
      ...meta,
      at: clock.nowMs(),
      run: name,
      skill: edited === null ? meta.skill : { ...meta.skill, digest: edited.digest },
      files: pinned,
      input: input === undefined ? meta.input : await values.store(input),
    },
    resolved.limits,
    {
      ...settings,
      trusted: edited === null ? settings.trusted : edited.trusted,
      answerer,
      clamped: resolved.clamped,
      startedBy: null,
      forkedFrom: { run, from: request.from ?? null },
      origin: isPlan ? (settings.origin ?? { run: meta.run, at: meta.at }) : null,
    },
  );
}

interface Kept {
  /** Keys of the effects of the program that are kept. */
  readonly kept: ReadonlySet<string>;
  /** The trace entries before each of them; under the empty key, those after all of them. */
  readonly traces: Map<string, readonly TraceAdded[]>;
}

async function keptEffects(
  { request, caches, values, sha256, clock, state }: ForkParts,
  facts: RunFacts,
  input: JsonObject,
): Promise<Kept> {
  const interpreter = await createInterpreter(caches, facts, input);
  const kept = new Set<string>();
  const traces = new Map<string, readonly TraceAdded[]>();
  const traced: TraceAdded[] = [];
  const book = new TraceLog([], facts.limits);
  const { isConcurrent = false } = interpreter;
  const before = isConcurrent ? effectsBefore(state, request.from) : new Set<string>();
  let isCut = false;
  while (!isCut) {
    const advance = interpreter.advance();
    if (advance.kind === 'slice') {
      await clock.yieldTurn();
      continue;
    }
    if (advance.kind !== 'waiting') break;
    let delivered = 0;
    for (const { key, kind, request: asked } of advance.effects) {
      if (kind === 'trace') {
        interpreter.deliver(key, { ok: true, value: null });
        const entry = isCut || isConcurrent ? null : book.add(key, asked, clock.nowMs());
        if (entry !== null) traced.push(entry);
        delivered += 1;
        continue;
      }
      const known = state.effects.get(key);
      if (isConcurrent) isCut = isFrom(key, request.from);
      isCut ||=
        key === request.from ||
        known === undefined ||
        known.started.kind !== kind ||
        known.started.hash !== requestHash(sha256, kind, asked);
      const recorded: ReturnType<typeof outcomeOf> = isCut || known === undefined ? null : outcomeOf(known);
      const edited = request.edits?.outcomes?.[key];
      const result: Json =
        recorded === null || edited !== undefined ? null : await values.load(recorded.result);
      // A fork performs failed effects again, unless they are edited or kept by `from`.
      isCut ||=
        recorded === null ||
        (!recorded.ok && edited === undefined && (!before.has(key) || wasStopped(result)));
      if (isCut || recorded === null) continue;
      kept.add(key);
      if (traced.length > 0) traces.set(key, traced.splice(0));
      delivered += 1;
      const outcome: EffectOutcome =
        recorded.ok || edited !== undefined
          ? { ok: true, value: edited ?? result }
          : { ok: false, ...failureOf(result) };
      interpreter.deliver(key, outcome);
    }
    if (advance.effects.length === 0 || (isConcurrent && delivered === 0)) break;
    if (isConcurrent) isCut = false;
  }
  if (traced.length > 0) traces.set('', traced);
  return { kept, traces };
}

/** A step of a plan stands for all its effects. */
function isFrom(key: string, from: string | undefined): boolean {
  return (
    from !== undefined && (key === from || (key.startsWith(from) && /^[#[~]/.test(key.slice(from.length))))
  );
}

/** Those that were begun before it. */
function effectsBefore({ effects }: RunState, from: string | undefined): ReadonlySet<string> {
  const keys = [...effects.keys()];
  return new Set(
    from === undefined
      ? []
      : keys.slice(
          0,
          keys.findIndex((key) => isFrom(key, from)),
        ),
  );
}

/** From outside, so that it has no outcome of its own. */
function wasStopped(result: Json): boolean {
  return ['CANCELLED', 'TIMEOUT'].includes(failureOf(result).code);
}

function lostEdit(key: string, { effects }: RunState, { from }: ForkRequest): TechneError {
  const known = effects.get(key);
  if (known !== undefined && outcomeOf(known) === null)
    return new TechneError('USAGE', `call "${key}" has not ended, so it gave nothing that could be edited`, {
      hint: 'answer its question with techne answer',
    });
  return new TechneError(
    'USAGE',
    `the edit of call "${key}" would be lost, since that call is performed anew: ${from === undefined ? 'something before it is other than it was' : `it comes with or after "${from}", or something before it is other than it was`}`,
    { hint: 'fork with what comes before it first, then edit the call in the new run' },
  );
}
