// Merges the layers of the configuration.
//
//   defaults < the user's file < the workspace's file -> Config, with the origin of every value
//
// An untrusted workspace can only narrow security-relevant keys, and so can a user's file that others can write; what
// they try beyond that is reported as CONFIG_NARROWED at its place. Denials add up and named entries are merged by name; every other value replaces the one
// below it.
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { canonicalJson, emptyObject } from '../base/json.ts';
import type { ConfigKey } from './keys.ts';
import { configKeys } from './keys.ts';
import { barredModels, withBarred } from './barred-models.ts';
import { union } from './precedence.ts';
import type { Narrow } from './precedence.ts';
import { isMisnamed } from './validate/model.ts';
import type { ConfigFile } from './read-config.ts';
import type { Config, ConfigLayer } from './types.ts';

export interface LayerFile {
  readonly layer: 'user' | 'workspace';
  readonly file: ConfigFile;
  /** Why it proves nothing about the user, so that it can only narrow. Default: it proves it. */
  readonly held?: { readonly reason: string; readonly hint: string };
}

export interface ConfigOrigin {
  readonly layer: ConfigLayer;
  /** The file and line that set the value; `null` for a default. */
  readonly path: string | null;
  readonly line: number | null;
}

/** The effective configuration, and the file that each value comes from. */
export interface MergedConfig {
  readonly config: Config;
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  /** The effective value of each key, for showing. */
  readonly values: ReadonlyMap<string, Json>;
  readonly diagnostics: readonly Diagnostic[];
}

/** `layers` from lowest to highest; `trusted` says whether the workspace is. */
export function mergeConfig(layers: readonly LayerFile[], trusted: boolean): MergedConfig {
  const diagnostics: Diagnostic[] = [];
  const origins = new Map<string, ConfigOrigin>();
  const values = new Map<string, Json>();
  for (const key of configKeys) {
    let value = key.default;
    let origin: ConfigOrigin = { layer: 'default', path: null, line: null };
    for (const source of layers) {
      const { layer, file } = source;
      const given = file.values.get(key.path);
      if (given === undefined) continue;
      const wanted = combine(key, value, given.value);
      const bound = narrowOf(key, source, trusted);
      let next = bound === null ? wanted : bound.narrow(value, given.value);
      const report = (message: string, hint: string): void =>
        collectInto(diagnostics, file.path)('CONFIG_NARROWED', given.span, message, hint);
      const barred =
        bound !== null && key.shape.kind === 'models' ? barredModels(key.path, value, source) : [];
      for (const { fault, hint } of barred) report(fault, hint);
      if (
        bound !== null &&
        (barred.length === 0 || layer === 'workspace') &&
        canonicalJson(next) !== canonicalJson(withoutMisnamed(key, wanted, value))
      )
        report(`"${key.path}" was not widened: ${bound.reason}`, bound.hint);
      if (bound !== null && key.shape.kind === 'models')
        next = withBarred(next, value, layer === 'user' ? given.value : emptyObject(), barred);
      if (canonicalJson(next) !== canonicalJson(value) || bound === null)
        origin = { layer, path: file.path, line: given.line };
      value = next;
    }
    values.set(key.path, value);
    origins.set(key.path, origin);
  }
  return { config: assemble(values), origins, values, diagnostics };
}

interface Bound {
  readonly narrow: Narrow;
  readonly reason: string;
  readonly hint: string;
}

/** How a layer can only narrow a key, and why; `null` if it can set it. */
function narrowOf(
  { narrow, userOnly }: ConfigKey,
  { layer, held }: LayerFile,
  trusted: boolean,
): Bound | null {
  if (narrow === null) return null;
  if (layer === 'user') return held === undefined ? null : { narrow, reason: held.reason, hint: held.hint };
  if (userOnly)
    return {
      narrow,
      reason: 'only your own configuration can add to it',
      hint: 'set it in ~/.techne/config.json',
    };
  if (trusted) return null;
  return {
    narrow,
    reason: 'this workspace is not trusted, so it can only narrow it',
    hint: 'trust the workspace with "techne trust", or set it in ~/.techne/config.json',
  };
}

/** The configuration with nothing configured. */
export function defaultConfig(): Config {
  return mergeConfig([], false).config;
}

function combine(key: ConfigKey, lower: Json, higher: Json): Json {
  switch (key.combine) {
    case 'replace':
      return higher;
    case 'union':
      return union(lower, higher);
    case 'byName': {
      const merged = Object.assign(emptyObject(), lower as JsonObject, higher as JsonObject);
      for (const name of Object.keys(merged)) if (merged[name] === null) delete merged[name];
      return merged;
    }
  }
}

/** What is wrong with a name is said already; only what `lower` has of such entries is wanted of an untrusted workspace. */
function withoutMisnamed({ shape }: ConfigKey, wanted: Json, lower: Json): Json {
  if (shape.kind !== 'models') return wanted;
  const others = Object.entries(wanted as JsonObject).filter(
    ([name, entry]) => !isMisnamed(entry) || Object.hasOwn(lower as JsonObject, name),
  );
  return Object.assign(emptyObject(), Object.fromEntries(others));
}

function assemble(values: ReadonlyMap<string, Json>): Config {
  const config: { [key: string]: Json } = {};
  for (const [path, value] of values) {
    const groups = path.split('.');
    const leaf = groups.pop() as string;
    let inner = config;
    for (const group of groups) inner = (inner[group] ??= {}) as { [key: string]: Json };
    inner[leaf] = value;
  }
  // The table and the interface are held together by `keys.test.ts`.
  return config as unknown as Config;
}
