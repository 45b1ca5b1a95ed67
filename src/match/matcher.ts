// A message -> the skills that it asks for: by name, by trigger, by words and by meaning.
//
//   message -> judged -> names, triggers -> ranked by words (-> fused with meaning) -> threshold -> MatchResult
//
// Names come first, then triggers, then ranked skills; each skill once, with its first reason. A ranked skill is
// suggested from `leastConfidence` on and is a candidate below it. A skill whose trigger is held (refused, quoted,
// pasted) is not suggested for its words either; one whose trigger is demoted is, but never as sure as by a trigger. A skill
// that shares no word is found by its meaning alone where an embedder is strong enough (semantic/strength.ts). Only the beginning
// and the end of a message over 20,000 characters are read: pasted text lies between.
//
// Matching is synchronous without an embedder. If an embedder fails, words alone decide and the failure is reported. A
// view never changes when its matcher does: both share one index, which moves to the version of the view
// (skill-index.ts).
import type { Abort } from '../base/abort.ts';
import { neverAborted } from '../base/abort.ts';
import type { Embedder } from '../ports/embedder.ts';
import { type Judgement, judgeLimits, judgeMessage } from './guard/judge-message.ts';
import type { Checksum, ColumnBytes, Image, KeptImage } from '../ports/image.ts';
import { explainMatch } from './explain-match.ts';
import type { LexicalOptions } from './lexical/lexical-index.ts';
import type { Match, MatchDocument, MatchResult } from './match.ts';
import { findMentions } from './rank/find-mentions.ts';
import { shapeOf } from './rank/message-shape.ts';
import type { Ranked } from './rank/ranker.ts';
import type { Asked } from './read-asked.ts';
import { fuse, nominate } from './semantic/fuse.ts';
import { findNearest } from './semantic/meaning.ts';
import { type Offers, SkillIndex, type SkillView } from './skill-index.ts';

export interface MatcherOptions extends LexicalOptions {
  /** 0 to 1. Default: 0.4. */
  readonly leastConfidence?: number;
}

export interface MatchOptions {
  /** Of matches, and of candidates. Default: 5. */
  readonly limit?: number;
  /** The skills that take part, as if there were no others: pass the same function for the same ones. Default: all. */
  readonly offers?: Offers;
  /** Whether matches and candidates have `signs`. Default: false. */
  readonly explains?: boolean;
}

interface Skills {
  readonly size: number;
  readonly has: (name: string) => boolean;
  /** Adds a skill, or puts it in the place of the one of that name; the others are not touched. */
  set(document: MatchDocument): void;
  /** Whether there was one. */
  remove(name: string): boolean;
}

/** Matches over the skills of the moment when it was created. */
export interface WordMatcherView {
  match(message: string, options?: MatchOptions): MatchResult;
}

export interface WordMatcher extends Skills, WordMatcherView {
  view(): WordMatcherView;
  /** What `createMatcher` makes the same matcher of, with `more` columns; null where a text cannot be kept. */
  image(checksum: Checksum, more: ReadonlyMap<string, ColumnBytes>): Image | null;
}

export interface FusedMatcherView {
  match(message: string, options?: MatchOptions & { readonly signal?: Abort }): Promise<MatchResult>;
}

export interface FusedMatcher extends Skills, FusedMatcherView {
  view(): FusedMatcherView;
}

export interface FusedMatcherOptions extends MatcherOptions {
  readonly embedder: Embedder;
  /** Called when a message was matched by words alone since the embedder failed. */
  readonly onFailure: (failure: { readonly embedder: string; readonly reason: string }) => void;
  /** Resolves when a message has waited long enough for skills that are embedded first. Default: it waits. */
  readonly patience?: (() => Promise<void>) | null;
}

const defaultLeastConfidence = 0.4;
const usualLimit = 5;
/** Below every trigger that fires, and above most of what shares words only. */
const [leastDemoted, mostDemoted] = [0.6, 0.7];
/** All words of a trigger, in another order. */
const leastNear = 0.5;
/** Together no more than is judged, so that a refusal at the end counts. */
const cut = '\n\n';
const [firstCharacters, lastCharacters] = [12_000, judgeLimits.message - 12_000 - cut.length];
/** Of a matcher that changes: whatever it holds. */
const now: SkillView = { version: null };
/** What ranks is ordered among so many, so that fusing has something to lift. */
const mostRanked = 40;

/** With an image, the matcher that it was made of. Throws `DamagedImage`, then and when it reads more of it. */
export function createMatcher(options: MatcherOptions = {}, kept: KeptImage | null = null): WordMatcher {
  const { leastConfidence = defaultLeastConfidence } = options;
  const index = new SkillIndex({ ...options, meanings: false }, kept);
  const over = (view: SkillView): WordMatcherView => ({
    match(message, { limit = usualLimit, offers, explains = false } = {}) {
      const { version } = view;
      const { asked, ranked } = index.read(
        offers === undefined ? version : index.restrict(version, offers),
        judgeMessage(bounded(message)),
        limit * 2,
      );
      const result = resultOf(asked, ranked.map(matchOf), {
        limit,
        leastConfidence,
        kept: keptBack(ranked),
      });
      return explains ? explainMatch(result, { asked, ranked, isWhole: isWhole(message) }) : result;
    },
  });
  return withSkills(index, {
    ...over(now),
    view: () => over(index.view()),
    image: (checksum: Checksum, more: ReadonlyMap<string, ColumnBytes>) => index.image(checksum, more),
  });
}

export function createFusedMatcher({
  embedder,
  onFailure,
  patience = null,
  ...options
}: FusedMatcherOptions): FusedMatcher {
  const { leastConfidence = defaultLeastConfidence } = options;
  const index = new SkillIndex({ ...options, meanings: true });
  const over = (view: SkillView): FusedMatcherView => ({
    async match(message, { limit = usualLimit, offers, explains = false, signal = neverAborted } = {}) {
      const { version } = view;
      const judgement = judgeMessage(bounded(message));
      const skills = offers === undefined ? (version ?? index.freeze()) : index.restrict(version, offers);
      const { asked, ranked } = index.read(offers === undefined ? version : skills, judgement, mostRanked);
      const found = new Set(ranked.map(({ skill }) => skill));
      const named = new Set(
        findMentions(judgement.message, (name) => skills.has(name)).map(({ name }) => name),
      );
      const bounds = { limit, leastConfidence, kept: keptBack(ranked) };
      const told = (ordered: readonly Match[]): MatchResult => {
        const result = resultOf(asked, ordered, bounds);
        return explains ? explainMatch(result, { asked, ranked, isWhole: isWhole(message) }) : result;
      };
      // What is called by name needs no second opinion, and no request.
      if (asked.matches.some(({ mode }) => mode === 'explicit'))
        return told(ranked.slice(0, limit * 2).map(matchOf));
      try {
        const meanings = [...skills.values()].flatMap(({ meaning }) => meaning ?? []);
        const { near, strength } = await findNearest(embedder, meanings, {
          message: judgement.message,
          most: mostRanked,
          signal,
          patience,
        });
        const fused = fuse(ranked, near).slice(0, limit * 2);
        // What is refused, asked about or pasted has a meaning too, and a skill that is named is judged by its name.
        const isKnown = (skill: string): boolean => found.has(skill) || named.has(skill);
        const meant = asksMostly(judgement) ? nominate(near, strength, isKnown) : [];
        return told([...fused, ...meant]);
      } catch (error) {
        if (signal.aborted) throw error;
        onFailure({
          embedder: embedder.name,
          reason: error instanceof Error ? error.message : String(error),
        });
        return told(ranked.slice(0, limit * 2).map(matchOf));
      }
    },
  });
  return withSkills(index, { ...over(now), view: () => over(index.view()) });
}

/** Whether most of a message asks for something, and is no question of knowledge. */
function asksMostly({ message, rankable }: Judgement): boolean {
  const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters(rankable) * 2 > letters(message) && !shapeOf(message).conceptual;
}

function withSkills<M>(index: SkillIndex, matching: M): M & Skills {
  return {
    ...matching,
    get size() {
      return index.size;
    },
    has: (name) => index.has(name),
    set: (document) => index.set(document),
    remove: (name) => index.remove(name),
  };
}

function isWhole(message: string): boolean {
  return message.length <= judgeLimits.message;
}

function bounded(message: string): string {
  return isWhole(message)
    ? message
    : `${message.slice(0, firstCharacters)}${cut}${message.slice(-lastCharacters)}`;
}

function matchOf({ skill, confidence, reason }: Ranked): Match {
  return { skill, mode: 'lexical', confidence, variables: {}, reason };
}

interface Bounds {
  readonly limit: number;
  readonly leastConfidence: number;
  /** Skill -> why words that it shares with the message ask for nothing. */
  readonly kept: ReadonlyMap<string, string>;
}

function keptBack(ranked: readonly Ranked[]): ReadonlyMap<string, string> {
  return new Map(ranked.flatMap(({ skill, kept }) => (kept === null ? [] : [[skill, kept] as const])));
}

function resultOf(
  asked: Asked,
  ranked: readonly Match[],
  { limit, leastConfidence, kept }: Bounds,
): MatchResult {
  const known = new Set(asked.matches.map(({ skill }) => skill));
  const guarded = new Map(asked.guarded.map((one) => [one.skill, one]));
  const suggested: Match[] = [];
  const candidates: Match[] = [];
  const found = new Set(ranked.map(({ skill }) => skill));
  for (const match of [...ranked, ...demotedUnranked(asked, found)]) {
    if (known.has(match.skill)) continue;
    const trigger = guarded.get(match.skill);
    const near = trigger === undefined ? asked.near.get(match.skill) : undefined;
    const confidence = near === undefined ? match.confidence : Math.max(match.confidence, leastNear);
    const why =
      trigger?.reason ??
      (near === undefined
        ? confidence < leastConfidence
          ? kept.get(match.skill)
          : undefined
        : `the words of its trigger "${near}" are there in another order`);
    const told = {
      ...match,
      confidence,
      ...(why === undefined ? {} : { reason: `${match.reason}; ${why}` }),
    };
    if (trigger?.outcome === 'held') candidates.push({ ...told, confidence: 0 });
    else if (trigger !== undefined)
      suggested.push({
        ...told,
        confidence: Math.max(leastConfidence, leastDemoted, Math.min(confidence, mostDemoted)),
        demoted: true,
      });
    else if (confidence < leastConfidence) candidates.push(told);
    else suggested.push(told);
  }
  // What is demoted may stand behind what was ranked after it.
  const matches = [...asked.matches, ...suggested.sort((a, b) => b.confidence - a.confidence)];
  return {
    matches: matches.slice(0, limit),
    candidates: [...matches.slice(limit), ...candidates].slice(0, limit),
    abstained: matches.length === 0 ? abstention(asked, candidates, { leastConfidence, kept }) : null,
    ...(asked.misspelt === null ? {} : { misspelt: asked.misspelt }),
  };
}

/** The words of a trigger are there, whatever else ranks. */
function demotedUnranked({ guarded }: Asked, ranked: ReadonlySet<string>): readonly Match[] {
  return guarded
    .filter(({ skill, outcome }) => outcome === 'demoted' && !ranked.has(skill))
    .map(({ skill }) => ({
      skill,
      mode: 'lexical',
      confidence: 0,
      variables: {},
      reason: 'has its trigger',
    }));
}

function abstention(
  { misspelt, guarded }: Asked,
  [best]: readonly Match[],
  { leastConfidence, kept }: Omit<Bounds, 'limit'>,
): string | null {
  if (misspelt !== null) return `there is no skill "${misspelt.written}"; did you mean "${misspelt.meant}"?`;
  const held = guarded.find(({ outcome }) => outcome === 'held') ?? guarded[0];
  if (held !== undefined)
    return `"${held.skill}" is not ${held.outcome === 'held' ? '' : 'surely '}asked for: ${held.reason}`;
  if (best === undefined) return null;
  const words = kept.get(best.skill);
  if (words !== undefined) return `"${best.skill}" is not asked for: ${words}`;
  return `the nearest skill, "${best.skill}", ${best.reason}, which makes it ${percent(best.confidence, leastConfidence)} sure; ${percent(leastConfidence)} are needed`;
}

/** With one more digit where it would read as `bar` does and is not it: "39.6 % sure; 40 % are needed". */
function percent(share: number, bar = share): string {
  const near = share !== bar && Math.round(share * 100) === Math.round(bar * 100);
  return `${near ? Math.floor(share * 1000) / 10 : Math.round(share * 100)} %`;
}
