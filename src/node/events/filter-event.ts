// A run event -> the same event without its texts.
//
// An event of class `content` (events.ts) loses its text fields, or is dropped if it is only text; `metadata` is
// kept. Labels of trace entries are made by the program and refused answers quote their sender, so both count as
// text.
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
  'skill.loaded': [],
};

/** `null` when nothing of it may be kept. */
export function withoutContent(event: RunEvent): JsonObject | null {
  const fields = contentFields[event.type];
  if (fields === 'all') return null;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !fields.includes(name))) as JsonObject;
}
