// Signs -> whether they show that the words are asked for, and if not, which guard applies.
//
// The score is the sum of the weights of the known signs, divided by the root of their number, plus the bias. A higher
// score means surer that the words are asked for, 0 is the middle, and judge-message.ts sets the threshold. Each sign
// against the words counts for one guard; the guard with the most weight is named, with its strongest words. Where too
// few of the words around are known (another language), there is no opinion.
//
// A sign is known by 24 bits of its hash: about one in a hundred unknown signs is mistaken for another, and weighs
// little.
import { trained } from './trained.ts';

export const weighedGuards = [
  'negation',
  'quotation',
  'translation',
  'question',
  'pasted',
  'narration',
] as const;
export type WeighedGuard = (typeof weighedGuards)[number];

export interface Opinion {
  readonly score: number;
  readonly guard: WeighedGuard;
  /** The words that spoke most against it; empty where it was not words. */
  readonly evidence: string;
}

/** What was learned, as the table of trained.ts holds it. */
export interface Table {
  readonly keys: Uint32Array;
  readonly weights: Float64Array;
  /** Index into `weighedGuards`. */
  readonly guards: Uint8Array;
}

/**
 * Six bits a character: a sign is the distance of its key (5 bits a character, lowest first, 32 more to go on), then its weight, and
 * its guard where it speaks against the words.
 */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Steps of a weight, from the least to the most by equal factors; the digits of weights below zero follow, a run for each guard. */
const steps = { above: 16, below: 8 } as const;
const leastKnown = 0.3;

export function weighSigns(signs: ReadonlySet<string>): Opinion | null {
  const { keys, weights, guards } = learned();
  let sum = 0;
  let known = 0;
  let words = 0;
  let knownWords = 0;
  const against = weighedGuards.map(() => ({ sum: 0, most: 0, evidence: '' }));
  for (const sign of signs) {
    const at = indexOf(keys, keyOf(sign));
    const isWord = singleWord.test(sign);
    if (isWord) words += 1;
    if (at < 0) continue;
    if (isWord) knownWords += 1;
    const weight = weights[at] as number;
    known += 1;
    sum += weight;
    if (weight >= 0) continue;
    const side = against[guards[at] as number] as { sum: number; most: number; evidence: string };
    side.sum += weight;
    const shown = weight < side.most ? evidenceOf(sign) : '';
    if (shown !== '') Object.assign(side, { most: weight, evidence: shown });
  }
  if (words > 0 && knownWords < words * leastKnown) return null;
  const score = trained.bias + sum / Math.sqrt(Math.max(1, known));
  const most = against.reduce(
    (best, side, index) => (side.sum < (against[best]?.sum ?? 0) ? index : best),
    0,
  );
  return { score, guard: weighedGuards[most] as WeighedGuard, evidence: against[most]?.evidence ?? '' };
}

const singleWord = /^(?:AD?|B|D) \p{L}[\p{L}']*$/u;

/** The words of a sign that has some: "R forget it" -> "forget it". */
function evidenceOf(sign: string): string {
  const words = /^[LRPNABDF]D? (?!class )(.+)$/u.exec(sign)?.[1] ?? '';
  return /\p{L}/u.test(words) ? words : '';
}

/** FNV-1a, folded to 24 bits. */
export function keyOf(sign: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < sign.length; at += 1) hash = Math.imul(hash ^ sign.charCodeAt(at), 0x01000193);
  return ((hash >>> 24) ^ hash) & 0xffffff;
}

function indexOf(keys: Uint32Array, key: number): number {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = keys[middle] as number;
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

let table: Table | null = null;

function learned(): Table {
  return (table ??= readTable(trained.table, trained.signs, trained));
}

/** The weights of a table, without their signs. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

export function readTable(text: string, signs: number, range: Range): Table {
  const values = new Uint8Array(128);
  for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;
  const known = Array.from(digits, (_, value) => weightOf(value, range));
  const keys = new Uint32Array(signs);
  const weights = new Float64Array(signs);
  const guards = new Uint8Array(signs);
  let at = 0;
  let key = 0;
  const next = (): number => values[text.charCodeAt(at++)] as number;
  for (let index = 0; index < signs; index += 1) {
    for (let shift = 0, part = 32; part >= 32; shift += 5) {
      part = next();
      key += (part & 31) << shift;
    }
    keys[index] = key;
    const value = next();
    weights[index] = known[value] as number;
    guards[index] = value < steps.above ? 0 : Math.floor((value - steps.above) / steps.below);
  }
  return { keys, weights, guards };
}

function weightOf(value: number, { least, most }: Range): number {
  const [step, count] =
    value < steps.above ? [value, steps.above] : [(value - steps.above) % steps.below, steps.below];
  const weight = least * (most / least) ** (step / (count - 1));
  return value < steps.above ? weight : -weight;
}

function valueOf(weight: number, guard: number, { least, most }: Range): number {
  const count = weight >= 0 ? steps.above : steps.below;
  const step = Math.round((Math.log(Math.abs(weight) / least) / Math.log(most / least)) * (count - 1));
  const bounded = Math.max(0, Math.min(count - 1, step));
  return weight >= 0 ? bounded : steps.above + guard * steps.below + bounded;
}

/** The other way round; the keys are in order. */
export function writeTable({ keys, weights, guards }: Table, range: Range): string {
  let text = '';
  let last = 0;
  for (const [index, key] of keys.entries()) {
    let distance = key - last;
    last = key;
    for (; distance >= 32; distance >>>= 5) text += digits[32 + (distance & 31)] as string;
    text += digits[distance] as string;
    text += digits[valueOf(weights[index] as number, guards[index] as number, range)] as string;
  }
  return text;
}
