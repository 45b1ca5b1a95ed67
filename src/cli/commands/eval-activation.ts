// techne eval activation
//
// JSON: the report (eval/score-activation.ts) with {model, runs, seed, distractors, spent, stopped, unknown, threshold, ok}.
//
// X1. The exit code is 1 if fewer than the threshold are right, a case could not be measured at all, the budget ran out, or a
//     case file has an error; 130 after Ctrl-C. What was measured is printed all the same.
import { printableLine } from '../../base/printable.ts';
import type { EvalCase } from '../../eval/eval-case.ts';
import { BudgetSpent } from '../../eval/model-budget.ts';
import type { Attempt } from '../../eval/plan-attempts.ts';
import { planAttempts } from '../../eval/plan-attempts.ts';
import { renderActivation } from '../../eval/render-activation.ts';
import type { Tried } from '../../eval/score-activation.ts';
import { scoreActivation } from '../../eval/score-activation.ts';
import { workThrough } from '../../eval/work-through.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { openActivationSkills } from '../eval/activation-skills.ts';
import { keepTranscripts } from '../eval/keep-transcript.ts';
import { listenForStop } from '../eval/listen-for-stop.ts';
import { loadActivationCases } from '../eval/load-activation-cases.ts';
import { requireSource, thresholdOf } from '../eval/load-cases.ts';
import { measureOptions } from '../eval/measure-options.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { stopText } from '../eval/say-stop.ts';
import { tryCase } from '../eval/try-case.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../render-table.ts';
import { reportConfig } from '../report-config.ts';

/** A search, a second one, a load, and one to spare. */
const turns = 4;

export async function runEvalActivation(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet, io } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const distractors = numberOption(args, 'distractors', 0, 10_000);
  const options = measureOptions(context, { turns });
  const { runs, seed, parallel, budget } = options;
  requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const model = budget.bound(await openEvalModel(context, library, options.wanted, 'techne eval activation'));
  const snapshot = await library.load();
  const loaded = await loadActivationCases(context, library, snapshot, seed);
  if (loaded === null) return exitCodes.files;
  const notice = (text: string): void => {
    if (!quiet) err.line(`note: ${printableLine(text)}`);
  };
  const skills = await openActivationSkills(library, snapshot, notice);
  const reachable = new Set([...skills.all.list(), ...skills.all.commands()].map(({ name }) => name));
  const isReachable = ({ expected }: EvalCase): boolean => expected === null || reachable.has(expected);
  const unknown = [...new Set(loaded.flatMap((one) => (isReachable(one) || one.kind === 'rubric' ? [] : [one.expected as string])))].sort();
  const asked = loaded.filter(({ kind }) => kind !== 'rubric');
  const cases = asked.filter(isReachable);
  const tested = new Set(asked.flatMap(({ expected, about }) => [expected ?? about ?? '']));
  const others = skills.all.list().map(({ name }) => name).filter((name) => !tested.has(name));
  if (distractors !== null && distractors > others.length) notice(`there are only ${others.length} other skills to draw from`);

  const keep = keepTranscripts(options.keep, io.cwd);
  const stop = listenForStop(context);
  const line = new WaitingLine(context);
  const plan = planAttempts(cases.length, { runs, seed, distractors, others });
  const show = (done: number): void => line.start(`${done} of ${plan.length} attempts`);
  const workspace = library.loaded.workspace ?? io.cwd;
  const measure = async (attempt: Attempt): Promise<Tried | null> => {
    const one = cases[attempt.at] as EvalCase;
    const offered = attempt.distractors === null ? null : new Set([...tested, ...attempt.distractors]);
    try {
      const tried = await tryCase({ model, skills: await skills.open(offered), workspace, runs: skills.runs, turns: options.turns, signal: stop.signal }, one.message);
      if (tried === null) return null;
      const { entries, ...result } = tried;
      keep(`case-${attempt.at + 1}-run-${attempt.run}`, { case: one, ...attempt, ...result, entries });
      return { ...attempt, ...result };
    } catch (error) {
      if (error instanceof BudgetSpent) return null;
      throw error;
    }
  };
  show(0);
  const { results, stop: why } = await workThrough({
    items: plan, parallel, measure,
    stopped: () => (stop.signal.aborted ? 'interrupted' : budget.exhausted()),
    isError: ({ ok }) => !ok,
    onResult: (_result, done) => show(done),
  }).finally(() => {
    line.stop();
    stop.close();
  });

  const report = scoreActivation(cases, results, loaded.length - asked.length);
  const isMeasured = report.unmeasured === 0 && unknown.length === 0 && why === null && report.accuracy !== null;
  const ok = isMeasured && (threshold === null || (report.accuracy ?? 0) >= threshold);
  if (json) out.json({ ...report, model: model.name, runs, seed, distractors, spent: budget.spent, stopped: why, unknown, threshold, ok });
  else {
    out.write(renderActivation(report));
    if (loaded.length === 0) err.line('there are no cases');
    if (unknown.length > 0) err.line(`warning: not offered to the model, so not measured: ${printableLine(unknown.slice(0, 10).join(', '))}${unknown.length > 10 ? ' …' : ''}`);
    if (why === null && report.unmeasured > 0) err.line(`warning: ${counted(report.unmeasured, 'case')} could not be measured at all`);
    if (threshold !== null && report.accuracy !== null && report.accuracy < threshold) err.line(`the accuracy ${report.accuracy.toFixed(4)} is below the threshold ${threshold}`);
  }
  if (why !== null) err.line(stopText(why));
  return stop.exitCode ?? (ok ? exitCodes.fine : exitCodes.files);
}
