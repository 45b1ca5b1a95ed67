// One evaluation, from options and variables to an outcome.
//
// What was made on the way is given back to the meter at the end; only the result stays charged. Whatever goes wrong
// inside, for whatever reason of the template's, is one diagnostic.
import { severityOf } from '../base/codes.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { LimitReached, Meter } from '../base/meter.ts';
import type { Span } from '../base/span.ts';
import type { Code } from './compile/compile-tree.ts';
import { Frame } from './compile/frame.ts';
import type { Outcome, TemplateOptions, Variables } from './options.ts';
import { fromData } from './value/data.ts';
import { Dict } from './value/dict.ts';
import { Evaluation, type Library } from './value/evaluation.ts';
import { TemplateError } from './value/template-error.ts';

const defaults = {
  maxSteps: 5_000_000,
  maxMemoryBytes: 128 * 1024 * 1024,
  maxOutputUnits: 8_000_000,
  maxIntBits: 65_536,
  maxCallDepth: 1_000,
} as const;

export function evaluate<T>(
  path: string,
  library: Library,
  code: Code,
  variables: Variables,
  options: TemplateOptions = {},
  run: (frame: Frame, e: Evaluation) => T,
): Outcome<T> {
  const {
    maxSteps = defaults.maxSteps,
    maxMemoryBytes = defaults.maxMemoryBytes,
    maxOutputUnits = defaults.maxOutputUnits,
    maxIntBits = defaults.maxIntBits,
    maxCallDepth = defaults.maxCallDepth,
  } = options;
  const meter = options.meter ?? new Meter(maxSteps, maxMemoryBytes);
  const before = meter.memory;
  const e = new Evaluation(
    meter,
    { maxDepth: maxCallDepth, maxIntBits, maxOutputUnits },
    library,
    options.startedAtMs === undefined
      ? null
      : { atMs: options.startedAtMs, offsetMinutes: options.startedOffsetMinutes ?? 0 },
  );
  const frame = new Frame(code.slots, null, e, Dict.from(variables, fromData));
  try {
    meter.work(code.cost);
    code.enter(frame);
    const value = run(frame, e);
    meter.memory = before + (typeof value === 'string' ? 2 * value.length : 0);
    return { ok: true, value };
  } catch (error) {
    meter.memory = before;
    return { ok: false, diagnostic: diagnosticOf(path, error, e.at) };
  }
}

function diagnosticOf(path: string, error: unknown, at: Span | null): Diagnostic {
  const fault = known(error);
  const span = fault.span ?? at;
  return {
    code: fault.code,
    severity: severityOf(fault.code),
    path,
    span: span === null ? null : { start: span.start, end: span.end },
    message: fault.message,
    hint: fault.hint,
  };
}

interface Fault {
  readonly code: Diagnostic['code'];
  readonly message: string;
  readonly hint: string | null;
  readonly span: Span | null;
}

function known(error: unknown): Fault {
  if (error instanceof TemplateError) return error;
  if (error instanceof LimitReached)
    return { code: error.code, message: error.message, hint: error.hint, span: null };
  // The limits keep these from happening; should one be set too high, they still end as a failure.
  if (error instanceof RangeError) {
    const isStack = /call stack/i.test(error.message);
    return {
      code: isStack ? 'DEPTH_LIMIT' : 'MEMORY_LIMIT',
      message: `stopped: ${error.message}`,
      hint: null,
      span: null,
    };
  }
  throw error;
}
