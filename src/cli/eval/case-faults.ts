// What is wrong with the cases of an evaluation: printed as it is found, or with --json as one value when all is looked at.
//
// F1. Where there is a fault nothing is measured, and standard output has {ok: false, diagnostics: […]}, each as of techne check.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../describe-diagnostic.ts';
import { displayPath, fullPath } from '../../node/display-path.ts';
import { exitCodes } from '../exit-code.ts';

export class CaseFaults {
  readonly #context: CommandContext;
  readonly #found: ReturnType<typeof describeDiagnostic>[] = [];

  constructor(context: CommandContext) {
    this.#context = context;
  }

  get any(): boolean {
    return this.#found.length > 0;
  }

  /** `text`: of the file that it is in. */
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

  /** What has no place in a text; `where` is a file as it is shown, or FILE:LINE. */
  say(where: string | null, message: string, hint: string | null = null): void {
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

  /** Gives the exit code (F1). */
  end(): number {
    const { json, out } = this.#context;
    if (json) out.json({ ok: false, diagnostics: this.#found });
    return exitCodes.files;
  }
}
