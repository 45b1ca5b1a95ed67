// Which registry a package comes from, and what may be told it.
//
//   hub.npmRegistry | npm_config_registry | ~/.npmrc -> address, and the token for that host
//
// There is no registry of our own choice: npm's configuration says it, or ours.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TechneError } from '../../../base/error.ts';
import { codeOf } from '../../../node/files/file-fault.ts';
import { show } from '../../source/git-words.ts';
import type { FetchOptions } from '../options.ts';

export interface Registry {
  /** Ends in "/". */
  readonly url: URL;
  /** Only for the host of the registry. */
  readonly headers: { readonly [name: string]: string };
}

const maxConfigBytes = 256 * 1024;

export async function findRegistry(name: string, options: FetchOptions): Promise<Registry> {
  const config = await readNpmrc(options);
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : null;
  const { hub, variables } = options;
  const text =
    hub.npmRegistry ??
    (scope === null ? undefined : config.get(`${scope}:registry`)) ??
    variables['npm_config_registry'] ??
    variables['NPM_CONFIG_REGISTRY'] ??
    config.get('registry') ??
    null;
  if (text === null)
    throw new TechneError(
      'ENVIRONMENT',
      `no npm registry is configured, so "npm:${show(name)}" cannot be fetched`,
      {
        hint: 'set hub.npmRegistry in your configuration, or registry=ADDRESS in ~/.npmrc; "npm config get registry" shows the one of npm',
      },
    );
  if (!URL.canParse(text))
    throw new TechneError('ENVIRONMENT', `the npm registry "${show(text)}" is not an address`, {
      hint: 'correct hub.npmRegistry, npm_config_registry or ~/.npmrc',
    });
  const url = new URL(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  url.search = '';
  url.hash = '';
  const token = tokenFor(url, config, variables);
  return { url, headers: token === null ? {} : { authorization: `Bearer ${token}` } };
}

/** `//host/path/:_authToken=…`, the longest path that fits. */
function tokenFor(
  url: URL,
  config: ReadonlyMap<string, string>,
  variables: FetchOptions['variables'],
): string | null {
  for (let path = url.pathname; ; path = path.replace(/[^/]+\/$/, '')) {
    const token = config.get(`//${url.host}${path}:_authToken`);
    if (token !== undefined) {
      const expanded = token.replace(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? '');
      return /^[\x21-\x7e]+$/.test(expanded) ? expanded : null;
    }
    if (path === '/') return null;
  }
}

async function readNpmrc({ homeFolder, variables }: FetchOptions): Promise<ReadonlyMap<string, string>> {
  const path = variables['npm_config_userconfig'] ?? join(homeFolder, '.npmrc');
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).slice(0, maxConfigBytes);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return new Map();
  }
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      return key === undefined || value === undefined
        ? []
        : [[key, value.replace(/^"(.*)"$/, '$1')] as const];
    }),
  );
}
