// techne eval triggers
//
// JSON: the report (measure/eval/score-cases.ts) with {unknown, unreachable, threshold, ok}; `unknown` are expected skills that are not
// there, `unreachable` those that a conversation never suggests: cases that expect them are wrong, with the reason.
// {ok: false, diagnostics} when a case file has an error.
// The exit code is 1 if the accuracy is below the threshold, no case was measured, or a case file has an error. Without a
// threshold, wrong cases are what was to be found out: who wants a failure is told the option.
import { append } from '../../base/append.ts';
import { printableLine } from '../../base/printable.ts';
import { generateCases } from '../../measure/eval/generate-cases.ts';
import { renderReport } from '../../measure/eval/render-report.ts';
import type { Failure } from '../../measure/eval/score-cases.ts';
import { scoreCases } from '../../measure/eval/score-cases.ts';
import type { CommandContext } from '../context.ts';
import { CaseFaults } from '../eval/case-faults.ts';
import { loadCaseFiles, loadSkillCases, nothingOf, requireSource, thresholdOf } from '../eval/load-cases.ts';
import { namesOf, tellUnknown } from '../eval/tell-unknown.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import type { Suggestions } from '../open-suggestions.ts';
import { openSuggestions } from '../open-suggestions.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../../base/render-table.ts';
import { reportConfig } from '../report-config.ts';

/** How far down the expected skill is looked for. */
const limit = 10;

export async function runEvalTriggers(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const perKind = numberOption(args, 'frames', 0, 1000) ?? Infinity;
  const seed = numberOption(args, 'seed', 0, 4_294_967_295) ?? 1;
  const { files, skills } = requireSource(context);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const faults = new CaseFaults(context);
  const cases = [...(await loadCaseFiles(context, library, files, faults))];
  for (const name of skills) {
    const { triggers } = snapshot.get(name).head;
    const own = await loadSkillCases(context, snapshot, name, faults);
    const made = generateCases(
      name,
      triggers.map(({ phrase }) => phrase),
      { perKind, seed },
    );
    if (own === null && made.length === 0 && !quiet) err.line(nothingOf(name, perKind));
    append(cases, own?.cases ?? []);
    append(cases, made);
  }
  if (faults.any) return faults.end();
  const suggestions = await openSuggestions(library, snapshot, (text) =>
    err.line(`techne: ${printableLine(text)}`),
  );
  const scored = await scoreCases(cases, (message) => suggestions.match(message, limit));
  const unreachable = neverSuggested(scored.failures, suggestions);
  const report = { ...scored, failures: scored.failures.map((failure) => withBar(failure, unreachable)) };
  const unknown = cases.flatMap(({ expected, place }) =>
    expected === null || snapshot.has(expected)
      ? []
      : [{ skill: expected, ...(place === undefined ? {} : { place }) }],
  );
  // Where nothing was measured, no threshold was reached.
  const ok = report.accuracy !== null && (threshold === null || report.accuracy >= threshold);
  if (json) out.json({ ...report, unknown: namesOf(unknown), unreachable, threshold, ok });
  else {
    out.write(renderReport(report));
    tellUnknown(context, snapshot, unknown);
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
        `note: ${counted(report.cases - report.right, 'case')} went wrong; --threshold 1 makes the exit code 1 then`,
      );
  }
  return ok ? exitCodes.fine : exitCodes.files;
}

interface Unreachable {
  readonly skill: string;
  readonly because: string;
  readonly cases: number;
}

/** Expected skills that did not come since they cannot: called by name, one that is for people alone does. */
function neverSuggested(failures: readonly Failure[], suggestions: Suggestions): readonly Unreachable[] {
  const counts = new Map<string, number>();
  for (const { expected, rank } of failures)
    if (expected !== null && rank === null) counts.set(expected, (counts.get(expected) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([skill, cases]) => {
      const because = suggestions.barOf(skill);
      return because === null ? [] : [{ skill, because, cases }];
    });
}

function withBar(failure: Failure, unreachable: readonly Unreachable[]): Failure {
  const bar = failure.rank === null ? unreachable.find(({ skill }) => skill === failure.expected) : undefined;
  return bar === undefined ? failure : { ...failure, reason: `it is never suggested: ${bar.because}` };
}
