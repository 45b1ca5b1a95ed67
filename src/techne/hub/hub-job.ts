// A job of the hub as it is asked for and shown.
import { printableLine } from '../../base/printable.ts';
import type { Scope } from '../../hub/install/place.ts';
import type { Progress } from '../../hub/source/source.ts';
import type { ShownProposal, ShownReport } from './describe-proposal.ts';

/** What is to be done. `scope: null`: where `techne` itself would do it. */
export type HubJobRequest =
  | {
      readonly kind: 'add';
      readonly source: string;
      readonly skills: readonly string[];
      readonly expect: readonly string[];
      readonly scope: Scope | null;
    }
  | {
      readonly kind: 'update' | 'restore' | 'outdated';
      /** `null`: all of the lock. */
      readonly names: readonly string[] | null;
      readonly scope: Scope | null;
    }
  | { readonly kind: 'adopt'; readonly name: string; readonly scope: Scope | null }
  /** Names of skills, and folders of the workspace; none: every skill. */
  | { readonly kind: 'scan'; readonly targets: readonly string[] };

export type HubJobState =
  | 'queued'
  | 'working'
  | 'ready'
  | 'installing'
  | 'installed'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'expired';

export interface HubJob {
  readonly id: string;
  readonly kind: HubJobRequest['kind'];
  /** The source, or the names. */
  readonly what: string;
  readonly state: HubJobState;
  /** Who started it. */
  readonly by: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** When what it fetched is removed. */
  readonly expiresAt: number | null;
  readonly progress: {
    readonly phase: Progress['phase'];
    readonly what: string;
    readonly done: number | null;
    readonly total: number | null;
    /** Of `done` and `total`. */
    readonly unit: 'bytes' | 'skills';
  } | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

export interface ShownOutdated {
  readonly name: string;
  readonly scope: Scope;
  readonly source: string;
  readonly pinned: boolean;
  readonly current: string;
  readonly latest: string;
  /** `null`: it could not be found out. */
  readonly outdated: boolean | null;
  readonly fault: { readonly code: string; readonly message: string; readonly hint: string | null } | null;
}

export interface ShownScan extends ShownReport {
  readonly skill: string;
  readonly folder: string;
}

export interface HubJobResult {
  readonly job: HubJob;
  /** While it is ready, and after it was installed. */
  readonly proposal: ShownProposal | null;
  readonly outdated: readonly ShownOutdated[] | null;
  readonly scanned: readonly ShownScan[] | null;
  /** What was agreed to and is installed now. */
  readonly installed: readonly { readonly skill: string; readonly digest: string }[];
}

/** A file of a proposed skill, and what is there now in its place. */
export interface ShownFile {
  readonly path: string;
  /** `null`: there is none, or it is not text. */
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeBytes: number | null;
  readonly afterBytes: number | null;
  readonly isText: boolean;
  /** Only the beginning is given. */
  readonly isCut: boolean;
}

export interface AgreedSkill {
  readonly name: string;
  readonly digest: string;
  /** Consent to content that could not be wholly scanned. */
  readonly allowIncomplete: boolean;
}

/** For people. */
export function whatOf(request: HubJobRequest): string {
  switch (request.kind) {
    case 'add':
      return printableLine(request.source);
    case 'adopt':
      return request.name;
    case 'scan':
      return request.targets.length === 0 ? 'every skill' : printableLine(request.targets.join(', '));
    case 'update':
    case 'restore':
    case 'outdated':
      return request.names === null ? 'everything in the lock' : request.names.join(', ');
  }
}

/** Whether it keeps something until a person agrees. */
export function holdsContent({ kind }: HubJobRequest): boolean {
  return kind !== 'scan' && kind !== 'outdated';
}
