// What a pipeline found out about skills before, by the digest of all that it depends on.
//
//   file = "techne-ci-cache 1 SHA-256\n" JSON [{ key, kind, value }, …]     the digest is that of the JSON
//
// R1. A file that is torn, changed or too large counts as empty, and so does an entry that is not exactly as written here. Both
//     are said; neither can fail or stop a command.
// R2. The file is replaced as a whole. One that is something else is left as it is.
// R3. The digest finds damage, not intent: who can write the file can make findings disappear, as who can write the baseline.
import { isJsonObject, jsonIn } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { CalledName } from '../../guard/report.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { CiFinding, CiKind } from './finding.ts';
import { ciKinds } from './finding.ts';

export interface CiResult {
  /** Their paths are relative to the folder of the skill. */
  readonly findings: readonly CiFinding[];
  /** How many tests were run; 0 of other kinds. */
  readonly tests: number;
  /** Of a scan: what it took names for. */
  readonly names: readonly CalledName[];
}

export interface ResultCache {
  get(key: string): CiResult | null;
  put(key: string, kind: CiKind, result: CiResult): void;
  /** Gives what is to be said, or `null`. */
  save(): Promise<string | null>;
}

/** Nothing is kept. */
export const noCache: ResultCache = { get: () => null, put: () => undefined, save: async () => null };

const magic = 'techne-ci-cache 1 ';
const maxBytes = 64 * 1024 * 1024;
const mostEntries = 20_000;

interface Entry {
  readonly key: string;
  readonly kind: CiKind;
  readonly value: CiResult;
}

export async function openResultCache(
  files: Files,
  path: string,
  onNotice: (text: string) => void,
): Promise<ResultCache> {
  const { entries, isForeign } = await readEntries(files, path, onNotice);
  /** What was used in this run, the last first when it is written. */
  const used = new Map<string, Entry>();
  let isNew = false;
  return {
    get(key) {
      const entry = used.get(key) ?? entries.get(key);
      if (entry === undefined) return null;
      used.set(key, entry);
      return entry.value;
    },
    put(key, kind, value) {
      used.set(key, { key, kind, value });
      isNew = true;
    },
    async save() {
      if (!isNew || isForeign) return null;
      const kept = [...used.values(), ...[...entries.values()].filter(({ key }) => !used.has(key))];
      const text = JSON.stringify(kept.slice(0, mostEntries));
      try {
        await files.writeAtomic(path, encodeUtf8(`${magic}${nodeSha256(text)}\n${text}\n`), 0o600);
        return null;
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        return `the cache was not written: ${error.message}`;
      }
    },
  };
}

async function readEntries(
  files: Files,
  path: string,
  onNotice: (text: string) => void,
): Promise<{ readonly entries: ReadonlyMap<string, Entry>; readonly isForeign: boolean }> {
  const none = { entries: new Map<string, Entry>(), isForeign: false };
  let bytes: Uint8Array | null;
  try {
    bytes = (await files.read(path, maxBytes))?.bytes ?? null;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    onNotice(`the cache is ignored: ${error.message}`);
    return error.kind === 'too-large' ? none : { ...none, isForeign: true };
  }
  if (bytes === null || bytes.length === 0) return none;
  const { text, valid } = decodeUtf8(bytes);
  if (!text.startsWith(magic)) {
    onNotice(`"${path}" is no cache of techne ci: it is ignored and left as it is`);
    return { ...none, isForeign: true };
  }
  const end = text.indexOf('\n');
  const body = text.slice(end + 1).replace(/\n$/, '');
  const list =
    valid && end !== -1 && text.slice(magic.length, end) === nodeSha256(body) ? jsonIn(body) : undefined;
  if (!Array.isArray(list)) {
    onNotice(`the cache "${path}" is damaged and ignored`);
    return none;
  }
  const read = list.map((one: Json) => (isJsonObject(one) ? entryIn(one) : null));
  const good = read.filter((one) => one !== null);
  if (good.length < read.length)
    onNotice(
      `${read.length - good.length} entries of the cache "${path}" are not as techne writes them, and ignored`,
    );
  return { entries: new Map(good.map((one) => [one.key, one])), isForeign: false };
}

function entryIn({ key, kind, value }: JsonObject): Entry | null {
  if (typeof key !== 'string' || !/^[0-9a-f]{64}$/.test(key) || !isKind(kind)) return null;
  if (!isJsonObject(value)) return null;
  const { findings, tests, names } = value;
  if (!Array.isArray(findings) || !Array.isArray(names) || !isCount(tests)) return null;
  if (!names.every(isName) || !findings.every((one: Json) => isFinding(one, kind))) return null;
  return { key, kind, value: value as unknown as CiResult };
}

function isKind(kind: Json | undefined): kind is CiKind {
  return (ciKinds as readonly (Json | undefined)[]).includes(kind);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isName(one: Json): boolean {
  return (
    isJsonObject(one) &&
    typeof one['name'] === 'string' &&
    (one['takenFor'] === null || typeof one['takenFor'] === 'string')
  );
}

const texts = ['code', 'path', 'message', 'anchor'] as const;
const places = ['line', 'column', 'endLine', 'endColumn'] as const;

function isFinding(one: Json, kind: CiKind): boolean {
  if (!isJsonObject(one) || one['kind'] !== kind) return false;
  const { severity, path, skill, hint } = one;
  return (
    (severity === 'error' || severity === 'warning' || severity === 'info') &&
    texts.every((key) => typeof one[key] === 'string') &&
    places.every((key) => one[key] === null || (isCount(one[key]) && one[key] > 0)) &&
    (hint === null || typeof hint === 'string') &&
    typeof skill === 'string' &&
    // Inside the folder of its skill.
    !/^[\\/]|^[A-Za-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path as string)
  );
}
