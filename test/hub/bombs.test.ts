// Sources that unfold: each in a process of its own, which keeps within 256 MB of memory, within its disk, and cleans up.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDeflateRaw, createGzip, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../src/hub/source/source.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, modules } from '../support/child-program.ts';
import type { CraftedEntry } from '../support/hub/craft.ts';
import {
  commitCrafted,
  noGit,
  paxOf,
  skillText,
  tarHeader,
  tarOf,
  tgzOf,
  writeObject,
  zipOf,
} from '../support/hub/craft.ts';
import type { LocalServer } from '../support/hub/npm-registry.ts';
import { serve } from '../support/hub/npm-registry.ts';
import type { Bench } from '../support/hub/options.ts';
import { openBench } from '../support/hub/options.ts';

const mebibyte = 1024 * 1024;
const mostMiB = 256;
const gitBytes = 12 * mebibyte;
const good: CraftedEntry = { name: 'skills/good/SKILL.md', bytes: skillText('good') };
const zeros = Buffer.alloc(mebibyte);

/** `count` mebibytes of zeros between two texts, packed without holding them. */
async function packed(
  to: ReturnType<typeof createGzip>,
  start: Buffer,
  count: number,
  end: Buffer,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  to.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise((resolve) => to.on('end', resolve));
  to.write(start);
  for (let at = 0; at < count; at += 1)
    if (!to.write(zeros)) await new Promise((resolve) => to.once('drain', resolve));
  to.end(end);
  await done;
  return Buffer.concat(chunks);
}

describe('bombs', () => {
  let child: ChildProgram;
  let bench: Bench;
  const servers: LocalServer[] = [];
  beforeAll(async () => {
    child = await childProgram('fetch-source', modules);
  });
  afterAll(() => child.close());
  beforeEach(() => {
    bench = openBench({}, { limits: { gitBytes, idleMs: 5_000, totalMs: 60_000 } });
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
    bench.close();
  });

  /** Code or skills; throws when memory, disk or the temporary folder are over their bounds. */
  async function outcome(source: Source): Promise<string> {
    const temp = bench.options.tempFolder as string;
    let disk = 0;
    let gitMiB = 0;
    const watch = setInterval(() => {
      disk = Math.max(disk, sizeOf(temp));
      gitMiB = Math.max(gitMiB, memoryIn(temp));
    }, 20);
    const printed = await child
      .run(JSON.stringify(source), JSON.stringify(bench.options))
      .finally(() => clearInterval(watch));
    const last = JSON.parse(printed.trim().split('\n').at(-1) as string) as {
      outcome: string;
      peakMiB: number;
    };
    expect(last.peakMiB).toBeLessThanOrEqual(mostMiB);
    expect(gitMiB).toBeLessThanOrEqual(mostMiB);
    expect(disk).toBeLessThanOrEqual(gitBytes + mebibyte);
    expect(bench.leftovers()).toEqual([]);
    return last.outcome;
  }

  const archive = (name: string, bytes: Buffer): Source => {
    const location = join(bench.folder, name);
    writeFileSync(location, bytes);
    return { kind: 'archive', location, digest: null, skills: [] };
  };
  const git = (change: object = {}): Source => ({
    kind: 'git',
    url: `file://${bench.folder}/repository`,
    ref: null,
    path: null,
    treePath: null,
    skills: [],
    ...change,
  });
  const web = async (path: string, answer: Parameters<typeof serve>[0]): Promise<string> => {
    const server = await serve(answer);
    servers.push(server);
    return `${server.url}${path}`;
  };

  it('stops at a tar.gz of one huge file', async () => {
    const start = Buffer.concat([
      tarOf([good]).subarray(0, -1024),
      tarHeader(Buffer.from('skills/good/x'), '0', 600 * mebibyte, 0o644),
    ]);
    expect(
      await outcome(archive('a.tar.gz', await packed(createGzip(), start, 600, Buffer.alloc(1024)))),
    ).toBe('SOURCE_LIMIT');
  });

  it('stops at a tar.gz of many files within the limit of each', async () => {
    const bytes = Buffer.alloc(15 * mebibyte);
    const entries = Array.from({ length: 8 }, (_, at): CraftedEntry => ({
      name: `skills/good/${at}`,
      bytes,
    }));
    expect(await outcome(archive('a.tar.gz', tgzOf([good, ...entries])))).toBe('SOURCE_LIMIT');
  });

  it('stops at an archive of too many entries', async () => {
    const entries = Array.from({ length: 30_000 }, (_, at): CraftedEntry => ({
      name: `skills/good/${at}`,
      bytes: '',
    }));
    expect(await outcome(archive('a.tar', tarOf([good, ...entries])))).toBe('SOURCE_LIMIT');
    expect(await outcome(archive('a.zip', zipOf([good, ...entries])))).toBe('SOURCE_LIMIT');
  });

  it('stops at an archive of folders without end', async () => {
    const entries = Array.from({ length: 12_000 }, (_, at): CraftedEntry => ({
      name: `d${at}/`,
      kind: 'folder',
    }));
    expect(await outcome(archive('a.tar', tarOf([good, ...entries])))).toBe('SOURCE_LIMIT');
  });

  it('does not unpack an archive in an archive', async () => {
    const inner = await packed(createGzip(), Buffer.alloc(0), 300, Buffer.alloc(0));
    expect(
      await outcome(archive('a.zip', zipOf([good, { name: 'skills/good/inner.gz', bytes: inner }]))),
    ).toBe('good 2');
  });

  it('stops at a zip that states a huge size', async () => {
    const raw = await packed(
      createDeflateRaw() as ReturnType<typeof createGzip>,
      Buffer.alloc(0),
      400,
      Buffer.alloc(0),
    );
    const honest = zipOf([
      good,
      { name: 'skills/good/x', bytes: raw, method: 0, statedSize: 400 * mebibyte },
    ]);
    expect(await outcome(archive('a.zip', honest))).toBe('SOURCE_LIMIT');
  });

  it('stops at a zip that unpacks to more than it states', async () => {
    const bytes = Buffer.alloc(200 * mebibyte);
    const lying = zipOf([good, { name: 'skills/good/x', bytes, statedSize: 1000 }]);
    expect(await outcome(archive('a.zip', lying))).toBe('SOURCE_DAMAGED');
  });

  it('stops at a zip whose entries share their bytes', async () => {
    expect(await outcome(archive('a.zip', overlapping(200)))).toBe('SOURCE_DAMAGED');
  });

  it('stops at a header that says it is huge', async () => {
    const header = tarHeader(Buffer.from('pax'), 'x', 2 ** 32, 0o644);
    expect(await outcome(archive('a.tar', Buffer.concat([header, Buffer.alloc(4096)])))).toBe('SOURCE_LIMIT');
    const sized = Buffer.concat([
      ...paxOf([['size', '99999999999999']]),
      tarHeader(Buffer.from('x'), '0', 0, 0o644),
    ]);
    expect(await outcome(archive('b.tar', Buffer.concat([sized, Buffer.alloc(4096)])))).toBe(
      'SOURCE_DAMAGED',
    );
  });

  it('stops at a SKILL.md that unfolds', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`,
    ).join('\n');
    const text = `---\nname: good\ndescription: d\na0: &a0 [x,x,x,x,x,x,x,x,x]\n${laughs}\n---\n`;
    expect(await outcome(archive('a.zip', zipOf([{ name: 'SKILL.md', bytes: text }])))).toBe('good 1');
  });

  it('stops at a server that sends without end', async () => {
    const url = await web('a.tar.gz', (_, response) => {
      const more = (): void => {
        while (response.write(zeros));
        response.once('drain', more);
      };
      more();
    });
    expect(await outcome({ kind: 'archive', location: url, digest: null, skills: [] })).toBe('SOURCE_LIMIT');
  });

  it('stops at an answer that was packed to unfold', async () => {
    const bytes = await packed(createGzip(), Buffer.alloc(0), 600, Buffer.alloc(0));
    const url = await web('a.tar', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
    );
    expect(await outcome({ kind: 'archive', location: url, digest: null, skills: [] })).toBe('SOURCE_LIMIT');
  });

  it('stops at an index that is nested without end', async () => {
    const url = await web('', (_, response) => response.end(`{"skills":${'['.repeat(5_000_000)}`));
    expect(await outcome({ kind: 'well-known', url, skills: [] })).toBe('SOURCE_DAMAGED');
  });

  it('stops at a list of versions without end', async () => {
    const url = await web('', (_, response) => {
      response.write('{"versions":{"x":"');
      const more = (): void => {
        while (response.write(zeros));
        response.once('drain', more);
      };
      more();
    });
    bench = { ...bench, options: { ...bench.options, hub: { ...bench.options.hub, npmRegistry: url } } };
    expect(await outcome({ kind: 'npm', name: 'x', range: null, skills: [] })).toBe('SOURCE_LIMIT');
  });

  it('passes over a huge file of a folder', async () => {
    const folder = join(bench.folder, 'folder');
    mkdirSync(folder);
    writeFileSync(join(folder, 'SKILL.md'), skillText('good'));
    const file = openSync(join(folder, 'sparse'), 'w');
    ftruncateSync(file, 8 * 1024 * mebibyte);
    closeSync(file);
    expect(await outcome({ kind: 'folder', path: folder, skills: [] })).toBe('good 1');
  });

  it.skipIf(noGit)('passes over a huge file of a repository, or stops at it', async () => {
    const huge = Buffer.alloc(400 * mebibyte);
    commitCrafted(join(bench.folder, 'repository'), [good, { name: 'skills/good/x', bytes: huge }]);
    // The side that serves a file:// address works within the same limits.
    expect(['good 1', 'SOURCE_LIMIT']).toContain(await outcome(git()));
  });

  it.skipIf(noGit)('stops at a repository that is too large for the disk', async () => {
    const entries = Array.from({ length: 4 }, (_, at): CraftedEntry => ({
      name: `x${at}`,
      bytes: noise(5 * mebibyte, at),
    }));
    commitCrafted(join(bench.folder, 'repository'), [good, ...entries]);
    expect(await outcome(git())).toBe('SOURCE_LIMIT');
  });

  it.skipIf(noGit)('stops at trees that unfold', async () => {
    const folder = join(bench.folder, 'repository');
    commitCrafted(folder, [good]);
    let tree = writeObject(
      folder,
      'tree',
      Buffer.concat([
        Buffer.from('100644 f\0'),
        Buffer.from(writeObject(folder, 'blob', Buffer.from('x')), 'hex'),
      ]),
    );
    for (let level = 0; level < 10; level += 1)
      tree = writeObject(
        folder,
        'tree',
        Buffer.concat(
          Array.from({ length: 10 }, (_, at) =>
            Buffer.concat([Buffer.from(`40000 d${at}\0`), Buffer.from(tree, 'hex')]),
          ),
        ),
      );
    const person = 't <t@example.org> 1767323045 +0000';
    const commit = writeObject(
      folder,
      'commit',
      Buffer.from(`tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nbomb\n`),
    );
    writeFileSync(join(folder, 'refs/heads/main'), `${commit}\n`);
    expect(await outcome(git())).toBe('SOURCE_LIMIT');
  });

  it('accepts what is within the limits, in the same memory', async () => {
    const entries = Array.from({ length: 20 }, (_, at): CraftedEntry => ({
      name: `skills/good/${at}`,
      bytes: noise(mebibyte, at),
    }));
    expect(await outcome(archive('a.tar.gz', gzipSync(tarOf([good, ...entries]))))).toBe('good 21');
  });
});

/** Bytes that do not compress, the same each time. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed * 2654435761 + 1;
  for (let at = 0; at < length; at += 4) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    bytes.writeInt32LE(state, at);
  }
  return bytes;
}

/** One piece of packed bytes that every entry of the directory leads to. */
function overlapping(count: number): Buffer {
  const content = Buffer.alloc(10 * mebibyte);
  const data = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(1000, 22);
  local.writeUInt16LE(1, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  local.copy(central, 8, 6, 28);
  const directory = Buffer.concat(
    Array.from({ length: count }, () => Buffer.concat([central, Buffer.from('x')])),
  );
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(31 + data.length, 16);
  return Buffer.concat([local, Buffer.from('x'), data, directory, end]);
}

/** The most memory of a process that works in the folder, where the system tells: git, while it fetches. */
function memoryIn(folder: string): number {
  if (!existsSync('/proc/self/status')) return 0;
  const peaks = readdirSync('/proc').map((pid) => {
    if (!/^\d+$/.test(pid)) return 0;
    try {
      if (!readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return 0;
      return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch (error) {
      // It has ended, or belongs to somebody else.
      if (!(error instanceof Error && 'code' in error)) throw error;
      return 0;
    }
  });
  return Math.max(...peaks);
}

function sizeOf(folder: string): number {
  let bytes = 0;
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const facts = statSync(join(folder, name));
      if (facts.isFile()) bytes += facts.size;
    }
  } catch (error) {
    // A file that was removed while it was counted.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  return bytes;
}
