// Describes a call of a run, its key, duration and cost in a few words.
import { isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { planRunKeys, stepOfKey } from '../../run/plan/keys.ts';

const maxUnits = 60;

/** `ask draft`, `command git diff`, `turn`, `tool read_file`. A call that a person decides about is not cut. */
export function describeCall(kind: string, request: Json, longest = maxUnits): string {
  const label = labelOf(request);
  return printableLine(
    label === null ? kind : `${kind} ${label.length > longest ? `${label.slice(0, longest - 1)}…` : label}`,
  );
}

function labelOf(request: Json): string | null {
  if (!isJsonObject(request)) return null;
  const { purpose, argv, tool, name, skill, prompt } = request;
  if (Array.isArray(argv)) return argvText(argv as readonly Json[]);
  for (const text of [purpose, tool, skill, name]) if (typeof text === 'string' && text !== '') return text;
  return typeof prompt === 'string' ? JSON.stringify(prompt.slice(0, maxUnits)) : null;
}

/** As a command line, with quotes where a shell needs them. */
export function argvText(argv: readonly Json[]): string {
  // In a shortened trace, the last word says how many were omitted (run/trace.ts).
  const isRest = (word: Json, at: number): boolean =>
    at === argv.length - 1 && typeof word === 'string' && /^… \d+ more$/.test(word);
  return argv
    .map((word, at) =>
      typeof word === 'string' && (/^[\w./:=@%+,-]+$/.test(word) || isRest(word, at))
        ? word
        : JSON.stringify(word),
    )
    .join(' ');
}

export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
}

/** How long ago, in one unit. */
export function ageText(ms: number): string {
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const) {
    if (ms >= size) return `${Math.floor(ms / size)} ${unit}`;
  }
  return 'now';
}

export function costText(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(4)}`;
}

/** `1,234 tokens`, then what they cost. Tokens without a cost are tokens of a model without a price. */
export function spentTexts(tokens: number, costMicros: number): readonly string[] {
  if (tokens === 0) return costMicros === 0 ? [] : [costText(costMicros)];
  return [`${countText(tokens)} tokens`, costMicros === 0 ? 'cost unknown' : costText(costMicros)];
}

export function countText(count: number): string {
  return count.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
}

const words: { readonly [key: string]: string } = {
  [planRunKeys.inputs]: 'missing inputs',
  [planRunKeys.confirm]: 'confirmation',
  [planRunKeys.final]: 'final answer',
  [planRunKeys.refine]: 'refined result',
};

/** The key of a call as people read it: `draft` for `draft[2]#3`, `final answer` for `$final`; calls of programs are numbers and stay what they are. */
export function nameKey(key: string): string {
  const step = stepOfKey(key);
  if (step === null)
    return words[key] ?? (key.startsWith(planRunKeys.artifact(0).slice(0, -3)) ? 'artifact' : key);
  return stepId(step);
}

/** Reverses the escapes of run/plan/keys.ts. */
function stepId(step: string): string {
  return step.replaceAll(/%([0-9A-F]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
