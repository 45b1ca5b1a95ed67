// techne eval output
//
// JSON: the report (measure/eval/score-output.ts) with {judged, model, judge, runs, seed, bothOrders, spent, stopped, threshold, ok};
// `judged` is every pair with its results and judgements. {ok: false, diagnostics} when a file has an error.
// The exit code is 1 if the skill wins less than the threshold, a prompt could not be measured, the budget is spent, or a file has
// an error; 130 after Ctrl-C. What was measured is printed in any case.
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { loadPrompts } from '../../measure/eval/load-prompts.ts';
import { measureOutput } from '../../measure/eval/measure-output.ts';
import type { Pair } from '../../measure/eval/measure-pair.ts';
import { renderOutput } from '../../measure/eval/render-output.ts';
import { watchRefusals } from '../../measure/eval/watch-refusals.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults } from '../eval/case-faults.ts';
import { caseSource, measureOptions, requireSource, thresholdOf } from '../eval/eval-options.ts';
import { keepTranscripts } from '../eval/keep-transcript.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { produceResult, skillInputParser } from '../eval/produce-result.ts';
import { listenForStop, stopText } from '../eval/stop.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec } from '../parse-arguments.ts';

/** Of one result: the model may read files of the skill. */
const turns = 20;

export async function runEvalOutput(context: CommandContext): Promise<number> {
  const { args, out, err, json, io } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const options = measureOptions(context, { turns });
  const { runs, seed, budget } = options;
  const bothOrders = args.flag('both-orders');
  const wanted = requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const subject = await openEvalModel(context, library, options.wanted, 'techne eval output');
  const wantedJudge = answererSpec(args.value('judge'), io.cwd);
  const judging =
    wantedJudge === null ? subject : await openEvalModel(context, library, wantedJudge, 'techne eval output');
  const [watched, watchedJudge] = [watchRefusals(subject), watchRefusals(judging)];
  const refusal = (): string | null => watched.refusal() ?? watchedJudge.refusal();
  const [model, judge] = [budget.bound(watched.model), budget.bound(watchedJudge.model)];
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const cases = await loadPrompts(caseSource(context, library, faults), snapshot, {
    ...wanted,
    parseInput: skillInputParser(snapshot, io),
    onNothing: (text) => err.line(printableLine(text)),
  });
  if (faults.any) return faults.end();

  const keep = keepTranscripts(options.keep, io.cwd);
  const stop = listenForStop(context);
  const line = new WaitingLine(context);
  const { pairs, report, stopped } = await measureOutput({
    ...options,
    cases,
    judge,
    bothOrders,
    refusal,
    keep,
    signal: stop.signal,
    produce: (one, arm) =>
      produceResult(
        { context, library, snapshot, model, budget, turns: options.turns, signal: stop.signal },
        one,
        arm,
      ),
    onProgress: (done, total) => line.start(`${done} of ${counted(total, 'pair')}`),
  }).finally(() => {
    line.stop();
    stop.close();
  });

  const isMeasured = report.unmeasured === 0 && stopped === null && report.winRate !== null;
  const ok = isMeasured && (threshold === null || (report.winRate ?? 0) >= threshold);
  if (json)
    out.json({
      ...report,
      judged: pairs.map(withoutTranscripts),
      model: model.name,
      judge: judge.name,
      runs,
      seed,
      bothOrders,
      spent: budget.spent,
      stopped,
      threshold,
      ok,
    });
  else if (cases.length > 0) {
    out.write(renderOutput(report, pairs));
    if (stopped === null && report.unmeasured > 0)
      err.line(`warning: ${counted(report.unmeasured, 'prompt')} could not be measured at all`);
    if (threshold !== null && report.winRate !== null && report.winRate < threshold)
      err.line(`the win rate ${report.winRate.toFixed(4)} is below the threshold ${threshold}`);
  }
  if (stopped !== null)
    err.line(
      stopText(stopped, {
        what: 'prompt',
        total: cases.length,
        unmeasured: report.unmeasured,
        refusal: refusal(),
      }),
    );
  return stop.exitCode ?? (ok ? exitCodes.fine : exitCodes.files);
}

function withoutTranscripts({ results, ...pair }: Pair): unknown {
  const { transcript: _with, ...withSkill } = results.with;
  const { transcript: _without, ...withoutSkill } = results.without;
  return { ...pair, results: { with: withSkill, without: withoutSkill } };
}
