// techne eval triggers
//
// JSON: the report (measure/eval/score-cases.ts) with {unknown, unreachable, threshold, ok}; `unknown` are expected skills that do
// not exist, `unreachable` those that a conversation never suggests: cases that expect them are wrong, with the reason.
// {ok: false, diagnostics} when a case file has an error.
// The exit code is 1 if the accuracy is below the threshold, no case was measured, or a case file has an error. Without a
// threshold wrong cases do not fail, and a note names the option.
import { printableLine } from '../../base/printable.ts';
import { counted } from '../../base/render-table.ts';
import { expectUnknown, loadCases } from '../../measure/eval/load-cases.ts';
import { renderReport } from '../../measure/eval/render-report.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults, namesOf, warnUnknown } from '../eval/case-faults.ts';
import { caseSource, noCasesText, requireSource, thresholdOf } from '../eval/eval-options.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { evalTriggers } from '../../techne/eval-triggers.ts';
import { openSuggestions } from '../../techne/open-suggestions.ts';
import { numberOption } from '../parse-arguments.ts';

export async function runEvalTriggers(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const perKind = numberOption(args, 'frames', 0, 1000) ?? Infinity;
  const seed = numberOption(args, 'seed', 0, 4_294_967_295) ?? 1;
  const wanted = requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const cases = await loadCases(caseSource(context, library, faults), snapshot, {
    ...wanted,
    seed,
    framesFor: () => perKind,
    onNoCases: (name, frames) => {
      if (!quiet) err.line(noCasesText(name, frames));
    },
  });
  if (faults.any) return faults.end();
  const suggestions = await openSuggestions(library, snapshot, (text) =>
    err.line(`techne: ${printableLine(text)}`),
  );
  const { unreachable, ...report } = await evalTriggers(cases, suggestions);
  const unknown = expectUnknown(snapshot, cases);
  // Where nothing was measured, no threshold was reached.
  const ok = report.accuracy !== null && (threshold === null || report.accuracy >= threshold);
  if (json) out.json({ ...report, unknown: namesOf(unknown), unreachable, threshold, ok });
  else {
    out.write(renderReport(report));
    warnUnknown(context, snapshot, unknown);
    for (const { skill, because, cases: count } of unreachable)
      err.line(
        `warning: ${counted(count, 'case')} ${count === 1 ? 'expects' : 'expect'} "${printableLine(skill)}", which is never suggested: ${printableLine(because)}`,
      );
    if (report.accuracy === null)
      err.line(
        `no case was measured${threshold === null ? '' : `, so the threshold ${threshold} was not reached`}`,
      );
    else if (!ok) err.line(`the accuracy ${report.accuracy.toFixed(4)} is below the threshold ${threshold}`);
    else if (threshold === null && report.right < report.cases && !quiet)
      err.line(
        `note: ${counted(report.cases - report.right, 'case')} went wrong; with --threshold 1 the exit code would be 1`,
      );
  }
  return ok ? exitCodes.fine : exitCodes.files;
}
