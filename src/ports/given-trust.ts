// What people allowed for the runs of a team, with who it was and when: skills by the digest of all their files, and
// commands of them for good.
//
// A record is never changed but by its revocation, which names a person too, so the list is the audit. Whoever judges a
// run asks each time a worker takes it: what was revoked does not continue from then on.

export interface GivenRecord {
  readonly id: number;
  /** The name of the skill. */
  readonly skill: string;
  readonly digest: string;
  /** Of a command: its words. `null`: the skill itself may be executed. */
  readonly argv: readonly string[] | null;
  readonly verdict: 'trusted' | 'always' | 'never';
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly revokedBy: string | null;
  readonly revokedAt: string | null;
}

export interface GivenTrust {
  /** The record that is there already, or a new one. */
  grant(grant: {
    readonly skill: string;
    readonly digest: string;
    readonly by: string;
  }): Promise<GivenRecord>;
  /** The same for skills that were never trusted in this version; what was revoked stays so. How many are new. */
  grantUnknown(
    grants: readonly { readonly skill: string; readonly digest: string }[],
    by: string,
  ): Promise<number>;
  /** Trust in a digest, or in every version of a skill by its name; with the approvals of its commands. What was revoked. */
  revoke(what: string, by: string): Promise<readonly GivenRecord[]>;
  /** `null`: this content is not trusted. */
  trustIn(digest: string): Promise<GivenRecord | null>;
  /** What a run of this content relies on; where it was revoked since, the newest that there was. */
  reliedOn(digest: string): Promise<GivenRecord | null>;
  /** The newest trust in another version of the skill. */
  earlier(skill: string): Promise<GivenRecord | null>;
  /** Newest first; what was revoked as well. */
  list(limit: number): Promise<readonly GivenRecord[]>;
}
