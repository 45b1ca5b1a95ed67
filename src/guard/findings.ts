// What detectors reported -> the findings of a report.
//
//   RawFinding[] -> severity, message and hint of the rule -> place, excerpt, fingerprint -> sorted, each once
//
// The same rule at the same place counts once, however many views show it: the worst severity, and how it was hidden if it was. What
// only the reading of a whole text (a `normalised` or `joined` view) says is hidden, and stands there in plain sight, is not hidden.
import { placeOf } from '../base/span.ts';
import { cutText } from '../base/cut-text.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { RawFinding, ScannedSkill } from './detector.ts';
import type { Finding, Severity } from './report.ts';
import { severities } from './report.ts';
import type { Rule } from './rule.ts';
import { normalisations } from './view/hidden-by.ts';

const excerptLimit = 200;
const decodedLimit = 400;
const maxFindings = 500;

export function finishFindings(
  found: readonly RawFinding[],
  skill: ScannedSkill,
  rules: readonly Rule[],
  sha256: Sha256,
): {
  readonly findings: readonly Finding[];
  /** Some that count were left out. */ readonly dropped: boolean;
} {
  const byCode = new Map(rules.map((rule) => [rule.code, rule]));
  const raws = new Map(skill.texts.map(({ path, raw }) => [path, raw]));
  const byPlace = new Map<string, Finding>();
  // By place in the text, so that the fingerprints of equal findings are numbered in reading order.
  for (const one of found) {
    const rule = byCode.get(one.rule);
    if (rule === undefined) throw new Error(`a detector reports "${one.rule}", which is no rule`);
    const finding = finish(one, rule, raws.get(one.path) ?? '');
    const key = `${finding.rule}\0${finding.file}\0${finding.line}\0${finding.column}`;
    const other = byPlace.get(key);
    byPlace.set(key, other === undefined ? finding : worse(other, finding));
  }
  const all = [...byPlace.values()].toSorted(compareFindings);
  const sorted = all.slice(0, maxFindings);
  const next = all[maxFindings];
  const times = new Map<string, number>();
  const findings = sorted.map((finding) => {
    const same = [finding.rule, finding.file, finding.excerpt, finding.decoded ?? ''].join('\0');
    const count = times.get(same) ?? 0;
    times.set(same, count + 1);
    return { ...finding, fingerprint: sha256(`techne-finding 1\n${same}\0${count}`).slice(0, 32) };
  });
  return { findings, dropped: next !== undefined && next.severity !== 'low' && next.severity !== 'info' };
}

function finish(one: RawFinding, rule: Rule, raw: string): Finding {
  const { line, column } = placeOf(raw, one.start);
  const there = raw.slice(one.start, Math.max(one.start, one.end));
  const isPlain =
    one.hiddenBy.every((way) => normalisations.has(way)) && (one.decoded === null || one.decoded === there);
  return {
    rule: rule.code,
    severity: one.severity ?? rule.severity,
    file: one.path,
    line,
    column,
    excerpt: cutText(there, excerptLimit).text,
    decoded: isPlain || one.decoded === null ? null : cutText(one.decoded, decodedLimit).text,
    hiddenBy: isPlain ? [] : one.hiddenBy,
    message: one.message ?? rule.message,
    hint: rule.hint,
    fingerprint: '',
  };
}

function worse(a: Finding, b: Finding): Finding {
  const order = severities.indexOf(a.severity) - severities.indexOf(b.severity);
  if (order !== 0) return order < 0 ? a : b;
  if ((a.hiddenBy.length === 0) !== (b.hiddenBy.length === 0)) return a.hiddenBy.length > 0 ? a : b;
  return a.excerpt.length >= b.excerpt.length ? a : b;
}

export function compareFindings(a: Finding, b: Finding): number {
  const rank = (severity: Severity): number => severities.indexOf(severity);
  return (
    rank(a.severity) - rank(b.severity) ||
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.rule, b.rule)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
