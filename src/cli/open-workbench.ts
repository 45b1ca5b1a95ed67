// What commands that look at skills have in common: files, environment, configuration, roots.
import { join, resolve } from 'node:path';
import type { Diagnostic } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import { createIndexCache } from '../host/index-cache.ts';
import type { LoadedConfig } from '../host/load-config.ts';
import { loadConfig } from '../host/load-config.ts';
import { createNodeEnvironment, nodeClock, nodeDecodeUtf8, nodeSha256 } from '../host/node-environment.ts';
import { createNodeFiles } from '../host/node-files.ts';
import type { Environment } from '../host/ports/environment.ts';
import type { Files } from '../host/ports/files.ts';
import { defaultRoots } from '../registry/default-roots.ts';
import type { HeadIndex } from '../registry/head-index.ts';
import { loadSnapshot } from '../registry/load-snapshot.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { TrustStore } from '../registry/trust-store.ts';
import type { Root } from '../registry/types.ts';
import type { CommandContext } from './context.ts';
import { packageFolder, packageVersion } from './package-info.ts';

export interface Workbench {
  readonly files: Files;
  readonly environment: Environment;
  readonly loaded: LoadedConfig;
  readonly roots: readonly Root[];
  /** Loads the skills of `roots`; other roots may be given instead. */
  loadSkills(roots?: readonly Root[]): Promise<Snapshot>;
  openTrust(): Promise<TrustStore>;
}

export async function openWorkbench({ io, args }: CommandContext): Promise<Workbench> {
  const files = createNodeFiles();
  const environment = createNodeEnvironment({ platform: io.platform, variables: io.env, homeFolder: io.homeFolder });
  const openTrust = async (): Promise<TrustStore> => {
    const { createTrustStore } = await import('../registry/trust-store.ts');
    return createTrustStore({ file: join(io.homeFolder, '.techne', 'trust.json'), files, environment, clock: nodeClock, decodeUtf8: nodeDecodeUtf8 });
  };
  const named = args.value('workspace');
  if (named !== null && files.stat(resolve(io.cwd, named))?.isDirectory() !== true) {
    throw new TechneError('FILE_MISSING', `the workspace "${named}" is not a folder`);
  }
  const loaded = await loadConfig({
    files,
    decodeUtf8: nodeDecodeUtf8,
    homeFolder: io.homeFolder,
    cwd: io.cwd,
    ...(named === null ? {} : { workspace: named }),
    isTrusted: async (folder, folders) => {
      try {
        const verdict = await (await openTrust()).decide({ realFolder: files.realPath(folder) ?? folder, origin: { kind: 'local', from: null } }, async () => '', folders);
        return verdict.kind === 'folder';
      } catch (error) {
        // A trust file that cannot be used grants nothing; `techne doctor` and `techne trust` say what is wrong with it.
        if (error instanceof TechneError) return false;
        throw error;
      }
    },
  });
  const roots = chosenRoots(args.values('root'), io.cwd, files) ?? defaultRoots({
    homeFolder: io.homeFolder,
    workspace: loaded.workspace,
    packageSkills: join(packageFolder(), 'skills'),
    config: loaded.config,
  });
  return {
    files,
    environment,
    loaded,
    roots,
    openTrust,
    loadSkills: (other = roots) =>
      loadSnapshot({
        roots: other,
        files,
        environment,
        clock: nodeClock,
        sha256: nodeSha256,
        decodeUtf8: nodeDecodeUtf8,
        config: loaded.config,
        index: loaded.config.cache.enabled && !args.flag('no-cache') ? openIndex(files, io.homeFolder) : null,
      }),
  };
}

/** A folder named on the command line, as a root. */
export function optionRoot(path: string): Root {
  return { source: 'workspace', path, host: 'option', origin: { kind: 'local', from: null } };
}

/** The text of a file that a diagnostic is about, for its excerpt; configuration files are at hand. */
export function configText(loaded: LoadedConfig, diagnostic: Diagnostic): string | null {
  return loaded.files.find(({ path }) => path === diagnostic.path)?.text ?? null;
}

function chosenRoots(folders: readonly string[], cwd: string, files: Files): readonly Root[] | null {
  if (folders.length === 0) return null;
  return folders.map((folder) => {
    const path = resolve(cwd, folder);
    if (files.stat(path)?.isDirectory() !== true) throw new TechneError('FILE_MISSING', `--root "${folder}" is not a folder`);
    return optionRoot(path);
  });
}

function openIndex(files: Files, homeFolder: string): HeadIndex {
  return createIndexCache({ path: indexFile(homeFolder), files, version: packageVersion() });
}

export function indexFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'cache', 'skills.index');
}
