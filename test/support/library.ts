// A library of skills in memory, loaded as the product loads one on disk.
import { countListed } from '../../src/prompt/index-layout.ts';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { defaultConfig } from '../../src/config/merge-config.ts';
import type { Config } from '../../src/config/types.ts';
import { nodeSha256 } from '../../src/node/environment.ts';
import { nodeParseFull } from '../../src/node/yaml.ts';
import type { Environment } from '../../src/ports/environment.ts';
import type { FileSignature } from '../../src/ports/files.ts';
import type { SnapshotOptions, Snapshot } from '../../src/registry/snapshot.ts';
import { loadSnapshot } from '../../src/registry/snapshot.ts';
import type { MemoryControls } from '../../src/ports/memory-files.ts';
import { createMemoryFiles } from '../../src/ports/memory-files.ts';
import type { Root, Source } from '../../src/registry/types.ts';

export type MemoryLibrary = ReturnType<typeof createMemoryFiles>;

export const skillText = (name: string, fields = '', body = 'Look at the moon.'): string =>
  `---\nname: ${name}\ndescription: Use when you need ${name}.\n${fields}---\n\n${body}\n`;

export const rootAt = (path: string, source: Source = 'user'): Root => ({
  path,
  source,
  host: 'option',
  origin: { kind: 'local', from: null },
});

/** Skills by their folder, such as `/user/tides`; then time passes, so that nothing is fresh. */
export function libraryOf(folders: Iterable<string>): MemoryLibrary {
  const files = createMemoryFiles();
  for (const folder of folders)
    files.write(`${folder}/SKILL.md`, skillText(folder.slice(folder.lastIndexOf('/') + 1)));
  files.advance(60_000_000_000n);
  return files;
}

export const bareEnvironment: Environment = {
  platform: 'linux',
  homeFolder: '/home/me',
  variables: {},
  findProgram: () => null,
};

export interface LoadOptions extends Partial<Omit<SnapshotOptions, 'config' | 'roots'>> {
  readonly roots?: readonly Root[];
  readonly config?: Partial<{
    [K in keyof Config]: Config[K] extends readonly unknown[] | string ? Config[K] : Partial<Config[K]>;
  }>;
}

export async function loadFrom(files: MemoryLibrary, options: LoadOptions = {}): Promise<Snapshot> {
  const { config, roots, ...rest } = options;
  return loadSnapshot({
    roots: roots ?? [rootAt('/user')],
    files,
    environment: bareEnvironment,
    clock: files.clock,
    sha256: nodeSha256,
    parseFull: nodeParseFull,
    countListed,
    config: configWith(config ?? {}),
    ...rest,
  });
}

export function configWith(changes: NonNullable<LoadOptions['config']>): Config {
  const config: Record<string, unknown> = { ...defaultConfig() };
  for (const [key, value] of Object.entries(changes)) {
    config[key] =
      typeof value === 'object' && !Array.isArray(value) ? Object.assign({}, config[key], value) : value;
  }
  return config as unknown as Config;
}

export const namesOf = (snapshot: Snapshot): string[] => snapshot.skills.map(({ name }) => name);

/** `CODE path` of what belongs to no skill. */
export const saidBy = (snapshot: Snapshot): string[] =>
  snapshot.diagnostics.map(({ code, path }) => `${code} ${path}`);

export const codesOf = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ code }) => code);

/** All there is to see of a snapshot, as plain data. */
export function viewOf(snapshot: Snapshot): unknown {
  const view = (skill: Snapshot['skills'][number]): unknown => ({
    name: skill.name,
    description: skill.description,
    source: skill.source,
    root: skill.root,
    origin: skill.origin,
    folder: skill.folder,
    file: skill.file,
    head: skill.head,
    keys: Object.keys(skill.head.frontmatter),
    diagnostics: skill.diagnostics,
    signature: signatureView(skill.signature),
    facts: snapshot.has(skill.name) ? snapshot.facts(skill) : null,
  });
  return {
    skills: snapshot.skills.map(view),
    shadowed: snapshot.shadowed.map(({ skill, winner, reason }) => ({
      skill: view(skill),
      winner: winner.file,
      reason,
    })),
    diagnostics: snapshot.diagnostics,
    digest: snapshot.digest(),
  };
}

const signatureView = ({ dev, ino, size, mtimeNs, ctimeNs }: FileSignature): FileSignature => ({
  dev,
  ino,
  size,
  mtimeNs,
  ctimeNs,
});

export type { MemoryControls };
