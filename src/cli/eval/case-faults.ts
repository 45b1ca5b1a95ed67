// Faults in the cases of an evaluation: printed as they are found, or with --json as one value at the end.
//
// With a fault nothing is measured, and standard output has {ok: false, diagnostics: […]}, each as of techne check.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { CaseFaultReport, Expecting } from '../../measure/eval/load-cases.ts';
import { describeUnknown } from '../../measure/eval/load-cases.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../../base/describe-diagnostic.ts';
import { displayPath, fullPath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';

export class CaseFaults implements CaseFaultReport {
  readonly #context: CommandContext;
  readonly #found: ReturnType<typeof describeDiagnostic>[] = [];

  constructor(context: CommandContext) {
    this.#context = context;
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  add(diagnostic: Diagnostic, text: string): void {
    const { err, quiet, io, colour, json } = this.#context;
    this.#found.push(describeDiagnostic(diagnostic, text));
    if (!json)
      err.line(
        renderDiagnostic(
          { ...diagnostic, path: displayPath(diagnostic.path, io), hint: quiet ? null : diagnostic.hint },
          text,
          { colour },
        ),
      );
  }

  addMessage(where: string | null, message: string, hint: string | null = null): void {
    const { err, quiet, json, io } = this.#context;
    const [, path = where, line] = /^(.+):(\d+)$/.exec(where ?? '') ?? [];
    this.#found.push({
      code: 'SCRIPT_VALUE',
      severity: 'error',
      path: path === null ? null : fullPath(path, io),
      line: line === undefined ? null : Number(line),
      column: null,
      endLine: null,
      endColumn: null,
      message,
      hint,
    });
    if (!json)
      err.line(
        `${where === null ? '' : `${printableLine(where)}: `}error: ${printableLine(message)}${hint === null || quiet ? '' : `; ${printableLine(hint)}`}`,
      );
  }

  /** Gives the exit code. */
  end(): number {
    const { json, out } = this.#context;
    if (json) out.json({ ok: false, diagnostics: this.#found });
    return exitCodes.files;
  }
}

const mostUnknown = 10;

/** One line for each case that expects a skill which does not exist. */
export function warnUnknown(
  { err, quiet }: Pick<CommandContext, 'err' | 'quiet'>,
  snapshot: Snapshot,
  all: readonly Expecting[],
  ending = '',
): void {
  const unknown = describeUnknown(snapshot, all);
  for (const { place, message, hint } of unknown.slice(0, mostUnknown)) {
    err.line(
      `${place === undefined ? '' : `${printableLine(place)}: `}warning: ${printableLine(message)}${hint === null || quiet ? '' : `; ${printableLine(hint)}`}${ending}`,
    );
  }
  if (unknown.length > mostUnknown) err.line(`and ${unknown.length - mostUnknown} more`);
}

export function namesOf(all: readonly Expecting[]): readonly string[] {
  return [...new Set(all.map(({ skill }) => skill))].sort();
}
