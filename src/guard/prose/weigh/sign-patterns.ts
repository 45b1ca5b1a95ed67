// What is told to be done, and how: patterns over the wide concepts (lexicon/frames.ts). Each is a sign; none is a finding by itself.
import type { SentencePattern } from '../sentence-pattern.ts';
import { parseSentencePattern } from '../sentence-pattern.ts';

export interface SignPattern {
  readonly name: string;
  /** For a person, after "the step": why it counts; null: not worth a word. */
  readonly says: string | null;
  readonly ways: readonly SentencePattern[];
}

function sign(name: string, says: string | null, ...ways: string[]): SignPattern {
  return { name, says, ways: ways.map(parseSentencePattern) };
}

/** An act, and what it is done to. */
export const acts: readonly SignPattern[] = [
  sign('destroys', 'removes what cannot be brought back', '~DELETE_V>5>PRECIOUS_WIDE'),
  sign('off', 'takes a check or a limit away', '~OFF_V>4>CHECK_WIDE'),
  sign(
    'out',
    'gives something to an outsider',
    '~GIVE_OUT>8>OUTSIDE',
    '~GIVE_OUT>10>UNKNOWN_HOST|EMAIL|CATCHER|ADDRESS|PASTE',
  ),
  sign(
    'dataout',
    'gives data to an outsider',
    '~GIVE_OUT>5>WORK_DATA|SECRET_WIDE|PERSONAL_WIDE>10>OUTSIDE|UNKNOWN_HOST|EMAIL|CATCHER|ADDRESS',
  ),
  sign('gives', null, '~GIVE_OUT>5>WORK_DATA'),
  sign('grants', 'widens who may do what', '~GRANT_V>6>RIGHT_STRONG'),
  sign('secrets', 'handles secrets', '~TAKE_IN|GIVE_OUT>6>SECRET_WIDE'),
  sign('secretfile', 'opens a file of secrets', '~TAKE_IN|GIVE_OUT>8>SECRET_FILE'),
  sign('collects', 'collects private data', '~TAKE_IN|GIVE_OUT>8>PERSONAL_WIDE'),
  sign('lasts', 'outlasts the task', '~LAST_V>10>LAST_PLACE'),
  sign('spends', 'spends money', '~SPEND_V>6>MONEY_WIDE'),
  sign('favours', 'favours somebody', '~FAVOUR_THE>6>OURS'),
  sign('fakes', 'makes something up', '~FAKE_V'),
  sign('claims', 'states that all is well', '~CLAIM_V>10>GOOD_NEWS'),
  sign('bends', 'changes figures or records', '~BEND_THE>6>FIGURE_WIDE'),
  sign('agrees', 'agrees for somebody', '~AGREE_V'),
  sign('runs', null, '~RUN_V'),
  sign('fetches', 'loads something of others', '~FETCH_V>8>OUTSIDE|OURS'),
];

/** Ways that take the say from the person. With one of these a passage is weighed also without an act. */
export const takings: readonly SignPattern[] = [
  sign('unasked', 'asks nobody', 'UNASKED', '+AGREE_V|RUN_V>6>BY_YOURSELF'),
  sign(
    'untold',
    'is kept quiet',
    'UNTOLD',
    'NO_NEED>3>SAY_V',
    '+QUIET_WAY>1>GIVE_OUT|DELETE_V|OFF_V|TAKE_IN|LAST_V|BEND_THE|GRANT_V',
  ),
  sign('nosay', 'is not told to those concerned', 'NOT>2>SAY_V>4>PERSON'),
  sign('noreport', 'is kept out of the report', 'OUT_OF>3>REPORT_PLACE', 'NOT>2>SAY_V>7>REPORT_PLACE'),
  sign('noanswer', 'takes no answer for a yes', 'NO_ANSWER'),
  sign('anyway', 'is done whatever happens', 'ANYWAY'),
  sign('force', 'forces it', 'FORCE_FLAG'),
  sign('whenasked', null, 'WHEN_ASKED'),
];

/** What else stands there: it makes an act more or less likely to be honest. */
export const circumstances: readonly SignPattern[] = [
  sign('haste', null, 'HASTE'),
  sign('even', null, 'EVEN_SO'),
  sign('self', null, 'BY_YOURSELF'),
  sign('each', null, 'EACH_AND_EVERY'),
  sign('extra', null, 'EXTRA'),
  sign('moment', null, 'MOMENT_WORD'),
  sign('pretext', null, 'PRETEXT'),
  sign('prod', null, 'PROD_WORD'),
  sign('ours', null, 'OURS'),
  sign('outside', null, 'OUTSIDE'),
  sign('host', null, 'UNKNOWN_HOST|EMAIL|CATCHER|ADDRESS'),
  sign('badnews', null, 'BAD_NEWS'),
  sign('consent', null, 'CONSENT'),
  sign('instance', null, 'INSTANCE'),
];

/** Weighed by themselves only. */
export const marks: readonly SignPattern[] = [
  sign('attacker', null, 'ATTACKER'),
  sign('not', null, 'NOT'),
  sign('maybe', null, 'MAYBE'),
];

/** For tests: the concepts that are used here. */
export const conceptsOfSigns: readonly string[] = [...acts, ...takings, ...circumstances, ...marks].flatMap(
  ({ ways }) => ways.flatMap(({ source }) => source.match(/[A-Z][A-Z0-9_]+/g) ?? []),
);
