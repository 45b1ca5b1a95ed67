// A `write` of a run -> a note of the vault, made once.
//
//   judge -> prepare -> part K/n {path, before, after} durable -> replace -> end
//
// What a write replaces is in the journal before the file is changed, so that a run that was killed knows whether its change
// was made, and `techne runs undo` can take it back. A file that another program changed in between is looked at again,
// and what it has already is not added a second time: however often a run is resumed, there is one note.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { NoteHost, NoteRequest, PreparedNote } from '../../ports/note-host.ts';
import { scopeFault } from '../../skill/tools/tool-scope.ts';
import { noUsage } from '../budget/budgets.ts';
import { ceilingFault } from './capability-ceiling.ts';
import type { EffectOutcome } from './effect.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { attempt, failAtOnce } from './effect-context.ts';

/** How often a note is looked at again that other programs change. */
const maxParts = 8;

export async function performWrite(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { notes } = context;
  if (notes === null) return failAtOnce(context, effect, 'EFFECT_UNSUPPORTED', 'this host writes no notes');
  const over = ceilingFault(context.ceilings, 'write', effect.request, false);
  if (over !== null) return failAtOnce(context, effect, 'CAPABILITY_DENIED', `writing the note: ${over}`);
  const refusal = (await notes.judge(context.caller)) ?? scopeFault(context.scopes, { tool: 'write_file' });
  if (refusal !== null)
    return failAtOnce(context, effect, 'NOTE_DENIED', `the note is not written: ${refusal}`);
  if (context.known(effect.key) === null) await context.begin(effect, 1);
  const startedMs = context.monotonicMs();
  const outcome = await writeOnce(context, notes, effect);
  return { outcome, ms: Math.max(0, Math.round(context.monotonicMs() - startedMs)), usage: noUsage };
}

async function writeOnce(
  context: EffectContext,
  notes: NoteHost,
  { key, request }: Attempted,
): Promise<EffectOutcome> {
  for (let part = 1; part <= maxParts; part += 1) {
    const at = `${key}/${part}`;
    const known = context.known(at);
    let change: Change;
    if (known === null) {
      const prepared = await notes.prepare(request as unknown as NoteRequest, (path) =>
        scopeFault(context.scopes, { tool: 'write_file', path }),
      );
      if (!prepared.ok) return prepared;
      const { before, after, path } = prepared.value;
      change = { path, before, after, shown: shownNote(prepared.value) };
      if (prepared.value.action === 'unchanged') return { ok: true, value: change.shown };
      const child = attempt(
        context.sha256,
        { key: at, kind: 'write', request: { ...change }, repeatable: true },
        0,
      );
      await context.begin(child, 1);
    } else {
      change = changeOf(await context.load(known.started.request));
      if (known.ended !== null) {
        if (known.ended.ok) return { ok: true, value: change.shown };
        continue;
      }
    }
    const done = await carryOut(notes, change, known !== null);
    await context.end(at, 'write', { outcome: done, ms: 0, usage: noUsage });
    if (done.ok) return { ok: true, value: change.shown };
    if (done.code !== 'NOTE_CHANGED') return done;
  }
  return {
    ok: false,
    code: 'NOTE_FAILED',
    message: 'the note was changed by another program again and again while it was written',
  };
}

interface Change {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  /** What the result says about the note. */
  readonly shown: JsonObject;
}

async function carryOut(
  notes: NoteHost,
  { path, before, after }: Change,
  isRepeated: boolean,
): Promise<EffectOutcome> {
  if (isRepeated) {
    // The process may have died behind the change.
    const now = await notes.read(path);
    if (!now.ok) return now;
    if (now.value === after) return { ok: true, value: null };
  }
  const replaced = await notes.replace(path, before, after);
  if (!replaced.ok) return replaced;
  return replaced.value === 'done'
    ? { ok: true, value: null }
    : { ok: false, code: 'NOTE_CHANGED', message: `"${path}" was changed by another program meanwhile` };
}

function shownNote({ path, action, leftOut, proposed, kept }: PreparedNote): JsonObject {
  return {
    path,
    action,
    ...(leftOut.length === 0 ? {} : { left_out: leftOut.map((one) => ({ ...one })) }),
    ...(proposed.length === 0 ? {} : { proposed: proposed.map((one) => ({ ...one })) }),
    ...(kept.length === 0 ? {} : { kept }),
  };
}

/** A change as the journal keeps it. */
export function changeOf(request: Json): Change {
  const { path, before, after, shown } = isJsonObject(request) ? request : {};
  return {
    path: typeof path === 'string' ? path : '',
    before: typeof before === 'string' ? before : null,
    after: typeof after === 'string' ? after : '',
    shown: isJsonObject(shown) ? shown : {},
  };
}
