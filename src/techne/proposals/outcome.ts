// The outcome of a check with its reason, and findings as lines of it.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import { placeOf } from '../../base/span.ts';
import type { Finding } from '../../guard/report.ts';
import type { CheckResult } from '../../proposals/proposal.ts';

export type Outcome = Omit<CheckResult, 'name'>;

export function passed(reason: string, details: readonly string[] = []): Outcome {
  return { outcome: 'passed', reason, details };
}

export function failed(reason: string, details: readonly string[] = []): Outcome {
  return { outcome: 'failed', reason, details };
}

export function skipped(reason: string): Outcome {
  return { outcome: 'skipped', reason, details: [] };
}

export function findingLine({ file, line, rule, severity, message }: Finding): string {
  return `${printableLine(file)}:${line}: ${severity} ${rule}: ${printableLine(message)}`;
}

export function lineOf({ code, path, message, span }: Diagnostic, text: string | null = null): string {
  const file = path.split('/').slice(-1)[0] ?? path;
  const line = span === null || text === null ? '' : `:${placeOf(text, span.start).line}`;
  return `${printableLine(file)}${line}: ${code}: ${printableLine(message)}`;
}
