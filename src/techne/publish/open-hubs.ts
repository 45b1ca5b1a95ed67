// Hubs and keys, for people: search hubs, serve one, make and trust keys.
//
//   configuration, home folder -> Hubs
import { basename, join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { neverAborted } from '../../base/abort.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { FetchOptions } from '../../hub/fetch/options.ts';
import type { HubPlace, ReadHub, ReadHubOptions } from '../../hub/search/read-hub.ts';
import { readHub } from '../../hub/search/read-hub.ts';
import type { HubHit } from '../../hub/search/search-hubs.ts';
import { searchHubs } from '../../hub/search/search-hubs.ts';
import type { SiteServer } from '../../hub/serve/serve-site.ts';
import { serveSite } from '../../hub/serve/serve-site.ts';
import type { KeyFiles } from '../../hub/sign/key-files.ts';
import { createKeyFiles } from '../../hub/sign/key-files.ts';
import type { KeyStore } from '../../hub/sign/key-records.ts';
import { createKeyStore } from '../../hub/sign/key-records.ts';
import { indexPaths } from '../../hub/source/index-format.ts';
import { indexLimits } from '../../hub/source/read-index.ts';
import { isKeyId, parsePublicKey } from '../../hub/sign/signing-key.ts';
import { verifyIndex } from '../../hub/sign/verify-index.ts';
import type { SkillLibrary } from '../open-skills.ts';

export { fingerprintOf } from '../../hub/sign/signing-key.ts';

export interface HubFailure {
  readonly hub: string;
  readonly error: TechneError;
}

export interface ReadHubs {
  readonly hubs: readonly ReadHub[];
  /** Hubs that could not be read, or are refused. */
  readonly failures: readonly HubFailure[];
}

export interface HubSearch extends ReadHubs {
  readonly hits: readonly HubHit[];
}

export interface FoundKey {
  readonly keyId: string;
  /** What to call its owner, unless the person says. */
  readonly name: string;
}

export interface Hubs {
  /** The keys that the person trusts, and the hubs that were seen signed. */
  readonly trusted: KeyStore;
  /** The keys that the person signs with. */
  readonly own: KeyFiles;
  /** `places`: addresses or folders; none are those of the configuration. Throws USAGE where there are none at all. */
  search(query: string, places: readonly string[]): Promise<HubSearch>;
  /** The indexes of these, all at once. */
  read(places: readonly string[]): Promise<ReadHubs>;
  /** The key that a file, the address or folder of a signed hub, or an id names. */
  findKey(what: string): Promise<FoundKey>;
  /** Takes trust from a key, or forgets who signed a hub, however its address or folder is written. */
  forget(what: string): ReturnType<KeyStore['forget']>;
  serve(options: ServeRequest): Promise<SiteServer>;
}

export interface ServeRequest {
  readonly site: string;
  readonly port: number;
  readonly host: string | null;
  readonly onBug: (error: unknown) => void;
}

export interface HubsOptions {
  readonly cwd: string;
  readonly homeFolder: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** Of what is downloaded. Default: those of fetching. */
  readonly limits?: FetchOptions['limits'];
}

const maxKeyBytes = 64 * 1024;

export function openHubs(
  { files, loaded }: SkillLibrary,
  { cwd, homeFolder, variables, limits = {} }: HubsOptions,
): Hubs {
  const download = downloadWith({
    hub: loaded.config.hub,
    mcpServers: {},
    cwd,
    homeFolder,
    variables,
    limits,
  });
  const trusted = createKeyStore(files, homeFolder);
  const fromHere = (path: string): string =>
    path === '~' || path.startsWith('~/') ? join(homeFolder, path.slice(1)) : resolve(cwd, path);
  const placeOf = (text: string): HubPlace =>
    isAddress(text)
      ? { kind: 'address', url: addressOf(text) }
      : { kind: 'folder', path: files.realPath(fromHere(text)) ?? fromHere(text) };

  const readAll = async (places: readonly string[]): Promise<ReadHubs> => {
    const read = await Promise.all(
      places.map(async (hub): Promise<ReadHub | HubFailure> => {
        try {
          return await readHub(placeOf(hub), {
            files,
            download,
            verify: (address, index) => trusted.verify(address, index),
          });
        } catch (error) {
          if (error instanceof TechneError) return { hub, error };
          throw error;
        }
      }),
    );
    return {
      hubs: read.filter((one): one is ReadHub => 'skills' in one),
      failures: read.filter((one): one is HubFailure => 'error' in one),
    };
  };

  return {
    trusted,
    own: createKeyFiles(files, homeFolder),

    async search(query, given) {
      const places = given.length > 0 ? given : loaded.config.hub.indexes;
      if (places.length === 0)
        throw new TechneError('USAGE', 'there is no hub to search', {
          hint: 'name one with --hub URL, or list yours as hub.indexes in ~/.techne/config.json',
        });
      const read = await readAll(places);
      return { ...read, hits: searchHubs(read.hubs, query) };
    },

    read: readAll,

    async findKey(what) {
      if (isKeyId(what)) return { keyId: what, name: what.slice('sha256:'.length, 'sha256:'.length + 12) };
      const place = placeOf(what);
      const isHub =
        place.kind === 'address' ||
        (await files.read(join(place.path, indexPaths.v2), indexLimits.bytes)) !== null;
      if (isHub) {
        // What was seen of the hub before does not matter here: the person looks at the key now.
        const verify: ReadHubOptions['verify'] = async (hub, index) =>
          verifyIndex(hub, index, { keys: [], hubs: [] }).publisher;
        const { publisher, title } = await readHub(place, { files, download, verify });
        if (publisher === null)
          throw new TechneError('USAGE', `the hub "${what}" is not signed, so it has no key to trust`, {
            hint: 'ask its publisher for the key',
          });
        return {
          keyId: publisher.keyId,
          name: title ?? (place.kind === 'address' ? place.url.hostname : basename(place.path)),
        };
      }
      const path = fromHere(what);
      const read = await files.read(path, maxKeyBytes);
      if (read === null)
        throw new TechneError('FILE_MISSING', `there is no file "${path}"`, {
          hint: 'give the file of a public key, the address or folder of a signed hub, or "sha256:" and the 64 digits of a key',
        });
      const key = parsePublicKey(decodeUtf8(read.bytes).text);
      if (key === null)
        throw new TechneError('FILE_INVALID', `"${path}" is not the PEM of an Ed25519 public key`, {
          hint: 'a public key begins with "-----BEGIN PUBLIC KEY-----"',
        });
      return { keyId: key.keyId, name: basename(path).replace(/(?:\.pub)?\.pem$/, '') };
    },

    async forget(what) {
      const forgotten = await trusted.forget(what);
      const place = isAddress(what) ? null : files.realPath(fromHere(what));
      return forgotten.keys.length + forgotten.hubs.length > 0 || place === null
        ? forgotten
        : trusted.forget(place);
    },

    serve: ({ site, port, host, onBug }) =>
      serveSite({ files, site: fromHere(site), port, onBug, ...(host === null ? {} : { host }) }),
  };
}

/** The rules of every download hold: https, no private address that is not allowed, bounded. */
function downloadWith(options: FetchOptions): ReadHubOptions['download'] {
  return async (url, maxBytes) => {
    const [{ download }, { contextOf }] = await Promise.all([
      import('../../hub/fetch/https/request.ts'),
      import('../../hub/fetch/context.ts'),
    ]);
    const { bytes } = await download(
      url,
      { maxBytes },
      contextOf(options, () => undefined, neverAborted),
    );
    return bytes;
  };
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

function addressOf(text: string): URL {
  if (!URL.canParse(text))
    throw new TechneError('USAGE', `"${text}" is not an address`, {
      hint: 'such as https://skills.example.org',
    });
  return new URL(text);
}
