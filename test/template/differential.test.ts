// Our templates against Jinja2 itself: by hand, and at random. The long run is scripts/fuzz-template.mjs.
//
// Jinja's answers to the cases by hand are also kept in a golden file, so that they count where Python is absent.
import { describe, expect, it } from 'vitest';
import { askOracle, pythonWithJinja } from './differential/ask-oracle.ts';
import { cases } from './differential/cases.ts';
import { compare, ownAnswer, type OracleAnswer, type Question } from './differential/compare.ts';
import { randomFrom } from './differential/random.ts';
import { compareRange, describeDifference, judge, questionOf, type Tally } from './differential/run.ts';
import { randomVariables } from './differential/variables.ts';
import golden from '../golden/template/jinja.json' with { type: 'json' };
import { skipUnlessTool } from '../support/skip-unless.ts';

const python = pythonWithJinja();
const seeds = [5, 77, 4242];
const sample = { from: 1_000_000, count: 2000 };

const questions: readonly Question[] = cases.flatMap((template) =>
  seeds.map((seed) => ({ template, variables: randomVariables(randomFrom(seed)) })),
);

/** Without what differs from run to run, or from one Python to the next. */
function goldenLine({ message, ...answer }: OracleAnswer): string {
  const isOurs = answer.error === 'UndefinedError' || answer.error === 'SecurityError';
  return JSON.stringify(isOurs ? { ...answer, message } : answer).replaceAll(/ at 0x[0-9a-f]+/g, ' at 0x0');
}

describe('templates written by hand', () => {
  it('come out as they did in Jinja', () => {
    const tally: Tally = { same: 0, sameErrors: 0, justified: new Map(), differences: [] };
    const answers = golden as readonly OracleAnswer[];
    expect(answers.length).toBe(questions.length);
    for (const [at, question] of questions.entries()) judge(tally, at, question, answers[at] as OracleAnswer);
    expect(tally.differences.slice(0, 3).map(describeDifference)).toEqual([]);
    expect([...tally.justified]).toEqual([
      ['constant folded', 3],
      ['unclosed at the end', 3],
      ['checked early', 15],
    ]);
  });
});

describe.skipIf(skipUnlessTool(python !== null, 'no Python with Jinja2 3.1 is installed (python3-jinja2)'))(
  'Jinja2 (skipped where it is not installed)',
  () => {
    it('still gives the answers of the golden file', async () => {
      const answers = askOracle(python as string, questions);
      await expect(
        `[\n${answers.map((answer) => `  ${goldenLine(answer)}`).join(',\n')}\n]\n`,
      ).toMatchFileSnapshot('../golden/template/jinja.json');
    }, 60_000);

    it(`agrees on ${sample.count} random templates and expressions`, () => {
      const tally = compareRange(python as string, sample.from, sample.count);
      expect(tally.differences.slice(0, 3).map(describeDifference)).toEqual([]);
      // Or they would say nothing: many succeed, many fail, and few differ for a reason.
      const excused = [...tally.justified.values()].reduce((sum, times) => sum + times, 0);
      expect([
        tally.same - tally.sameErrors > sample.count / 3,
        tally.sameErrors > sample.count / 5,
        excused < sample.count / 50,
      ]).toEqual([true, true, true]);
    }, 240_000);
  },
);

describe('the comparison', () => {
  it('finds a difference in the text, in the kind of an error and in the words for what is undefined', () => {
    const own = (template: string): ReturnType<typeof ownAnswer> =>
      ownAnswer({ template, variables: { a: 1 } });
    expect(compare(own('{{ a }}'), { text: '1' }).kind).toBe('same');
    expect(compare(own('{{ a }}'), { text: '2' }).kind).toBe('different');
    expect(
      compare(own('{{ a.b }}'), {
        error: 'UndefinedError',
        message: "'int object' has no attribute 'b'",
        phase: 'render',
      }).kind,
    ).toBe('same');
    expect(
      compare(own('{{ a.b }}'), { error: 'UndefinedError', message: "'a' is undefined", phase: 'render' })
        .kind,
    ).toBe('different');
    expect(compare(own('{{ a.b }}'), { error: 'TypeError', message: '', phase: 'render' }).kind).toBe(
      'different',
    );
    expect(compare(own('{{ a +'), { error: 'TemplateSyntaxError', message: '', phase: 'compile' }).kind).toBe(
      'same',
    );
    expect(compare(own('{{ a }}'), { error: 'TypeError', message: '', phase: 'compile' })).toEqual({
      kind: 'justified',
      reason: 'constant folded',
    });
  });

  it('asks the same for the same seed', () => {
    expect(questionOf(12)).toEqual(questionOf(12));
    expect(questionOf(12)).not.toEqual(questionOf(13));
  });
});
