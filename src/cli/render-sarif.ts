// Diagnostics, and the findings of scans, as SARIF 2.1.0, for code scanning services.
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Severity } from '../base/codes.ts';
import { diagnosticCodes } from '../base/codes.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { placeOf } from '../base/span.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

/** What a log says: rules, and results at places. */
export interface SarifLog {
  readonly rules: readonly {
    readonly id: string;
    readonly text: string;
    readonly level: string;
    readonly help?: string;
  }[];
  readonly results: readonly JsonObject[];
  /** Paths are relative to it. */
  readonly folder: string;
  readonly version: string;
}

export function renderSarifLog({ rules, results, folder, version }: SarifLog): JsonObject {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'techne',
            version,
            rules: rules.map(({ id, text, level, help }) => ({
              id,
              shortDescription: { text },
              ...(help === undefined ? {} : { help: { text: help } }),
              defaultConfiguration: { level },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { uri: `${pathToFileURL(folder).href.replace(/\/$/, '')}/` } },
        results: [...results],
      },
    ],
  };
}

interface SarifInput {
  /** Their paths relative to `folder` with `/`, or absolute. */
  readonly diagnostics: readonly Diagnostic[];
  readonly textOf: (diagnostic: Diagnostic) => string | null;
  readonly folder: string;
  readonly version: string;
}

export function renderSarif({ diagnostics, textOf, folder, version }: SarifInput): JsonObject {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return renderSarifLog({
    rules: codes.map((code) => ({
      id: code,
      text: diagnosticCodes[code].meaning,
      level: levels[diagnosticCodes[code].severity],
    })),
    results: diagnostics.map((diagnostic) =>
      renderResult(diagnostic, codes.indexOf(diagnostic.code), textOf(diagnostic)),
    ),
    folder,
    version,
  });
}

function renderResult(diagnostic: Diagnostic, ruleIndex: number, text: string | null): JsonObject {
  const { code, severity, path, message, hint } = diagnostic;
  const location: { [key: string]: Json } = { artifactLocation: artifactOf(path) };
  const region = regionOf(diagnostic, text);
  if (region !== null) location['region'] = region;
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: hint === null ? message : `${message} (${hint})` },
    locations: [{ physicalLocation: location }],
  };
}

export function artifactOf(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: path.split(/[\\/]/).map(encodeSegment).join('/'), uriBaseId: 'SRCROOT' };
}

/** Half a surrogate pair cannot be percent-encoded; it becomes the replacement character. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\uFFFD'));
}

function regionOf({ span }: Diagnostic, text: string | null): JsonObject | null {
  if (span === null || text === null) return null;
  const start = placeOf(text, span.start);
  const end = placeOf(text, Math.max(span.start, span.end));
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}
