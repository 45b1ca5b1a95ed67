// The index of heads as one file.
//
//   file    = "TECHNEIX" u32 format u32 crc(directory) u32 length(directory), directory (JSON), section*
//   section = u32 length of each of the seven columns below, signatures, ends of texts, of paths, of listings,
//             of descriptions, texts, plain, the rest (v8.serialize)
//
// X1. Anything that is not exactly what this version wrote (another format, another version of techne or Node,
//     a wrong checksum, a torn end) counts as not there. No content of the file can make a load fail.
// X2. Written whole and renamed into place: two processes at once leave one of two good files.
// X3. Only the sections of the roots asked for are read; those of other roots are copied as bytes.
// X4. Bounded: over `maxBytes` the sections written longest ago are left out.
import * as fs from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { HeadIndex, IndexSection } from '../registry/head-index.ts';
import { codeOf } from './file-fault.ts';
import { FileFault } from './ports/files.ts';
import type { Files } from './ports/files.ts';

export interface IndexCacheOptions {
  /** The file; its folder is made when missing. */
  readonly path: string;
  readonly files: Files;
  /** Of techne: another version may read heads differently. */
  readonly version: string;
  /** Default: 256 MB. */
  readonly maxBytes?: number;
}

const magic = 'TECHNEIX';
const format = 3;
const prefixBytes = 20;
const defaultMaxBytes = 256 * 1024 * 1024;

interface Stored {
  readonly root: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

interface Directory {
  readonly writer: string;
  /** Last written first. */
  readonly sections: readonly Stored[];
}

export function createIndexCache(options: IndexCacheOptions): HeadIndex {
  const { path, files } = options;
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const writer = `techne ${options.version}, node ${process.version}`;

  return {
    load(rootPaths) {
      const sections = new Map<string, IndexSection>();
      withFile(path, maxBytes, writer, (directory, readAt) => {
        for (const stored of directory.sections) {
          if (!rootPaths.includes(stored.root)) continue;
          const section = decodeSection(readAt(stored));
          if (section !== null) sections.set(stored.root, section);
        }
      });
      return sections;
    },

    async save(sections) {
      const blocks: { root: string; bytes: Uint8Array; crc: number }[] = [];
      let total = 0;
      const add = (root: string, bytes: Uint8Array, crc: number): void => {
        if (total + bytes.length > maxBytes) return;
        total += bytes.length;
        blocks.push({ root, bytes, crc });
      };
      for (const [root, section] of sections) {
        const bytes = encodeSection(section);
        add(root, bytes, crc32(bytes));
      }
      withFile(path, maxBytes, writer, (directory, readAt) => {
        for (const stored of directory.sections) {
          if (sections.has(stored.root)) continue;
          const bytes = readAt(stored);
          if (bytes !== null) add(stored.root, bytes, stored.crc);
        }
      });
      try {
        await files.writeAtomic(path, encodeFile(blocks, writer), 0o600);
      } catch (error) {
        // A full disk or a read-only home costs the next start some time, nothing else.
        if (!(error instanceof FileFault)) throw error;
      }
    },
  };
}

function encodeFile(blocks: readonly { root: string; bytes: Uint8Array; crc: number }[], writer: string): Uint8Array {
  let offset = 0;
  const sections = blocks.map(({ root, bytes, crc }): Stored => {
    const at = offset;
    offset += bytes.length;
    return { root, offset: at, length: bytes.length, crc };
  });
  const directory = Buffer.from(JSON.stringify({ writer, sections } satisfies Directory));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 0, 'latin1');
  prefix.writeUInt32LE(format, 8);
  prefix.writeUInt32LE(crc32(directory), 12);
  prefix.writeUInt32LE(directory.length, 16);
  return Buffer.concat([prefix, directory, ...blocks.map(({ bytes }) => bytes)]);
}

/** Calls `use` if the file is there and its directory is ours; `readAt` gives `null` for a damaged section. */
function withFile(path: string, maxBytes: number, writer: string, use: (directory: Directory, readAt: (stored: Stored) => Buffer | null) => void): void {
  let fd: number | null = null;
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return;
    const read = reader(fd, stat.size);
    const prefix = read(0, prefixBytes);
    if (prefix === null || prefix.toString('latin1', 0, 8) !== magic || prefix.readUInt32LE(8) !== format) return;
    const length = prefix.readUInt32LE(16);
    const bytes = read(prefixBytes, length);
    if (bytes === null || crc32(bytes) !== prefix.readUInt32LE(12)) return;
    const directory = JSON.parse(bytes.toString('utf8')) as Directory; // the checksum says that we wrote it
    if (directory.writer !== writer) return;
    use(directory, (stored) => {
      if (stored.length > maxBytes) return null;
      const section = read(prefixBytes + length + stored.offset, stored.length);
      return section !== null && crc32(section) === stored.crc ? section : null;
    });
  } catch (error) {
    if (codeOf(error) === '') throw error;
  } finally {
    if (fd !== null) fs.closeSync(fd);
  }
}

function reader(fd: number, size: number): (offset: number, length: number) => Buffer | null {
  return (offset, length) => {
    if (offset + length > size) return null;
    const bytes = Buffer.allocUnsafeSlow(length);
    return fs.readSync(fd, bytes, 0, length, offset) === length ? bytes : null;
  };
}

const columnsBytes = 32; // seven lengths, and four bytes so that the 64-bit numbers after them are aligned

function encodeSection(section: IndexSection): Uint8Array {
  const { signatures, ends, pathEnds, listingEnds, descriptionEnds, texts, plain, ...rest } = section;
  const columns = [signatures, ends, pathEnds, listingEnds, descriptionEnds, texts, plain].map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  const lengths = Buffer.alloc(columnsBytes);
  for (const [at, column] of columns.entries()) lengths.writeUInt32LE(column.length, at * 4);
  return Buffer.concat([lengths, ...columns, serialize(rest)]);
}

/** The large columns are views of `bytes`, not copies. */
function decodeSection(bytes: Buffer | null): IndexSection | null {
  if (bytes === null || bytes.length < columnsBytes) return null;
  let offset = columnsBytes;
  const [signatures, ends, pathEnds, listingEnds, descriptionEnds, texts, plain] = [0, 4, 8, 12, 16, 20, 24].map((at) => {
    const length = bytes.readUInt32LE(at);
    offset += length;
    return { offset: bytes.byteOffset + offset - length, length };
  }) as [Column, Column, Column, Column, Column, Column, Column];
  if (offset > bytes.length || signatures.offset % 8 !== 0) return null;
  try {
    const rest = deserialize(bytes.subarray(offset)) as Pick<IndexSection, 'timeNs' | 'count' | 'paths' | 'listings' | 'descriptions'>;
    const { count } = rest;
    const isWhole =
      signatures.length === count * 80 &&
      ends.length === count * 12 &&
      [pathEnds, listingEnds, descriptionEnds].every(({ length }) => length === count * 4) &&
      plain.length === count;
    if (!isWhole) return null;
    const { buffer } = bytes;
    return {
      ...rest,
      signatures: new BigInt64Array(buffer, signatures.offset, count * 10),
      ends: new Uint32Array(buffer, ends.offset, count * 3),
      pathEnds: new Uint32Array(buffer, pathEnds.offset, count),
      listingEnds: new Uint32Array(buffer, listingEnds.offset, count),
      descriptionEnds: new Uint32Array(buffer, descriptionEnds.offset, count),
      texts: new Uint8Array(buffer, texts.offset, texts.length),
      plain: new Uint8Array(buffer, plain.offset, count),
    };
  } catch {
    // A checksum can match by accident; V8 then refuses the bytes.
    return null;
  }
}

interface Column {
  readonly offset: number;
  readonly length: number;
}
