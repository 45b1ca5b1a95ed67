// The index of a site -> its entries, v0.2 or v0.1.
//
// An entry with a fault is refused with the reason, and the others count. An index of an unknown version is not read.
import type { Json, JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { isPlainName, nameLimit } from '../../../skill/parse-head.ts';
import { damaged } from '../../archive/limited.ts';
import { nameFault } from '../../archive/judge-entries.ts';
import { show } from '../../source/git-words.ts';
import type { IndexSignature, IndexSkill, IndexSkillV1, IndexVersion } from '../../source/index-format.ts';
import { indexSchema } from '../../source/index-format.ts';
import type { RefusedEntry } from '../../source/source.ts';
import { textField, untrustedJson } from '../read-json.ts';

export type ReadIndex =
  | { readonly format: 2; readonly skills: readonly IndexSkill[]; readonly refused: readonly RefusedEntry[] }
  | {
      readonly format: 1;
      readonly skills: readonly IndexSkillV1[];
      readonly refused: readonly RefusedEntry[];
    };

const maxEntries = 10_000;
const maxFiles = 1_000;

/** Throws SOURCE_DAMAGED for what is no index. `address` is for messages. */
export function readIndex(text: string, address: string): ReadIndex {
  const document = untrustedJson(text);
  if (!isJsonObject(document) || !Array.isArray(document['skills']))
    throw damaged(`"${show(address)}" is not an index of skills`);
  const schema = document['$schema'];
  if (schema !== undefined && schema !== indexSchema)
    throw damaged(`"${show(address)}" is an index of another version: ${show(JSON.stringify(schema))}`);
  const entries = document['skills'] as readonly Json[];
  if (entries.length > maxEntries) throw damaged(`"${show(address)}" lists more than ${maxEntries} skills`);
  const refused: RefusedEntry[] = [];
  const names = new Set<string>();
  const read = <T extends { readonly name: string }>(one: (entry: JsonObject) => T | string): readonly T[] =>
    entries.flatMap((entry, at) => {
      const found = isJsonObject(entry) ? one(entry) : 'it is not an object';
      const path = isJsonObject(entry) ? (textField(entry, 'name') ?? `skills[${at}]`) : `skills[${at}]`;
      const fault =
        typeof found === 'string' ? found : names.has(found.name) ? 'another entry has the same name' : null;
      if (typeof found === 'string' || fault !== null) {
        refused.push({ path, reason: fault ?? 'it cannot be read' });
        return [];
      }
      names.add(found.name);
      return [found];
    });
  return schema === undefined
    ? { format: 1, skills: read(readV1), refused }
    : { format: 2, skills: read(readV2), refused };
}

function nameIn(entry: JsonObject): string | null {
  const name = textField(entry, 'name');
  return name !== null && isPlainName(name) && name.length <= nameLimit ? name : null;
}

function readV1(entry: JsonObject): IndexSkillV1 | string {
  const name = nameIn(entry);
  const { files } = entry;
  if (name === null) return 'its name is not a name that a skill can have';
  if (!Array.isArray(files) || files.length === 0 || files.length > maxFiles)
    return `it must list 1 to ${maxFiles} files`;
  const texts = (files as readonly Json[]).filter((file) => typeof file === 'string');
  const fault = texts.map((file) => nameFault(file, 32)).find((found) => found !== null);
  if (texts.length !== files.length || fault !== undefined)
    return `it lists a file that cannot be taken: ${fault ?? 'it is no text'}`;
  if (!texts.includes('SKILL.md')) return 'it lists no SKILL.md';
  return { name, description: textField(entry, 'description') ?? '', files: texts };
}

const digestPattern = /^sha256:[0-9a-f]{64}$/;

function readV2(entry: JsonObject): IndexSkill | string {
  const name = nameIn(entry);
  const type = textField(entry, 'type');
  const description = textField(entry, 'description');
  const place = placeIn(entry);
  if (name === null) return 'its name is not a name that a skill can have';
  if (type !== 'skill-md' && type !== 'archive') return `its type "${show(type ?? '')}" is not known`;
  if (description === null) return 'it has no description';
  if (typeof place === 'string') return place;
  const { versions: listed } = entry;
  const versions = Array.isArray(listed)
    ? (listed as readonly Json[]).map(readVersion).filter((each) => each !== null)
    : null;
  return { name, type, description, ...place, ...(versions === null ? {} : { versions }) };
}

function readVersion(entry: Json): IndexVersion | null {
  if (!isJsonObject(entry)) return null;
  const place = placeIn(entry);
  return typeof place === 'string' || place.version === undefined
    ? null
    : { ...place, version: place.version };
}

interface IndexPlace {
  readonly url: string;
  readonly digest: string;
  readonly version?: string;
  readonly publishedAt?: string;
  readonly signature?: IndexSignature;
}

function placeIn(entry: JsonObject): IndexPlace | string {
  const url = textField(entry, 'url');
  const digest = textField(entry, 'digest');
  const version = textField(entry, 'version');
  const publishedAt = textField(entry, 'publishedAt');
  if (url === null) return 'it has no address';
  if (digest === null || !digestPattern.test(digest))
    return 'it has no digest "sha256:" and 64 small hex digits';
  const signature = signatureIn(entry['signature']);
  if (signature === 'bad') return 'its signature cannot be read';
  return {
    url,
    digest,
    ...(version === null ? {} : { version }),
    ...(publishedAt === null ? {} : { publishedAt }),
    ...(signature === null ? {} : { signature }),
  };
}

function signatureIn(value: Json | undefined): IndexSignature | 'bad' | null {
  if (value === undefined || value === null) return null;
  if (!isJsonObject(value) || value['algorithm'] !== 'ed25519') return 'bad';
  const [keyId, publicKey, text] = ['keyId', 'publicKey', 'value'].map((key) => textField(value, key));
  if (!digestPattern.test(keyId ?? '') || !isBase64(publicKey, 44) || !isBase64(text, 88)) return 'bad';
  return {
    algorithm: 'ed25519',
    keyId: keyId as string,
    publicKey: publicKey as string,
    value: text as string,
  };
}

function isBase64(text: string | null | undefined, length: number): boolean {
  return typeof text === 'string' && text.length === length && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
