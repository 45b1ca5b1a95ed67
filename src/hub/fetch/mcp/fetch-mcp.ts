// An MCP server that serves skills (SEP-2640) -> its skills.
//
//   server -> skills/list -> entries with digests -> files, verified by the library -> packages
//
// Only skills that are asked for are read, and of these only the files they list. A skill without digests is refused: nothing
// would tell whether it is still the same. A server of the configuration is started as configured; another one is asked over
// https under the rules of https/check-host.ts.
import type { Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import type { Abort } from '../../../base/abort.ts';
import { untilAborted } from '../../../base/abort.ts';
import { TechneError } from '../../../base/error.ts';
import type { McpServer } from '../../../config/types.ts';
import { nodeSha256 } from '../../../node/environment.ts';
import { manifestOf } from '../../../skill/resources.ts';
import { openClient, withoutKeys, wordsOf } from '../../../tools/mcp/open-client.ts';
import type { ServerOptions } from '../../../tools/mcp/open-client.ts';
import { overLimit } from '../../archive/limited.ts';
import type { ListedEntry, Listing } from '../../archive/listing.ts';
import { plainPath } from '../../archive/listing.ts';
import { show } from '../../source/git-words.ts';
import type { Fetched, RefusedEntry, SkillPackage, Source } from '../../source/source.ts';
import type { FetchContext } from '../context.ts';
import { stopIfAborted } from '../context.ts';
import { guardedFetch } from '../https/guarded-fetch.ts';
import type { Latest, LockedSkill } from '../options.ts';
import { takePackages } from '../take-packages.ts';

const maxSkills = 1_000;

type McpSource = Extract<Source, { kind: 'mcp' }>;

export function fetchMcp(
  source: McpSource,
  context: FetchContext,
  uri: string | null = null,
): Promise<Fetched> {
  return withServer(source, context, (client, options) => takeSkills(source, client, options, context, uri));
}

/** From the list of skills alone. */
export function latestOfMcp(
  source: McpSource,
  skills: readonly LockedSkill[],
  context: FetchContext,
): Promise<readonly Latest[]> {
  return withServer(source, context, async (client, options) => {
    const { skills: listed } = await asked(source, options, context.signal, () =>
      client.list(undefined, timesOf(context)),
    );
    return skills.map(({ name, resolved }): Latest => {
      const found = listed.find(({ frontmatter }) => show(frontmatter['name']) === name);
      if (found === undefined) return { kind: 'gone' };
      const isSame =
        resolved.kind === 'mcp' && resolved.uri === found.uri && resolved.digest === digestOf(found);
      return { kind: isSame ? 'same' : 'unknown' };
    });
  });
}

async function withServer<T>(
  source: McpSource,
  context: FetchContext,
  work: (client: SkillsClient, options: ServerOptions) => Promise<T>,
): Promise<T> {
  context.tell({ phase: 'resolve', what: `mcp:${source.server}`, doneBytes: null, totalBytes: null });
  const options = serverOptions(source.server, context);
  const { SkillsClient: Skills } = await import('@modelcontextprotocol/client/ext/skills');
  const open = await asked(source, options, context.signal, () =>
    openClient(options, (client, transport) => {
      const skills = new Skills(client, { skipInvalid: true });
      const close = async (): Promise<void> => {
        await client.close();
        await transport?.close();
      };
      return Promise.resolve({ skills, close });
    }),
  );
  try {
    if (!open.skills.supported)
      throw new TechneError('SOURCE_EMPTY', `the MCP server "${show(source.server)}" serves no skills`, {
        hint: 'it must declare the extension io.modelcontextprotocol/skills',
      });
    return await work(open.skills, options);
  } finally {
    await open.close();
  }
}

function timesOf({ limits }: FetchContext): { readonly timeout: number; readonly maxTotalTimeout: number } {
  return { timeout: limits.idleMs, maxTotalTimeout: limits.totalMs };
}

async function takeSkills(
  source: McpSource,
  client: SkillsClient,
  options: ServerOptions,
  context: FetchContext,
  uri: string | null,
): Promise<Fetched> {
  const limits = timesOf(context);
  const ask = <T>(work: () => Promise<T>): Promise<T> => asked(source, options, context.signal, work);
  const listing = uri === null ? await ask(() => client.list(undefined, limits)) : null;
  const listed =
    listing === null ? [(await ask(() => client.get(uri as string, limits))).skill] : listing.skills;
  if (source.skills.length === 0 && listed.length > maxSkills)
    throw overLimit(
      `the MCP server "${show(source.server)}" has more than ${maxSkills} skills`,
      'choose some of them with --skill',
    );
  const refused: RefusedEntry[] = (listing?.invalid ?? []).map(({ uri: bad, index, reason }) => ({
    path: bad ?? `skills[${index}]`,
    reason,
  }));
  const wanted = new Set(source.skills.map((name) => name.toLowerCase()));
  const names = listed.map((skill) => show(skill.frontmatter['name']));
  const missing = [...wanted].filter((name) => !names.includes(name));
  if (missing.length > 0 || listed.length === 0)
    throw new TechneError(
      'SOURCE_EMPTY',
      `the MCP server "${show(source.server)}" has no skill${missing.length === 0 ? '' : ` ${missing.map((name) => `"${name}"`).join(', ')}`}`,
      { hint: names.length === 0 ? 'ask whoever runs it' : `it has ${names.slice(0, 20).join(', ')}` },
    );
  const packages: SkillPackage[] = [];
  let total = 0;
  for (const [at, skill] of listed.entries()) {
    if (wanted.size > 0 && !wanted.has(names[at] as string)) continue;
    if (skill.resources === 'dynamic') {
      refused.push({
        path: skill.uri,
        reason: 'the server states no digests of its files, so it cannot be pinned',
      });
      continue;
    }
    total += skill.resources.reduce((sum, { size }) => sum + size, 0);
    if (total > context.limits.totalBytes)
      throw overLimit(
        `the skills of the MCP server "${show(source.server)}" have more than ${context.limits.totalBytes} bytes together`,
        'choose some of them with --skill',
      );
    const files = listingOf(skill, (ref) => ask(() => client.read(skill, ref, limits)));
    const digest = digestOf(skill);
    const fetched = await takePackages(
      files,
      {
        root: '',
        skills: [],
        resolvedOf: () => ({ kind: 'mcp', server: source.server, uri: skill.uri, digest }),
        rootName: names[at] as string,
        source: `mcp:${source.server}`,
      },
      context,
    );
    packages.push(...fetched.packages.filter(({ name }) => !packages.some((other) => other.name === name)));
    refused.push(...fetched.refused);
  }
  if (packages.length === 0)
    throw new TechneError(
      'SOURCE_EMPTY',
      `the MCP server "${show(source.server)}" has no skill that can be taken: ${refused[0]?.reason ?? ''}`,
      {
        hint: 'ask whoever runs it',
      },
    );
  return { packages, pluginParts: [], refused };
}

/** The files that an entry lists, by their path below the folder of its SKILL.md. */
function listingOf(skill: Skill, read: (ref: string) => Promise<{ readonly bytes: Uint8Array }>): Listing {
  const base = skill.uri.replace(/[^/]*$/, '');
  const resources = skill.resources === 'dynamic' ? [] : skill.resources;
  const uris = new Map<ListedEntry, string>();
  for (const { uri, size } of resources) {
    const path = uri.startsWith(base) ? decodedPath(uri.slice(base.length)) : null;
    uris.set(
      {
        path: plainPath(path ?? uri),
        kind: 'file',
        size,
        executable: false,
        fault: path === null ? 'its address does not lie in the folder of the skill' : null,
      },
      uri,
    );
  }
  return { entries: [...uris.keys()], read: async (entry) => (await read(uris.get(entry) ?? '')).bytes };
}

/** Of the addresses, sizes and digests that the server states. */
function digestOf({ resources }: Skill): string {
  return manifestOf(
    (resources === 'dynamic' ? [] : resources).map(({ uri, size, digest }) => ({
      path: uri,
      size,
      executable: false,
      sha256: digest.replace(/^sha256:/, ''),
    })),
    nodeSha256,
  ).digest;
}

function decodedPath(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
}

function serverOptions(server: string, context: FetchContext): ServerOptions {
  const { mcpServers, cwd, variables } = context.options;
  const shared = { name: server, cwd, variables, connectTimeoutMs: context.limits.idleMs };
  if (/^https?:\/\//i.test(server)) {
    const remote: McpServer = { command: null, args: [], env: {}, url: server };
    return { ...shared, server: remote, fetch: guardedFetch(context) };
  }
  const configured = Object.hasOwn(mcpServers, server) ? mcpServers[server] : undefined;
  if (configured === undefined)
    throw new TechneError('SOURCE_INVALID', `no MCP server is called "${show(server)}"`, {
      hint: `${Object.keys(mcpServers).length === 0 ? 'none is configured' : `configured are ${Object.keys(mcpServers).map(show).join(', ')}`}; see mcpServers in the guide to configuration`,
    });
  return { ...shared, server: configured };
}

/** Codes of the library for answers that are not what the protocol asks for. */
const wrongResults: ReadonlySet<unknown> = new Set(['INVALID_RESULT', 'LIST_PAGINATION_EXCEEDED']);

/** Faults of the server and of the library as one of ours. */
async function asked<T>(
  source: McpSource,
  options: ServerOptions,
  signal: Abort,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await untilAborted(signal, work());
  } catch (error) {
    stopIfAborted(signal);
    const inner = techneErrorIn(error);
    if (inner !== null) throw inner;
    if (!(error instanceof Error)) throw error;
    const isWrong =
      error.name === 'SkillVerificationError' ||
      'reason' in error ||
      wrongResults.has((error as { code?: unknown }).code);
    throw new TechneError(
      isWrong ? 'SOURCE_DAMAGED' : 'SOURCE_UNREACHABLE',
      `the MCP server "${show(source.server)}" cannot be used: ${withoutKeys(wordsOf(error), options)}`,
      {
        hint: isWrong
          ? 'what it sent is not what it listed, or not what the protocol asks for; do not install it'
          : 'check that it runs and can be reached',
        cause: error,
      },
    );
  }
}

function techneErrorIn(error: unknown): TechneError | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if (at instanceof TechneError) return at;
  return null;
}
