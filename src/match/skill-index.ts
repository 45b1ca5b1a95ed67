// Names, triggers and words of skills: one index that answers for the current skills and for earlier versions.
//
//   set, remove -> the current skills;   freeze -> a SkillVersion;   read(version, message) -> what it asks for there
//
// A version answers as an index that was built for it alone, whatever was set and removed since. There is one index: to
// answer for another version it first moves there, by the skills that differ, and the result does not depend on the
// order of changes. So a change costs what it changes, and a version costs a list of names until it is garbage. A copy
// for each version would cost the whole index each time; rebuilding an old version would need texts that are no longer
// on disk.
//
// A skill is read once, and returns to the index without its text. A skill that is never suggested (`invocation.model`)
// is known by its name alone: its words and triggers would change how rare the words of others are, and so their order.
import type { Judgement } from './guard/judge-message.ts';
import type { LexicalOptions } from './lexical/lexical-index.ts';
import type { StoredDocument } from './lexical/read-document.ts';
import type { MatchDocument } from './match.ts';
import { createRanker, type Ranked } from './rank/ranker.ts';
import { type Asked, type AskedDocument, createAskedReader } from './read-asked.ts';
import { type Meaning, meaningOf } from './semantic/meaning.ts';

export interface IndexedSkill {
  readonly asked: AskedDocument;
  /** Null of what is never suggested. */
  readonly words: StoredDocument | null;
  /** Kept from version to version while the text it was made of is the same; null where meaning is not asked for, and of what is never suggested. */
  readonly meaning: Meaning | null;
}

/** By name. It never changes. */
export type SkillVersion = ReadonlyMap<string, IndexedSkill>;

/** Whether a skill takes part. Must give the same answer each time. */
export type Offers = (name: string) => boolean;

export interface Reading {
  readonly asked: Asked;
  readonly ranked: readonly Ranked[];
}

export interface SkillIndexOptions extends LexicalOptions {
  /** Whether meanings are kept. */
  readonly meanings: boolean;
}

export class SkillIndex {
  readonly #ranker;
  readonly #asked = createAskedReader();
  readonly #meanings: boolean;
  /** What the parts hold at the moment. */
  readonly #held = new Map<string, IndexedSkill>();
  readonly #restricted = new WeakMap<Offers, { readonly from: SkillVersion; readonly to: SkillVersion }>();
  /** The version that is the same as `#held`, if it was frozen. */
  #at: SkillVersion | null = null;
  /** The skills of now while the parts stand elsewhere. */
  #now: SkillVersion | null = null;

  constructor({ meanings, ...options }: SkillIndexOptions) {
    this.#ranker = createRanker(options);
    this.#meanings = meanings;
  }

  /** Of now. */
  get size(): number {
    return (this.#now ?? this.#held).size;
  }

  has(name: string): boolean {
    return (this.#now ?? this.#held).has(name);
  }

  set(document: MatchDocument): void {
    this.#return();
    const { name, triggers, priority, invocation = { user: true, model: true } } = document;
    const { user, model } = invocation;
    const meaning =
      this.#meanings && model ? meaningOf(document, this.#held.get(name)?.meaning ?? null) : null;
    this.#put({
      asked: { name, triggers: model ? triggers : [], priority, slash: user },
      words: model ? this.#ranker.read(document) : null,
      meaning,
    });
    this.#at = null;
  }

  remove(name: string): boolean {
    this.#return();
    if (!this.#held.has(name)) return false;
    this.#drop(name);
    this.#at = null;
    return true;
  }

  freeze(): SkillVersion {
    return this.#now ?? (this.#at ??= new Map(this.#held));
  }

  /** Those of a version that are offered. The same each time while the version is the same. */
  restrict(version: SkillVersion | null, offers: Offers): SkillVersion {
    const from = version ?? this.freeze();
    const known = this.#restricted.get(offers);
    if (known?.from === from) return known.to;
    const to = new Map([...from].filter(([name]) => offers(name)));
    this.#restricted.set(offers, { from, to });
    return to;
  }

  /** `null` is now. */
  read(version: SkillVersion | null, judgement: Judgement, most: number): Reading {
    if (version === null) this.#return();
    else this.#moveTo(version);
    return { asked: this.#asked.read(judgement), ranked: this.#ranker.rank(judgement, most) };
  }

  #return(): void {
    if (this.#now === null) return;
    this.#go(this.#now);
    this.#now = null;
  }

  #moveTo(version: SkillVersion): void {
    const now = this.freeze();
    this.#go(version);
    this.#now = version === now ? null : now;
  }

  #go(version: SkillVersion): void {
    if (this.#at === version) return;
    for (const name of this.#held.keys()) if (!version.has(name)) this.#drop(name);
    for (const [name, skill] of version) if (this.#held.get(name) !== skill) this.#put(skill);
    this.#at = version;
  }

  #put(skill: IndexedSkill): void {
    if (skill.words === null) this.#ranker.remove(skill.asked.name);
    else this.#ranker.put(skill.words);
    this.#asked.set(skill.asked);
    this.#held.set(skill.asked.name, skill);
  }

  #drop(name: string): void {
    this.#ranker.remove(name);
    this.#asked.remove(name);
    this.#held.delete(name);
  }
}
