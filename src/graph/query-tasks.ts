// The tasks of a vault in a span of days: what was done, what is open, which notes are of these days.
//
//   - [x] Call Ana ✅ 2026-11-17      - [ ] Paint 📅 2026-11-20      - [x] Sweep [completion:: 2026-11-17]
//
// Days come from the texts alone: from the marks of a task, else from the day of its note (the property `date`, or a name that begins
// with a day). Files that were only touched do not count, so that the same notes give the same answer.
import type { GraphNode, NoteGraph } from './graph.ts';

export interface TaskFact {
  /** Without its marks. */
  readonly task: string;
  /** The name of its note. */
  readonly note: string;
  readonly path: string;
  readonly line: number;
  /** As 2026-11-18; null: not said. */
  readonly due: string | null;
  readonly done: string | null;
}

export interface TaskSpan {
  /** Days, the last one included. */
  readonly from: string;
  readonly to: string;
  /** Done in these days, or in notes of these days without a day of their own; by day. */
  readonly completed: readonly TaskFact[];
  /** Everything that is not done: what is due first, then the rest. */
  readonly open: readonly TaskFact[];
  /** Notes of these days, by day. */
  readonly notes: readonly GraphNode[];
}

const day = /\d{4}-\d{2}-\d{2}/;
const marks =
  /\s*(?:(?:[➕⏳🛫📅✅❌🗓]\uFE0F?\s*\d{4}-\d{2}-\d{2})|[🔺⏫🔼🔽⏬]\uFE0F?|\[[\w-]+::[^\]]*\])\s*/gu;
const msPerDay = 86_400_000;

/** `to` is a day as 2026-11-18; `days` are counted back from it, itself included. */
export function tasksOf(graph: NoteGraph, to: string, days: number): TaskSpan {
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - (days - 1) * msPerDay).toISOString().slice(0, 10);
  const isIn = (one: string | null): boolean => one !== null && one >= from && one <= to;
  const completed: TaskFact[] = [];
  const open: TaskFact[] = [];
  const notes: { readonly at: string; readonly node: GraphNode }[] = [];
  for (const node of graph.nodes()) {
    const at = dayOf(node);
    if (at !== null && isIn(at)) notes.push({ at, node });
    for (const { state, text, line } of node.note.tasks) {
      const fact: TaskFact = {
        task: text.replace(marks, ' ').trim(),
        note: node.name,
        path: node.path,
        line,
        due: marked(text, /[📅🗓]\uFE0F?\s*/u, 'due'),
        done: marked(text, /✅\uFE0F?\s*/u, 'completion'),
      };
      if (/[xX]/.test(state)) {
        if (isIn(fact.done ?? at)) completed.push(fact);
      } else if (state !== '-') open.push(fact);
    }
  }
  const byDay = (a: string | null, b: string | null): number =>
    (a ?? '9999') < (b ?? '9999') ? -1 : (a ?? '9999') > (b ?? '9999') ? 1 : 0;
  return {
    from,
    to,
    completed: completed.sort((a, b) => byDay(a.done, b.done)),
    open: open.sort((a, b) => byDay(a.due, b.due)),
    notes: notes.sort((a, b) => byDay(a.at, b.at)).map(({ node }) => node),
  };
}

function dayOf({ name, note: { properties } }: GraphNode): string | null {
  const { date } = properties;
  const written = typeof date === 'string' ? date : name;
  const found = day.exec(written);
  return found?.index === 0 ? found[0] : null;
}

/** The day behind a mark, or of a field such as `[due:: 2026-11-20]`. */
function marked(text: string, mark: RegExp, field: string): string | null {
  const found =
    new RegExp(`(?:${mark.source})(${day.source})`, 'u').exec(text) ??
    new RegExp(`\\[${field}::\\s*(${day.source})\\s*\\]`).exec(text);
  return found?.[1] ?? null;
}
