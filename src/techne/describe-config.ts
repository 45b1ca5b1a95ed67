// The effective configuration for people: every value with the file and line that it comes from, and no secret.
import { describeDiagnostic } from '../base/describe-diagnostic.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { redactSecrets } from '../base/redact.ts';
import { configKeys } from '../config/keys.ts';
import type { ConfigOrigin } from '../config/merge-config.ts';
import type { LoadedConfig } from '../node/load-config.ts';
import { configText } from '../node/load-config.ts';

export interface DescribedValue extends ConfigOrigin {
  readonly value: Json;
  /** Why it is not what the files say. */
  readonly because?: string;
}

export interface DescribedConfig {
  readonly workspace: string;
  /** `null`: it has no configuration file. */
  readonly trusted: boolean | null;
  readonly files: readonly { readonly layer: string; readonly path: string }[];
  /** In the order of the table of keys. */
  readonly values: { readonly [key: string]: DescribedValue };
  readonly diagnostics: readonly JsonObject[];
}

export function describeConfig(loaded: LoadedConfig): DescribedConfig {
  return {
    workspace: loaded.workspace,
    trusted: loaded.trusted,
    files: loaded.files.map(({ layer, path }) => ({ layer, path })),
    values: Object.fromEntries(configKeys.map(({ path }) => [path, describeValue(path, loaded)])),
    diagnostics: loaded.diagnostics.map((one) => describeDiagnostic(one, configText(loaded, one))),
  };
}

export interface ListedValue extends DescribedValue {
  readonly key: string;
  /** The default. */
  readonly usual: Json;
  readonly description: string;
}

/** The same as a list, with what each key means. */
export function listConfig(loaded: LoadedConfig): readonly ListedValue[] {
  return configKeys.map(({ path, default: usual, description }) => ({
    key: path,
    usual,
    description,
    ...describeValue(path, loaded),
  }));
}

function describeValue(key: string, loaded: LoadedConfig): DescribedValue {
  const isOff = key === 'execution.policy' && loaded.broken !== null;
  return {
    value: withoutSecrets(key, loaded.values.get(key) ?? null),
    ...(loaded.origins.get(key) as ConfigOrigin),
    ...(isOff ? { because: 'the file has errors' } : {}),
  };
}

const hidden = '(hidden)';

function withoutSecrets(key: string, value: Json): Json {
  if (key !== 'mcpServers' || !isJsonObject(value)) return redacted(value);
  return Object.fromEntries(Object.entries(value).map(([name, server]) => [name, serverShown(server)]));
}

function serverShown(server: Json): Json {
  if (!isJsonObject(server)) return redacted(server);
  const { env, headers, args, ...others } = server;
  const hide = (given: Json | undefined): Json =>
    isJsonObject(given)
      ? Object.fromEntries(Object.keys(given).map((name) => [name, hidden]))
      : (given ?? null);
  return {
    ...(redacted(others) as JsonObject),
    ...(args === undefined ? {} : { args: argsShown(args) }),
    env: hide(env),
    ...(headers === undefined ? {} : { headers: hide(headers) }),
  };
}

const secretOption = /^-{1,2}[\w-]*(?:token|secret|passw|key|auth|credential)[\w-]*$/i;

/** `--token VALUE` and `--token=VALUE` as well. */
function argsShown(args: Json): Json {
  if (!Array.isArray(args)) return redacted(args);
  return (args as readonly Json[]).map((one, at, all) => {
    const before = all[at - 1];
    if (typeof before === 'string' && secretOption.test(before)) return hidden;
    const [, name] = typeof one === 'string' ? (/^(-[^=]+)=/.exec(one) ?? []) : [];
    return name !== undefined && secretOption.test(name) ? `${name}=${hidden}` : redacted(one);
  });
}

/** Texts without what looks like a secret, and without the values in the query of an address. */
function redacted(value: Json): Json {
  if (typeof value === 'string')
    return redactSecrets(value).replaceAll(
      /([?&][\w-]*(?:token|secret|passw|key|auth)[\w-]*=)[^&#\s]+/gi,
      `$1${hidden}`,
    );
  if (Array.isArray(value)) return (value as readonly Json[]).map(redacted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner)]));
}
