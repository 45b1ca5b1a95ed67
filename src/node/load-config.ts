// Finds the workspace around a folder and loads its configuration.
//
//   a folder -> the workspace around it -> its files -> MergedConfig
//
// The trust store and the user's own file decide whether a workspace is trusted; the workspace itself has no say.
// `~/.techne` belongs to the user: it does not mark a workspace, and its file is never read as one of a workspace.
// While a file has errors nothing is executed, because what the file was meant to forbid is unknown. A file of a
// workspace that leads out of it is not read: it could be any file of the user, shown to whoever reads the diagnostics.
import { dirname, join, resolve } from 'node:path';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { isInside } from '../base/is-inside.ts';
import { placeOf } from '../base/span.ts';
import type { ConfigOrigin, LayerFile, MergedConfig } from '../config/merge-config.ts';
import { mergeConfig } from '../config/merge-config.ts';
import { FileFault } from '../ports/files.ts';
import type { Files } from '../ports/files.ts';
import { heldByOthers } from '../ports/held-by-others.ts';
import type { HeldByOthers } from '../ports/held-by-others.ts';

interface LoadConfigOptions {
  readonly files: Files;
  readonly homeFolder: string;
  /** Where to look for the workspace from. */
  readonly cwd: string;
  /** The workspace, when the caller names it. Default: the one around `cwd`. */
  readonly workspace?: string;
  /** Whether a person trusted this folder; `folders` are those of the user's own configuration. */
  readonly isTrusted: (folder: string, folders: readonly string[]) => Promise<boolean>;
}

/** The configuration, where each value came from, and what is wrong with its files. */
export interface LoadedConfig extends MergedConfig {
  readonly workspace: string;
  /** `null` when the workspace has no configuration file, so trust was not checked. */
  readonly trusted: boolean | null;
  /** The files that were read, in the order of their layers, with their text. */
  readonly files: readonly {
    readonly layer: 'user' | 'workspace';
    readonly path: string;
    readonly text: string;
  }[];
  /** The first error in the files; while there is one, nothing is executed. */
  readonly broken: Diagnostic | null;
  /** Faults in the files, and values that were narrowed. */
  readonly diagnostics: readonly Diagnostic[];
}

const maxConfigBytes = 1024 * 1024;

export function userConfigFile(homeFolder: string): string {
  return join(homeFolder, '.techne', 'config.json');
}

/** The nearest folder around `cwd` with techne.json, .techne or .git; else `cwd` itself. */
export function findWorkspace(files: Files, cwd: string, homeFolder: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (exists(files, join(folder, 'techne.json')) || exists(files, join(folder, '.git'))) return folder;
    if (folder !== resolve(homeFolder) && exists(files, join(folder, '.techne'))) return folder;
    if (dirname(folder) === folder) return resolve(cwd);
  }
}

export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const { files, homeFolder } = options;
  const workspace =
    options.workspace === undefined
      ? findWorkspace(files, options.cwd, homeFolder)
      : resolve(options.cwd, options.workspace);
  const diagnostics: Diagnostic[] = [];
  const read: { layer: 'user' | 'workspace'; path: string; text: string }[] = [];
  const layers: LayerFile[] = [];

  const readLayer = async (layer: 'user' | 'workspace', path: string): Promise<boolean> => {
    const known = diagnostics.length;
    const text =
      layer === 'workspace' && leadsOut(files, path, workspace)
        ? refuseLink(path, diagnostics)
        : readText(options, path, diagnostics);
    if (text === null) {
      const fault = diagnostics.at(known);
      if (fault !== undefined)
        layers.push({
          layer,
          file: (await import('../config/read-config.ts')).unreadConfig(path, fault.message),
        });
      return false;
    }
    read.push({ layer, path, text });
    const { parseConfig } = await import('../config/read-config.ts');
    const file = parseConfig(text, path, collectInto(diagnostics, path));
    const held = layer === 'user' ? heldUserFile(files, path, diagnostics) : null;
    layers.push({ layer, file, ...(held === null ? {} : { held }) });
    return true;
  };

  const userFile = userConfigFile(homeFolder);
  await readLayer('user', userFile);
  const [first, second] = [join(workspace, 'techne.json'), join(workspace, '.techne', 'config.json')];
  const hasSecond = second !== userFile && exists(files, second);
  if (await readLayer('workspace', first)) {
    if (hasSecond)
      collectInto(diagnostics, second)(
        'CONFIG_TWO_FILES',
        null,
        `"${first}" counts, so this file is not read`,
        'keep one of the two',
      );
  } else if (hasSecond) await readLayer('workspace', second);

  let trusted: boolean | null = null;
  if (layers.some(({ layer }) => layer === 'workspace')) {
    const user = mergeConfig(
      layers.filter(({ layer }) => layer === 'user'),
      false,
    );
    trusted = await options.isTrusted(workspace, user.config.trust.folders);
  }
  // While a file has an error, execution is off.
  const broken = diagnostics.find(({ severity }) => severity === 'error') ?? null;
  const merged = mergeConfig(layers, trusted === true);
  const origin =
    broken === null
      ? null
      : ({
          layer: broken.path === userFile ? 'user' : 'workspace',
          path: broken.path,
          line: lineOf(broken, read),
        } as const);
  const safe = origin === null ? merged : withoutExecution(merged, origin);
  return {
    ...safe,
    workspace,
    trusted,
    files: read,
    broken,
    diagnostics: [...diagnostics, ...merged.diagnostics],
  };
}

function withoutExecution(merged: MergedConfig, origin: ConfigOrigin): MergedConfig {
  const key = 'execution.policy';
  return {
    ...merged,
    config: { ...merged.config, execution: { policy: 'off' } },
    values: new Map(merged.values).set(key, 'off'),
    origins: new Map(merged.origins).set(key, origin),
  };
}

/** The text of the configuration file that a diagnostic is about, for its excerpt. */
export function configText(loaded: LoadedConfig, diagnostic: Diagnostic): string | null {
  return loaded.files.find(({ path }) => path === diagnostic.path)?.text ?? null;
}

/** The line an error is on; `null` when it is about the whole file. */
function lineOf({ path, span }: Diagnostic, read: LoadedConfig['files']): number | null {
  const text = read.find((file) => file.path === path)?.text;
  return span === null || text === undefined ? null : placeOf(text, span.start).line;
}

function readText({ files }: LoadConfigOptions, path: string, diagnostics: Diagnostic[]): string | null {
  const report = collectInto(diagnostics, path);
  try {
    const head = files.readHead(path, maxConfigBytes + 1);
    if (head === null) return null;
    if (head.bytes.length > maxConfigBytes) {
      report('CONFIG_SYNTAX', null, `the file is over the limit of ${maxConfigBytes} bytes`);
      return null;
    }
    const { text, valid } = decodeUtf8(head.bytes);
    if (!valid) report('CONFIG_SYNTAX', null, 'the file is not valid UTF-8');
    return valid ? text : null;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    // An empty folder holds the name of a missing file while a sandboxed command runs (sandbox/protected.ts).
    if (
      error.kind === 'not-a-file' &&
      files.stat(path)?.isDirectory() === true &&
      files.list(path)?.length === 0
    )
      return null;
    report('FILE_UNREADABLE', null, error.message);
    return null;
  }
}

/** A link that leads nowhere is left to the reader. */
function leadsOut(files: Files, path: string, workspace: string): boolean {
  try {
    const real = files.realPath(path);
    return real !== null && !isInside(real, files.realPath(workspace) ?? workspace);
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

function refuseLink(path: string, diagnostics: Diagnostic[]): null {
  collectInto(diagnostics, path)(
    'CONFIG_LINK',
    null,
    `"${path}" leads out of the workspace, so it is not read`,
    'put the file itself there',
  );
  return null;
}

function heldUserFile(files: Files, path: string, diagnostics: Diagnostic[]): HeldByOthers | null {
  const held = heldByOthers(files, path);
  if (held !== null)
    collectInto(diagnostics, path)(
      'CONFIG_WRITABLE',
      null,
      `${held.reason}, so this file can only narrow what is allowed`,
      held.hint,
    );
  return held;
}

/** A path that cannot be read counts as missing. */
function exists(files: Files, path: string): boolean {
  try {
    return files.lstat(path) !== null;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}
