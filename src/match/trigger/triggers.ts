// The trigger phrases of many skills, and which of them a message holds.
//
//   set, remove -> words -> triggers;   message words -> candidates -> fits -> judged
//
// A trigger is looked up by its rarest word, so that a message is compared with few of them. Setting or removing a
// skill touches its own triggers only, and the result never depends on the order of changes. A trigger fires unless all
// of its places are guarded; then the mildest guard is reported, the first of equals. Inside a guarded wider trigger nothing fires: "what is X
// Y?" is not about Y alone. Of one skill the most specific trigger counts: most words, then fewest insertions, then
// first in the message, then first in the skill.
import { stem } from '../text/stem.ts';
import type { Stretch } from '../guard/guard.ts';
import { holds } from '../guard/guard.ts';
import type { Judgement, Verdict } from '../guard/judge-message.ts';
import type { CompiledTrigger, TriggerLiteral } from './compile-trigger.ts';
import { compileTrigger } from './compile-trigger.ts';
import type { Fit } from './fit-trigger.ts';
import { fitScattered } from './fit-scattered.ts';
import { fitLimits, fitTrigger } from './fit-trigger.ts';
import type { Word } from './message-words.ts';
import { wordsOf } from './message-words.ts';
import { createSpellings } from './spellings.ts';
import { determiners, parting, works } from './word-classes.ts';

export interface TriggerHit {
  readonly skill: string;
  readonly phrase: string;
  readonly variables: { readonly [name: string]: string };
  /** Where those values stand. */
  readonly places: { readonly [name: string]: Stretch };
  readonly start: number;
  readonly end: number;
  /** Words of the phrase that had to be there; of a script without spaces two characters count as one. */
  readonly weight: number;
  /** Words of the message that stood between, or were misspelt. */
  readonly inserted: number;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface GuardedTrigger {
  readonly skill: string;
  readonly phrase: string;
  readonly verdict: Verdict;
  /** Where its words stand. */
  readonly at: Stretch;
}

export interface TriggerFindings {
  /** One for each skill: most specific first, then by name. */
  readonly hits: readonly TriggerHit[];
  readonly guarded: readonly GuardedTrigger[];
  /** Skill -> the trigger whose words a sentence has in another order. */
  readonly near: ReadonlyMap<string, string>;
}

export interface Triggers {
  /** The phrases of a skill, in place of those it had. */
  set(skill: string, phrases: readonly string[]): void;
  remove(skill: string): void;
  find(judgement: Judgement): TriggerFindings;
  readonly size: number;
}

interface Found {
  readonly skill: string;
  readonly trigger: CompiledTrigger;
  /** Its place among the skill's phrases. */
  readonly place: number;
  readonly fit: Fit;
  readonly verdict: Verdict | null;
}

interface Entry {
  readonly skill: string;
  readonly trigger: CompiledTrigger;
  readonly place: number;
  readonly key: string;
}

export function createTriggers(): Triggers {
  const bySkill = new Map<string, readonly Entry[]>();
  const byKey = new Map<string, Set<Entry>>();
  /** The stems that triggers need, with how many need them. */
  const needed = new Map<string, number>();
  /** Joined neighbours -> the stems of both, with how many triggers have them. */
  const joins = new Map<string, { count: number; readonly parts: readonly string[] }>();
  const spellings = createSpellings();
  /** Copies of a skill have the same phrases. */
  const compiled = new Map<string, CompiledTrigger | null>();
  const compile = (phrase: string): CompiledTrigger | null => {
    const known = compiled.get(phrase);
    if (known !== undefined) return known;
    if (compiled.size >= mostCompiled) compiled.clear();
    const made = compileTrigger(phrase);
    compiled.set(phrase, made);
    return made;
  };
  let size = 0;

  const remove = (skill: string): void => {
    for (const entry of bySkill.get(skill) ?? []) {
      const same = byKey.get(entry.key);
      same?.delete(entry);
      if (same?.size === 0) byKey.delete(entry.key);
      for (const literal of literalsOf(entry.trigger)) spellings.remove(literal);
      for (const one of entry.trigger.needed) {
        const count = (needed.get(one) ?? 0) - 1;
        if (count > 0) needed.set(one, count);
        else needed.delete(one);
      }
      for (const joined of entry.trigger.joined) {
        const known = joins.get(joined);
        if (known !== undefined && (known.count -= 1) === 0) joins.delete(joined);
      }
      size -= 1;
    }
    bySkill.delete(skill);
  };

  const set = (skill: string, phrases: readonly string[]): void => {
    if (bySkill.has(skill)) remove(skill);
    if (phrases.length === 0) return;
    const entries: Entry[] = [];
    for (const [place, phrase] of phrases.entries()) {
      const trigger = compile(phrase);
      if (trigger === null) continue;
      const key = rarest(trigger.needed, byKey);
      const entry = { skill, trigger, place, key };
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, new Set([entry]));
      else same.add(entry);
      entries.push(entry);
      for (const literal of literalsOf(trigger)) spellings.add(literal);
      for (const one of trigger.needed) needed.set(one, (needed.get(one) ?? 0) + 1);
      for (const joined of trigger.joined) {
        const known = joins.get(joined);
        if (known !== undefined) known.count += 1;
        else joins.set(joined, { count: 1, parts: partsOf(trigger, joined) });
      }
      size += 1;
    }
    if (entries.length > 0) bySkill.set(skill, entries);
  };

  const find = (judgement: Judgement): TriggerFindings => {
    const words = wordsOf(judgement.message).map((word, at) => {
      if (at >= mostSpelt || needed.has(word.stem) || joins.has(word.text)) return word;
      const near = spellings.meant(word);
      return near === undefined ? word : { ...word, near };
    });
    const stems = stemsOf(words, needed, joins);
    const found: Found[] = [];
    const near = new Map<string, { readonly phrase: string; readonly place: number }>();
    for (const key of stems) {
      for (const { skill, trigger, place } of byKey.get(key) ?? []) {
        if (!trigger.needed.every((one) => stems.has(one))) continue;
        let fits = fitTrigger(trigger, words);
        if (fits.length === 0) {
          const scattered = fitScattered(trigger, words, judgement.message);
          if (scattered?.fits === true)
            fits = [{ ...scattered, ends: [], variables: [], inserted: fitLimits.inserted }];
          else if (scattered !== null && judgement.verdict(scattered) === null)
            // The first of the skill, since under which word a trigger is looked up depends on what else there was.
            if (place < (near.get(skill)?.place ?? Infinity))
              near.set(skill, { phrase: trigger.phrase, place });
        }
        for (const fit of fits)
          found.push({
            skill,
            trigger,
            place,
            fit,
            verdict: toldOf(trigger, fit, words) ?? verdictOn(fit, judgement),
          });
      }
    }
    found.sort(
      (a, b) =>
        a.fit.start - b.fit.start ||
        a.fit.end - b.fit.end ||
        a.place - b.place ||
        (a.skill < b.skill ? -1 : a.skill > b.skill ? 1 : 0),
    );
    const best = new Map<string, TriggerHit>();
    const guarded = new Map<string, GuardedTrigger>();
    const wider = found.filter(({ verdict }) => verdict !== null);
    for (const { skill, trigger, fit, verdict } of found) {
      const why = verdict ?? wider.find((one) => holds(one.fit, fit))?.verdict ?? null;
      if (why !== null) {
        const known = guarded.get(skill);
        if (known === undefined || (known.verdict.outcome === 'held' && why.outcome === 'demoted'))
          guarded.set(skill, {
            skill,
            phrase: trigger.phrase,
            verdict: why,
            at: { start: fit.start, end: fit.end },
          });
        continue;
      }
      const hit = hitOf(skill, trigger, fit, judgement.message);
      const known = best.get(skill);
      if (known === undefined || compareHits(hit, known) < 0) best.set(skill, hit);
    }
    return {
      hits: [...best.values()].sort((a, b) => compareHits(a, b) || (a.skill < b.skill ? -1 : 1)),
      guarded: [...guarded.values()]
        .filter(({ skill }) => !best.has(skill))
        .sort((a, b) => (a.skill < b.skill ? -1 : 1)),
      near: new Map([...near].map(([skill, { phrase }]) => [skill, phrase])),
    };
  };

  return {
    set,
    remove,
    find,
    get size() {
      return size;
    },
  };
}

const mostCompiled = 4096;

/** Words of a message that are read with their typos; in a longer one the request is among the others. */
const mostSpelt = 300;

function literalsOf({ parts }: CompiledTrigger): readonly TriggerLiteral[] {
  return parts.filter((part) => part.kind === 'literal' && !part.optional) as readonly TriggerLiteral[];
}

const told: Verdict = { guard: 'narration', reason: 'it is what another person does', outcome: 'demoted' };

/** "My coach reviews my week" for "review my week": who does it stands before the verb. */
function toldOf({ parts: [first] }: CompiledTrigger, { start }: Fit, words: readonly Word[]): Verdict | null {
  const at = words.findIndex((word) => word.start === start);
  const [before, verb] = [words[at - 1], words[at]];
  if (first?.kind !== 'literal' || before === undefined || verb === undefined || verb.gap > 0) return null;
  const isInflected = verb.text === `${first.text}s` || verb.text === `${first.text}es`;
  return isInflected && !determiners.has(before.text) && !parting.has(before.text) && !works.has(before.text)
    ? told
    : null;
}

/** What follows a variable counts as what follows the trigger: "what EXPLAIN {x} means". */
const mostEnds = 8;

function verdictOn(fit: Fit, judgement: Judgement): Verdict | null {
  const verdict = judgement.triggerVerdict(fit);
  if (verdict !== null || fit.ends.length === 0) return verdict;
  for (const end of fit.ends.slice(0, mostEnds)) {
    const further = judgement.verdict({ start: fit.start, end });
    // Where the words stand was judged above.
    if (further !== null && further.guard !== 'quotation' && further.guard !== 'pasted') return further;
  }
  return null;
}

/** The word with the fewest triggers so far; the longer of equals. */
function rarest(stems: readonly string[], byKey: ReadonlyMap<string, ReadonlySet<Entry>>): string {
  let best = stems[0] as string;
  let count = byKey.get(best)?.size ?? 0;
  for (const one of stems.slice(1)) {
    const size = byKey.get(one)?.size ?? 0;
    if (size < count || (size === count && one.length > best.length)) [best, count] = [one, size];
  }
  return best;
}

function partsOf(trigger: CompiledTrigger, joined: string): readonly string[] {
  const literals = literalsOf(trigger);
  const at = literals.findIndex(({ text }, index) => text + (literals[index + 1]?.text ?? '') === joined);
  return literals.slice(at, at + 2).map(({ stem: one }) => one);
}

/** The stems of the message, with those of words that are written together or apart in a trigger. */
function stemsOf(
  words: readonly Word[],
  needed: ReadonlyMap<string, number>,
  joins: ReadonlyMap<string, { readonly parts: readonly string[] }>,
): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const [at, word] of words.entries()) {
    stems.add(word.stem);
    for (const near of word.near ?? []) stems.add(near);
    if (word.alone) {
      stems.add(word.text);
      continue;
    }
    for (const part of joins.get(word.text)?.parts ?? []) stems.add(part);
    let joined = word.text;
    for (let next = at + 1; next < at + 4 && next < words.length; next += 1) {
      const more = words[next] as Word;
      if (more.gap > 0 || more.alone) break;
      joined += more.text;
      if (joined.length > 40) break;
      const one = stem(joined);
      if (needed.has(one)) stems.add(one);
    }
  }
  return stems;
}

function hitOf(skill: string, trigger: CompiledTrigger, fit: Fit, message: string): TriggerHit {
  let weight = 0;
  for (const { alone } of literalsOf(trigger)) weight += alone ? 0.5 : 1;
  const variables: Record<string, string> = {};
  const places: Record<string, Stretch> = {};
  for (const { name, start, end } of fit.variables) {
    const place = placeOf(message, start, end);
    places[name] = place;
    variables[name] = message.slice(place.start, place.end);
  }
  return {
    skill,
    phrase: trigger.phrase,
    variables,
    places,
    start: fit.start,
    end: fit.end,
    weight,
    inserted: fit.inserted,
    confidence: confidenceOf(weight, fit.inserted),
  };
}

/** A single word may be there by chance; three are not. */
function confidenceOf(weight: number, inserted: number): number {
  return Math.round((0.98 - 0.22 / Math.max(1, weight) ** 1.5 - 0.03 * inserted) * 1000) / 1000;
}

function compareHits(a: TriggerHit, b: TriggerHit): number {
  return b.weight - a.weight || a.inserted - b.inserted || a.start - b.start;
}

/** Signs that belong to a word come with it: "C++", "#12", "40€"; a hyphen only where no word is on its other side. */
function placeOf(message: string, start: number, end: number): Stretch {
  const before = /(?:[#$€£@.~/+]|(?<![\p{L}\p{N}])-)+$/u.exec(message.slice(Math.max(0, start - 8), start));
  const after = /^(?:[+#%/°€£$¥]|-(?![\p{L}\p{N}]))+/u.exec(message.slice(end, end + 8));
  const from = start - (before?.[0].length ?? 0);
  const value = message.slice(from, end + (after?.[0].length ?? 0));
  const blank = value.length - value.trimStart().length;
  return { start: from + blank, end: from + blank + value.trim().length };
}
