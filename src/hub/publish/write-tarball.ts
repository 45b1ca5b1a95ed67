// The files of a skill -> one .tar.gz, the same bytes for the same files.
//
//   header (ustar; pax for a path that does not fit) content padding … two empty blocks -> gzip without name and time
//
// Sorted by path (UTF-16 code units); times, owners and groups are 0, modes 0755 or 0644; SKILL.md lies at the root, and
// there are no folders of their own and no links. The bytes are the same on one version of Node; another version may compress
// differently, which is why a version that is published already keeps its file (publish-site.ts).
import { gzipSync } from 'node:zlib';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { FetchedFile } from '../source/source.ts';

const blockBytes = 512;
const nameBytes = 100;
const prefixBytes = 155;

export function writeTarball(files: ReadonlyMap<string, FetchedFile>): Uint8Array {
  const parts: Uint8Array[] = [];
  const paths = [...files.keys()].sort();
  for (const path of paths) {
    const { bytes, executable } = files.get(path) as FetchedFile;
    const place = splitPath(path);
    if (place === null) {
      const record = paxRecord('path', path);
      parts.push(header('pax', '', record.length, 0o644, 'x'), record, padding(record.length));
    }
    const { name, prefix } = place ?? { name: 'file', prefix: '' };
    parts.push(
      header(name, prefix, bytes.length, executable ? 0o755 : 0o644, '0'),
      bytes,
      padding(bytes.length),
    );
  }
  parts.push(new Uint8Array(2 * blockBytes));
  const packed = gzipSync(Buffer.concat(parts), { level: 9 });
  // The system that packed it: always "unknown".
  packed[9] = 0xff;
  return packed;
}

/** `null` where ustar has no place for it. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } | null {
  // Readers disagree about the bytes of other characters outside pax.
  if (!/^[\x20-\x7e]+$/.test(path)) return null;
  if (path.length <= nameBytes) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (at <= prefixBytes && path.length - at - 1 <= nameBytes)
      return { name: path.slice(at + 1), prefix: path.slice(0, at) };
  return null;
}

/** "LENGTH key=value\n", where the length counts itself. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = encodeUtf8(` ${key}=${value}\n`);
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return Buffer.concat([encodeUtf8(String(length)), rest]);
}

function header(name: string, prefix: string, size: number, mode: number, type: string): Uint8Array {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0, 'ascii');
  block.write(octal(mode, 7), 100, 'ascii');
  block.write(octal(0, 7), 108, 'ascii');
  block.write(octal(0, 7), 116, 'ascii');
  block.write(octal(size, 11), 124, 'ascii');
  block.write(octal(0, 11), 136, 'ascii');
  block.write(' '.repeat(8), 148, 'ascii');
  block.write(type, 156, 'ascii');
  block.write('ustar\x0000', 257, 'ascii');
  block.write(prefix, 345, 'ascii');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
  return block;
}

function padding(size: number): Uint8Array {
  return new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes);
}
