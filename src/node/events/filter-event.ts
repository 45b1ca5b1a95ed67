// A run event -> what may be kept of it where texts are not wanted.
//
// V1. Of an event that is `content` (events.ts) the texts are left out, by name; one that is nothing but text is left
//     out whole. What is `metadata` is kept as it is.
// V2. The labels of trace entries come from the program at run time, and an answer that was refused says what its
//     sender wrote: both are texts.
import type { JsonObject } from '../../base/json.ts';
import type { RunEvent } from '../../run/events.ts';

/** The fields that hold texts; `all` when nothing else is worth keeping. */
export const contentFields: { readonly [type in RunEvent['type']]: readonly string[] | 'all' } = {
  'run.started': [],
  'run.resumed': [],
  'run.paused': [],
  'run.ended': [],
  'plan.opened': ['steps'],
  'step.ended': ['reason'],
  'effect.started': ['request'],
  'effect.ended': [],
  'effect.text': 'all',
  'budget.used': [],
  'trace.added': ['kind', 'data'],
  'question.asked': [],
  'question.answered': [],
  'answer.refused': ['id', 'message'],
  'effect.undecided': [],
  'tool.failed': [],
  'skill.created': [],
};

/** `null` when nothing of it may be kept. */
export function withoutContent(event: RunEvent): JsonObject | null {
  const fields = contentFields[event.type];
  if (fields === 'all') return null;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !fields.includes(name))) as JsonObject;
}
