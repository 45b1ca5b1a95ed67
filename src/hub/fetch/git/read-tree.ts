// A commit in a repository -> its entries, and the bytes of its blobs.
//
// Nothing is checked out: names come from `ls-tree`, bytes from `cat-file`, so attributes, filters and links mean nothing.
import type { Readable } from 'node:stream';
import { damaged, overLimit } from '../../archive/limited.ts';
import type { ListedEntry, Listing } from '../../archive/listing.ts';
import { decodeName, showBytes } from '../../archive/listing.ts';
import type { FetchContext } from '../context.ts';
import type { GitPlace, GitProcess } from './run-git.ts';
import { gitFault, startGit } from './run-git.ts';

export interface OpenTree extends Listing {
  close(): Promise<void>;
}

/** The entries below `path`, all of them for `null`. */
export async function openTree(
  place: GitPlace,
  commit: string,
  path: string | null,
  source: string,
  context: FetchContext,
): Promise<OpenTree> {
  const ids = new Map<ListedEntry, string>();
  const git = startGit(
    place,
    ['ls-tree', '-r', '-z', '-l', '--full-tree', commit, ...(path === null ? [] : ['--', path])],
    context,
  );
  git.child.stdin?.end();
  let rest: Buffer = Buffer.alloc(0);
  git.stdout.on('data', (chunk: Buffer) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0)) {
      const { entry, id } = readLine(data.subarray(0, end));
      ids.set(entry, id);
      data = data.subarray(end + 1);
      if (ids.size > context.limits.listed) {
        git.kill(
          overLimit(
            `the repository has more than ${context.limits.listed} files`,
            'name the folder of the skills: owner/repo/folder',
          ),
        );
        break;
      }
    }
    rest = Buffer.from(data);
  });
  if ((await git.ended) !== 0) throw gitFault(source, git.words());
  const blobs = new BlobReader(place, source, context);
  return {
    entries: [...ids.keys()],
    read: (entry) => blobs.read(ids.get(entry) ?? '', entry.size),
    close: () => blobs.close(),
  };
}

/** `MODE TYPE ID SIZE\tPATH`. */
function readLine(line: Buffer): { readonly entry: ListedEntry; readonly id: string } {
  const tab = line.indexOf(9);
  const [mode = '', , id = '', size = ''] = line.subarray(0, tab).toString('latin1').split(/ +/);
  const raw = line.subarray(tab + 1);
  const name = decodeName(raw);
  const kind = mode.startsWith('100') ? 'file' : mode === '120000' ? 'link' : 'other';
  const fault =
    name === null
      ? 'its name is not UTF-8'
      : mode === '160000'
        ? 'it is a repository of its own (a submodule), which is not fetched'
        : null;
  return {
    id,
    entry: {
      path: name ?? showBytes(raw),
      kind,
      size: kind === 'file' ? Number(size) : 0,
      executable: mode === '100755',
      fault,
    },
  };
}

/** One process of `cat-file --batch`, asked for one blob after the other. */
class BlobReader {
  readonly #place: GitPlace;
  readonly #source: string;
  readonly #context: FetchContext;
  #git: GitProcess | null = null;
  #chunks: AsyncIterator<Buffer> | null = null;
  #rest: Buffer = Buffer.alloc(0);

  constructor(place: GitPlace, source: string, context: FetchContext) {
    this.#place = place;
    this.#source = source;
    this.#context = context;
  }

  async read(id: string, size: number): Promise<Uint8Array> {
    this.#git ??= startGit(this.#place, ['cat-file', '--batch'], this.#context);
    this.#chunks ??= (this.#git.stdout as Readable & AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    this.#git.child.stdin?.write(`${id}\n`);
    let end = this.#rest.indexOf(10);
    while (end === -1) {
      await this.#more();
      end = this.#rest.indexOf(10);
    }
    const header = this.#rest.subarray(0, end).toString('latin1');
    if (header !== `${id} blob ${size}`)
      throw damaged('the repository is damaged: a file of the commit is not there');
    this.#rest = this.#rest.subarray(end + 1);
    const pieces: Buffer[] = [];
    let have = 0;
    while (have < size + 1) {
      if (this.#rest.length === 0) await this.#more();
      const piece = this.#rest.subarray(0, size + 1 - have);
      pieces.push(piece);
      have += piece.length;
      this.#rest = this.#rest.subarray(piece.length);
    }
    return new Uint8Array(Buffer.concat(pieces).subarray(0, size));
  }

  async #more(): Promise<void> {
    const next = (await this.#chunks?.next()) ?? { done: true, value: undefined };
    if (next.done === true) {
      await this.#git?.ended;
      throw gitFault(this.#source, this.#git?.words() ?? '');
    }
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
  }

  async close(): Promise<void> {
    this.#git?.child.stdin?.end();
    this.#git?.kill(new Error('closed'));
    await this.#git?.ended.catch(() => undefined);
  }
}
