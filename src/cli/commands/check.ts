// techne check
//
// JSON: {skills, errors, warnings, notes, diagnostics: [{code, severity, path, line, column, endLine, endColumn, message, hint}]}
// Paths are relative to the current folder where they are inside it. With --fix also fixed: [{path, edits}] and left: [{path, why}];
// the diagnostics are then the remaining ones.
import { relative, sep } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { printable } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { displayPath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import type { Corrections } from '../../techne/check/fix-skills.ts';
import { fixSkills } from '../../techne/check/fix-skills.ts';
import type { CheckRequest, Findings, CheckProgress } from '../../techne/check/gather-findings.ts';
import { gatherFindings, isWholeWorkspace } from '../../techne/check/gather-findings.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { packageVersion } from '../../node/package-info.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../../base/render-table.ts';
import { renderSarif } from '../render-sarif.ts';

export async function runCheck(context: CommandContext): Promise<number> {
  const { args, io, out } = context;
  const maxWarnings = numberOption(args, 'max-warnings', 0, Number.MAX_SAFE_INTEGER);
  const format = args.value('format') ?? (context.json ? 'json' : 'text');
  if (context.json && format !== 'json')
    throw new TechneError('USAGE', `--json and --format ${format} contradict each other`, {
      hint: 'give one of them',
    });
  const [fix, dryRun] = [args.flag('fix'), args.flag('dry-run')];
  if (dryRun && !fix) throw new TechneError('USAGE', '--dry-run is for --fix', { hint: 'add --fix' });
  const library = await openLibrary(context);
  const request: CheckRequest = {
    paths: args.positionals,
    cwd: io.cwd,
    homeFolder: io.homeFolder,
    strict: args.flag('strict'),
    all: args.flag('all'),
  };
  if (format === 'text' && !isWholeWorkspace(request, library)) reportConfig(context, library.loaded);
  const gather = (): Promise<Findings> =>
    gatherFindings(request, library, (total) => createProgress(context, total));
  let findings = await gather();
  const corrections = fix ? await fixSkills(library.files, findings.fixable, dryRun) : null;
  if (corrections !== null && corrections.made.length > 0 && !dryRun) findings = await gather();
  findings.diagnostics.sort(compareDiagnostics);
  const count = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings.diagnostics) count[severity] += 1;

  const textOf = (diagnostic: Diagnostic): string | null => findings.texts.get(diagnostic.path) ?? null;
  if (format === 'sarif') {
    const diagnostics = findings.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      path: relativePath(diagnostic.path, io.cwd),
    }));
    const texts = new Map(
      findings.diagnostics.map((diagnostic) => [relativePath(diagnostic.path, io.cwd), textOf(diagnostic)]),
    );
    out.json(
      renderSarif({
        diagnostics,
        textOf: ({ path }) => texts.get(path) ?? null,
        folder: io.cwd,
        version: packageVersion(),
      }),
    );
  } else if (format === 'json') {
    const diagnostics = findings.diagnostics.map((diagnostic) => ({
      ...describeDiagnostic(diagnostic, textOf(diagnostic)),
      path: relativePath(diagnostic.path, io.cwd),
    }));
    out.json({
      skills: findings.skills,
      errors: count.error,
      warnings: count.warning,
      notes: count.info,
      diagnostics,
      ...(corrections === null ? {} : describeCorrections(corrections, io.cwd)),
    });
  } else {
    if (corrections !== null && dryRun)
      for (const { file, before, after } of corrections.made)
        out.write(printable(renderDiff(relativePath(file, io.cwd), before, after)));
    else writeText(context, findings, textOf);
    for (const { file, why } of corrections?.left ?? [])
      context.err.line(`${displayPath(file, io)} was not changed: ${why}`);
    if (corrections !== null)
      out.line(
        `${counted(corrections.made.length, 'file')} ${dryRun ? 'would be ' : ''}corrected, in ${counted(
          corrections.made.reduce((sum, { edits }) => sum + edits, 0),
          'place',
        )}`,
      );
    out.line(
      `${counted(findings.skills, 'skill')} checked: ${counted(count.error, 'error')}, ${counted(count.warning, 'warning')}, ${counted(count.info, 'note')}`,
    );
  }
  return count.error > 0 || findings.without > 0 || (maxWarnings !== null && count.warning > maxWarnings)
    ? exitCodes.files
    : exitCodes.fine;
}

/** In quiet mode notes and hints are omitted; the summary still counts the notes. */
function writeText(
  { out, io, colour, columns, quiet }: CommandContext,
  { diagnostics }: Findings,
  textOf: (diagnostic: Diagnostic) => string | null,
): void {
  let chunk = '';
  for (const diagnostic of diagnostics) {
    if (quiet && diagnostic.severity === 'info') continue;
    const shown = {
      ...diagnostic,
      path: displayPath(diagnostic.path, io),
      hint: quiet ? null : diagnostic.hint,
    };
    chunk += `${renderDiagnostic(shown, textOf(diagnostic), { colour, width: Math.min(columns ?? 100, 140) - 2 })}\n`;
    if (chunk.length > 65_536) {
      out.write(chunk);
      chunk = '';
    }
  }
  out.write(chunk === '' ? '' : `${chunk}\n`);
}

function describeCorrections(
  { made, left }: Corrections,
  cwd: string,
): { readonly fixed: unknown; readonly left: unknown } {
  return {
    fixed: made.map(({ file, edits }) => ({ path: relativePath(file, cwd), edits })),
    left: left.map(({ file, why }) => ({ path: relativePath(file, cwd), why })),
  };
}

function createProgress({ io, err, quiet }: CommandContext, total: number): CheckProgress {
  if (io.stderr.isTTY !== true || quiet || total < 200)
    return { step: () => undefined, end: () => undefined };
  let done = 0;
  return {
    step: () => {
      done += 1;
      if (done % 100 === 0) err.write(`\rchecking ${done} of ${total}`);
    },
    end: () => err.write('\r\u001B[K'),
  };
}

function relativePath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === '..' || shown.startsWith(`..${sep}`) ? path : shown;
}

const contextLines = 3;

/** A unified diff of two texts with equally many lines. */
function renderDiff(path: string, before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)];
  const changed = old.flatMap((line, index) => (line === made[index] ? [] : [index]));
  const lines = [`--- a/${path}`, `+++ b/${path}`];
  for (let next = 0; next < changed.length;) {
    const first = changed[next] as number;
    let last = first;
    while (next < changed.length && (changed[next] as number) <= last + 2 * contextLines) {
      last = changed[next] as number;
      next += 1;
    }
    const [from, to] = [Math.max(0, first - contextLines), Math.min(old.length - 1, last + contextLines)];
    lines.push(`@@ -${from + 1},${to - from + 1} +${from + 1},${to - from + 1} @@`);
    for (let index = from; index <= to;) {
      if (old[index] === made[index]) {
        lines.push(` ${old[index]}`);
        index += 1;
        continue;
      }
      const start = index;
      while (index <= to && old[index] !== made[index]) index += 1;
      for (let at = start; at < index; at += 1) lines.push(`-${old[at]}`);
      for (let at = start; at < index; at += 1) lines.push(`+${made[at]}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
