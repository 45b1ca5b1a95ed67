// Two runs -> where they differ, in what they were given, what they did and what came of it.
//
// Times and ids do not count. Calls are compared by their key.
import type { Json, JsonObject } from '../../base/json.ts';
import { canonicalJson } from '../../base/json.ts';
import type { EffectView, RunView } from './inspect.ts';

/** A difference between two runs. */
export interface RunDifference {
  /** `input`, `program`, `effect 3`, `trace 2`, `status`, `result` … */
  readonly what: string;
  readonly left: Json;
  readonly right: Json;
}

/** Where two runs differ; times and ids do not count. */
export function diffRuns(left: RunView, right: RunView): readonly RunDifference[] {
  const found: RunDifference[] = [];
  const compare = (what: string, a: Json, b: Json): void => {
    if (canonicalJson(a) !== canonicalJson(b)) found.push({ what, left: a, right: b });
  };
  compare('skill', left.skill.name, right.skill.name);
  compare('program', left.files as JsonObject, right.files as JsonObject);
  compare('input', left.input, right.input);
  compare('limits', { ...left.limits }, { ...right.limits });
  const keys = new Set([...left.effects, ...right.effects].map(({ key }) => key));
  for (const key of keys) {
    const [a, b] = [left, right].map(({ effects }) => effects.find((one) => one.key === key));
    if (a === undefined || b === undefined)
      compare(`effect ${key}`, a === undefined ? null : shown(a), b === undefined ? null : shown(b));
    else {
      compare(
        `request of effect ${key}`,
        { kind: a.kind, request: a.request },
        { kind: b.kind, request: b.request },
      );
      compare(
        `result of effect ${key}`,
        { state: a.state, result: a.result },
        { state: b.state, result: b.result },
      );
    }
  }
  for (let index = 0; index < Math.max(left.trace.length, right.trace.length); index += 1) {
    const [a, b] = [left.trace[index], right.trace[index]].map((one) =>
      one === undefined ? null : { kind: one.kind, data: one.data, after_calls: one.after },
    );
    compare(`trace ${index + 1}`, a as Json, b as Json);
  }
  compare('status', left.status, right.status);
  compare('error', left.error, right.error);
  compare('result', resultOf(left), resultOf(right));
  return found;
}

function shown({ kind, state, request, result }: EffectView): JsonObject {
  return { kind, state, request, result };
}

/** The envelope without the trace, which holds times and is compared by itself. */
function resultOf({ text }: RunView): Json {
  if (text === null || !text.startsWith('[Metaskill: ')) return null;
  const { trace: _trace, ...rest } = JSON.parse(text.slice(text.indexOf('\n') + 1)) as {
    [key: string]: Json;
  };
  return rest;
}
