// Judged pairs -> figures.
//
// Only pairs that count (measure-pair.ts) are in a mean, a rate or an interval; failures and invalid judgements are
// counted beside them. The interval of a prompt is over its repeats. Scores, difference and interval of all are over
// the means of the prompts, since repeats of one prompt show little about another. Reported are also how often the
// judge preferred the result it saw first, whether its verdicts follow the order (position-bias.ts) and, with both
// orders, how often it repeated its verdict.
import type { Interval } from './confidence.ts';
import { meanInterval, meanOf } from './confidence.ts';
import type { Arm } from './judge.ts';
import { highestScore } from './judge-request.ts';
import type { Pair } from './measure-pair.ts';
import type { OutputCase } from './output-case.ts';
import type { PositionBias } from './position-bias.ts';
import { positionBiasOf } from './position-bias.ts';

export interface OutputFigures {
  /** Pairs that count. */
  readonly pairs: number;
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  /** Wins and half of the ties, of the pairs; null of none. */
  readonly winRate: number | null;
  /** Means, 0 to 10. */
  readonly scoreWith: number | null;
  readonly scoreWithout: number | null;
  /** Of the score: with minus without. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Results that did not come about, by arm; and judges that gave no answer. */
  readonly failed: { readonly with: number; readonly without: number; readonly judge: number };
  /** Judgements that could not be used. */
  readonly invalid: number;
}

interface ScoredPrompt extends OutputCase, OutputFigures {}

export interface OutputReport extends OutputFigures {
  readonly prompts: readonly ScoredPrompt[];
  /** Prompts of which no pair counts. */
  readonly unmeasured: number;
  readonly position: {
    /** Valid judgements that preferred what was shown first, second, neither. */
    readonly first: number;
    readonly second: number;
    readonly neither: number;
    /** The place that the verdicts follow, whatever the result there. */
    readonly bias: PositionBias;
    /** Pairs that were judged in both orders, and those of them with the same verdict; null where only one order was asked for. */
    readonly both: number | null;
    readonly agreed: number | null;
  };
}

export function scoreOutput(
  cases: readonly OutputCase[],
  pairs: readonly Pair[],
  isBothOrders: boolean,
): OutputReport {
  const prompts = cases.map((one, at) => ({ ...one, ...figuresOf(pairs.filter((pair) => pair.at === at)) }));
  const judgements = pairs.flatMap((pair) => pair.judgements).filter((each) => each.status === 'valid');
  const count = (holds: (each: (typeof judgements)[number]) => boolean): number =>
    judgements.filter(holds).length;
  const twice = pairs.filter(
    ({ judgements: all }) => all.length === 2 && all.every(({ status }) => status === 'valid'),
  );
  const measured = prompts.filter((prompt) => prompt.pairs > 0);
  const over = (pick: (prompt: OutputFigures) => number | null): readonly number[] =>
    measured.map((prompt) => pick(prompt) ?? 0);
  const all = figuresOf(pairs);
  return {
    ...all,
    scoreWith: meanOf(over(({ scoreWith }) => scoreWith)),
    scoreWithout: meanOf(over(({ scoreWithout }) => scoreWithout)),
    difference: meanOf(over(({ difference }) => difference)),
    // One prompt alone has only its repeats.
    interval:
      measured.length > 1 ? possible(meanInterval(over(({ difference }) => difference))) : all.interval,
    prompts,
    unmeasured: prompts.filter((prompt) => prompt.pairs === 0).length,
    position: {
      first: count(({ better, first }) => better === first),
      second: count(({ better, first }) => better !== 'tie' && better !== first),
      neither: count(({ better }) => better === 'tie'),
      bias: positionBiasOf(judgements),
      both: isBothOrders ? twice.length : null,
      agreed: isBothOrders
        ? twice.filter(
            ({ judgements: [a, b] }) =>
              a?.status === 'valid' && b?.status === 'valid' && a.better === b.better,
          ).length
        : null,
    },
  };
}

function figuresOf(pairs: readonly Pair[]): OutputFigures {
  const counted = pairs.flatMap(({ scores, outcome }) =>
    scores === null || outcome === null ? [] : [{ scores, outcome }],
  );
  const count = (wanted: 'win' | 'tie' | 'loss'): number =>
    counted.filter(({ outcome }) => outcome === wanted).length;
  const [wins, ties, losses] = [count('win'), count('tie'), count('loss')];
  const differences = counted.map(({ scores }) => scores.with - scores.without);
  const failed = (arm: Arm): number => pairs.filter(({ results }) => !results[arm].ok).length;
  const judgements = pairs.flatMap((pair) => pair.judgements);
  return {
    pairs: counted.length,
    wins,
    ties,
    losses,
    winRate: counted.length === 0 ? null : (wins + ties / 2) / counted.length,
    scoreWith: meanOf(counted.map(({ scores }) => scores.with)),
    scoreWithout: meanOf(counted.map(({ scores }) => scores.without)),
    difference: meanOf(differences),
    interval: possible(meanInterval(differences)),
    failed: {
      with: failed('with'),
      without: failed('without'),
      judge: judgements.filter(({ status }) => status === 'error').length,
    },
    invalid: judgements.filter(({ status }) => status === 'invalid').length,
  };
}

/** No difference is greater than the highest score. */
function possible(interval: Interval | null): Interval | null {
  return interval === null
    ? null
    : { low: Math.max(-highestScore, interval.low), high: Math.min(highestScore, interval.high) };
}
