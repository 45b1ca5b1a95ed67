// techne eval activation
//
// JSON: the report (measure/eval/score-activation.ts) with {model, runs, seed, distractors, spent, stopped, unknown, unreachable, threshold,
// ok}; `unreachable` are expected skills that are there, but not open to the model. {ok: false, diagnostics} when a case file has an error.
//
// X1. The exit code is 1 if fewer than the threshold are right, a case could not be measured at all, the budget ran out, or a
//     case file has an error; 130 after Ctrl-C. What was measured is printed all the same.
// X2. No model is asked about a skill that is not open to it. A message that names a skill costs nothing: it is measured whatever
//     became of the budget or the model.
import { printableLine } from '../../base/printable.ts';
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { BudgetSpent } from '../../measure/eval/model-budget.ts';
import type { Attempt } from '../../measure/eval/plan-attempts.ts';
import { planAttempts } from '../../measure/eval/plan-attempts.ts';
import { renderActivation } from '../../measure/eval/render-activation.ts';
import type { Tried } from '../../measure/eval/score-activation.ts';
import { scoreActivation } from '../../measure/eval/score-activation.ts';
import { watchRefusals } from '../../measure/eval/watch-refusals.ts';
import type { Worked } from '../../measure/eval/work-through.ts';
import { workThrough } from '../../measure/eval/work-through.ts';
import type { ChatModel } from '../../ports/model.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { openActivationSkills } from '../eval/activation-skills.ts';
import { CaseFaults } from '../eval/case-faults.ts';
import { keepTranscripts } from '../eval/keep-transcript.ts';
import { listenForStop } from '../eval/listen-for-stop.ts';
import { loadActivationCases } from '../eval/load-activation-cases.ts';
import { requireSource, thresholdOf } from '../eval/load-cases.ts';
import { measureFree, nobody } from '../eval/measure-free.ts';
import { measureOptions } from '../eval/measure-options.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { stopText } from '../eval/say-stop.ts';
import { countBarred, sortCases } from '../eval/sort-cases.ts';
import { namesOf, tellUnknown } from '../eval/tell-unknown.ts';
import { tryCase } from '../eval/try-case.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { openSuggestions } from '../open-suggestions.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../../base/render-table.ts';
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
  const { model: watched, refusal } = watchRefusals(
    await openEvalModel(context, library, options.wanted, 'techne eval activation'),
  );
  const model = budget.bound(watched);
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const loaded = await loadActivationCases(context, library, snapshot, seed, faults);
  if (faults.any) return faults.end();
  const notice = (text: string): void => {
    if (!quiet) err.line(`note: ${printableLine(text)}`);
  };
  const skills = await openActivationSkills(library, snapshot, notice);
  const asked = loaded.filter(({ kind }) => kind !== 'rubric');
  const unknown = asked.flatMap(({ expected, place }) =>
    expected === null || snapshot.has(expected)
      ? []
      : [{ skill: expected, ...(place === undefined ? {} : { place }) }],
  );
  const workspace = library.loaded.workspace ?? io.cwd;
  const stop = listenForStop(context);
  const tried = async (
    one: EvalCase,
    asks: ChatModel,
    offered: ReadonlySet<string> | null,
  ): ReturnType<typeof tryCase> =>
    tryCase(
      {
        model: asks,
        skills: await skills.open(offered),
        workspace,
        runs: skills.runs,
        turns: options.turns,
        signal: stop.signal,
      },
      one.message,
    );
  const { cases, barred } = await sortCases(
    asked.filter(({ expected }) => expected === null || snapshot.has(expected)),
    new Set(skills.all.list().map(({ name }) => name)),
    (one) => tried(one, nobody, null),
  );
  const suggestions = barred.length === 0 ? null : await openSuggestions(library, snapshot, notice);
  const unreachable = countBarred(barred, (name) => suggestions?.barOf(name) ?? null);
  const tested = new Set(asked.flatMap(({ expected, about }) => [expected ?? about ?? '']));
  const others = skills.all
    .list()
    .map(({ name }) => name)
    .filter((name) => !tested.has(name));
  if (distractors !== null && distractors > others.length)
    notice(`there are only ${others.length} other skills to draw from`);

  const keep = keepTranscripts(options.keep, io.cwd);
  const line = new WaitingLine(context);
  const plan = planAttempts(cases.length, { runs, seed, distractors, others });
  const show = (done: number): void => line.start(`${done} of ${plan.length} attempts`);
  const measureWith =
    (asks: ChatModel) =>
    async (attempt: Attempt): Promise<Tried | null> => {
      const one = cases[attempt.at] as EvalCase;
      const offered = attempt.distractors === null ? null : new Set([...tested, ...attempt.distractors]);
      try {
        const seen = await tried(one, asks, offered);
        if (seen === null) return null;
        const { entries, ...result } = seen;
        keep(`case-${attempt.at + 1}-run-${attempt.run}`, { case: one, ...attempt, ...result, entries });
        return { ...attempt, ...result };
      } catch (error) {
        if (error instanceof BudgetSpent) return null;
        throw error;
      }
    };
  show(0);
  const measureAll = async (): Promise<Worked<Tried>> => {
    const { results, stop: early } = await workThrough({
      items: plan,
      parallel,
      measure: measureWith(model),
      stopped: () =>
        stop.signal.aborted ? 'interrupted' : refusal() === null ? budget.exhausted() : 'refused',
      isError: ({ ok }) => !ok,
      onResult: (_result, done) => show(done),
    });
    if (early === null || early === 'interrupted') return { results, stop: early };
    // X2
    const done = new Set(results.map(({ at, run }) => `${at} ${run}`));
    const free = await measureFree(
      plan.filter(({ at, run }) => !done.has(`${at} ${run}`)),
      measureWith(nobody),
    );
    return {
      results: [...results, ...free],
      stop: results.length + free.length === plan.length && early !== 'refused' ? null : early,
    };
  };
  const { results, stop: stopped } = await measureAll().finally(() => {
    line.stop();
    stop.close();
  });

  // The last one may have been refused, too.
  const why = stopped ?? (refusal() === null ? null : 'refused');
  const report = scoreActivation(cases, results, loaded.length - asked.length);
  const isMeasured =
    report.unmeasured === 0 &&
    unknown.length === 0 &&
    unreachable.length === 0 &&
    why === null &&
    report.accuracy !== null;
  const ok = isMeasured && (threshold === null || (report.accuracy ?? 0) >= threshold);
  if (json)
    out.json({
      ...report,
      model: model.name,
      runs,
      seed,
      distractors,
      spent: budget.spent,
      stopped: why,
      unknown: namesOf(unknown),
      unreachable,
      threshold,
      ok,
    });
  else {
    out.write(renderActivation(report));
    if (loaded.length === 0) err.line('there are no cases');
    tellUnknown(context, snapshot, unknown, '; not measured');
    for (const { skill, because, cases: count } of unreachable)
      err.line(
        `warning: ${counted(count, 'case')} ${count === 1 ? 'expects' : 'expect'} "${printableLine(skill)}", which no model can choose; not measured: ${printableLine(because)}`,
      );
    if (why === null && report.unmeasured > 0)
      err.line(`warning: ${counted(report.unmeasured, 'case')} could not be measured at all`);
    if (threshold !== null && report.accuracy !== null && report.accuracy < threshold)
      err.line(`the accuracy ${report.accuracy.toFixed(4)} is below the threshold ${threshold}`);
  }
  if (why !== null)
    err.line(
      stopText(why, { what: 'case', total: cases.length, unmeasured: report.unmeasured, refusal: refusal() }),
    );
  return stop.exitCode ?? (ok ? exitCodes.fine : exitCodes.files);
}
