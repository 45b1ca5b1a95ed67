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
import { type Checksum, type ColumnBytes, DamagedImage, type Image, type KeptImage } from '../ports/image.ts';
import { KeptTexts, addTexts, float64sIn, numbersIn } from './lexical/image.ts';
import type { LexicalOptions } from './lexical/lexical-index.ts';
import type { StoredDocument } from './lexical/read-document.ts';
import type { MatchDocument } from './match.ts';
import { createRanker, type Ranked } from './rank/ranker.ts';
import type { Asked, AskedDocument, AskedReader, KeptAsked } from './read-asked.ts';
import { createAskedReader } from './read-asked.ts';
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

/** Null while it is the version of now. */
export interface SkillView {
  version: SkillVersion | null;
}

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

/** What is kept of a skill besides its words: whether a person may call it, and whether it has words. */
const [slash, worded] = [1, 2];

const noTriggers: readonly string[] = [];

export class SkillIndex {
  readonly #ranker;
  readonly #asked: AskedReader;
  readonly #meanings: boolean;
  readonly #skills = new Map<string, IndexedSkill>();
  /** The skills that came with an image, until one of them is needed. */
  #unread: KeptAsked | null;
  /** A view of now, made whole by the next change. */
  #view: SkillView | null = null;
  readonly #restricted = new WeakMap<Offers, { readonly from: SkillVersion; readonly to: SkillVersion }>();
  /** The version that is the same as `#held`, if it was frozen. */
  #at: SkillVersion | null = null;
  /** The skills of now while the parts stand elsewhere. */
  #now: SkillVersion | null = null;

  /** With an image, the index that it was made of; without meanings. Throws `DamagedImage`, then and when it reads more of it. */
  constructor({ meanings, ...options }: SkillIndexOptions, kept: KeptImage | null = null) {
    this.#ranker = createRanker(options, kept);
    this.#meanings = meanings;
    this.#unread = kept === null ? null : this.#open(kept);
    this.#asked = createAskedReader(this.#unread);
  }

  /** What the same index can be made of; null where a text cannot be kept. `more`: further columns. */
  image(checksum: Checksum, more: ReadonlyMap<string, ColumnBytes>): Image | null {
    this.#return();
    const image = this.#ranker.image(checksum);
    if (image === null) return null;
    const columns = new Map([...image.columns, ...more]);
    const skills = [...this.#held.values()].map(({ asked }) => asked);
    columns.set(
      'skills.flags',
      Int32Array.from(
        this.#held.values(),
        ({ asked, words }) => (asked.slash === false ? 0 : slash) | (words === null ? 0 : worded),
      ),
    );
    columns.set(
      'skills.priorities',
      Float64Array.from(skills, ({ priority }) => priority),
    );
    columns.set(
      'skills.triggers.counts',
      Int32Array.from(skills, ({ triggers }) => triggers.length),
    );
    const isKept =
      addTexts(
        columns,
        'skills',
        skills.map(({ name }) => name),
      ) &&
      addTexts(
        columns,
        'skills.triggers',
        skills.flatMap(({ triggers }) => triggers),
      );
    return isKept ? { columns, region: image.region } : null;
  }

  #open(kept: KeptImage): KeptAsked {
    const names = new KeptTexts(kept, 'skills');
    const triggers = new KeptTexts(kept, 'skills.triggers');
    const flags = numbersIn(kept, 'skills.flags', names.count);
    const counts = numbersIn(kept, 'skills.triggers.counts', names.count);
    const priorities = float64sIn(kept, 'skills.priorities', names.count);
    const starts = new Int32Array(names.count);
    const triggered: number[] = [];
    let [start, words] = [0, 0];
    for (let at = 0; at < names.count; at += 1) {
      const count = counts[at] as number;
      if (count < 0 || start + count > triggers.count)
        throw new DamagedImage('triggers do not fit their skills');
      if (((flags[at] as number) & worded) !== 0) words += 1;
      if (count > 0) triggered.push(at);
      starts[at] = start;
      start += count;
    }
    if (words !== this.#ranker.size) throw new DamagedImage('skills and their words do not fit together');
    return {
      count: names.count,
      triggered,
      at: (at) => ({
        name: names.at(at),
        triggers:
          counts[at] === 0
            ? noTriggers
            : Array.from({ length: counts[at] as number }, (_, place) =>
                triggers.at((starts[at] as number) + place),
              ),
        priority: priorities[at] as number,
        slash: ((flags[at] as number) & slash) !== 0,
      }),
    };
  }

  /** What the parts hold at the moment. Objects for skills that came with an image are made when one is first needed. */
  get #held(): Map<string, IndexedSkill> {
    const unread = this.#unread;
    if (unread === null) return this.#skills;
    this.#unread = null;
    for (let at = 0; at < unread.count; at += 1) {
      const asked = unread.at(at);
      this.#skills.set(asked.name, { asked, words: this.#ranker.document(asked.name), meaning: null });
    }
    return this.#skills;
  }

  /** Of now. */
  get size(): number {
    return this.#unread?.count ?? (this.#now ?? this.#held).size;
  }

  has(name: string): boolean {
    return (this.#now ?? this.#held).has(name);
  }

  set(document: MatchDocument): void {
    this.#beforeChange();
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
    this.#beforeChange();
    if (!this.#held.has(name)) return false;
    this.#drop(name);
    this.#at = null;
    return true;
  }

  /** The skills of now, whatever changes. */
  view(): SkillView {
    return (this.#view ??= { version: null });
  }

  #beforeChange(): void {
    this.#return();
    if (this.#view === null) return;
    this.#view.version = this.freeze();
    this.#view = null;
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
