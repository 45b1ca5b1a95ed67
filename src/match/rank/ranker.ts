// Ranks skills by their words: the lexical half of matching, with confidence and reasons.
//
//   message -> names that are refused -> index -> scores -> confidence
//
// A skill that the message names and refuses, asks about or works on does not rank, and its name finds no others. Words
// that ask for nothing (negated, pasted, to be translated …) never raise confidence; they only help to order.
// Confidence is also limited by how telling the shared words are: one everyday word is not a request (substance.ts). In
// a short message confidence rises if the thing asked for is in the name of the skill, or if the wording is one that
// the skill lists (message-shape.ts, said-phrase.ts). The order is by score, then by priority, then by name.
import type { Judgement, Verdict } from '../guard/judge-message.ts';
import type { KeptImage } from '../../ports/image.ts';
import type { LexicalFindings, LexicalIndex, LexicalOptions } from '../lexical/lexical-index.ts';
import { createLexicalIndex } from '../lexical/lexical-index.ts';
import type { StoredDocument } from '../lexical/read-document.ts';
import { mostTerms } from '../lexical/read-query.ts';
import type { Features } from '../lexical/score-candidates.ts';
import type { MatchDocument } from '../match.ts';
import { type AskedWords, askedWords, blanked, definition } from './asked-words.ts';
import { type AskedFor, confidenceOf, withAskedFor } from './confidence.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import { findMentions, type Mention } from './find-mentions.ts';
import { type MessageShape, shapeOf } from './message-shape.ts';
import { mostShared, renderShared, type SharedWord } from './reason.ts';
import { phraseShared, readSaid } from './said-phrase.ts';
import { substanceOf } from './substance.ts';
import { unfold } from '../text/unfold.ts';

/**
 * BM25F leads. Neighbours add to it, and the name decides between near twins. The weights hold across folds of skills of
 * three authors, with whole skills and with heads alone (docs/decisions/0014-matching.md).
 */
export const rankWeights = { lexical: 0.64, name: 0.03, headPairs: 0.16, bodyPairs: 0.17 } as const;

/** Neighbours may outweigh a query of few telling words; they shall not decide alone. */
const mostPairs = 1;

function scoreOf(features: Features): number {
  return (
    rankWeights.lexical * features.lexical +
    rankWeights.name * features.name +
    rankWeights.headPairs * Math.min(mostPairs, features.headPairs) +
    rankWeights.bodyPairs * Math.min(mostPairs, features.bodyPairs)
  );
}

const handles = new RegExp(
  unfold`
    \b(?:
      delete|remove|uninstall|install|rename|edit|update|change|improve|fix|rewrite|refactor|disable|enable
      |publish|share|move|copy|archive|list|compare|audit|evaluate|validate|lint|about|dislike|hate
    )\s+(?:(?:the|my|our|your|this|that|a|an|of)\s+){0,2}["'\x60“‘]?$
  `,
  'i',
);
/** Of a name that is followed by "skill". */
const saidOfIt = new RegExp(
  unfold`
    ^["'\x60”’]?\s{1,8}skills?\s{1,8}(?:
      is|are|was|were|isn['’]t|has|had|does|did|doesn['’]t|needs|seems|looks|sucks|fails|failed|keeps|never
      |always
    )\b
  `,
  'i',
);
const reach = 60;

/** The message is about the skill itself ("delete the bread skill"), so it does not ask for what the skill does. */
function isAboutSkill(message: string, { start, end }: Mention): boolean {
  return (
    handles.test(message.slice(Math.max(0, start - reach), start)) ||
    saidOfIt.test(message.slice(end, end + reach))
  );
}

export interface Ranked {
  readonly skill: string;
  readonly score: number;
  readonly confidence: number;
  readonly evidence: Evidence;
  readonly reason: string;
  /** Why words that it shares ask for nothing, such as `"do not" refuses it`; null where none of them does. */
  readonly kept: string | null;
  /** The most telling first. */
  readonly shared: readonly SharedWord[];
  /** Words in lower case -> why they ask for nothing. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

interface Ordered extends Pick<Ranked, 'skill' | 'score' | 'confidence' | 'evidence'> {
  readonly features: Features;
}

export interface Ranker {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly set: (document: MatchDocument) => void;
  readonly read: (document: MatchDocument) => StoredDocument;
  readonly put: (document: StoredDocument) => void;
  readonly remove: (name: string) => boolean;
  readonly document: LexicalIndex['document'];
  readonly image: LexicalIndex['image'];
  /** At most `most`, best first. */
  rank(judgement: Judgement, most: number): readonly Ranked[];
}

/** Below this it makes no difference how telling the words are. */
const doubtful = 0.1;
const wholeName = 0.99;
/** Of the best, those whose words are judged one by one. */
const mostJudged = 5;
/** Below every line that suggests. */
const aboutConfidence = 0.2;
const noMore: AskedFor = { name: null, phrase: 0 };
/** What is left where too little is shared: a meaning that is near may still lift it. */
const leastSubstance = 0.05;
/** Without one of these no word of a message can be guarded, and judging it is spared. */
const cue = new RegExp(
  unfold`
    ["'\x60“”‘’«»「」『』<>|]|\n|:\s
    |\b(?:
      no|not|never|cannot|without|avoid|stop|skip|instead|rather|ignore|except|translat\w*|says?|said|means?
      |meaning|define|called|quote\w*|yesterday|ago|was|were|did|had|heard|saw|read
    )\b|n['’]t\b|[^\u0000-\u024f]
  `,
  'i',
);

export function createRanker(options: LexicalOptions = {}, kept: KeptImage | null = null): Ranker {
  const index = createLexicalIndex(options, kept);

  const rank = (judgement: Judgement, most: number): readonly Ranked[] => {
    const { message } = judgement;
    const refused = new Set<string>();
    const handled = new Set<string>();
    /** Who asks about a skill may mean to use it: it is no suggestion, but the first thing to look at. */
    const about = new Set<string>();
    let text = message;
    for (const mention of findMentions(message, index.has)) {
      const guard = judgement.verdictUnquoted(mention)?.guard;
      if (guard === 'question') about.add(mention.name);
      if (guard === 'negation' || guard === 'question') refused.add(mention.name);
      else if (isAboutSkill(message, mention)) handled.add(mention.name);
      else continue;
      text = blanked(text, mention.start, mention.end);
    }
    const shape = shapeOf(message);
    const findings = index.search(text);
    const out = { refused, handled };
    const ordered = order(index, findings, shape, out);
    const best = ordered.slice(0, most);
    // What is far below any line needs no closer look.
    const shared = best.map(({ skill, confidence }) =>
      index.sharedWords(findings.query, skill, confidence < doubtful ? mostShared : mostTerms),
    );
    const guards = best.length > 0 && (cue.test(message) || definition.test(message));
    const spoken = new Set(
      guards
        ? shared.slice(0, mostJudged).flatMap((words) => words.map(({ word }) => word.toLowerCase()))
        : [],
    );
    const asked = guards
      ? askedWords(judgement, text, spoken)
      : { text, verdicts: new Map<string, Verdict>() };
    const judged =
      asked.text === text
        ? findings
        : index.searchAmong(
            asked.text,
            best.map(({ skill }) => skill),
          );
    const sure =
      judged === findings ? null : new Map(order(index, judged, shape, out).map((one) => [one.skill, one]));
    const words = new Set(judged.query.terms.map(({ word }) => word.toLowerCase()));
    const said =
      shape.isShort && shape.form !== 'recounts' ? readSaid(asked.text, shape.form === 'asks') : null;
    const askedFor = ({ skill, features }: Ordered, common: readonly SharedWord[]): AskedFor => {
      const inName = common.filter(
        ({ word, place, synonym }) =>
          place === 'name' && synonym === null && shape.things.has(word.toLowerCase()),
      );
      return {
        name:
          inName.length > 0 && features.name > wholeName
            ? 'whole'
            : inName.some(({ endsName }) => !endsName)
              ? 'word'
              : null,
        phrase:
          said === null ? 0 : Math.max(0, ...index.said(skill).map((phrase) => phraseShared(said, phrase))),
      };
    };
    const sureness = (confidence: number, one: Ordered, common: readonly SharedWord[]): number => {
      const left = sure === null ? common : index.sharedWords(judged.query, one.skill, mostTerms);
      const more = shape.isShort ? askedFor(one, left) : noMore;
      const whole = withAskedFor(confidence, more);
      if (whole < doubtful) return whole;
      return rounded(
        whole *
          Math.max(
            leastSubstance,
            substanceOf({
              words,
              unknown: judged.query.unknownWords,
              shared: left,
              neighbours: one.features.headPairs > 0,
              named: one.features.name > wholeName,
              form: shape.form,
              askedFor: more,
            }),
          ),
      );
    };
    const ranked = best.map((one, at): Ranked => {
      const common = shared[at] as readonly SharedWord[];
      const left = sure === null ? one : sure.get(one.skill);
      const least = left === undefined ? 0 : Math.min(one.confidence, left.confidence);
      return {
        skill: one.skill,
        score: one.score,
        evidence: one.evidence,
        confidence:
          left === undefined || (least < doubtful && !shape.isShort) ? least : sureness(least, left, common),
        reason: renderShared(common.slice(0, mostShared)),
        kept: least < one.confidence ? keptBy(common, asked) : null,
        shared: common,
        verdicts: asked.verdicts,
      };
    });
    const at = ranked.findIndex(({ confidence }) => confidence < aboutConfidence);
    return ranked.toSpliced(at < 0 ? ranked.length : at, 0, ...[...about].map(namedOnly)).slice(0, most);
  };

  return {
    get size() {
      return index.size;
    },
    has: index.has,
    set: index.set,
    read: index.read,
    put: index.put,
    remove: index.remove,
    document: index.document,
    image: index.image,
    rank,
  };
}

function namedOnly(skill: string): Ranked {
  return {
    skill,
    score: 0,
    confidence: aboutConfidence,
    evidence: { support: 0, margin: 0, unknown: 0, words: 0, conceptual: false, refusesSkill: true },
    reason: 'is named in the message',
    kept: 'it is asked about',
    shared: [],
    verdicts: new Map(),
  };
}

function order(
  index: LexicalIndex,
  { hits, query }: LexicalFindings,
  shape: MessageShape,
  { refused, handled }: { readonly refused: ReadonlySet<string>; readonly handled: ReadonlySet<string> },
): readonly Ordered[] {
  const scored = hits
    .filter(({ name }) => !refused.has(name) && !handled.has(name))
    .map((hit) => ({ ...hit, score: scoreOf(hit.features) }))
    .sort((a, b) => b.score - a.score || b.priority - a.priority || (a.name < b.name ? -1 : 1));
  const [first, second] = scored;
  return scored.map((hit, at) => {
    const rival = (at === 0 ? second : first)?.score ?? 0;
    const evidence = evidenceOf({
      score: hit.score,
      rival,
      features: hit.features,
      query,
      documents: index.size,
      shape,
      refusesSkill: refused.size > 0,
    });
    return {
      skill: hit.name,
      score: hit.score,
      features: hit.features,
      evidence,
      confidence: confidenceOf(evidence),
    };
  });
}

/** Of the first word that the guards took away. */
function keptBy(shared: readonly SharedWord[], { verdicts }: AskedWords): string | null {
  for (const { word } of shared) {
    const verdict = verdicts.get(word.toLowerCase());
    if (verdict !== undefined) return verdict.reason;
  }
  return null;
}

function rounded(confidence: number): number {
  return Math.round(confidence * 1000) / 1000;
}
