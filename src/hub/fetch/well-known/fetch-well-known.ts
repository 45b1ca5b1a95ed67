// A site with an index of skills, or a hub in a folder of this machine -> its skills.
//
//   site -> .well-known/agent-skills/index.json (v0.2), or .well-known/skills/index.json (v0.1) -> artifacts -> packages
//
// The digest of an artifact is compared before it is unpacked, the signature of the index (hub/sign/) before it is believed. An address with a path
// has its index below that path; the root of the host is not asked instead.
import { TechneError } from '../../../base/error.ts';
import { decodeUtf8 } from '../../../base/utf8.ts';
import { nodeCrypto, nodeSha256 } from '../../../node/environment.ts';
import { damaged, overLimit } from '../../archive/limited.ts';
import type { ListedEntry, Listing } from '../../archive/listing.ts';
import { readArchive } from '../../archive/read-archive.ts';
import { show } from '../../source/git-words.ts';
import type { IndexSkill, IndexSkillV1 } from '../../source/index-format.ts';
import { indexPaths } from '../../source/index-format.ts';
import type { IndexReading } from '../../source/read-index.ts';
import { readIndex } from '../../source/read-index.ts';
import type {
  Fetched,
  Publisher,
  RefusedEntry,
  Resolved,
  SkillPackage,
  Source,
} from '../../source/source.ts';
import { checkDigest } from '../archive.ts';
import type { FetchContext } from '../context.ts';
import type { Latest, LockedSkill } from '../options.ts';
import { takePackages } from '../take-packages.ts';
import { untrustedJson } from '../read-json.ts';
import type { Got } from './get.ts';
import { getArtifact, hubFolderOf, isGone } from './get.ts';

/** More must be chosen by name. */
const maxSkills = 100;

type WellKnown = Extract<Resolved, { kind: 'well-known' }>;

export async function fetchWellKnown(
  source: Extract<Source, { kind: 'well-known' }>,
  context: FetchContext,
): Promise<Fetched> {
  context.tell({ phase: 'resolve', what: source.url, doneBytes: null, totalBytes: null });
  const { index, url, publisher } = await findIndex(source.url, context);
  const names: readonly string[] = index.skills.map(({ name }) => name);
  const wanted = source.skills.map((name) => name.toLowerCase());
  const missing = wanted.filter((name) => !names.includes(name));
  if (names.length === 0 || missing.length > 0) throw nothing(source.url, missing, names, index.skipped);
  if (wanted.length === 0 && names.length > maxSkills)
    throw overLimit(
      `"${show(source.url)}" has ${names.length} skills`,
      `choose some of them with --skill; at most ${maxSkills} are taken at once`,
    );
  const isWanted = ({ name }: { readonly name: string }): boolean =>
    wanted.length === 0 || wanted.includes(name);
  const refused: RefusedEntry[] = [...index.skipped];
  const packages: SkillPackage[] = [];
  const budget = { left: context.limits.totalBytes };
  const take = async (fetched: Promise<Fetched>, name: string): Promise<void> => {
    const { packages: found, refused: more } = await fetched;
    refused.push(...more);
    const [skill] = found;
    if (skill?.name === name) packages.push(skill);
    else refused.push({ path: name, reason: `its SKILL.md says it is "${show(skill?.name ?? '')}"` });
  };
  if (index.version === '0.2')
    for (const entry of index.skills.filter(isWanted))
      await take(fetchEntry(entry, url, publisher, budget, context), entry.name);
  else
    for (const entry of index.skills.filter(isWanted))
      await take(fetchFiles(entry, url, budget, context), entry.name);
  if (packages.length === 0) throw nothing(source.url, [], [], refused);
  return { packages, pluginParts: [], refused };
}

/** From the index alone. */
export async function latestOfSite(
  source: Extract<Source, { kind: 'well-known' }>,
  skills: readonly LockedSkill[],
  context: FetchContext,
): Promise<readonly Latest[]> {
  context.tell({ phase: 'resolve', what: source.url, doneBytes: null, totalBytes: null });
  const { index, url, publisher } = await findIndex(source.url, context);
  return skills.map(({ name, resolved, digest }): Latest => {
    if (index.version === '0.1')
      return { kind: index.skills.some((entry) => entry.name === name) ? 'unknown' : 'gone' };
    const entry = index.skills.find((one) => one.name === name);
    if (entry === undefined) return { kind: 'gone' };
    if (resolved.kind === 'well-known' && resolved.digest === entry.digest) return { kind: 'same' };
    if (entry.tree === undefined) return { kind: 'unknown' };
    return entry.tree === digest
      ? { kind: 'same' }
      : { kind: 'other', resolved: pinnedOf(entry, url, publisher) };
  });
}

/** The artifact of a lock again: its address and digest are enough, unless the index was of v0.1. */
export async function fetchPinnedArtifact(
  pinned: WellKnown,
  name: string,
  context: FetchContext,
): Promise<Fetched> {
  const budget = { left: context.limits.totalBytes };
  if (!pinned.url.endsWith('/')) return fetchArtifact(new URL(pinned.url), pinned, name, budget, context);
  const { index, url } = await findIndex(pinned.index, context);
  const entry =
    index.version === '0.1'
      ? index.skills.find((each) => new URL(`${each.name}/`, url).href === pinned.url)
      : undefined;
  if (entry === undefined) throw nothing(pinned.index, [name], [], index.skipped);
  return fetchFiles(entry, url, budget, context);
}

interface FoundIndex {
  readonly index: Exclude<IndexReading, { version: null }>;
  /** Where it came from: its addresses are relative to this. */
  readonly url: URL;
  readonly publisher: Publisher | null;
}

async function findIndex(address: string, context: FetchContext): Promise<FoundIndex> {
  const { bytes, url } = await getIndex(address, context);
  const value = untrustedJson(decodeUtf8(bytes).text);
  const index = readIndex(value ?? null);
  if (index.version === null)
    throw damaged(`"${show(url.href)}" cannot be used as an index of skills: ${show(index.reason)}`);
  const hub =
    hubFolderOf(url) ?? (address.endsWith('/') || address.endsWith('.json') ? address : `${address}/`);
  // Also of an index that cannot be signed: its hub may have been signed before.
  const publisher = (await context.options.verifyIndex?.(hub, value ?? null)) ?? null;
  return { index, url, publisher };
}

async function getIndex(address: string, context: FetchContext): Promise<Got> {
  const base = address.endsWith('.json') || address.endsWith('/') ? address : `${address}/`;
  const places = address.endsWith('.json') ? [base] : [`${base}${indexPaths.v2}`, `${base}${indexPaths.v1}`];
  let last: unknown;
  for (const place of places) {
    try {
      const url = new URL(place);
      return await getArtifact(
        url,
        url,
        { maxBytes: context.limits.documentBytes, headers: { accept: 'application/json' } },
        context,
      );
    } catch (error) {
      if (!isGone(error)) throw error;
      last = error;
    }
  }
  throw new TechneError('SOURCE_UNREACHABLE', `"${show(address)}" has no index of skills`, {
    hint: 'for a repository end the address in ".git", for an archive in ".tar.gz" or ".zip"',
    cause: last,
  });
}

/** Bytes that may still be held of all artifacts together: downloaded, and unpacked. */
interface Budget {
  left: number;
}

async function fetchEntry(
  entry: IndexSkill,
  index: URL,
  publisher: Publisher | null,
  budget: Budget,
  context: FetchContext,
): Promise<Fetched> {
  const pinned = pinnedOf(entry, index, publisher);
  return fetchArtifact(new URL(pinned.url), pinned, entry.name, budget, context);
}

function pinnedOf(entry: IndexSkill, index: URL, publisher: Publisher | null): WellKnown {
  if (!URL.canParse(entry.url, index.href)) throw noAddress(entry.url, entry.name);
  return {
    kind: 'well-known',
    index: index.href,
    url: new URL(entry.url, index).href,
    digest: entry.digest,
    version: entry.version ?? null,
    publishedAt: entry.publishedAt ?? null,
    publisher,
  };
}

async function fetchArtifact(
  url: URL,
  pinned: WellKnown,
  name: string,
  budget: Budget,
  context: FetchContext,
): Promise<Fetched> {
  const { bytes, type } = await getArtifact(
    url,
    new URL(pinned.index),
    { maxBytes: budget.left, what: name },
    context,
  );
  budget.left -= bytes.length;
  checkDigest(url.href, pinned.digest, `sha256:${nodeSha256(bytes)}`);
  const isText = /^text\/(?:markdown|plain)\b/i.test(type) || /\.md$/i.test(url.pathname);
  const listing = await readArchive(
    bytes,
    isText ? 'SKILL.md' : url.pathname,
    { ...context.limits, totalBytes: Math.min(context.limits.totalBytes, budget.left) },
    context.signal,
  );
  const fetched = await takeRoot(listing, name, pinned, context);
  for (const { files } of fetched.packages)
    for (const file of files.values()) budget.left -= file.bytes.length;
  if (budget.left < 0)
    throw overLimit(
      `the skills of "${show(url.origin)}" are larger than ${context.limits.totalBytes} bytes together`,
      'choose some of them with --skill',
    );
  return fetched;
}

/** v0.1: each file by itself, without digests of the site. */
async function fetchFiles(
  entry: IndexSkillV1,
  index: URL,
  budget: Budget,
  context: FetchContext,
): Promise<Fetched> {
  const base = new URL(`${entry.name}/`, index);
  const contents = new Map<string, Uint8Array>();
  for (const file of entry.files) {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), base);
    const { bytes } = await getArtifact(
      url,
      index,
      { maxBytes: Math.min(budget.left, context.limits.fileBytes), what: `${entry.name}/${file}` },
      context,
    );
    budget.left -= bytes.length;
    contents.set(file, bytes);
  }
  const entries = [...contents].map(([path, bytes]): ListedEntry => ({
    path,
    kind: 'file',
    size: bytes.length,
    executable: false,
    fault: null,
  }));
  const listing: Listing = { entries, read: ({ path }) => Promise.resolve(contents.get(path) as Uint8Array) };
  const pinned: WellKnown = {
    kind: 'well-known',
    index: index.href,
    url: base.href,
    digest: digestOfFiles(contents),
    version: null,
    publishedAt: null,
    publisher: null,
  };
  return takeRoot(listing, entry.name, pinned, context);
}

/** As `npx skills` computes it: for each path in order of its bytes, path NUL content NUL. */
function digestOfFiles(contents: ReadonlyMap<string, Uint8Array>): string {
  const hash = nodeCrypto().createHash('sha256');
  for (const path of [...contents.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
    hash
      .update(path)
      .update('\0')
      .update(contents.get(path) as Uint8Array)
      .update('\0');
  return `sha256:${hash.digest('hex')}`;
}

/** The artifact has its SKILL.md at the root: nothing is looked for deeper. */
async function takeRoot(
  listing: Listing,
  name: string,
  pinned: WellKnown,
  context: FetchContext,
): Promise<Fetched> {
  const hasSkill = listing.entries.some(({ path, kind }) => path === 'SKILL.md' && kind === 'file');
  if (!hasSkill)
    throw new TechneError('SOURCE_EMPTY', `the artifact of "${name}" has no SKILL.md at its root`, {
      hint: 'tell whoever publishes it; an artifact has no folder around its files',
    });
  return takePackages(
    listing,
    { root: '', skills: [], resolvedOf: () => pinned, rootName: name, source: pinned.url },
    context,
  );
}

function noAddress(url: string, name: string): TechneError {
  return new TechneError(
    'SOURCE_DAMAGED',
    `the skill "${name}" has the address "${show(url)}", which is none`,
    {
      hint: 'tell whoever publishes it',
    },
  );
}

function nothing(
  source: string,
  missing: readonly string[],
  names: readonly string[],
  refused: readonly RefusedEntry[],
): TechneError {
  const why =
    refused[0] === undefined ? '' : `; "${show(refused[0].path)}" was not taken: ${refused[0].reason}`;
  const what =
    missing.length === 0
      ? 'no skill that can be taken'
      : `no skill ${missing.map((name) => `"${show(name)}"`).join(', ')}`;
  return new TechneError('SOURCE_EMPTY', `"${show(source)}" has ${what}${why}`, {
    hint: names.length === 0 ? 'tell whoever publishes it' : `it has ${names.slice(0, 20).join(', ')}`,
  });
}
