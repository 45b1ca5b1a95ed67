// Proposals, reports and audit entries <-> the text of their files.
//
// What is read back is checked whole: a file that is torn, edited by hand or of another id is a fault with its reason, never a
// proposal. The id is computed again from what the record says.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Sha256 } from '../ports/environment.ts';
import type { AuditEntry, Proposal, ProposalReport } from './proposal.ts';
import { proposalId } from './proposal.ts';

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };

export function renderProposal(proposal: Proposal): string {
  return `${JSON.stringify({ format: 1, ...proposal }, null, 2)}\n`;
}

export function parseProposal(text: string, sha256: Sha256): Read<Proposal> {
  const value = parsed(text);
  if (value === null) return fault('it is not a JSON object, or is cut off');
  const { format, origin } = value;
  if (format !== 1) return fault('it is of another version of techne');
  const texts = ['id', 'kind', 'skill', 'folder', 'why', 'madeAt', 'state'];
  const missing = texts.find((key) => typeof value[key] !== 'string');
  if (missing !== undefined) return fault(`"${missing}" is missing`);
  const orNull = ['newName', 'base', 'candidate'].find(
    (key) => value[key] !== null && typeof value[key] !== 'string',
  );
  if (orNull !== undefined) return fault(`"${orNull}" is missing`);
  if (!isOneOf(value['kind'], ['create', 'edit', 'delete', 'rename'])) return fault('its kind is unknown');
  if (!isOneOf(value['state'], ['pending', 'accepted', 'rejected', 'stale', 'rolled-back']))
    return fault('its state is unknown');
  if (!isJsonObject(origin) || !isOneOf(origin['by'], ['agent', 'person', 'learn', 'curator']))
    return fault('who made it is missing');
  const { format: _, ...rest } = value;
  const proposal = rest as unknown as Proposal;
  return proposalId(proposal, sha256) === proposal.id
    ? { ok: true, value: proposal }
    : fault('its id does not fit what it says: it was changed');
}

export function renderReport(report: ProposalReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** `null`: it cannot be used, and the proposal is checked again. */
export function parseReport(text: string): ProposalReport | null {
  const value = parsed(text);
  return value !== null && typeof value['proposal'] === 'string' && Array.isArray(value['checks'])
    ? (value as unknown as ProposalReport)
    : null;
}

/** One line, with its end. */
export function renderAudit(entry: AuditEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

export function parseAudit(text: string): {
  readonly entries: readonly AuditEntry[];
  /** Numbers of lines that cannot be read. */
  readonly torn: readonly number[];
} {
  const entries: AuditEntry[] = [];
  const torn: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const value = parsed(line);
    if (value !== null && typeof value['at'] === 'string' && typeof value['act'] === 'string')
      entries.push(value as unknown as AuditEntry);
    else torn.push(at + 1);
  }
  return { entries, torn };
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isOneOf(value: Json | undefined, known: readonly string[]): boolean {
  return typeof value === 'string' && known.includes(value);
}

function fault<T>(text: string): Read<T> {
  return { ok: false, fault: text };
}
