// techne eval output
//
// JSON: the report (measure/eval/score-output.ts) with {judged, model, judge, runs, seed, bothOrders, spent, stopped, threshold, ok};
// `judged` is every pair with its results and judgements. {ok: false, diagnostics} when a file has an error.
//
// X1. The exit code is 1 if the skill wins less than the threshold, a prompt could not be measured at all, the budget ran out,
//     or a file has an error; 130 after Ctrl-C. What was measured is printed all the same.
import { judge } from '../../measure/eval/judge.ts';
import type { Pair } from '../../measure/eval/measure-pair.ts';
import { measurePair } from '../../measure/eval/measure-pair.ts';
import type { OutputCase } from '../../measure/eval/output-case.ts';
import type { Attempt } from '../../measure/eval/plan-attempts.ts';
import { planAttempts } from '../../measure/eval/plan-attempts.ts';
import { planOrders } from '../../measure/eval/plan-orders.ts';
import { renderOutput } from '../../measure/eval/render-output.ts';
import { scoreOutput } from '../../measure/eval/score-output.ts';
import { watchRefusals } from '../../measure/eval/watch-refusals.ts';
import { workThrough } from '../../measure/eval/work-through.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults } from '../eval/case-faults.ts';
import { keepTranscripts } from '../eval/keep-transcript.ts';
import { listenForStop } from '../eval/listen-for-stop.ts';
import { requireSource, thresholdOf } from '../eval/load-cases.ts';
import { loadPrompts } from '../eval/load-prompts.ts';
import { measureOptions } from '../eval/measure-options.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { produceResult } from '../eval/produce-result.ts';
import { stopText } from '../eval/say-stop.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { counted } from '../../base/render-table.ts';
import { reportConfig } from '../report-config.ts';
import { answererSpec } from '../run/answerer-spec.ts';

/** Of one result: it may read files of the skill. */
const turns = 20;

export async function runEvalOutput(context: CommandContext): Promise<number> {
  const { args, out, err, json, io } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const options = measureOptions(context, { turns });
  const { runs, seed, budget } = options;
  const bothOrders = args.flag('both-orders');
  requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const subject = await openEvalModel(context, library, options.wanted, 'techne eval output');
  const wantedJudge = answererSpec(args.value('judge'), io.cwd);
  const judging =
    wantedJudge === null ? subject : await openEvalModel(context, library, wantedJudge, 'techne eval output');
  const [watched, watchedJudge] = [watchRefusals(subject), watchRefusals(judging)];
  const refusal = (): string | null => watched.refusal() ?? watchedJudge.refusal();
  const [model, judgeModel] = [budget.bound(watched.model), budget.bound(watchedJudge.model)];
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const cases = await loadPrompts(context, library, snapshot, faults);
  if (faults.any) return faults.end();

  const keep = keepTranscripts(options.keep, io.cwd);
  const stop = listenForStop(context);
  const line = new WaitingLine(context);
  const plan = planAttempts(cases.length, { runs, seed, distractors: null, others: [] });
  const ordersOf = planOrders(cases.length, seed, bothOrders);
  const show = (done: number): void => line.start(`${done} of ${counted(plan.length, 'pair')}`);
  const measure = async ({ at, run }: Attempt): Promise<Pair | null> => {
    const one = cases[at] as OutputCase;
    const pair = await measurePair({
      at,
      run,
      one,
      orders: ordersOf(at, run),
      produce: (each, arm) =>
        produceResult(
          { context, library, snapshot, model, budget, turns: options.turns, signal: stop.signal },
          each,
          arm,
        ),
      judge: (each, texts, first) => judge(each, texts, first, { model: judgeModel, signal: stop.signal }),
      stopped: () => stop.signal.aborted,
    });
    if (pair !== null) keep(`${one.skill}-${at + 1}-${one.name}-run-${run}`, { case: one, ...pair });
    return pair;
  };
  show(0);
  const { results, stop: stopped } = await workThrough({
    items: plan,
    parallel: options.parallel,
    measure,
    stopped: () =>
      stop.signal.aborted ? 'interrupted' : refusal() === null ? budget.exhausted() : 'refused',
    isError: isFailure,
    onResult: (_pair, done) => show(done),
  }).finally(() => {
    line.stop();
    stop.close();
  });

  // The last one may have been refused, too.
  const why = stopped ?? (refusal() === null ? null : 'refused');
  const report = scoreOutput(cases, results, bothOrders);
  const isMeasured = report.unmeasured === 0 && why === null && report.winRate !== null;
  const ok = isMeasured && (threshold === null || (report.winRate ?? 0) >= threshold);
  if (json)
    out.json({
      ...report,
      judged: results.map(withoutTranscripts),
      model: model.name,
      judge: judgeModel.name,
      runs,
      seed,
      bothOrders,
      spent: budget.spent,
      stopped: why,
      threshold,
      ok,
    });
  else if (cases.length > 0) {
    out.write(renderOutput(report, results));
    if (why === null && report.unmeasured > 0)
      err.line(`warning: ${counted(report.unmeasured, 'prompt')} could not be measured at all`);
    if (threshold !== null && report.winRate !== null && report.winRate < threshold)
      err.line(`the win rate ${report.winRate.toFixed(4)} is below the threshold ${threshold}`);
  }
  if (why !== null)
    err.line(
      stopText(why, {
        what: 'prompt',
        total: cases.length,
        unmeasured: report.unmeasured,
        refusal: refusal(),
      }),
    );
  return stop.exitCode ?? (ok ? exitCodes.fine : exitCodes.files);
}

/** A model that gives nothing at all; a judgement that is invalid was at least given. */
function isFailure({ results, judgements }: Pair): boolean {
  return !results.with.ok || !results.without.ok || judgements.some(({ status }) => status === 'error');
}

function withoutTranscripts({ results, ...pair }: Pair): unknown {
  const { transcript: _with, ...withSkill } = results.with;
  const { transcript: _without, ...withoutSkill } = results.without;
  return { ...pair, results: { with: withSkill, without: withoutSkill } };
}
