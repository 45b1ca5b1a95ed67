// Diagnostics and failures of a program -> text for standard error.
//
//   diagnostics            -> one excerpt each, bounded in number
//   failure with backtrace -> the excerpt, then a line for each call, outermost first
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { lineAt } from '../../base/span.ts';
import { takeStart } from '../../base/cut-text.ts';
import type { BacktraceFrame, Failure } from '../../starlark/options.ts';
import type { CommandContext } from '../context.ts';

/** Path in messages -> text. */
export type Texts = ReadonlyMap<string, string>;

type Look = Pick<CommandContext, 'columns' | 'quiet'> & { readonly colour: boolean };

/** Standard error has colours only if it is a terminal too. */
export function lookOf({ colour, columns, quiet, io }: CommandContext): Look {
  return { colour: colour && io.stderr.isTTY === true, columns, quiet };
}

const maxShown = 100;
/** A long backtrace is cut in the middle. */
const maxFrames = 40;
const maxLine = 100;

export function renderProblems(diagnostics: readonly Diagnostic[], texts: Texts, look: Look): string {
  const shown = diagnostics.slice(0, maxShown).map((diagnostic) => renderOne(diagnostic, texts, look));
  if (diagnostics.length > maxShown) shown.push(`… and ${diagnostics.length - maxShown} more`);
  return shown.length === 0 ? '' : `${shown.join('\n')}\n`;
}

export function renderStarFailure({ diagnostic, backtrace }: Failure, texts: Texts, look: Look): string {
  const lines = [renderOne(diagnostic, texts, look)];
  if (backtrace.length > 1) {
    lines.push('called from, outermost first:');
    const cut = backtrace.length > maxFrames;
    const [first, last] = cut
      ? [backtrace.slice(0, maxFrames / 2), backtrace.slice(-maxFrames / 2)]
      : [backtrace, []];
    lines.push(...first.flatMap((frame) => renderFrame(frame, texts)));
    if (cut) lines.push(`  … ${backtrace.length - maxFrames} more`);
    lines.push(...last.flatMap((frame) => renderFrame(frame, texts)));
  }
  return `${lines.join('\n')}\n`;
}

function renderFrame(
  { function: name, path, line, column }: BacktraceFrame,
  texts: Texts,
): readonly string[] {
  const head = `  ${printableLine(path)}:${line}:${column}: in ${printableLine(name)}`;
  const text = texts.get(path);
  if (text === undefined) return [head];
  const { start, end } = lineAt(text, offsetOfLine(text, line));
  const source = takeStart(
    printableLine(text.slice(start, Math.min(end, start + 4 * maxLine))).trim(),
    maxLine,
  );
  return source === '' ? [head] : [head, `    ${source}`];
}

/** The offset where a line starts, lines counted from 1 and ended as `base/span.ts` says. */
function offsetOfLine(text: string, line: number): number {
  const end = /\r\n|\n|\r/g;
  let offset = 0;
  for (let at = 1; at < line && end.exec(text) !== null; at += 1) offset = end.lastIndex;
  return offset;
}

function renderOne(diagnostic: Diagnostic, texts: Texts, { colour, columns, quiet }: Look): string {
  return renderDiagnostic(
    quiet ? { ...diagnostic, hint: null } : diagnostic,
    texts.get(diagnostic.path) ?? null,
    { colour, width: Math.min(columns ?? 100, 140) - 2 },
  );
}
