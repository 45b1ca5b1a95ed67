// A sequence that was found -> a routine: its steps, what stays the same, and typed inputs for what varied.
//
//   places of the sequence -> values of each slot -> a constant, or an input; slots that always agree are one input
//
// G1. A secret is an input, and no value of it is kept. What is long, a sentence or an absolute path is an input, too, even if it
//     never changed.
// G2. The digest names the routine by its steps alone, so that it is recognised whatever the values were.
import { canonicalJson } from '../../base/json.ts';
import { hasHiddenCharacters, printableLine } from '../../base/printable.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { DoneWork } from './done-work.ts';
import type { Sequence } from './find-sequences.ts';
import type { NormalCall } from './normalise-call.ts';
import { looksSecret } from './normalise-call.ts';

export interface RoutineInput {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly isSecret: boolean;
  /** Values that it had, at most three, each cut; none of a secret. */
  readonly seen: readonly string[];
}

export type RoutinePiece = { readonly word: string } | { readonly input: string; readonly of: string };

export interface RoutineStep {
  readonly kind: NormalCall['kind'];
  /** `git commit -m <value>`. */
  readonly key: string;
  /** `git commit -m <message>`: as it is called, with its inputs in angle brackets. */
  readonly text: string;
  readonly words: readonly string[];
  /** In the order of the call; of a tool or skill, the first is its name, the rest its arguments. */
  readonly pieces: readonly RoutinePiece[];
  /** Made several times in a row, at least once. */
  readonly repeats: boolean;
}

export interface Routine {
  /** 16 hex digits over the steps. */
  readonly digest: string;
  readonly count: number;
  readonly steps: readonly RoutineStep[];
  readonly inputs: readonly RoutineInput[];
  /** Where it was seen, the first three, in order. */
  readonly examples: readonly { readonly kind: DoneWork['kind']; readonly id: string }[];
  /** In how many conversations and runs. */
  readonly sources: number;
  /** Skills that the model had each time: it may only have done what they say. */
  readonly under: readonly string[];
  /** What the person had asked for, at most three, each cut and on one line; not what looks like a secret. */
  readonly asked: readonly string[];
}

/** A piece of work with equal calls in a row taken together. */
export interface NormalWork {
  readonly work: DoneWork;
  readonly calls: readonly (NormalCall & { readonly repeats: boolean; readonly at: number })[];
}

const maxConstant = 120;
const maxConstantWords = 3;
const maxSeen = 80;
const maxAsked = 200;

export function takeTogether(work: DoneWork, calls: readonly NormalCall[]): NormalWork {
  const taken: { call: NormalCall; repeats: boolean; at: number }[] = [];
  for (const [at, call] of calls.entries()) {
    const last = taken.at(-1);
    if (last?.call.key === call.key) last.repeats = true;
    else taken.push({ call, repeats: false, at });
  }
  return { work, calls: taken.map(({ call, repeats, at }) => ({ ...call, repeats, at })) };
}

export function generalise(
  { keys, places }: Sequence,
  works: readonly NormalWork[],
  sha256: Sha256,
): Routine {
  const seen = places.map(({ work, start }) => ({ ...(works[work] as NormalWork), start }));
  const inputs = new Inputs();
  const steps = keys.map((key, index): RoutineStep => {
    const made = seen.map(({ calls, start }) => calls[start + index] as NormalWork['calls'][number]);
    const [{ kind, words, pieces, slots }] = made as [NormalWork['calls'][number]];
    const repeats = made.some((call) => call.repeats);
    const written = pieces.map((piece): RoutinePiece => {
      if ('word' in piece) return piece;
      const { name } = slots[piece.slot] as NormalCall['slots'][number];
      const values = made.map((call) => call.slots[piece.slot]?.value ?? '');
      const isSecret = made.some((call) => call.slots[piece.slot]?.isSecret === true);
      if (isSecret || repeats || !isConstant(values))
        return { input: inputs.add(name, values, isSecret), of: name };
      const constant = quoted(values[0] as string);
      return { word: kind === 'command' ? constant : `${name}=${constant}` };
    });
    const text = written.map((piece) => ('word' in piece ? piece.word : `<${piece.input}>`)).join(' ');
    return { kind, key, text, words, pieces: written, repeats };
  });
  const sources = [...new Set(seen.map(({ work }) => work))];
  const had = seen.map(({ work, calls, start }) => work.under[calls[start]?.at ?? 0] ?? []);
  const asked = seen.flatMap(({ work, calls, start }) => work.asked[calls[start]?.at ?? 0] ?? []);
  return {
    digest: sha256(canonicalJson(['techne-learned 1', keys])).slice(0, 16),
    count: places.length,
    steps,
    inputs: inputs.all,
    sources: sources.length,
    examples: sources.slice(0, 3).map(({ kind, id }) => ({ kind, id })),
    under: (had[0] ?? []).filter((skill) => had.every((skills) => skills.includes(skill))).toSorted(),
    asked: [...new Set(asked.map((text) => printableLine(text).trim().slice(0, maxAsked)))]
      .filter((text) => text !== '' && !looksSecret(text))
      .slice(0, 3),
  };
}

/** Inputs by what they held each time: slots that always agree are one. */
class Inputs {
  readonly #byValues = new Map<string, RoutineInput>();

  get all(): readonly RoutineInput[] {
    return [...this.#byValues.values()];
  }

  add(wanted: string, values: readonly string[], isSecret: boolean): string {
    // Of secrets no value is known, so no two of them are the same.
    const key = isSecret ? `secret ${this.#byValues.size}` : canonicalJson([...values]);
    const known = this.#byValues.get(key);
    if (known !== undefined) return known.name;
    const taken = new Set(this.all.map(({ name }) => name));
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    this.#byValues.set(key, {
      name,
      type: isSecret ? 'string' : typeOf(values),
      isSecret,
      seen: isSecret
        ? []
        : [...new Set(values)].slice(0, 3).map((value) => printableLine(value).slice(0, maxSeen)),
    });
    return name;
  }
}

/** One occurrence shows nothing about what varies: then what names a thing of that day is an input. */
function isConstant(values: readonly string[]): boolean {
  const [value = ''] = values;
  if (values.some((one) => one !== value) || value.length > maxConstant) return false;
  if (hasHiddenCharacters(value) || value.includes('\n') || value.includes('`')) return false;
  if (/^(?:\/|~|[A-Za-z]:\\)/.test(value)) return false;
  // A sentence of the history is not copied into a skill, where a model would read it as an instruction.
  if (value.trim().split(/\s+/).length > maxConstantWords) return false;
  return values.length > 1 || /^[a-z][a-z0-9_-]{0,40}$/.test(value);
}

function typeOf(values: readonly string[]): RoutineInput['type'] {
  if (values.every((value) => /^-?\d{1,15}$/.test(value))) return 'integer';
  if (values.every((value) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value))) return 'number';
  return values.every((value) => value === 'true' || value === 'false') ? 'boolean' : 'string';
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : JSON.stringify(text);
}
