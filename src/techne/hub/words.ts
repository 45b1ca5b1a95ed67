// What surfaces say about installed skills, in the same words everywhere.
import { hasDrifted, describeDrift } from '../../hub/drift/find-drift.ts';
import type { Drift } from '../../hub/drift/find-drift.ts';
import { originWords } from '../../hub/install/origin.ts';
import { versionWords } from '../../hub/install/source-text.ts';
import type { ProposedSkill } from '../../hub/install/proposal.ts';
import type { LockEntry } from '../../hub/lock/lock.ts';
import { fingerprintOf } from '../../hub/sign/signing-key.ts';
import type { Publisher, Resolved } from '../../hub/source/source.ts';

export { acceptCommand, waysOut } from '../../hub/install/refusals.ts';

/** Lines about what differs; none: it is as locked. Not yet printable. */
export function driftLines(drift: Drift, most?: number): readonly string[] {
  return hasDrifted(drift) ? describeDrift(drift, most) : [];
}

export function versionText(resolved: Resolved): string {
  return versionWords(resolved);
}

/** Where the bytes come from. Not yet printable. */
export function originText(resolved: Resolved): string {
  return originWords(resolved);
}

/**
 * Who signed the hub that it is from; `null`: it is from no hub. `trustedAs` is what the user's own keys say: a lock proves
 * nothing. Not yet printable.
 */
export function signerText(resolved: Resolved, trustedAs: string | null): string | null {
  if (resolved.kind !== 'well-known') return null;
  const { publisher } = resolved;
  return keyWords(publisher === null ? null : { ...publisher, trustedAs });
}

/** Whose key it is, `null`: it is not signed. Not yet printable. */
export function keyWords(publisher: Publisher | null): string {
  if (publisher === null) return 'not signed';
  const { trustedAs } = publisher;
  const fingerprint = fingerprintOf(publisher.keyId);
  return trustedAs === null
    ? `signed by an unknown key (${fingerprint})`
    : `signed by ${trustedAs} (${fingerprint}, trusted)`;
}

/** What the user's own records say about an entry of a lock. */
export interface OwnRecord {
  readonly trusted: boolean;
  /** The name the user gave the key of its publisher. */
  readonly trustedAs: string | null;
}

export function ownResolved(resolved: Resolved, trustedAs: string | null): Resolved {
  if (resolved.kind !== 'well-known' || resolved.publisher === null) return resolved;
  return { ...resolved, publisher: { ...resolved.publisher, trustedAs } };
}

/** Where the bytes of a proposed skill come from, as a person is told. Not yet printable. */
export interface ShownOrigin {
  readonly from: string;
  readonly version: string;
  /** `null`: it is from no hub. */
  readonly signer: string | null;
  /** The source as it was written, where that says more, or something else, than `from`. */
  readonly source: string | null;
}

export function originOf(
  { after, change, hasOtherSource }: Pick<ProposedSkill, 'after' | 'change' | 'hasOtherSource'>,
  ownRecord: (entry: LockEntry) => OwnRecord,
): ShownOrigin {
  const { resolved, source } = after;
  const from = originText(resolved);
  // What was fetched just now was verified just now; what comes back is named by a lock.
  const verifiedAs = resolved.kind === 'well-known' ? (resolved.publisher?.trustedAs ?? null) : null;
  const signer = signerText(resolved, change === 'back' ? ownRecord(after).trustedAs : verifiedAs);
  // The version says which ref it was.
  const isSame = !hasOtherSource && source.replace(/#.*$/s, '') === from;
  return { from, version: versionText(resolved), signer, source: isSame ? null : source };
}

/** For JSON: everything but the list of files. Trust is what the user's own records say, not the lock. */
export function entryFacts(
  entry: LockEntry,
  { trusted, trustedAs }: OwnRecord,
): Omit<LockEntry, 'files'> & { readonly files: number } {
  return { ...entry, resolved: ownResolved(entry.resolved, trustedAs), files: entry.files.length, trusted };
}
