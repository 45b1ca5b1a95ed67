// All findings of a pipeline as one SARIF log. What is in the baseline is suppressed there, not left out.
import type { Severity } from '../../base/codes.ts';
import { diagnosticCodes } from '../../base/codes.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { KeyedFinding } from '../../techne/ci/finding.ts';
import { ciCodes } from '../../techne/ci/finding.ts';
import { scanRules } from '../../techne/scan-skills.ts';
import { artifactOf, renderSarifLog } from '../render-sarif.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

export function renderCiSarif(
  findings: readonly KeyedFinding[],
  known: ReadonlySet<string>,
  root: string,
): JsonObject {
  const firsts = new Map(findings.map((one) => [one.code, one]));
  const codes = [...firsts.keys()].toSorted();
  const meanings = meaningsOf(new Set(codes));
  return renderSarifLog({
    rules: codes.map((code) => ({
      id: code,
      text: meanings.get(code) ?? code,
      level: levels[(firsts.get(code) as KeyedFinding).severity],
    })),
    results: findings.map((one) => ({
      ruleId: one.code,
      ruleIndex: codes.indexOf(one.code),
      level: levels[one.severity],
      message: { text: one.hint === null ? one.message : `${one.message} (${one.hint})` },
      locations: [{ physicalLocation: placeOf(one) }],
      partialFingerprints: { 'techneCi/v1': one.key },
      ...(known.has(one.key)
        ? { suppressions: [{ kind: 'external', justification: 'it is in the baseline' }] }
        : {}),
    })),
    folder: root,
    version: packageVersion(),
  });
}

function placeOf({ shown, line, column, endLine, endColumn }: KeyedFinding): JsonObject {
  const place: { [key: string]: Json } = { artifactLocation: artifactOf(shown) };
  if (line !== null)
    place['region'] = {
      startLine: line,
      ...(column === null ? {} : { startColumn: column }),
      ...(endLine === null ? {} : { endLine }),
      ...(endColumn === null ? {} : { endColumn }),
    };
  return place;
}

function meaningsOf(wanted: ReadonlySet<string>): ReadonlyMap<string, string> {
  const all: readonly (readonly [string, string])[] = [
    ...Object.entries(ciCodes),
    ...Object.entries(diagnosticCodes).map(([code, { meaning }]) => [code, meaning] as const),
    ...scanRules().map(({ code, title }) => [code, title] as const),
  ];
  return new Map(all.filter(([code]) => wanted.has(code)));
}
