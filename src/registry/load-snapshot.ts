// Roots -> Snapshot: the entry point of the registry.
import type { Config } from '../config/types.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Clock, Environment, Sha256 } from '../ports/environment.ts';
import type { Files } from '../ports/files.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { discover } from './discover/discover.ts';
import type { HeadIndex } from './cache/head-index.ts';
import { precedenceOrder } from '../config/precedence.ts';
import { giveVerdicts } from './facts/verdict.ts';
import { ContentReader } from './read-content.ts';
import { Snapshot } from './snapshot.ts';
import type { ContentGate, CountListed, JudgeForm, Root } from './types.ts';

export interface SnapshotOptions {
  /** Within a source the earlier root wins; `defaultRoots` gives the usual ones. */
  readonly roots: readonly Root[];
  readonly files: Files;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly parseFull: ParseFull;
  readonly config: Config;
  /** Decides the fact `listed`; `prompt/index-layout.ts` has the usual one. */
  readonly countListed: CountListed;
  /** Judges programs and plans (techne/judge-form.ts). Default: only their heads and places are. */
  readonly judge?: JudgeForm;
  /** Where content that was read is pinned. Default: memory. */
  readonly blobs?: Blobs;
  /** Default: everything passes. */
  readonly gate?: ContentGate;
  /** Default: none; every head is read. */
  readonly index?: HeadIndex | null;
}

export async function loadSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { files, environment, clock, sha256, parseFull, config, countListed } = options;
  const index = config.cache.enabled ? (options.index ?? null) : null;
  const candidates = discover(
    options.roots,
    { files, clock, parseFull, index },
    {
      depth: config.limits.depth,
      precedence: precedenceOrder(config.precedence),
      homeFolder: environment.homeFolder,
    },
  );
  const reader = new ContentReader({
    sha256,
    blobs: options.blobs ?? null,
    gate: options.gate ?? null,
    maxBytes: config.limits.bytes,
  });
  const judge = options.judge ?? null;
  await giveVerdicts(candidates.skills, reader, judge);
  const snapshot = new Snapshot({
    candidates,
    reader,
    config,
    environment,
    sha256,
    parseFull,
    countListed,
    judge,
  });
  const sections = index === null ? null : candidates.sections();
  if (index !== null && sections !== null && sections.size > 0) await index.save(sections);
  return snapshot;
}
