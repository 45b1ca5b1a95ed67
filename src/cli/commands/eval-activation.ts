// techne eval activation
//
// JSON: the report (measure/eval/score-activation.ts) with {model, runs, seed, distractors, spent, stopped, unknown, unreachable,
// threshold, ok}; `unreachable` are expected skills that exist, but that the model cannot choose. {ok: false, diagnostics} when a
// case file has an error.
// The exit code is 1 if fewer than the threshold are right, a case could not be measured, the budget is spent, or a case file has
// an error; 130 after Ctrl-C. What was measured is printed in any case.
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { openActivationSkills } from '../../measure/eval/activation-skills.ts';
import { expectUnknown, loadCases } from '../../measure/eval/load-cases.ts';
import { measureActivation } from '../../measure/eval/measure-activation.ts';
import { renderActivation } from '../../measure/eval/render-activation.ts';
import { watchRefusals } from '../../measure/eval/watch-refusals.ts';
import { WaitingLine } from '../chat/waiting-line.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults, namesOf, warnUnknown } from '../eval/case-faults.ts';
import {
  caseSource,
  measureOptions,
  noCasesText,
  requireSource,
  sessionOptions,
  thresholdOf,
} from '../eval/eval-options.ts';
import { keepTranscripts } from '../eval/keep-transcript.ts';
import { openEvalModel } from '../eval/open-eval-model.ts';
import { listenForStop, stopText } from '../eval/stop.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { openMatcher } from '../../techne/open-matcher.ts';
import type { Suggestions } from '../../techne/open-suggestions.ts';
import { openSuggestions } from '../../techne/open-suggestions.ts';
import { numberOption } from '../parse-arguments.ts';

/** A search, a second one, a load, and one to spare. */
const turns = 4;

export async function runEvalActivation(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet, io } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const distractors = numberOption(args, 'distractors', 0, 10_000);
  const frames = numberOption(args, 'frames', 0, 1000);
  const options = measureOptions(context, { turns });
  const { runs, seed, budget } = options;
  const wanted = requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const watched = watchRefusals(
    await openEvalModel(context, library, options.wanted, 'techne eval activation'),
  );
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const loaded = await loadCases(caseSource(context, library, faults), snapshot, {
    ...wanted,
    seed,
    // Every attempt costs tokens: cases are made where there are no others, or where they are asked for.
    framesFor: (hasOwnCases) => frames ?? (hasOwnCases ? 0 : 1),
    onNoCases: (name, made) => {
      if (!quiet) err.line(noCasesText(name, made));
    },
  });
  if (faults.any) return faults.end();
  const notice = (text: string): void => {
    if (!quiet) err.line(`note: ${printableLine(text)}`);
  };
  const { config, broken } = library.loaded;
  const session = sessionOptions(context, library);
  const skills = await openActivationSkills({
    ...session,
    snapshot,
    matcher: await openMatcher(snapshot, {
      environment: library.environment,
      onNotice: notice,
      wordsFile: library.wordsFile('offered'),
    }),
    runs: config.metaskills.enabled && config.execution.policy !== 'off' && broken === null,
    onNotice: notice,
  });
  const asked = loaded.filter(({ kind }) => kind !== 'rubric');
  const unknown = expectUnknown(snapshot, asked);
  const keep = keepTranscripts(options.keep, io.cwd);
  const stop = listenForStop(context);
  const line = new WaitingLine(context);
  let suggestions: Suggestions | null = null;
  const { cases, report, unreachable, stopped } = await measureActivation(
    {
      ...options,
      ...session,
      cases: asked.filter(({ expected }) => expected === null || snapshot.has(expected)),
      skills,
      watched,
      distractors,
      tested: new Set(asked.flatMap(({ expected, about }) => [expected ?? about ?? ''])),
      signal: stop.signal,
      barOf: async (name) => (suggestions ??= await openSuggestions(library, snapshot, notice)).barOf(name),
      keep,
      onNotice: notice,
      onProgress: (done, total) => line.start(`${done} of ${total} attempts`),
    },
    loaded.length - asked.length,
  ).finally(() => {
    line.stop();
    stop.close();
  });

  const isMeasured =
    report.unmeasured === 0 &&
    unknown.length === 0 &&
    unreachable.length === 0 &&
    stopped === null &&
    report.accuracy !== null;
  const ok = isMeasured && (threshold === null || (report.accuracy ?? 0) >= threshold);
  if (json)
    out.json({
      ...report,
      model: watched.model.name,
      runs,
      seed,
      distractors,
      spent: budget.spent,
      stopped,
      unknown: namesOf(unknown),
      unreachable,
      threshold,
      ok,
    });
  else {
    out.write(renderActivation(report));
    if (loaded.length === 0) err.line('there are no cases');
    warnUnknown(context, snapshot, unknown, '; not measured');
    for (const { skill, because, cases: count } of unreachable)
      err.line(
        `warning: ${counted(count, 'case')} ${count === 1 ? 'expects' : 'expect'} "${printableLine(skill)}", which no model can choose; not measured: ${printableLine(because)}`,
      );
    if (stopped === null && report.unmeasured > 0)
      err.line(`warning: ${counted(report.unmeasured, 'case')} could not be measured at all`);
    if (threshold !== null && report.accuracy !== null && report.accuracy < threshold)
      err.line(`the accuracy ${report.accuracy.toFixed(4)} is below the threshold ${threshold}`);
  }
  if (stopped !== null)
    err.line(
      stopText(stopped, {
        what: 'case',
        total: cases.length,
        unmeasured: report.unmeasured,
        refusal: watched.refusal(),
      }),
    );
  return stop.exitCode ?? (ok ? exitCodes.fine : exitCodes.files);
}
