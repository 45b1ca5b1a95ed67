// The image of a matcher as one file.
//
//   file = "TECHNEWX" u32 format u32 crc(directory) u32 length(directory), directory (JSON), padding to 8, columns, region
//
// Anything that this version did not write exactly so (another format, another version of techne or Node, a wrong
// checksum, a torn end) counts as missing. The file is replaced by a rename, so of concurrent writers one leaves its whole
// file. It stays open: what is read later is what was opened, whatever was put in its place. Where an open file cannot be
// replaced (Windows), it is read whole. Each set of roots has its own file in the folder; beyond `mostFiles` the oldest go.
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { type ColumnBytes, DamagedImage, type Image, type KeptImage } from '../../ports/image.ts';
import { codeOf } from './file-fault.ts';

interface ImageFileOptions {
  /** Its folder holds such files only, and is made when missing. */
  readonly path: string;
  readonly files: Files;
  /** Of techne: another version may read words differently. */
  readonly version: string;
  /** Default: 512 MB. */
  readonly maxBytes?: number;
}

/** Where an image is kept between processes. A lost one costs time, nothing else. */
export interface ImageFile {
  /** Null where there is none that this version wrote. What is damaged shows when it is read. */
  open(): KeptImage | null;
  save(image: Image): Promise<void>;
}

/** The checksum of images. */
export function imageChecksum(bytes: Uint8Array): number {
  return crc32(bytes);
}

const magic = 'TECHNEWX';
const format = 1;
const prefixBytes = 20;
const mostFiles = 8;

interface Directory {
  readonly writer: string;
  /** Where the region starts. Places count from the end of the directory. */
  readonly region: number;
  readonly length: number;
  readonly columns: { readonly [name: string]: readonly [offset: number, length: number, crc: number] };
}

export function createImageFile(options: ImageFileOptions): ImageFile {
  const { path, files, maxBytes = 512 * 1024 * 1024 } = options;
  const writer = `techne ${options.version}, node ${process.version}`;
  return {
    open: () => openImage(path, writer),
    async save(image) {
      const parts = encode(image, writer);
      if (parts.reduce((sum, { byteLength }) => sum + byteLength, 0) > maxBytes) return;
      try {
        await files.writeAtomic(path, Buffer.concat(parts), 0o600);
        removeOldest(dirname(path));
      } catch (error) {
        // A full disk or a read-only home costs the next start some time, nothing else.
        if (!(error instanceof FileFault)) throw error;
      }
    },
  };
}

function encode({ columns, region }: Image, writer: string): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  const places: Record<string, readonly [number, number, number]> = {};
  let offset = 0;
  const add = (bytes: Uint8Array): void => {
    parts.push(bytes);
    offset += bytes.length;
    const rest = -offset & 7;
    if (rest > 0) parts.push(new Uint8Array(rest));
    offset += rest;
  };
  for (const [name, numbers] of columns) {
    const bytes = bytesOf(numbers);
    places[name] = [offset, bytes.length, crc32(bytes)];
    add(bytes);
  }
  const start = offset;
  for (const numbers of region) {
    parts.push(bytesOf(numbers));
    offset += numbers.byteLength;
  }
  const directory = Buffer.from(
    JSON.stringify({ writer, region: start, length: offset, columns: places } satisfies Directory),
  );
  const prefix = Buffer.alloc(prefixBytes);
  prefix.write(magic, 0, 'latin1');
  prefix.writeUInt32LE(format, 8);
  prefix.writeUInt32LE(crc32(directory), 12);
  prefix.writeUInt32LE(directory.length, 16);
  return [prefix, directory, new Uint8Array(-(prefixBytes + directory.length) & 7), ...parts];
}

type ReadAt = (offset: number, length: number) => Buffer | null;

const closing = new FinalizationRegistry<number>((fd) => fs.closeSync(fd));

function openImage(path: string, writer: string): KeptImage | null {
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const image = imageIn(fd, writer);
    if (image === null || process.platform === 'win32') fs.closeSync(fd);
    else closing.register(image, fd);
    return image;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return null;
  }
}

function imageIn(fd: number, writer: string): KeptImage | null {
  const stat = fs.fstatSync(fd);
  if (!stat.isFile()) return null;
  const whole = process.platform === 'win32' ? fs.readFileSync(fd) : null;
  const readAt: ReadAt = (offset, length) => {
    // Memory of its own, aligned for numbers.
    const bytes = Buffer.allocUnsafeSlow(length);
    if (whole !== null) return whole.copy(bytes, 0, offset, offset + length) === length ? bytes : null;
    return fs.readSync(fd, bytes, 0, length, offset) === length ? bytes : null;
  };
  const prefix = stat.size < prefixBytes ? null : readAt(0, prefixBytes);
  if (prefix === null || prefix.toString('latin1', 0, 8) !== magic || prefix.readUInt32LE(8) !== format)
    return null;
  const length = prefix.readUInt32LE(16);
  const bytes = prefixBytes + length > stat.size ? null : readAt(prefixBytes, length);
  if (bytes === null || crc32(bytes) !== prefix.readUInt32LE(12)) return null;
  const directory = JSON.parse(bytes.toString('utf8')) as Directory; // the checksum shows that techne wrote it
  const start = prefixBytes + length + (-(prefixBytes + length) & 7);
  if (directory.writer !== writer || start + directory.length !== stat.size) return null;
  const read = (what: string, offset: number, size: number, crc: number): Uint8Array => {
    const isInside = offset >= 0 && size >= 0 && offset + size <= directory.length;
    let found: Buffer | null = null;
    try {
      found = isInside ? readAt(start + offset, size) : null;
    } catch (error) {
      if (codeOf(error) === '') throw error;
    }
    if (found === null || crc32(found) !== crc >>> 0)
      throw new DamagedImage(`${what} is not as it was written`);
    return found;
  };
  return {
    column(name) {
      const place = directory.columns[name];
      if (place === undefined) throw new DamagedImage(`"${name}" is missing`);
      return read(`"${name}"`, ...place);
    },
    region: (offset, size, crc) => read('a part', directory.region + offset, size, crc),
  };
}

/** Files that were used least lately. */
function removeOldest(folder: string): void {
  try {
    const found = fs
      .readdirSync(folder)
      .filter((name) => name.endsWith('.words'))
      .map((name) => ({ path: join(folder, name), age: fs.statSync(join(folder, name)).mtimeMs }))
      .sort((a, b) => b.age - a.age);
    for (const { path } of found.slice(mostFiles)) fs.rmSync(path, { force: true });
  } catch (error) {
    // Another process may do the same at this moment.
    if (codeOf(error) === '') throw error;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ColumnBytes): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
