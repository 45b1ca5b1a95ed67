// The index of heads as one file.
//
//   file    = "TECHNEIX" u32 format u32 crc(directory) u32 length(directory), directory (JSON), (section texts)*
//   section = u32 length of each of the seven columns below, signatures, ends of texts, of paths, of listings,
//             of cards, cards, kinds of cards, the rest (v8.serialize)
//
// Anything that this version did not write exactly so (another format, another version of techne or Node, a wrong
// checksum, a torn end) counts as missing; no content can make a load fail. The file is replaced by a rename, so
// concurrent writers leave one of two valid files. Only the sections of the requested roots are read, and their texts
// on demand from the same open file (held-file.ts); sections of other roots are copied as bytes. Over `maxBytes` the
// oldest sections are dropped.
import * as fs from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { HeadIndex, IndexSection } from '../../registry/cache/head-index.ts';
import { codeOf } from './file-fault.ts';
import { HeldFile } from './held-file.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';

interface IndexCacheOptions {
  /** The file; its folder is made when missing. */
  readonly path: string;
  readonly files: Files;
  /** Of techne: another version may read heads differently. */
  readonly version: string;
  /** Default: 256 MB. */
  readonly maxBytes?: number;
}

const magic = 'TECHNEIX';
const format = 5;
const prefixBytes = 20;
const defaultMaxBytes = 256 * 1024 * 1024;

/** A part of the file; `offset` counts from the end of the directory. */
interface Block {
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

interface Stored {
  readonly root: string;
  readonly section: Block;
  readonly texts: Block;
}

interface Directory {
  readonly writer: string;
  /** Last written first. */
  readonly sections: readonly Stored[];
}

/** The section of a root. */
interface Kept {
  readonly root: string;
  readonly section: Uint8Array;
  readonly texts: Uint8Array;
}

export function createIndexCache(options: IndexCacheOptions): HeadIndex {
  const { path, files } = options;
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  const writer = `techne ${options.version}, node ${process.version}`;

  return {
    load(rootPaths) {
      const sections = new Map<string, IndexSection>();
      withFile(path, maxBytes, writer, (file) => {
        for (const { root, section, texts } of file.directory.sections) {
          if (!rootPaths.includes(root) || !file.holds(texts)) continue;
          const decoded = decodeSection(
            file.read(section),
            file.held.later(() => file.read(texts)),
          );
          if (decoded !== null) sections.set(root, decoded);
        }
      });
      return sections;
    },

    async save(sections) {
      const kept: Kept[] = [];
      let total = 0;
      const add = (one: Kept): void => {
        const bytes = one.section.length + one.texts.length;
        if (total + bytes > maxBytes) return;
        total += bytes;
        kept.push(one);
      };
      for (const [root, section] of sections) {
        const texts = section.texts();
        if (texts !== null) add({ root, section: encodeSection(section), texts });
      }
      withFile(path, maxBytes, writer, (file) => {
        for (const stored of file.directory.sections) {
          if (sections.has(stored.root)) continue;
          const section = file.read(stored.section);
          const texts = file.read(stored.texts);
          if (section !== null && texts !== null) add({ root: stored.root, section, texts });
        }
      });
      try {
        await files.writeAtomic(path, encodeFile(kept, writer), 0o600);
      } catch (error) {
        // A full disk or a read-only home costs the next start some time, nothing else.
        if (!(error instanceof FileFault)) throw error;
      }
    },
  };
}

function encodeFile(kept: readonly Kept[], writer: string): Uint8Array {
  let offset = 0;
  const place = (bytes: Uint8Array): Block => {
    const at = offset;
    offset += bytes.length;
    return { offset: at, length: bytes.length, crc: crc32(bytes) };
  };
  const sections = kept.map(({ root, section, texts }): Stored => ({
    root,
    section: place(section),
    texts: place(texts),
  }));
  const directory = Buffer.from(JSON.stringify({ writer, sections } satisfies Directory));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 0, 'latin1');
  prefix.writeUInt32LE(format, 8);
  prefix.writeUInt32LE(crc32(directory), 12);
  prefix.writeUInt32LE(directory.length, 16);
  return Buffer.concat([prefix, directory, ...kept.flatMap(({ section, texts }) => [section, texts])]);
}

interface IndexFile {
  readonly directory: Directory;
  readonly held: HeldFile;
  holds(block: Block): boolean;
  /** `null` for a block that is damaged. */
  read(block: Block): Buffer | null;
}

/** Calls `use` if the file is there and its directory is ours. */
function withFile(path: string, maxBytes: number, writer: string, use: (file: IndexFile) => void): void {
  let held: HeldFile | null = null;
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    held = new HeldFile(fd);
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) return;
    const prefix = readBytes(fd, 0, prefixBytes);
    if (prefix === null || prefix.toString('latin1', 0, 8) !== magic || prefix.readUInt32LE(8) !== format)
      return;
    const length = prefix.readUInt32LE(16);
    const start = prefixBytes + length;
    if (start > stat.size) return;
    const bytes = readBytes(fd, prefixBytes, length);
    if (bytes === null || crc32(bytes) !== prefix.readUInt32LE(12)) return;
    const directory = JSON.parse(bytes.toString('utf8')) as Directory; // the checksum shows that techne wrote it
    if (directory.writer !== writer) return;
    const holds = (block: Block): boolean =>
      block.length <= maxBytes && start + block.offset + block.length <= stat.size;
    use({
      directory,
      held,
      holds,
      read(block) {
        const read = holds(block) ? readBytes(fd, start + block.offset, block.length) : null;
        return read !== null && crc32(read) === block.crc ? read : null;
      },
    });
  } catch (error) {
    if (codeOf(error) === '') throw error;
  } finally {
    held?.settle();
  }
}

/** `null` where the file ends before, or cannot be read. */
function readBytes(fd: number, offset: number, length: number): Buffer | null {
  const bytes = Buffer.allocUnsafeSlow(length);
  try {
    return fs.readSync(fd, bytes, 0, length, offset) === length ? bytes : null;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

const columnsBytes = 32; // seven lengths, and four bytes so that the 64-bit numbers after them are aligned

function encodeSection(section: IndexSection): Uint8Array {
  const { signatures, ends, pathEnds, listingEnds, cardEnds, cards, kinds, texts: _, ...rest } = section;
  const columns = [signatures, ends, pathEnds, listingEnds, cardEnds, cards, kinds].map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  const lengths = Buffer.alloc(columnsBytes);
  for (const [at, column] of columns.entries()) lengths.writeUInt32LE(column.length, at * 4);
  return Buffer.concat([lengths, ...columns, serialize(rest)]);
}

/** The large columns are views of `bytes`, not copies. */
function decodeSection(bytes: Buffer | null, readTexts: IndexSection['texts']): IndexSection | null {
  if (bytes === null || bytes.length < columnsBytes) return null;
  let offset = columnsBytes;
  const [signatures, ends, pathEnds, listingEnds, cardEnds, cards, kinds] = [0, 4, 8, 12, 16, 20, 24].map(
    (at) => {
      const length = bytes.readUInt32LE(at);
      offset += length;
      return { offset: bytes.byteOffset + offset - length, length };
    },
  ) as [Column, Column, Column, Column, Column, Column, Column];
  if (offset > bytes.length || signatures.offset % 8 !== 0) return null;
  try {
    const rest = deserialize(bytes.subarray(offset)) as Pick<
      IndexSection,
      'timeNs' | 'count' | 'paths' | 'listings'
    >;
    const { count } = rest;
    const isWhole =
      signatures.length === count * 80 &&
      ends.length === count * 8 &&
      cardEnds.length === count * 8 &&
      pathEnds.length === count * 4 &&
      listingEnds.length === count * 4 &&
      kinds.length === count;
    if (!isWhole) return null;
    const { buffer } = bytes;
    return {
      ...rest,
      signatures: new BigInt64Array(buffer, signatures.offset, count * 10),
      ends: new Uint32Array(buffer, ends.offset, count * 2),
      pathEnds: new Uint32Array(buffer, pathEnds.offset, count),
      listingEnds: new Uint32Array(buffer, listingEnds.offset, count),
      cardEnds: new Uint32Array(buffer, cardEnds.offset, count * 2),
      cards: new Uint8Array(buffer, cards.offset, cards.length),
      kinds: new Uint8Array(buffer, kinds.offset, count),
      texts: readTexts,
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
