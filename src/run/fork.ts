// A run and edits -> the first entries of a new run, which begins with what the old one has done.
//
// K1. An effect is kept when it has ended, comes before `from`, and the (edited) program asks for the same. From the
//     first one that is not, everything is performed anew.
// K2. The old run is not touched; the new one says where it came from.
import { TechneError } from '../base/error.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { BlobDigest, Blobs } from '../host/ports/blobs.ts';
import type { Sha256 } from '../host/ports/environment.ts';
import type { RunClock } from '../host/ports/run-clock.ts';
import type { JournalEntry, RunStarted } from '../journal/entry.ts';
import { foldRun, outcomeOf } from '../journal/run-state.ts';
import type { RunState } from '../journal/run-state.ts';
import type { StoredEntry } from '../journal/run-store.ts';
import type { ProgramCache } from './create-interpreter.ts';
import { createInterpreter } from './create-interpreter.ts';
import type { EffectOutcome } from './effect.ts';
import { rootOf } from './effect-keys.ts';
import type { RunLimits } from './limits.ts';
import { requestHash } from './request-hash.ts';
import { limitsFromJson, resolveLimits } from './resolve-limits.ts';
import { settingsOf, settingsToJson } from './run-facts.ts';
import type { StoredValues } from './stored-values.ts';

export interface ForkRequest {
  /** The first effect that is performed anew. Default: whatever the journal does not have. */
  readonly from?: string;
  readonly edits?: ForkEdits;
}

export interface ForkEdits {
  readonly input?: JsonObject;
  /** Instead of the pinned ones: the edited program. */
  readonly files?: { readonly [path: string]: Uint8Array };
  /** What effects are taken to have given. */
  readonly outcomes?: { readonly [key: string]: Json };
  /** Such as more asks, for a run that had used them up. */
  readonly limits?: Partial<RunLimits>;
}

export interface ForkParts {
  readonly run: string;
  /** Of the new run. */
  readonly name: string;
  readonly entries: readonly StoredEntry[];
  readonly request: ForkRequest;
  readonly values: StoredValues;
  readonly blobs: Blobs;
  readonly sha256: Sha256;
  readonly clock: RunClock;
  readonly programs: ProgramCache;
  readonly defaults: RunLimits;
  readonly maximum: RunLimits;
  readonly answerer: string;
}

/** Throws USAGE for an effect that is not there, a limit that is none, or a program that does not compile. */
export async function planFork(parts: ForkParts): Promise<readonly JournalEntry[]> {
  const { request, clock } = parts;
  const state = foldRun(parts.entries);
  for (const key of [...(request.from === undefined ? [] : [request.from]), ...Object.keys(request.edits?.outcomes ?? {})]) {
    if (!state.effects.has(key)) throw new TechneError('USAGE', `run ${parts.run} has no effect "${key}"`, { hint: `techne runs show ${parts.run}` });
  }
  const started = await editedStart(parts, state.meta);
  const kept = await keptEffects(parts, state, started);
  const at = clock.nowMs();
  const copied: JournalEntry[] = [];
  for (const { entry } of parts.entries) {
    if ((entry.type !== 'effect.started' && entry.type !== 'effect.ended' && entry.type !== 'effect.decided') || !kept.has(rootOf(entry.key))) continue;
    const edited = request.edits?.outcomes?.[entry.key];
    if (entry.type === 'effect.ended' && edited !== undefined) copied.push({ ...entry, at, ok: true, result: await parts.values.store(edited) });
    else copied.push({ ...entry, at });
  }
  return [started, ...copied];
}

async function editedStart({ name, run, request, values, blobs, clock, programs, defaults, maximum, answerer }: ForkParts, meta: RunStarted): Promise<RunStarted> {
  const { input, files = {}, limits = {} } = request.edits ?? {};
  const old = limitsFromJson(meta.limits);
  const resolved = resolveLimits({ ...old, ...limits }, defaults, maximum);
  if (!resolved.ok) throw new TechneError('USAGE', resolved.message);
  const pinned: { [path: string]: BlobDigest } = { ...meta.files };
  for (const [path, bytes] of Object.entries(files)) pinned[path] = await blobs.put(bytes);
  const settings = settingsOf(meta);
  const program = settings.program === null ? undefined : pinned[settings.program];
  if (program !== undefined && settings.program !== null) {
    const compiled = await programs.load(program, settings.program);
    if (!compiled.ok) throw new TechneError('USAGE', `the edited program has errors: ${compiled.diagnostics.map(({ message }) => message).join('; ')}`);
  }
  return {
    ...meta,
    at: clock.nowMs(),
    run: name,
    files: pinned,
    input: input === undefined ? meta.input : await values.store(input),
    limits: { ...resolved.limits },
    settings: settingsToJson({ ...settings, answerer, clamped: resolved.clamped, forkedFrom: { run, from: request.from ?? null } }),
  };
}

/** K1: keys of effects of the program. */
async function keptEffects({ request, programs, values, sha256, clock }: ForkParts, state: RunState, started: RunStarted): Promise<ReadonlySet<string>> {
  const interpreter = await createInterpreter(programs, started, await values.loadObject(started.input), limitsFromJson(started.limits));
  const kept = new Set<string>();
  let isCut = false;
  while (!isCut) {
    const advance = interpreter.advance();
    if (advance.kind === 'slice') {
      await clock.yieldTurn();
      continue;
    }
    if (advance.kind !== 'waiting') break;
    for (const { key, kind, request: asked } of advance.effects) {
      if (kind === 'trace') {
        interpreter.deliver(key, { ok: true, value: null });
        continue;
      }
      const known = state.effects.get(key);
      isCut ||= key === request.from || known === undefined || known.started.kind !== kind || known.started.hash !== requestHash(sha256, kind, asked);
      const recorded: ReturnType<typeof outcomeOf> = isCut || known === undefined ? null : outcomeOf(known);
      const edited = request.edits?.outcomes?.[key];
      // What failed is what a fork is made to do again, unless it is edited.
      isCut ||= recorded === null || (!recorded.ok && edited === undefined);
      if (isCut || recorded === null) continue;
      kept.add(key);
      const outcome: EffectOutcome = { ok: true, value: edited ?? (await values.load(recorded.result)) };
      interpreter.deliver(key, outcome);
    }
    if (advance.effects.length === 0) break;
  }
  return kept;
}
