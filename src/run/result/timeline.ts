// The entries of a run in their order -> the trace of its result.
//
// It is made from the journal, so that a live run, a resumed one and a replay give the same. The parts of an ask and
// printed lines are left out; `techne runs show` has them.
import { unreachable } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EffectEnded, EffectStarted, JournalEntry, TraceAdded } from '../../journal/entry.ts';
import { isChild } from '../effect/effect-keys.ts';
import type { StoredValues } from '../stored-values.ts';
import { renderCall, renderTraced } from './trace.ts';

interface CallItem {
  started: EffectStarted;
  ended: EffectEnded | null;
  /** As JSON where it is at hand; else it is loaded. */
  request: Json | undefined;
  result: Json | undefined;
}

export class Timeline {
  readonly #items: (CallItem | TraceAdded)[] = [];
  readonly #calls = new Map<string, CallItem>();
  #startedAt = 0;

  add(entry: JournalEntry): void {
    switch (entry.type) {
      case 'run.started':
        this.#startedAt = entry.at;
        return;
      case 'trace.added':
        if (entry.printed !== true) this.#items.push(entry);
        return;
      case 'effect.started':
        return this.addStarted(entry, undefined);
      case 'effect.ended':
        return this.addEnded(entry, undefined);
      case 'effect.decided':
        if (entry.as !== 'retry') {
          this.addEnded(
            {
              type: 'effect.ended',
              at: entry.at,
              key: entry.key,
              ok: entry.as === 'done',
              result: entry.result ?? { value: null },
              ms: 0,
            },
            undefined,
          );
        }
        return;
      case 'owner.claimed':
      case 'question.asked':
      case 'question.answered':
      case 'cancel.requested':
      case 'run.paused':
      case 'run.resumed':
      case 'run.detached':
      case 'run.ended':
        return;
      default:
        unreachable(entry);
    }
  }

  addStarted(started: EffectStarted, request: Json | undefined): void {
    if (isChild(started.key)) return;
    const before = this.#calls.get(started.key);
    if (before !== undefined) {
      // Another attempt: it stays where it was first.
      before.ended = null;
      return;
    }
    const item: CallItem = { started, ended: null, request, result: undefined };
    this.#calls.set(started.key, item);
    this.#items.push(item);
  }

  addEnded(ended: EffectEnded, result: Json | undefined): void {
    const item = this.#calls.get(ended.key);
    if (item === undefined) return;
    item.ended = ended;
    item.result = result;
  }

  async render(values: StoredValues): Promise<readonly JsonObject[]> {
    const rendered: JsonObject[] = [];
    for (const item of this.#items) {
      if ('type' in item) {
        rendered.push(
          renderTraced(item.kind, 'value' in item.data ? item.data.value : await values.load(item.data)),
        );
        continue;
      }
      const request = item.request ?? (await values.load(item.started.request));
      const result = item.result ?? (item.ended === null ? null : await values.load(item.ended.result));
      rendered.push(renderCall(item.started, request, item.ended, result, this.#startedAt));
    }
    return rendered;
  }
}
