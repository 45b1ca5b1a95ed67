// Metaskills for the conformance tests: from files in memory through the real loader and the real question of trust to a
// runner whose world is fake.
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import { nodeSha256 } from '../../src/node/environment.ts';
import { isRunnable } from '../../src/registry/facts/runnable.ts';
import type { Snapshot } from '../../src/registry/snapshot.ts';
import type { TrustStore } from '../../src/registry/trust/trust-store.ts';
import { createTrustStore } from '../../src/registry/trust/trust-store.ts';
import { isStillTrusted } from '../../src/registry/trust/trusted-skill.ts';
import type { Fact, Root } from '../../src/registry/types.ts';
import type { RunResult } from '../../src/run/result/result.ts';
import { createSnapshotSkills } from '../../src/run/start/snapshot-skills.ts';
import type { FakeRunHost, FakeRunHostOptions } from './fake-run-host.ts';
import { fakeRunHost } from './fake-run-host.ts';
import type { LoadOptions, MemoryLibrary } from './library.ts';
import { bareEnvironment, configWith, libraryOf, loadFrom, rootAt } from './library.ts';

export const exampleNames = ['require-heading', 'test-fix', 'checklist', 'diff-review'] as const;
export type ExampleName = (typeof exampleNames)[number];

/** A file of one of the examples of S0 §2 and §11, in our own words. */
export function exampleFile(name: ExampleName, file: 'SKILL.md' | 'SKILL.star'): string {
  return readFileSync(new URL(`../fixtures/metaskills/${name}/${file}`, import.meta.url), 'utf8');
}

/** The four examples as folders of `/work/skills`. */
export function exampleFiles(): { [path: string]: string } {
  return Object.fromEntries(
    exampleNames.flatMap((name) =>
      (['SKILL.md', 'SKILL.star'] as const).map((file) => [
        `/work/skills/${name}/${file}`,
        exampleFile(name, file),
      ]),
    ),
  );
}

export interface LoadedHost {
  readonly files: MemoryLibrary;
  readonly snapshot: Snapshot;
  readonly host: FakeRunHost;
  readonly trust: TrustStore;
  readonly runnable: (name: string) => Promise<Fact>;
  readonly start: (name: string, input?: JsonObject | null) => Promise<RunResult>;
}

export interface LoadedHostOptions extends Omit<FakeRunHostOptions, 'skills' | 'programs'> {
  readonly root?: Root;
  readonly config?: LoadOptions['config'];
  /** Default: `/work` is trusted as the author's own folder. */
  readonly trusted?: boolean;
  /** Links and what else `files` cannot say. */
  readonly prepare?: (files: MemoryLibrary) => void;
}

/** `files` by absolute path; skills are looked for in `/work/skills`. */
export async function loadedHost(
  files: { readonly [path: string]: string | Uint8Array },
  options: LoadedHostOptions = {},
): Promise<LoadedHost> {
  const {
    root = rootAt('/work/skills', 'workspace'),
    config = {},
    trusted = true,
    prepare = () => {},
    ...more
  } = options;
  const library = libraryOf([]);
  for (const folder of ['/work/skills', bareEnvironment.homeFolder]) library.folder(folder);
  for (const [path, content] of Object.entries(files)) library.write(path, content);
  prepare(library);
  library.advance(60_000_000_000n);
  const snapshot = await loadFrom(library, { roots: [root], config });
  const trust = createTrustStore({
    file: `${bareEnvironment.homeFolder}/.techne/trust.json`,
    files: library,
    environment: bareEnvironment,
    clock: library.clock,
  });
  if (trusted) await trust.trustFolder('/work');
  const whole = configWith(config);
  const runnable = (name: string): Promise<Fact> => isRunnable(snapshot, name, trust, whole);
  const host = fakeRunHost({
    ...more,
    skills: createSnapshotSkills({
      snapshot,
      policy: whole.execution.policy,
      metaskills: whole.metaskills.enabled,
      isRunnable: runnable,
      isStillTrusted: (skill) => isStillTrusted(skill, trust, whole),
      sha256: nodeSha256,
    }),
  });
  return {
    files: library,
    snapshot,
    host,
    trust,
    runnable,
    start: (skill, input = { go: true }) => host.runner.start({ skill, input }),
  };
}

/** The files of one metaskill of `/work/skills`. */
export function metaskill(
  name: string,
  program: string | Uint8Array,
  fields = '',
  body = 'Does it.',
): { [path: string]: string | Uint8Array } {
  return {
    [`/work/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Does ${name}. Use when ${name} is needed.\n${fields}---\n\n${body}\n`,
    [`/work/skills/${name}/SKILL.star`]: program,
  };
}

/** A program whose `run` has these lines. */
export function runOf(...lines: readonly string[]): string {
  return `def run(input):\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

/** Entries that the program added itself. */
export function tracedBy(result: RunResult): readonly JsonObject[] {
  return ((result.envelope?.['trace'] ?? []) as readonly JsonObject[]).filter(
    (entry) => entry['id'] === undefined,
  );
}

/** Calls that the engine tells by itself. */
export function callsOf(result: RunResult): readonly JsonObject[] {
  return ((result.envelope?.['trace'] ?? []) as readonly JsonObject[]).filter(
    (entry) => entry['id'] !== undefined,
  );
}
