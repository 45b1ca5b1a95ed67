// Findings that a person accepted, in a file of the user's own: no workspace can accept for its reader.
//
//   ~/.techne/accepted.json     { "accepted": [ { fingerprint, digest, rulesVersion, reason, by, at, skill } ] }
//
// A record counts for one finding in one content under one version of the rules: when the files or the rules change, the finding
// is back. A file that cannot be used accepts nothing and is reported when it is changed.
import { TechneError } from '../../base/error.ts';
import { jsonIn } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { AcceptedFinding, Report } from '../../guard/report.ts';
import { verdictOf } from '../../guard/scan.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';

export interface AcceptedRecord {
  readonly fingerprint: string;
  /** Of the content that was looked at. */
  readonly digest: string;
  readonly rulesVersion: string;
  readonly reason: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  /** For people. */
  readonly skill: string;
}

const maxBytes = 8 * 1024 * 1024;

/** Throws ACCEPTED_FILE. A missing file is empty. */
export async function readAccepted(files: Files, path: string): Promise<readonly AcceptedRecord[]> {
  let bytes: Uint8Array | null;
  try {
    bytes = (await files.read(path, maxBytes))?.bytes ?? null;
  } catch (error) {
    if (error instanceof FileFault) throw broken(path, error.message);
    throw error;
  }
  if (bytes === null) return [];
  const { text, valid } = decodeUtf8(bytes);
  const value = valid ? jsonIn(text) : undefined;
  const list = isObject(value) ? value['accepted'] : undefined;
  if (!Array.isArray(list)) throw broken(path, 'it is not JSON with a list "accepted"');
  return list.map((one: unknown) => {
    if (!isRecord(one))
      throw broken(path, 'an entry lacks one of fingerprint, digest, rulesVersion, reason, by, at, skill');
    return one;
  });
}

/** Adds records; those of the same finding and content are replaced. Throws ACCEPTED_FILE, LOCKED. */
export async function addAccepted(
  files: Files,
  path: string,
  added: readonly AcceptedRecord[],
): Promise<void> {
  await files.withLock(`${path}.lock`, async () => {
    const isSame = (a: AcceptedRecord, b: AcceptedRecord): boolean =>
      a.fingerprint === b.fingerprint && a.digest === b.digest && a.rulesVersion === b.rulesVersion;
    const kept = (await readAccepted(files, path)).filter(
      (one) => !added.some((other) => isSame(one, other)),
    );
    const text = `${JSON.stringify({ accepted: [...kept, ...added] }, null, 2)}\n`;
    await files.writeAtomic(path, encodeUtf8(text), 0o600);
  });
}

/** The report with what was accepted moved aside, and the verdict of the rest. */
export function withAccepted(report: Report, records: readonly AcceptedRecord[]): Report {
  const accepted: AcceptedFinding[] = [];
  const findings = report.findings.filter((finding) => {
    const record = records.find(
      ({ fingerprint, digest, rulesVersion }) =>
        fingerprint === finding.fingerprint &&
        digest === report.digest &&
        rulesVersion === report.rulesVersion,
    );
    if (record === undefined) return true;
    accepted.push({ finding, reason: record.reason, by: record.by, at: record.at });
    return false;
  });
  if (accepted.length === 0) return report;
  return { ...report, findings, accepted, verdict: verdictOf(findings, report.notScanned) };
}

function broken(path: string, why: string): TechneError {
  return new TechneError('ACCEPTED_FILE', `"${path}" cannot be used: ${why}`, {
    hint: 'fix the file, or remove it and accept the findings again',
  });
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRecord(value: unknown): value is AcceptedRecord {
  return (
    isObject(value) &&
    ['fingerprint', 'digest', 'rulesVersion', 'reason', 'by', 'at', 'skill'].every(
      (key) => typeof value[key] === 'string',
    )
  );
}
