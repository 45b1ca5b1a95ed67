// A call of a run as text for the person who decides about it: complete, without hidden characters.
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { printableLine } from '../base/printable.ts';
import type { RunView } from '../run/history/inspect.ts';
import type { UndecidedEffect } from '../run/result/result.ts';
import { cutText } from '../base/cut-text.ts';
import { isReentered } from '../run/effect/effect.ts';

const maxUnits = 2_000;

/** `command sleep 8`, `tool notes__add {"note":"x"}`. */
export function describeEffect(kind: string, request: Json): string {
  const { argv, tool, args } = isJsonObject(request) ? request : {};
  const what = Array.isArray(argv)
    ? (argv as readonly Json[]).map(shellWord).join(' ')
    : typeof tool === 'string'
      ? `${tool} ${JSON.stringify(args ?? {})}`
      : JSON.stringify(request);
  const { text, truncated } = cutText(what, maxUnits);
  return printableLine(`${kind} ${text}${truncated ? ' …' : ''}`);
}

/** The command with which a person decides about it. */
export function resolveCommand({ run, key }: Pick<UndecidedEffect, 'run' | 'key'>): string {
  return `techne runs resolve ${run} ${shellWord(key)} --as done|retry|fail`;
}

/** Calls that were unfinished when the run was detached, without those that can be repeated safely. */
export function underWay({ effects }: Pick<RunView, 'effects'>): readonly string[] {
  return effects.flatMap((effect): readonly string[] => [
    ...(effect.state === 'under-way' && !isReentered(effect.kind) && effect.kind !== 'skill'
      ? [describeEffect(effect.kind, effect.request)]
      : []),
    ...underWay({ effects: effect.children }),
  ]);
}

function shellWord(word: Json): string {
  return typeof word === 'string' && /^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word);
}
