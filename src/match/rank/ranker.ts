// Skills by their words: the lexical half of matching, with confidence and reasons.
//
//   message -> names that are refused -> index -> scores -> confidence
//
// K1. A skill that the message names and refuses, or only asks about, does not rank, and its name finds no others.
// K2. Of words that ask for nothing (negated, pasted, to be translated …) none may carry a suggestion: a skill is no
//     surer than it is without them. They still help to order what is asked for.
// K3. The order is by score, then by priority, then by name.
import type { Judgement } from '../guard/judge-message.ts';
import type { LexicalFindings, LexicalIndex, LexicalOptions } from '../lexical/lexical-index.ts';
import { createLexicalIndex } from '../lexical/lexical-index.ts';
import type { MatchDocument } from '../match.ts';
import { confidenceOf } from './confidence.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import { findMentions } from './find-mentions.ts';
import { type MessageShape, shapeOf } from './message-shape.ts';
import { mostShared, renderShared } from './reason.ts';
import { scoreOf } from './score.ts';

export interface Ranked {
  readonly skill: string;
  readonly score: number;
  readonly confidence: number;
  readonly evidence: Evidence;
  readonly reason: string;
}

export interface Ranker {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly set: (document: MatchDocument) => void;
  readonly remove: (name: string) => boolean;
  /** At most `most`, best first. */
  rank(judgement: Judgement, most: number): readonly Ranked[];
}

/** Without one of these no word of a message can be guarded, and judging it is spared. */
const cue =
  /["'`“”‘’«»「」『』<>|]|\n|:\s|\b(?:no|not|never|cannot|without|avoid|stop|skip|instead|rather|ignore|except|translat\w*|says?|said|means?|meaning|define|called|quote\w*|yesterday|ago|was|were|did|had|heard|saw|read)\b|n['’]t\b|[^\u0000-\u024f]/i;

export function createRanker(options: LexicalOptions = {}): Ranker {
  const index = createLexicalIndex(options);

  const rank = (judgement: Judgement, most: number): readonly Ranked[] => {
    const { message } = judgement;
    const refused = new Set<string>();
    let text = message;
    for (const { name, start, end } of findMentions(message, index.has)) {
      const guard = judgement.verdictUnquoted({ start, end })?.guard;
      if (guard !== 'negation' && guard !== 'question') continue;
      refused.add(name);
      text = blanked(text, start, end);
    }
    const shape = shapeOf(message);
    const findings = index.search(text);
    const ordered = order(index, findings, shape, refused);
    const best = ordered.slice(0, most);
    const asked = best.length > 0 && cue.test(message) ? (refused.size === 0 ? judgement.rankable : common(judgement.rankable, text)) : text;
    const sure = asked === text ? null : new Map(order(index, index.searchAmong(asked, best.map(({ skill }) => skill)), shape, refused).map(({ skill, confidence }) => [skill, confidence]));
    return best.map((one) => ({
      ...one,
      // K2
      confidence: sure === null ? one.confidence : Math.min(one.confidence, sure.get(one.skill) ?? 0),
      reason: renderShared(index.sharedWords(findings.query, one.skill, mostShared)),
    }));
  };

  return {
    get size() {
      return index.size;
    },
    has: index.has,
    set: index.set,
    remove: index.remove,
    rank,
  };
}

function order(index: LexicalIndex, { hits, query }: LexicalFindings, shape: MessageShape, refused: ReadonlySet<string>): readonly Omit<Ranked, 'reason'>[] {
  const scored = hits
    .filter(({ name }) => !refused.has(name))
    .map((hit) => ({ ...hit, score: scoreOf(hit.features) }))
    // K3
    .sort((a, b) => b.score - a.score || b.priority - a.priority || (a.name < b.name ? -1 : 1));
  const [first, second] = scored;
  return scored.map((hit, at) => {
    const rival = (at === 0 ? second : first)?.score ?? 0;
    const evidence = evidenceOf({ score: hit.score, rival, features: hit.features, query, documents: index.size, shape, refusesSkill: refused.size > 0 });
    return { skill: hit.name, score: hit.score, evidence, confidence: confidenceOf(evidence) };
  });
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
}

/** Blank where either is. */
function common(a: string, b: string): string {
  let result = '';
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) result += a[at] === ' ' ? ' ' : (b[at] as string);
  return result;
}
