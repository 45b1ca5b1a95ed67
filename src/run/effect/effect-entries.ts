// Journal entries about effects, as the engine and a fork write them.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { EffectDecided, EffectEnded, EffectStarted } from '../../journal/entry.ts';
import type { InboxMessage } from '../../ports/run-store.ts';
import type { BudgetRefusal } from '../budget/budgets.ts';
import { cutText, maxMessageUnits } from '../../base/cut-text.ts';
import { textOf } from '../../base/json.ts';
import type { Attempted } from './effect-context.ts';
import { isAsk, isChild } from './effect.ts';
import { decidedCommand } from './perform-command.ts';
import { decidedTool } from './perform-tool.ts';
import type { StoredValues } from '../stored-values.ts';

export function startedEntry(
  { key, kind, hash, repeatable }: Attempted,
  request: EffectStarted['request'],
  attempt: number,
  at: number,
  usedMs: number,
): EffectStarted {
  return { type: 'effect.started', at, key, kind, hash, request, repeatable, attempt, usedMs };
}

/** A call that was never made: what it asked for need not be kept whole. */
export function refusedEntries(
  effect: Attempted,
  { code, message }: BudgetRefusal,
  at: number,
  usedMs: number,
): readonly [EffectStarted, EffectEnded] {
  const { purpose = null, argv = null } = effect.request;
  const short = {
    ...(purpose === null ? {} : { purpose }),
    ...(argv === null
      ? {}
      : { argv: (argv as readonly string[]).slice(0, 8).map((one) => one.slice(0, 200)) }),
  };
  return [
    startedEntry(effect, { value: short }, 1, at, usedMs),
    {
      type: 'effect.ended',
      at,
      key: effect.key,
      ok: false,
      result: { value: { code, message, refused: true } },
      ms: 0,
      usedMs,
    },
  ];
}

/** The decision of a person: what is `done` has the value that the program will get. */
export async function decidedEntry(
  kind: string,
  { key, as, value, by }: Extract<InboxMessage, { kind: 'decision' }>,
  at: number,
  values: StoredValues,
): Promise<EffectDecided> {
  const entry = { type: 'effect.decided' as const, at, key, as, by };
  if (as === 'retry') return entry;
  if (as === 'fail')
    return {
      ...entry,
      result: {
        value: {
          code: 'DECIDED_FAILED',
          message:
            typeof value === 'string' ? cutText(value, maxMessageUnits).text : `${by} decided that it failed`,
        },
      },
    };
  return { ...entry, result: await values.store(decidedValue(kind, key, value)) };
}

/** The kind that a decision is about: an entry point is a command that gives something else. */
export function decidedKind(kind: string, request: Json): string {
  return kind === 'command' && isJsonObject(request) && request['parse'] !== undefined ? 'exec' : kind;
}

function decidedValue(kind: string, key: string, value: Json): Json {
  if (kind === 'command') return decidedCommand(value);
  if ((kind === 'tool' || kind === 'exec') && !isChild(key)) return decidedTool(value);
  if (kind === 'skill') return value === null ? '' : textOf(value);
  if (isChild(key)) return value;
  return isAsk(kind)
    ? { answer: typeof value === 'string' ? value : '', exhausted: false, turns: 0, truncated: false }
    : value;
}

/** `{ code, message }` as the journal keeps it. */
export function failureOf(result: Json): BudgetRefusal {
  const { code = 'ASK_FAILED', message = 'it failed' } = (result ?? {}) as JsonObject;
  return { code: textOf(code), message: textOf(message) };
}
