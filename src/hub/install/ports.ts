// What installing needs from the world besides the disk: sources, the scanner, the other skills, and whom to tell.
import type { Abort } from '../../base/abort.ts';
import type { GuardFile } from '../../guard/detector.ts';
import type { Report } from '../../guard/report.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { Latest, LockedSkill, PinnedSkill } from '../fetch/options.ts';
import type { Fetched, Progress, Source } from '../source/source.ts';
import type { HubCalls } from '../stage/held-folder.ts';
import type { TreeLimits } from '../stage/tree.ts';
import type { HubPlace } from './place.ts';
import type { ShadowOf } from './proposal.ts';

export interface HubPorts {
  /** Throws SOURCE_INVALID and the like. */
  readonly parseSource: (text: string, cwd: string) => Source;
  readonly fetch: (source: Source, tell: Tell, signal: Abort) => Promise<Fetched>;
  /** What it has now, as far as that is known without its files. */
  readonly latest: (
    source: Source,
    skills: readonly LockedSkill[],
    tell: Tell,
    signal: Abort,
  ) => Promise<readonly Latest[]>;
  /** The same content again, or SOURCE_CHANGED. */
  readonly fetchResolved: (pinned: PinnedSkill, tell: Tell, signal: Abort) => Promise<Fetched>;
  readonly scan: (name: string, files: readonly GuardFile[]) => Promise<Report>;
  /** Skills of this name in other folders. */
  readonly shadowsOf: (name: string, place: HubPlace) => Promise<readonly ShadowOf[]>;
  /** Whether a skill of this name is part of techne. No configuration changes the answer. */
  readonly isShipped: (name: string) => boolean;
  readonly parseFull: ParseFull;
  readonly homeFolder: string;
  /** Hours that a commit or version must be old; `hub.minimumAgeHours`. */
  readonly minimumAgeHours: number;
  readonly nowMs: () => number;
  /** When this user first saw what has this key: now, if never before (first-seen.ts). */
  readonly firstSeen: (key: string, nowMs: number) => Promise<string>;
  readonly limits: TreeLimits;
  readonly calls: HubCalls;
  readonly waitMs: number;
  readonly tell: Tell;
  readonly signal: Abort;
}

export type Tell = (progress: Progress) => void;
