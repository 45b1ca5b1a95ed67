// The whole of matching: which skills a message asks for, by name, by trigger, by words, and by meaning.
//
//   message -> judged -> names, triggers -> ranked by words (-> fused with meaning) -> the line -> MatchResult
//
// Z1. What is called by name comes first, then triggers, then what ranks; each skill once, by its first reason.
// Z2. What ranks is suggested from `leastConfidence` on; below that line it is a candidate.
// Z3. A skill whose trigger is there but asks for nothing is not suggested for its words either.
// Z4. Without an embedder matching is synchronous. With one that fails, the answer is that of words alone, and the
//     failure is told.
// Z5. Of a message longer than 20,000 characters the beginning and the end are read: what is pasted lies between.
import type { Abort } from '../base/abort.ts';
import type { Embedder } from '../host/ports/embedder.ts';
import { judgeMessage } from './guard/judge-message.ts';
import type { LexicalOptions } from './lexical/lexical-index.ts';
import type { Match, MatchDocument, MatchResult } from './match.ts';
import { createRanker, type Ranked } from './rank/ranker.ts';
import { type Asked, createAskedReader } from './read-asked.ts';
import { fuse } from './semantic/fuse.ts';
import { createSemanticIndex } from './semantic/semantic-index.ts';

export interface MatcherOptions extends LexicalOptions {
  /** 0 to 1. Default: 0.4. */
  readonly leastConfidence?: number;
}

export interface MatchOptions {
  /** Of matches, and of candidates. Default: 5. */
  readonly limit?: number;
}

interface Skills {
  readonly size: number;
  readonly has: (name: string) => boolean;
  /** Adds a skill, or puts it in the place of the one of that name; the others are not touched. */
  set(document: MatchDocument): void;
  /** Whether there was one. */
  remove(name: string): boolean;
}

export interface Matcher extends Skills {
  match(message: string, options?: MatchOptions): MatchResult;
}

export interface FusedMatcher extends Skills {
  match(message: string, options?: MatchOptions & { readonly signal?: Abort }): Promise<MatchResult>;
}

export interface FusedMatcherOptions extends MatcherOptions {
  readonly embedder: Embedder;
  /** Told when a message was matched by words alone since the embedder failed. */
  readonly onFailure: (failure: { readonly embedder: string; readonly reason: string }) => void;
}

export const defaultLeastConfidence = 0.4;
const usualLimit = 5;
const [firstCharacters, lastCharacters] = [12_000, 8000];
/** What ranks is ordered among so many, so that fusing has something to lift. */
const mostRanked = 40;
const neverAborted: Abort = { aborted: false, reason: undefined, addEventListener: () => undefined, removeEventListener: () => undefined };

export function createMatcher(options: MatcherOptions = {}): Matcher {
  const { leastConfidence = defaultLeastConfidence } = options;
  const { skills, read } = createParts(options);
  return {
    ...skills,
    get size() {
      return skills.size;
    },
    match(message, { limit = usualLimit } = {}) {
      const { asked, ranked } = read(message, limit * 2);
      return resultOf(asked, ranked.map(matchOf), { limit, leastConfidence });
    },
  };
}

export function createFusedMatcher({ embedder, onFailure, ...options }: FusedMatcherOptions): FusedMatcher {
  const { leastConfidence = defaultLeastConfidence } = options;
  const { skills, read } = createParts(options);
  const semantic = createSemanticIndex(embedder);
  return {
    has: skills.has,
    get size() {
      return skills.size;
    },
    set(document) {
      skills.set(document);
      semantic.set(document);
    },
    remove(name) {
      semantic.remove(name);
      return skills.remove(name);
    },
    async match(message, { limit = usualLimit, signal = neverAborted } = {}) {
      const { asked, ranked } = read(message, mostRanked);
      // What is called by name needs no second opinion, and no request.
      if (asked.matches.some(({ mode }) => mode === 'explicit')) return resultOf(asked, ranked.slice(0, limit * 2).map(matchOf), { limit, leastConfidence });
      try {
        const near = await semantic.search(bounded(message), mostRanked, signal);
        return resultOf(asked, fuse(ranked, near).slice(0, limit * 2), { limit, leastConfidence });
      } catch (error) {
        if (signal.aborted) throw error;
        onFailure({ embedder: embedder.name, reason: error instanceof Error ? error.message : String(error) });
        return resultOf(asked, ranked.slice(0, limit * 2).map(matchOf), { limit, leastConfidence });
      }
    },
  };
}

interface Read {
  readonly asked: Asked;
  readonly ranked: readonly Ranked[];
}

function createParts(options: LexicalOptions): { readonly skills: Skills; readonly read: (message: string, most: number) => Read } {
  const ranker = createRanker(options);
  const reader = createAskedReader();
  const skills: Skills = {
    get size() {
      return ranker.size;
    },
    has: ranker.has,
    set(document) {
      ranker.set(document);
      reader.set(document);
    },
    remove(name) {
      reader.remove(name);
      return ranker.remove(name);
    },
  };
  return {
    skills,
    read(message, most) {
      const judgement = judgeMessage(bounded(message));
      return { asked: reader.read(judgement), ranked: ranker.rank(judgement, most) };
    },
  };
}

/** Z5 */
function bounded(message: string): string {
  return message.length <= firstCharacters + lastCharacters ? message : `${message.slice(0, firstCharacters)}\n\n${message.slice(-lastCharacters)}`;
}

function matchOf({ skill, confidence, reason }: Ranked): Match {
  return { skill, mode: 'lexical', confidence, variables: {}, reason };
}

function resultOf(asked: Asked, ranked: readonly Match[], { limit, leastConfidence }: { readonly limit: number; readonly leastConfidence: number }): MatchResult {
  const known = new Set(asked.matches.map(({ skill }) => skill));
  const guarded = new Map(asked.guarded.map(({ skill, reason }) => [skill, reason]));
  const matches = [...asked.matches];
  const candidates: Match[] = [];
  for (const match of ranked) {
    if (known.has(match.skill)) continue;
    const kept = guarded.get(match.skill);
    // Z3, Z2
    if (kept !== undefined) candidates.push({ ...match, confidence: 0, reason: `${match.reason}; ${kept}` });
    else if (match.confidence >= leastConfidence) matches.push(match);
    else candidates.push(match);
  }
  return {
    matches: matches.slice(0, limit),
    candidates: [...matches.slice(limit), ...candidates].slice(0, limit),
    abstained: matches.length === 0 ? abstention(asked, candidates, leastConfidence) : null,
  };
}

function abstention(asked: Asked, [best]: readonly Match[], leastConfidence: number): string | null {
  const [guarded] = asked.guarded;
  if (guarded !== undefined) return `"${guarded.skill}" is not asked for: ${guarded.reason}`;
  if (best === undefined) return null;
  return `the nearest skill, "${best.skill}", ${best.reason}, which makes it ${percent(best.confidence)} sure; ${percent(leastConfidence)} are needed`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
