// A thrown error -> text or JSON, and an exit code.
import { TechneError } from '../base/error.ts';
import { printable, printableLine, renderJson } from '../base/printable.ts';
import type { FaultKind } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import { exitCodeOf, exitCodes } from './exit-code.ts';

interface RenderedFailure {
  readonly text: string;
  readonly exitCode: number;
}

/** With `json` the text is `{"error": {code, message, hint}}`; FILE_FAULT and BUG are additional codes. With `quiet` there is no hint. */
export function renderFailure(
  error: unknown,
  options: { json: boolean; quiet: boolean; debug: boolean; hintFor?: (hint: string) => string },
): RenderedFailure {
  const { code, message, exitCode, ...described } = describe(error);
  const { hintFor = (text) => text } = options;
  const hint = described.hint === null ? null : hintFor(described.hint);
  const stack = options.debug && error instanceof Error ? `${printable(error.stack ?? '')}\n` : '';
  if (options.json) return { text: `${renderJson({ error: { code, message, hint } }, 2)}\n`, exitCode };
  const lines = [`techne: ${printableLine(message)}`];
  if (hint !== null && !options.quiet) lines.push(`  hint: ${printableLine(hint)}`);
  return { text: `${lines.join('\n')}\n${stack}`, exitCode };
}

const faultHints: Record<FaultKind, string | null> = {
  denied: 'allow this user to read it, or exclude it',
  'not-a-folder': 'a file is where a folder should be',
  'not-a-file': null,
  loop: 'a link leads back to itself: remove it',
  'too-large': null,
  changed: 'try again when nothing writes to it',
  busy: 'there is too little disk space, or too many files are open: try again later',
  io: null,
};

function describe(error: unknown): { code: string; message: string; hint: string | null; exitCode: number } {
  if (error instanceof TechneError)
    return { code: error.code, message: error.message, hint: error.hint, exitCode: exitCodeOf(error.code) };
  if (error instanceof FileFault)
    return {
      code: 'FILE_FAULT',
      message: error.message,
      hint: faultHints[error.kind],
      exitCode: exitCodes.environment,
    };
  const name = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    code: 'BUG',
    message: `this is a bug in techne (${name})`,
    hint: 'run it again with TECHNE_DEBUG=1, and report what it prints',
    exitCode: exitCodes.bug,
  };
}
