// Trees that no honest tool would write, as tar, zip and git make them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { skipUnlessTool } from '../skip-unless.ts';
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export interface CraftedEntry {
  /** As it stands in the archive. */
  readonly name: string | Buffer;
  readonly kind?: 'file' | 'folder' | 'link' | 'hard-link' | 'device' | 'fifo' | 'submodule';
  readonly bytes?: Buffer | string;
  /** Of a link. */
  readonly target?: string;
  readonly executable?: boolean;
}

export const skillText = (name: string): string =>
  `---\nname: ${name}\ndescription: A skill for tests.\n---\n\nDo it.\n`;

const tarTypes = {
  file: '0',
  'hard-link': '1',
  link: '2',
  device: '3',
  fifo: '6',
  folder: '5',
  submodule: '0',
} as const;

const bytesOf = (text: string | Buffer | undefined): Buffer => Buffer.from(text ?? '');

export function tarHeader(name: Buffer, type: string, size: number, mode: number, target = ''): Buffer {
  const header = Buffer.alloc(512);
  name.copy(header, 0, 0, 100);
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(target.slice(0, 100), 157);
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** Names over 100 bytes get a pax header. */
export function tarOf(entries: readonly CraftedEntry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const name = bytesOf(entry.name);
    const kind = entry.kind ?? 'file';
    const bytes = kind === 'file' ? bytesOf(entry.bytes) : Buffer.alloc(0);
    const header = tarHeader(
      name,
      tarTypes[kind],
      bytes.length,
      entry.executable === true ? 0o755 : 0o644,
      entry.target,
    );
    return [...(name.length > 100 ? paxOf([['path', name]]) : []), header, padded(bytes)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** An extended header for the entry that follows. */
export function paxOf(
  records: readonly (readonly [string, Buffer | string])[],
  type = 'x',
): readonly Buffer[] {
  const body = Buffer.concat(
    records.map(([key, value]) => {
      const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')]);
      let length = rest.length + 1;
      while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
      return Buffer.concat([Buffer.from(String(length)), rest]);
    }),
  );
  return [tarHeader(Buffer.from('pax'), type, body.length, 0o644), padded(body)];
}

export const tgzOf = (entries: readonly CraftedEntry[]): Buffer => gzipSync(tarOf(entries));

const zipModes = {
  file: 0o100644,
  folder: 0o040755,
  link: 0o120777,
  'hard-link': 0o120777,
  device: 0o020644,
  fifo: 0o010644,
  submodule: 0o100644,
} as const;

export interface ZipEntryChange {
  readonly flags?: number;
  readonly method?: number;
  readonly statedSize?: number;
  readonly localName?: string;
  readonly extra?: Buffer;
  readonly crc?: number;
}

export function zipOf(
  entries: readonly (CraftedEntry & ZipEntryChange)[],
  tail: { readonly comment?: string } = {},
): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = bytesOf(entry.name);
    const kind = entry.kind ?? 'file';
    const content = kind === 'file' ? bytesOf(entry.bytes) : bytesOf(entry.target);
    const method = entry.method ?? (content.length > 0 ? 8 : 0);
    const packed = method === 8 ? deflateRawSync(content) : content;
    const size = entry.statedSize ?? content.length;
    const crc = entry.crc ?? crc32(content);
    const extra = entry.extra ?? Buffer.alloc(0);
    const localName = entry.localName === undefined ? name : Buffer.from(entry.localName);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(entry.flags ?? 0x800, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(localName.length, 26);
    locals.push(local, localName, packed);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    local.copy(central, 8, 6, 28);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(extra.length, 30);
    const mode = (zipModes[kind] | (entry.executable === true ? 0o111 : 0)) >>> 0;
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(offset, 42);
    centrals.push(central, name, extra);
    offset += 30 + localName.length + packed.length;
  }
  const directory = Buffer.concat(centrals);
  const comment = Buffer.from(tail.comment ?? '');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...locals, directory, end, comment]);
}

/** For `skipIf`. */
export const noGit = skipUnlessTool(spawnSync('git', ['--version']).status === 0, 'git is not installed');

/** A real git, away from the configuration of whoever runs the tests. */
export function git(folder: string, args: readonly string[], input?: Buffer | string): string {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['-c', 'init.defaultBranch=main', '-c', 'gc.auto=0', ...args],
    {
      cwd: folder,
      input,
      maxBuffer: 1 << 28,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 't',
        GIT_AUTHOR_EMAIL: 't@example.org',
        GIT_COMMITTER_NAME: 't',
        GIT_COMMITTER_EMAIL: 't@example.org',
        GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
        GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
      },
    },
  );
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.toString()}`);
  return stdout.toString().trim();
}

/** Writes the entries as one commit, without the checks that git itself has; gives the commit. */
export function commitCrafted(
  folder: string,
  entries: readonly CraftedEntry[],
  ref = 'refs/heads/main',
  seconds = 1_767_323_045,
): string {
  if (!existsSync(join(folder, 'objects'))) {
    mkdirSync(join(folder, 'objects'), { recursive: true });
    mkdirSync(join(folder, 'refs/heads'), { recursive: true });
    writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
    writeFileSync(join(folder, 'HEAD'), `ref: ${ref}\n`);
  }
  const parts = entries.map((entry) => ({ parts: bytesOf(entry.name).toString('latin1').split('/'), entry }));
  const person = `t <t@example.org> ${seconds} +0000`;
  const commit = writeObject(
    folder,
    'commit',
    Buffer.from(`tree ${writeTree(folder, parts)}\nauthor ${person}\ncommitter ${person}\n\ncrafted\n`),
  );
  mkdirSync(dirname(join(folder, ref)), { recursive: true });
  writeFileSync(join(folder, ref), `${commit}\n`);
  return commit;
}

/** A loose object, as git stores it. */
export function writeObject(folder: string, type: 'blob' | 'tree' | 'commit', bytes: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const id = createHash('sha1').update(whole).digest('hex');
  const path = join(folder, 'objects', id.slice(0, 2), id.slice(2));
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, deflateSync(whole, { level: 1 }));
  }
  return id;
}

interface Part {
  readonly parts: readonly string[];
  readonly entry: CraftedEntry;
}

function writeTree(folder: string, parts: readonly Part[]): string {
  const rows: { readonly name: string; readonly mode: string; readonly id: string }[] = [];
  const folders = new Map<string, Part[]>();
  for (const {
    parts: [first = '', ...rest],
    entry,
  } of parts) {
    if (rest.length > 0) folders.set(first, [...(folders.get(first) ?? []), { parts: rest, entry }]);
    else {
      const kind = entry.kind ?? 'file';
      if (kind === 'folder') continue;
      const mode =
        kind === 'link' || kind === 'hard-link'
          ? '120000'
          : kind === 'submodule'
            ? '160000'
            : entry.executable === true
              ? '100755'
              : '100644';
      const bytes = bytesOf(mode === '120000' ? entry.target : entry.bytes);
      rows.push({
        name: first,
        mode,
        id: kind === 'submodule' ? '1'.repeat(40) : writeObject(folder, 'blob', bytes),
      });
    }
  }
  for (const [name, inside] of folders) rows.push({ name, mode: '40000', id: writeTree(folder, inside) });
  const key = ({ name, mode }: { name: string; mode: string }): Buffer =>
    Buffer.from(mode === '40000' ? `${name}/` : name, 'latin1');
  rows.sort((a, b) => Buffer.compare(key(a), key(b)));
  const bytes = Buffer.concat(
    rows.flatMap(({ name, mode, id }) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]),
  );
  return writeObject(folder, 'tree', bytes);
}
