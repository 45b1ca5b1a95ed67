// A zip archive in memory -> its entries.
//
//   end record -> central directory -> for each entry: its local header, checked against it -> stored or deflated bytes
//
// Z1. Two readers cannot see two archives: one end record at the very end, the directory right before it, every local header
//     equal to its entry of the directory, and no two entries that share bytes.
// Z2. Zip64, encryption, several disks and methods other than stored and deflate are refused.
// Z3. A file is unpacked only when it is read, to exactly its stated size and checksum.
import { crc32, inflateRawSync } from 'node:zlib';
import { codeOf } from '../../node/files/file-fault.ts';
import { checkRatio, damaged, overLimit } from './limited.ts';
import type { ListedEntry, Listing } from './listing.ts';
import { decodeName, plainPath, showBytes } from './listing.ts';
import type { ArchiveLimits } from './read-tar.ts';

const endSignature = 0x06054b50;
const centralSignature = 0x02014b50;
const localSignature = 0x04034b50;
const endSize = 22;
const centralSize = 46;
const localSize = 30;
const longestComment = 0xffff;

interface Part {
  readonly entry: ListedEntry;
  readonly method: number;
  readonly crc: number;
  readonly start: number;
  readonly packed: number;
}

export function readZip(bytes: Uint8Array, limits: ArchiveLimits): Listing {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { count, offset, size } = findEnd(archive);
  if (count > limits.entries)
    throw overLimit(`the archive has ${count} entries; the limit is ${limits.entries}`);
  const parts: Part[] = [];
  const ranges: { readonly from: number; readonly to: number }[] = [];
  let at = offset;
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    const found = readEntry(archive, at, offset + size);
    at = found.next;
    ranges.push(found.range);
    if (found.part.entry.path === '' && found.part.entry.kind === 'folder') continue;
    parts.push(found.part);
    total += found.part.entry.size;
    if (total > limits.totalBytes) throw overLimit(`the archive holds more than ${limits.totalBytes} bytes`);
  }
  if (at !== offset + size)
    throw damaged('the archive is damaged: its directory has another length than it says');
  checkOverlap(ranges, offset);
  checkRatio(archive.length, total, limits.ratio);
  const byEntry = new Map(parts.map((part) => [part.entry, part]));
  return {
    entries: parts.map(({ entry }) => entry),
    read: (entry) =>
      new Promise((resolve) => {
        const part = byEntry.get(entry);
        if (part === undefined) throw new Error('not a file of this archive');
        resolve(unpack(archive, part));
      }),
  };
}

/** The end record stands at the very end, but for its own comment. */
function findEnd(archive: Buffer): {
  readonly count: number;
  readonly offset: number;
  readonly size: number;
} {
  const first = Math.max(0, archive.length - endSize - longestComment);
  let end = -1;
  for (let at = archive.length - endSize; at >= first; at -= 1) {
    if (
      archive.readUInt32LE(at) !== endSignature ||
      at + endSize + archive.readUInt16LE(at + 20) !== archive.length
    )
      continue;
    if (end !== -1) throw damaged('the archive is damaged: it has two ends');
    end = at;
  }
  if (end === -1) throw damaged('the archive is not a zip archive, or is cut off');
  const [disk, firstDisk] = [archive.readUInt16LE(end + 4), archive.readUInt16LE(end + 6)];
  const [onDisk, count] = [archive.readUInt16LE(end + 8), archive.readUInt16LE(end + 10)];
  const [size, offset] = [archive.readUInt32LE(end + 12), archive.readUInt32LE(end + 16)];
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff)
    throw damaged('the archive is a zip64 archive, which is not read');
  if (disk !== 0 || firstDisk !== 0 || onDisk !== count)
    throw damaged('the archive is spread over several files');
  if (offset + size !== end)
    throw damaged('the archive is damaged: its directory does not end where the archive does');
  return { count, offset, size };
}

function readEntry(
  archive: Buffer,
  at: number,
  end: number,
): {
  readonly part: Part;
  readonly range: { readonly from: number; readonly to: number };
  readonly next: number;
} {
  if (at + centralSize > end || archive.readUInt32LE(at) !== centralSignature)
    throw damaged('the archive is damaged: its directory cannot be read');
  const flags = archive.readUInt16LE(at + 8);
  const method = archive.readUInt16LE(at + 10);
  const crc = archive.readUInt32LE(at + 16);
  const packed = archive.readUInt32LE(at + 20);
  const size = archive.readUInt32LE(at + 24);
  const nameLength = archive.readUInt16LE(at + 28);
  const extraLength = archive.readUInt16LE(at + 30);
  const next = at + centralSize + nameLength + extraLength + archive.readUInt16LE(at + 32);
  const local = archive.readUInt32LE(at + 42);
  if (next > end) throw damaged('the archive is damaged: its directory is cut off');
  if (packed === 0xffffffff || size === 0xffffffff || local === 0xffffffff)
    throw damaged('the archive is a zip64 archive, which is not read');
  const name = archive.subarray(at + centralSize, at + centralSize + nameLength);
  const extra = archive.subarray(at + centralSize + nameLength, at + centralSize + nameLength + extraLength);
  const start = dataStart(archive, local, { name, flags, method, crc, packed, size });
  const text = decodeName(name);
  const madeBy = archive.readUInt16LE(at + 4) >> 8;
  const mode = madeBy === 3 || madeBy === 19 ? archive.readUInt16LE(at + 40) : 0;
  const kind = kindOf(text ?? '', mode);
  return {
    part: {
      entry: {
        path: text === null ? showBytes(name) : plainPath(text),
        kind,
        size: kind === 'file' ? size : 0,
        executable: kind === 'file' && (mode & 0o100) !== 0,
        fault: entryFault({ text, flags, method, kind, size, packed, extra }),
      },
      method,
      crc,
      start,
      packed,
    },
    range: { from: local, to: start + packed },
    next,
  };
}

interface Stated {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
}

/** Where the bytes of an entry start, after its local header was compared with the directory. */
function dataStart(archive: Buffer, local: number, stated: Stated): number {
  if (local + localSize > archive.length || archive.readUInt32LE(local) !== localSignature)
    throw damaged('the archive is damaged: an entry is not where the directory says');
  const name = archive.subarray(local + localSize, local + localSize + archive.readUInt16LE(local + 26));
  const start = local + localSize + name.length + archive.readUInt16LE(local + 28);
  // With a data descriptor the local header may leave these three at 0.
  const later = (stated.flags & 0x8) !== 0;
  const same = (offset: number, value: number): boolean => {
    const found = archive.readUInt32LE(local + offset);
    return found === value || (later && found === 0);
  };
  if (
    !name.equals(stated.name) ||
    archive.readUInt16LE(local + 6) !== stated.flags ||
    archive.readUInt16LE(local + 8) !== stated.method ||
    !same(14, stated.crc) ||
    !same(18, stated.packed) ||
    !same(22, stated.size)
  )
    throw damaged(`the archive is damaged: the directory and the entry "${showBytes(stated.name)}" differ`);
  if (start + stated.packed > archive.length) throw damaged('the archive is damaged: an entry is cut off');
  return start;
}

const fileType = 0o170000;

function kindOf(name: string, mode: number): ListedEntry['kind'] {
  switch (mode & fileType) {
    case 0:
    case 0o100000:
      return name.endsWith('/') ? 'folder' : 'file';
    case 0o040000:
      return 'folder';
    case 0o120000:
      return 'link';
    default:
      return 'other';
  }
}

function entryFault(entry: {
  readonly text: string | null;
  readonly flags: number;
  readonly method: number;
  readonly kind: ListedEntry['kind'];
  readonly size: number;
  readonly packed: number;
  readonly extra: Buffer;
}): string | null {
  // Encrypted, strongly encrypted, or with a masked directory.
  if ((entry.flags & 0x2041) !== 0) return 'it is encrypted';
  if (entry.text === null) return 'its name is not UTF-8';
  if (hasOtherName(entry.extra)) return 'it has a second name';
  if (entry.kind === 'folder') return entry.size > 0 ? 'it is a folder with content' : null;
  if (entry.method !== 0 && entry.method !== 8)
    return `it is packed by a method that is not read (${entry.method})`;
  if (entry.method === 0 && entry.size !== entry.packed) return 'it is stored with another size than it says';
  return null;
}

/** The Unicode path field of Info-ZIP, by which other readers would name the file. */
function hasOtherName(extra: Buffer): boolean {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 0x7075) return true;
  return false;
}

function checkOverlap(ranges: { readonly from: number; readonly to: number }[], directory: number): void {
  let last = 0;
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (from < last || to > directory) throw damaged('the archive is damaged: entries share the same bytes');
    last = to;
  }
}

function unpack(archive: Buffer, { entry, method, crc, start, packed }: Part): Uint8Array {
  const raw = archive.subarray(start, start + packed);
  let bytes: Uint8Array;
  try {
    bytes =
      method === 0 ? new Uint8Array(raw) : inflateRawSync(raw, { maxOutputLength: Math.max(1, entry.size) });
  } catch (error) {
    if (codeOf(error) === '') throw error;
    throw damaged(`"${entry.path}" in the archive cannot be unpacked`, error);
  }
  if (bytes.length !== entry.size || crc32(bytes) !== crc)
    throw damaged(`"${entry.path}" in the archive does not have the size or the checksum it states`);
  return bytes;
}
