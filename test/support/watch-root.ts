// A watch over one real folder, for tests, the child program of tests, and the benchmark.
import { countListed } from '../../src/prompt/index-layout.ts';
import { defaultConfig } from '../../src/config/merge-config.ts';
import { createNodeEnvironment, nodeClock, nodeSha256 } from '../../src/node/environment.ts';
import { createNodeFiles } from '../../src/node/files/files.ts';
import { createNodeWatching } from '../../src/node/watching.ts';
import { nodeParseFull } from '../../src/node/yaml.ts';
import type { HeadIndex } from '../../src/registry/cache/head-index.ts';
import { loadSnapshot } from '../../src/registry/snapshot.ts';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import type { SkillWatch, WatchOptions } from '../../src/registry/watch/watch.ts';
import { watchSkills } from '../../src/registry/watch/watch.ts';

/** Loads `root` as a root of the user. */
export function loadRoot(root: string, index: HeadIndex | null = null): Promise<Snapshot> {
  return loadSnapshot({
    roots: [{ path: root, source: 'user', host: 'option', origin: { kind: 'local', from: null } }],
    files: createNodeFiles(),
    environment: createNodeEnvironment(),
    clock: nodeClock,
    sha256: nodeSha256,
    parseFull: nodeParseFull,
    countListed,
    config: defaultConfig(),
    index,
  });
}

/** Watches `root`; a quiet time of 20 ms is enough. */
export function watchRoot(
  root: string,
  options: Pick<WatchOptions, 'pollMs' | 'pinBytes'> = {},
  index: HeadIndex | null = null,
): Promise<SkillWatch> {
  return watchSkills({
    load: () => loadRoot(root, index),
    roots: [root],
    files: createNodeFiles(),
    watching: createNodeWatching(),
    clock: nodeClock,
    debounceMs: 20,
    ...options,
  });
}
