// Where a hub is -> its index, verified.
//
//   a folder, or an address: NEW index.json, else OLD index.json -> signature -> entries
//
// Nothing of an index is used before its signature was looked at (sign/verify-index.ts).
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { jsonIn } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import { indexPaths } from '../source/index-format.ts';
import { hubUrl } from '../source/hub-address.ts';
import type { IndexSkill, IndexSkillV1 } from '../source/index-format.ts';
import { indexLimits, readIndex } from '../source/read-index.ts';
import type { Publisher, RefusedEntry } from '../source/source.ts';

export type HubPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'address'; readonly url: URL };

export interface ReadHubOptions {
  readonly files: Files;
  /** The body of an answer to a GET. Throws SOURCE_UNREACHABLE where there is none. */
  readonly download: (url: URL, maxBytes: number) => Promise<Uint8Array>;
  readonly verify: (hub: string, index: Json) => Promise<Publisher | null>;
}

export interface ReadHub {
  /** What `techne add` takes. */
  readonly address: string;
  readonly title: string | null;
  readonly publisher: Publisher | null;
  readonly skills: readonly (IndexSkill | IndexSkillV1)[];
  readonly skipped: readonly RefusedEntry[];
  /** As it was published, for its signature. */
  readonly index: Json;
}

/** Throws SOURCE_UNREACHABLE, SOURCE_DAMAGED, HUB_SIGNATURE, HUB_KEYS, and what `download` throws. */
export async function readHub(place: HubPlace, options: ReadHubOptions): Promise<ReadHub> {
  const address = place.kind === 'folder' ? place.path : hubUrl(place.url).href;
  const bytes =
    place.kind === 'folder'
      ? await readFolder(place.path, options)
      : await readUrl(hubUrl(place.url), options);
  const index = jsonIn(decodeUtf8(bytes).text);
  if (index === undefined) throw damaged(address, 'it is not valid JSON');
  const publisher = await options.verify(address, index);
  const reading = readIndex(index);
  if (reading.version === null) throw damaged(address, reading.reason);
  return {
    address,
    title: reading.version === '0.2' ? reading.title : null,
    publisher,
    skills: reading.skills,
    skipped: reading.skipped,
    index,
  };
}

async function readFolder(path: string, { files }: ReadHubOptions): Promise<Uint8Array> {
  for (const name of [indexPaths.v2, indexPaths.v1]) {
    const read = await files.read(join(path, name), indexLimits.bytes);
    if (read !== null) return read.bytes;
  }
  throw new TechneError('SOURCE_UNREACHABLE', `there is no hub in "${path}"`, {
    hint: `a hub has the file ${indexPaths.v2}; techne publish DIR --out SITE makes one`,
  });
}

async function readUrl(hub: URL, { download }: ReadHubOptions): Promise<Uint8Array> {
  try {
    return await download(new URL(indexPaths.v2, hub), indexLimits.bytes);
  } catch (error) {
    if (!(error instanceof TechneError) || error.code !== 'SOURCE_UNREACHABLE') throw error;
    try {
      return await download(new URL(indexPaths.v1, hub), indexLimits.bytes);
    } catch (again) {
      // The fault of the usual place says more.
      throw again instanceof TechneError && again.code === 'SOURCE_UNREACHABLE' ? error : again;
    }
  }
}

function damaged(hub: string, why: string): TechneError {
  return new TechneError('SOURCE_DAMAGED', `the index of the hub "${hub}" cannot be used: ${why}`, {
    hint: 'tell its publisher',
  });
}
