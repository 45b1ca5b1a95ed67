// What fetching needs to know, and its limits.
import type { Abort } from '../../base/abort.ts';
import type { Config } from '../../config/types.ts';
import type { Json } from '../../base/json.ts';
import type { Fetched, Progress, Publisher, Resolved, Source } from '../source/source.ts';

export interface FetchLimits {
  /** Of all files that are taken, and of a downloaded archive. Default: 64 MiB. */
  readonly totalBytes: number;
  /** Of one skill. Default: 25 MiB. */
  readonly skillBytes: number;
  /** Of one file. Default: 16 MiB. */
  readonly fileBytes: number;
  /** Of one skill. Default: 1,000. */
  readonly skillFiles: number;
  /** Of an archive, and of all skills together. Default: 10,000. */
  readonly entries: number;
  /** Names that are listed of a folder or a repository before its skills are found. Default: 200,000. */
  readonly listed: number;
  /** Segments of a path. Default: 32. */
  readonly depth: number;
  /** Unpacked to packed bytes, once more than 1 MiB was unpacked. Default: 100. */
  readonly ratio: number;
  /** What git may write to its temporary folder. Default: 256 MiB. */
  readonly gitBytes: number;
  /** Of an index, a packument, a manifest or a list of refs. Default: 16 MiB. */
  readonly documentBytes: number;
  /** Until a server must have answered, and between two pieces of an answer. Default: 30 s. */
  readonly idleMs: number;
  /** For one download or one command of git. Default: 10 min. */
  readonly totalMs: number;
}

const mebibyte = 1024 * 1024;

export const defaultLimits: FetchLimits = {
  totalBytes: 64 * mebibyte,
  skillBytes: 25 * mebibyte,
  fileBytes: 16 * mebibyte,
  skillFiles: 1_000,
  entries: 10_000,
  listed: 200_000,
  depth: 32,
  ratio: 100,
  gitBytes: 256 * mebibyte,
  documentBytes: 16 * mebibyte,
  idleMs: 30_000,
  totalMs: 600_000,
};

export interface FetchOptions {
  readonly hub: Config['hub'];
  readonly mcpServers: Config['mcpServers'];
  /** Relative programs of MCP servers start here. */
  readonly cwd: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Default: that of the system. */
  readonly tempFolder?: string;
  /** Default: `defaultLimits`. */
  readonly limits?: Partial<FetchLimits>;
  /** The addresses of a host. Default: as the system resolves them. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
  /**
   * Verifies the index of the hub at an address (hub/sign/verify-index.ts): who signed it, `null` if it is not signed. Throws
   * HUB_SIGNATURE when the signature is broken, or is missing or another one than before. Default: signatures are not
   * looked at, and there is no publisher.
   */
  readonly verifyIndex?: (hub: string, index: Json) => Promise<Publisher | null>;
}

/** Of `fetchSource` (fetch-source.ts): throws a TechneError with a SOURCE_ code, or the reason of an abort. */
export type FetchSource = (
  source: Source,
  options: FetchOptions,
  onProgress: (progress: Progress) => void,
  signal: Abort,
) => Promise<Fetched>;

/** A skill of a lock. */
export interface PinnedSkill {
  readonly name: string;
  readonly resolved: Resolved;
  /** Of its folder in the source, '' for the root. */
  readonly path: string;
}

/** A skill of a lock, with the digest of the manifest of its files. */
export interface LockedSkill extends PinnedSkill {
  readonly digest: string;
}

/** What a source has now for a skill of a lock, as far as that is known without its files. */
export type Latest =
  /** What was locked. */
  | { readonly kind: 'same' }
  /** Other content, for certain. */
  | { readonly kind: 'other'; readonly resolved: Resolved }
  /** No such skill. */
  | { readonly kind: 'gone' }
  /** Only its files tell. */
  | { readonly kind: 'unknown' };

/** Of `findLatest` (find-latest.ts): one answer for each skill, in order. Throws as `FetchSource`. */
export type FindLatest = (
  source: Source,
  skills: readonly LockedSkill[],
  options: FetchOptions,
  onProgress: (progress: Progress) => void,
  signal: Abort,
) => Promise<readonly Latest[]>;

/** Of `fetchResolved` (fetch-source.ts): the same content again, that skill alone, or SOURCE_CHANGED. */
export type FetchResolved = (
  pinned: PinnedSkill,
  options: FetchOptions,
  onProgress: (progress: Progress) => void,
  signal: Abort,
) => Promise<Fetched>;
