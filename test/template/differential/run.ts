// A number of random questions, answered by both.
import { askOracle } from './ask-oracle.ts';
import { compare, ownAnswer, type OracleAnswer, type OwnAnswer, type Question } from './compare.ts';
import { TemplateGenerator } from './generate.ts';
import { randomFrom } from './random.ts';
import { randomVariables } from './variables.ts';

export interface Difference {
  readonly seed: number;
  readonly question: Question;
  readonly own: OwnAnswer;
  readonly oracle: OracleAnswer;
}

export interface Tally {
  same: number;
  /** How many of them are errors. */
  sameErrors: number;
  readonly justified: Map<string, number>;
  readonly differences: Difference[];
}

/** Every seventh is an expression. */
export function questionOf(seed: number): Question {
  const random = randomFrom(seed);
  const generator = new TemplateGenerator(random);
  const variables = randomVariables(random);
  return seed % 7 === 0
    ? { expression: generator.expression(), variables }
    : { template: generator.template(), variables };
}

export function compareRange(python: string, from: number, count: number, oracle?: string): Tally {
  const questions = Array.from({ length: count }, (_, at) => questionOf(from + at));
  const answers = askOracle(python, questions, oracle);
  const tally: Tally = { same: 0, sameErrors: 0, justified: new Map(), differences: [] };
  for (const [at, question] of questions.entries())
    judge(tally, from + at, question, answers[at] as OracleAnswer);
  return tally;
}

export function judge(tally: Tally, seed: number, question: Question, oracle: OracleAnswer): void {
  const own = ownAnswer(question);
  const verdict = compare(own, oracle);
  if (verdict.kind === 'same') {
    tally.same += 1;
    if (oracle.error !== undefined) tally.sameErrors += 1;
  } else if (verdict.kind === 'justified') {
    tally.justified.set(verdict.reason, (tally.justified.get(verdict.reason) ?? 0) + 1);
  } else {
    tally.differences.push({ seed, question, own, oracle });
  }
}

/** For people: what was asked and what came out. */
export function describeDifference({ seed, question, own, oracle }: Difference): string {
  const { template, expression, variables } = question;
  const source = template ?? (expression as string);
  const used = Object.fromEntries(
    Object.entries(variables).filter(([name]) => new RegExp(`\\b${name}\\b`).test(source)),
  );
  const shown = JSON.stringify(used, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return `seed ${seed}\n  ${JSON.stringify(source)}\n  variables ${shown}\n  ours   ${JSON.stringify(own)}\n  jinja  ${JSON.stringify(oracle)}`;
}

export { pythonWithJinja } from './ask-oracle.ts';
