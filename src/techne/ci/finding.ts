// What a pipeline found about the skills of a repository, in one shape for checks, scans, tests and trigger evaluations.
//
//   diagnostics, scan reports, outcomes of tests, wrong cases -> CiFinding[]
//
// F1. A key identifies a finding in a baseline. It has no line number: it is made of the kind, the code, the path from the
//     repository, and the text there (`anchor`); that of a prompt has no code, since its blame can go to either skill. Equal
//     ones are numbered, so that one more of them is a new finding.
import { relative, sep } from 'node:path';
import { canonicalJson } from '../../base/json.ts';
import type { Severity } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { placeOf } from '../../base/span.ts';
import type { Finding, NotScanned, Severity as ScanSeverity } from '../../guard/report.ts';
import type { CaseFailure } from '../../measure/eval/score-cases.ts';
import type { SkillTests } from '../../measure/testing/test-skills.ts';
import { nodeSha256 } from '../../node/environment.ts';

export const ciKinds = ['check', 'scan', 'test', 'triggers'] as const;
export type CiKind = (typeof ciKinds)[number];

/** The codes that no diagnostic and no rule has. */
export const ciCodes = {
  NOT_SCANNED: 'a file could not be wholly scanned',
  TEST_FAILED: 'a test of the skill fails',
  TRIGGER_MISSED: 'a test prompt does not find the skill that it expects',
  TRIGGER_UNWANTED: 'a test prompt finds a skill that it must not find',
  TRIGGER_TAKEN: 'a changed skill is found for a test prompt of another skill',
} as const;

export interface CiFinding {
  readonly kind: CiKind;
  readonly code: string;
  readonly severity: Severity;
  /** The skill that it is about; `null`: a file that is in no skill. */
  readonly skill: string | null;
  /** Absolute. */
  readonly path: string;
  /** From 1; `null`: the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly endLine: number | null;
  readonly endColumn: number | null;
  readonly message: string;
  readonly hint: string | null;
  /** The text there, without its place. */
  readonly anchor: string;
}

const wholeFile = { line: null, column: null, endLine: null, endColumn: null };

export function findingOfDiagnostic(
  { code, severity, path, span, message, hint }: Diagnostic,
  text: string | null,
  kind: CiKind,
  skill: string | null,
): CiFinding {
  const about = { kind, code, severity, skill, path, message, hint };
  if (span === null || text === null) return { ...about, ...wholeFile, anchor: withoutNumbers(message) };
  const [start, end] = [placeOf(text, span.start), placeOf(text, Math.max(span.start, span.end))];
  const line = text.split('\n', start.line)[start.line - 1] ?? '';
  return {
    ...about,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    anchor: line.trim().replace(/\s+/g, ' '),
  };
}

const ofScan: Record<ScanSeverity, Severity> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'info',
  info: 'info',
};

export function findingOfScan(finding: Finding, skill: string, folder: string): CiFinding {
  const { rule, severity, file, line, column, message, decoded, hint, fingerprint } = finding;
  return {
    kind: 'scan',
    code: rule,
    severity: ofScan[severity],
    skill,
    path: `${folder}/${file}`,
    line,
    column,
    endLine: null,
    endColumn: null,
    message: decoded === null ? message : `${message} It reads: ${decoded}`,
    hint,
    anchor: fingerprint,
  };
}

export function findingOfUnscanned(
  { file, reason, message }: NotScanned,
  skill: string,
  folder: string,
): CiFinding {
  return {
    kind: 'scan',
    code: 'NOT_SCANNED',
    severity: 'warning',
    skill,
    path: `${folder}/${file}`,
    ...wholeFile,
    message: `not wholly scanned: ${message}`,
    hint: 'look at the file yourself',
    anchor: reason,
  };
}

const mostFaults = 3;

export function findingsOfTests({ skill, outcomes, diagnostics, texts }: SkillTests): readonly CiFinding[] {
  const failed = outcomes.filter(({ ok }) => !ok);
  return [
    ...diagnostics.map((one) => findingOfDiagnostic(one, texts.get(one.path) ?? null, 'test', skill)),
    ...failed.map(({ test, faults }): CiFinding => {
      const { line, column } = placeOf(texts.get(test.path) ?? '', test.span.start);
      const more = faults.length > mostFaults ? `; and ${faults.length - mostFaults} more` : '';
      const told = faults.slice(0, mostFaults).map(({ what, message }) => `${what}: ${message}`);
      return {
        kind: 'test',
        code: 'TEST_FAILED',
        severity: 'error',
        skill,
        path: test.path,
        line,
        column,
        endLine: null,
        endColumn: null,
        message: `the test "${test.name}" fails: ${told.join('; ')}${more}`,
        hint: `see every difference: techne test ${skill}`,
        anchor: test.name,
      };
    }),
  ];
}

/** `owner`: the skill whose prompt it is; `taken`: another, changed skill came for it. */
export function findingOfCase(
  { message, outcome, expected, found, reason }: CaseFailure,
  owner: string,
  place: { readonly path: string; readonly line: number | null },
  taken: boolean,
): CiFinding {
  const because = reason === null ? '' : ` (${reason})`;
  const said = expected === null ? `must not find "${found}"` : `must find "${expected}"`;
  const came = found === null ? 'finds nothing' : `finds "${found}"`;
  return {
    kind: 'triggers',
    code: taken ? 'TRIGGER_TAKEN' : outcome === 'false-positive' ? 'TRIGGER_UNWANTED' : 'TRIGGER_MISSED',
    // Whether it was so before the change cannot be known from the files that are there now.
    severity: taken ? 'warning' : 'error',
    skill: taken ? found : owner,
    path: place.path,
    line: place.line,
    column: null,
    endLine: null,
    endColumn: null,
    message:
      outcome === 'false-positive'
        ? `the prompt "${message}" ${said}${because}`
        : `the prompt "${message}" ${said}, but ${came}${because}`,
    hint: 'make triggers and descriptions more specific: techne match --explain shows why',
    anchor: message,
  };
}

/** Two messages about the same thing can differ in the line that they name. */
function withoutNumbers(message: string): string {
  return message.replace(/\d+/g, '#');
}

/** A finding with its key; `path` is relative to the repository, with `/`, or absolute outside of it. */
export interface KeyedFinding extends CiFinding {
  readonly shown: string;
  readonly key: string;
}

/** By path, line and code; each with its key (F1). */
export function withKeys(findings: readonly CiFinding[], root: string): readonly KeyedFinding[] {
  const seen = new Map<string, number>();
  return findings
    .map((one) => ({ ...one, shown: pathFrom(root, one.path) }))
    .toSorted(compareFindings)
    .map((one) => {
      const code = one.kind === 'triggers' ? '' : one.code;
      const about = canonicalJson([one.kind, code, one.shown, one.anchor]);
      const nth = (seen.get(about) ?? 0) + 1;
      seen.set(about, nth);
      return { ...one, key: nodeSha256(`${about} ${nth}`).slice(0, 32) };
    });
}

function pathFrom(root: string, path: string): string {
  const from = relative(root, path);
  if (from === '') return '.';
  return from === '..' || from.startsWith(`..${sep}`) ? path : from.split(sep).join('/');
}

type Placed = CiFinding & { readonly shown: string };

function compareFindings(a: Placed, b: Placed): number {
  return (
    compare(a.shown, b.shown) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compare(a.code, b.code) ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
