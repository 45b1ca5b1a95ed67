// Vectors by key in one file, so that a text is embedded once and not once per process.
//
//   file   = "TECHNEVC" u32 format u32 dimensions, record*
//   record = key (24 letters), dimensions x f32, u32 crc of both
//
// Each record is appended in one write. A reader stops at the first malformed record, and the next writer rewrites
// the file with the valid ones. A file that would exceed `maxBytes` is rewritten with the newest vectors in memory,
// up to half of it. Vectors of another length come from another model, so the file starts anew. Numbers have the byte
// order of this machine. Nothing here throws: a cache that fails is empty.
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

export interface VectorFile {
  /** The last `most` of them, oldest first. */
  read(most?: number): readonly (readonly [key: string, vector: Float32Array])[];
  /** `all`: what is in memory, least recently used first; the file is rewritten from it. */
  add(
    made: readonly (readonly [key: string, vector: Float32Array])[],
    all: ReadonlyMap<string, Float32Array>,
  ): void;
}

const magic = 'TECHNEVC';
const format = 2;
const headBytes = 16;
const keyBytes = 24;
/** Read completely when the first text is embedded. */
const defaultMaxBytes = 48 * 1024 * 1024;

export function createVectorFile(path: string, { maxBytes = defaultMaxBytes } = {}): VectorFile {
  /** What the file is known to hold: null until it was read, and when it must be written anew. */
  let end: { readonly dimensions: number; readonly bytes: number } | null = null;

  const writeAnew = (all: ReadonlyMap<string, Float32Array>, dimensions: number): void => {
    const recordBytes = bytesOf(dimensions);
    const most = Math.floor((maxBytes / 2 - headBytes) / recordBytes);
    const records = [...all].filter(([, vector]) => vector.length === dimensions).slice(-Math.max(0, most));
    const bytes = Buffer.concat([head(dimensions), ...records.map(record)]);
    const fresh = `${path}.${process.pid}.tmp`;
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(fresh, bytes, { mode: 0o600 });
    fs.renameSync(fresh, path);
    end = { dimensions, bytes: bytes.length };
  };

  return {
    read: (most = Infinity) =>
      quietly([], () => {
        const bytes = fs.readFileSync(path);
        const dimensions =
          bytes.length >= headBytes &&
          bytes.toString('latin1', 0, 8) === magic &&
          bytes.readUInt32LE(8) === format
            ? bytes.readUInt32LE(12)
            : 0;
        if (dimensions === 0 || dimensions > 16_384) return [];
        const { records, bytes: good } = readRecords(bytes, dimensions, most);
        if (good === bytes.length) end = { dimensions, bytes: good };
        return records;
      }),
    add: (made, all) =>
      quietly(undefined, () => {
        const [first] = made;
        if (first === undefined) return;
        const dimensions = first[1].length;
        const bytes = Buffer.concat(made.map(record));
        // Another process may have appended to it; the next process reads what is new.
        if (
          end === null ||
          end.dimensions !== dimensions ||
          end.bytes + bytes.length > maxBytes ||
          !fs.existsSync(path)
        )
          return writeAnew(all, dimensions);
        fs.appendFileSync(path, bytes);
        end = { dimensions, bytes: end.bytes + bytes.length };
      }),
  };
}

function head(dimensions: number): Buffer {
  const bytes = Buffer.alloc(headBytes);
  bytes.write(magic, 'latin1');
  bytes.writeUInt32LE(format, 8);
  bytes.writeUInt32LE(dimensions, 12);
  return bytes;
}

const bytesOf = (dimensions: number): number => keyBytes + dimensions * 4 + 4;

function record([key, vector]: readonly [string, Float32Array]): Buffer {
  const bytes = Buffer.alloc(bytesOf(vector.length));
  bytes.write(key, 'latin1');
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), keyBytes);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function readRecords(
  bytes: Buffer,
  dimensions: number,
  most: number,
): { readonly records: readonly (readonly [string, Float32Array])[]; readonly bytes: number } {
  const recordBytes = bytesOf(dimensions);
  const records: (readonly [string, Float32Array])[] = [];
  const first = Math.max(0, Math.floor((bytes.length - headBytes) / recordBytes) - most);
  let at = headBytes;
  for (let index = 0; at + recordBytes <= bytes.length; index += 1, at += recordBytes) {
    const one = bytes.subarray(at, at + recordBytes);
    if (crc32(one.subarray(0, -4)) !== one.readUInt32LE(recordBytes - 4)) break;
    if (index < first) continue;
    // Copied, so that a small part of the file does not keep all of it in memory.
    const vector = new Float32Array(
      one.buffer.slice(one.byteOffset + keyBytes, one.byteOffset + keyBytes + dimensions * 4),
    );
    if (vector.every(Number.isFinite)) records.push([one.toString('latin1', 0, keyBytes), vector]);
  }
  return { records, bytes: at };
}

/** A cache that fails is empty. */
function quietly<T>(otherwise: T, work: () => T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
