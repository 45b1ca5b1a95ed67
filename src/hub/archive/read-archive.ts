// The bytes of an archive -> its entries, whatever kind of archive it is.
//
//   tar | tar.gz | zip | a SKILL.md alone -> Listing
//
// What it is, its first bytes tell; the name only tells a text from a broken archive. Unpacking is streamed and counted.
import { createGunzip } from 'node:zlib';
import type { Abort } from '../../base/abort.ts';
import { codeOf } from '../../node/files/file-fault.ts';
import { checkRatio, damaged, overLimit } from './limited.ts';
import type { ListedEntry, Listing } from './listing.ts';
import type { ArchiveLimits } from './read-tar.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';

export async function readArchive(
  bytes: Uint8Array,
  name: string,
  limits: ArchiveLimits,
  signal: Abort,
): Promise<Listing> {
  if (bytes.length === 0) throw damaged('the archive is empty');
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return readTar(gunzipped(bytes, limits, signal), limits, signal);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, limits);
  if (/SKILL\.md$/i.test(name)) return oneFile('SKILL.md', bytes);
  return readTar(counted(inPieces(bytes), limits), limits, signal);
}

function oneFile(path: string, bytes: Uint8Array): Listing {
  const entry: ListedEntry = { path, kind: 'file', size: bytes.length, executable: false, fault: null };
  return { entries: [entry], read: () => Promise.resolve(bytes) };
}

const pieceBytes = 64 * 1024;

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Also what is skipped counts. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  limits: ArchiveLimits,
): AsyncGenerator<Uint8Array> {
  const most = limits.totalBytes + limits.entries * 1024;
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    if (read > most) throw overLimit(`the archive unpacks to more than ${most} bytes`);
    yield chunk;
  }
}

async function* gunzipped(
  bytes: Uint8Array,
  limits: ArchiveLimits,
  signal: Abort,
): AsyncGenerator<Uint8Array> {
  const unzip = createGunzip();
  const stop = (): void => void unzip.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop);
  unzip.end(bytes);
  let unpacked = 0;
  try {
    for await (const chunk of counted(unzip as AsyncIterable<Uint8Array>, limits)) {
      unpacked += chunk.length;
      checkRatio(bytes.length, unpacked, limits.ratio);
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!codeOf(error).startsWith('Z_')) throw error;
    throw damaged('the archive is damaged: it cannot be unpacked', error);
  } finally {
    signal.removeEventListener('abort', stop);
    unzip.destroy();
  }
}
