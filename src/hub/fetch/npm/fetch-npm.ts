// A package of npm -> its skills.
//
//   name, range -> packument -> version -> tarball, verified by its integrity -> packages
//
// Nothing of a package is executed: no scripts, no dependencies. A version without an integrity of SHA-256 or better is
// refused, since nothing would tell whether it is still the same.
import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { TechneError } from '../../../base/error.ts';
import { decodeUtf8 } from '../../../base/utf8.ts';
import { damaged } from '../../archive/limited.ts';
import { readArchive } from '../../archive/read-archive.ts';
import { show } from '../../source/git-words.ts';
import type { Fetched, Source } from '../../source/source.ts';
import { withoutWrapper } from '../archive.ts';
import type { FetchContext } from '../context.ts';
import { download } from '../https/request.ts';
import type { Latest, LockedSkill } from '../options.ts';
import { textField, untrustedJson } from '../read-json.ts';
import { takePackages } from '../take-packages.ts';
import { chooseVersion } from './choose-version.ts';
import type { Registry } from './registry.ts';
import { findRegistry } from './registry.ts';

export async function fetchNpm(
  source: Extract<Source, { kind: 'npm' }>,
  context: FetchContext,
  root = '',
): Promise<Fetched> {
  const { name, range } = source;
  const what = `npm:${name}${range === null ? '' : `@${range}`}`;
  context.tell({ phase: 'resolve', what, doneBytes: null, totalBytes: null });
  const registry = await findRegistry(name, context.options);
  const found = await findVersion(name, range, registry, context);
  const sameHost = found.tarball.host === registry.url.host;
  const { bytes } = await download(
    found.tarball,
    {
      maxBytes: context.limits.totalBytes,
      headers: sameHost ? registry.headers : {},
      what: `${name}@${found.version}`,
    },
    context,
  );
  checkIntegrity(`${name}@${found.version}`, found.integrity, bytes);
  const listing = withoutWrapper(await readArchive(bytes, 'package.tgz', context.limits, context.signal));
  return takePackages(
    listing,
    {
      root,
      skills: source.skills,
      resolvedOf: () => ({
        kind: 'npm',
        name,
        version: found.version,
        integrity: found.integrity,
        tarball: found.tarball.href,
        publishedAt: found.publishedAt,
      }),
      rootName: name.replace(/^@[^/]*\//, ''),
      source: what,
    },
    context,
  );
}

/** From the list of versions alone. A new version may or may not have changed a skill. */
export async function latestOfNpm(
  { name, range }: Extract<Source, { kind: 'npm' }>,
  skills: readonly LockedSkill[],
  context: FetchContext,
): Promise<readonly Latest[]> {
  context.tell({ phase: 'resolve', what: `npm:${name}`, doneBytes: null, totalBytes: null });
  const registry = await findRegistry(name, context.options);
  const found = await findVersion(name, range, registry, context);
  return skills.map(({ resolved }) => {
    const isSame =
      resolved.kind === 'npm' &&
      resolved.name === name &&
      resolved.version === found.version &&
      resolved.integrity === found.integrity;
    return { kind: isSame ? 'same' : 'unknown' };
  });
}

interface FoundVersion {
  readonly version: string;
  readonly tarball: URL;
  readonly integrity: string;
  readonly publishedAt: string | null;
}

async function findVersion(
  name: string,
  range: string | null,
  registry: Registry,
  context: FetchContext,
): Promise<FoundVersion> {
  const url = new URL(name.replace('/', '%2f'), registry.url);
  const { bytes } = await download(
    url,
    {
      maxBytes: context.limits.documentBytes,
      headers: { accept: 'application/json', ...registry.headers },
      what: `npm:${name}`,
    },
    context,
  );
  const packument = untrustedJson(decodeUtf8(bytes).text);
  const versions = isJsonObject(packument) ? objectIn(packument, 'versions') : null;
  if (!isJsonObject(packument) || versions === null)
    throw damaged(`the registry has no versions of "${show(name)}"`);
  const tags = objectIn(packument, 'dist-tags') ?? {};
  const textTags = Object.fromEntries(
    Object.entries(tags).flatMap(([tag, version]) => (typeof version === 'string' ? [[tag, version]] : [])),
  );
  const version = chooseVersion(range, Object.keys(versions), textTags);
  if (version === null)
    throw new TechneError(
      'SOURCE_UNREACHABLE',
      `"${show(name)}" has no version that fits "${show(range ?? 'latest')}"`,
      { hint: `it has ${lastVersions(Object.keys(versions))}` },
    );
  const dist = objectIn(objectIn(versions, version) ?? {}, 'dist') ?? {};
  const tarball = textField(dist, 'tarball');
  const integrity = strongIntegrity(textField(dist, 'integrity') ?? '');
  if (tarball === null || !URL.canParse(tarball))
    throw damaged(`the registry has no address for "${show(name)}" ${show(version)}`);
  if (integrity === null)
    throw new TechneError(
      'SOURCE_REFUSED',
      `"${show(name)}" ${show(version)} has no integrity of SHA-256 or better`,
      {
        hint: 'take a newer version of it',
      },
    );
  const times = objectIn(packument, 'time') ?? {};
  return { version, tarball: new URL(tarball), integrity, publishedAt: timeIn(textField(times, version)) };
}

function objectIn(object: JsonObject, key: string): JsonObject | null {
  const value: Json | undefined = object[key];
  return isJsonObject(value) ? value : null;
}

function timeIn(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function lastVersions(versions: readonly string[]): string {
  const last = versions.slice(-5).map(show).join(', ');
  return versions.length > 5
    ? `${versions.length} versions, the last of them ${last}`
    : last === ''
      ? 'none'
      : last;
}

const strengths = ['sha512', 'sha384', 'sha256'] as const;

/** The strongest hash of `sha512-… sha1-…`; `null`: there is none that is strong enough. */
function strongIntegrity(text: string): string | null {
  const hashes = text.split(/\s+/);
  for (const algorithm of strengths) {
    const hash = hashes.find((each) => each.startsWith(`${algorithm}-`))?.replace(/\?.*$/, '');
    if (hash !== undefined && /^sha\d+-[A-Za-z0-9+/]{43,88}={0,2}$/.test(hash)) return hash;
  }
  return null;
}

function checkIntegrity(what: string, integrity: string, bytes: Uint8Array): void {
  const [algorithm = ''] = integrity.split('-');
  const found = `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
  if (found !== integrity)
    throw new TechneError(
      'SOURCE_DAMAGED',
      `"${show(what)}" does not have the integrity that the registry states`,
      {
        hint: 'it was changed on its way or on the server; do not install it',
      },
    );
}
