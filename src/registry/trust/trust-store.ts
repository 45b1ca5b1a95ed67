// What the user allowed to be executed, in a file of the user's own, outside every workspace.
//
// Records contain real paths, so that a link cannot lend its trust to another folder. Every change is read, changed and
// written under a lock: two processes that grant at the same time lose nothing. There is one digest for each place:
// trusting a new version revokes the old one, so that it cannot be put back. A trusted folder covers only local work in
// a workspace, never what was installed, downloaded or came with a plugin, nor the user's global skills, which are
// trusted by digest. A folder so wide that it contains everything (the root, the home folder, what is above it) covers
// nothing. A folder covers one workspace and none further down (trust-reach.ts), so every question about a place says to
// which workspace it belongs, or that this is unknown.
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import type { Clock, Environment } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { heldByOthers } from '../../ports/held-by-others.ts';
import type { SkillOrigin } from '../../skill/types.ts';
import { isInside } from '../../base/is-inside.ts';
import type { Root, Source } from '../types.ts';
import type { DigestTrust, FolderTrust, TrustRecords } from './trust-records.ts';
import { brokenTrust, isAbsolute, parseTrust, renderTrust } from './trust-records.ts';
import { hostFolders } from '../discover/roots.ts';

interface TrustStoreOptions {
  /** `~/.techne/trust.json`. Missing means that nothing is trusted. */
  readonly file: string;
  readonly files: Files;
  readonly environment: Pick<Environment, 'homeFolder' | 'platform'>;
  readonly clock: Clock;
}

/** Whether a skill is trusted, and by what. */
export type TrustVerdict =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'digest'; readonly digest: string }
  | { readonly kind: 'changed'; readonly digest: string; readonly trusted: DigestTrust }
  /** `around`: a trusted folder that the skill lies in, and that does not speak for it. */
  | { readonly kind: 'none'; readonly around: string | null };

/** What a root declares about the workspace of its skills. */
export type TrustRoot = Pick<Root, 'path' | 'within' | 'configuredFor'>;

/** A skill that is asked about. */
export interface TrustSubject {
  readonly realFolder: string;
  readonly origin: SkillOrigin;
  readonly source: Source;
  /** Default: unknown. */
  readonly root?: TrustRoot;
}

/** What the user allowed to be executed. */
export interface TrustStore {
  readonly file: string;
  /** Throws TRUST_STORE for a file that cannot be used; a missing one is empty. */
  list(): Promise<TrustRecords>;
  /** Throws TRUST_TOO_WIDE, FILE_MISSING, TRUST_STORE or LOCKED. */
  trustFolder(path: string): Promise<FolderTrust>;
  trustDigest(grant: {
    readonly digest: string;
    readonly name: string;
    readonly folder: string;
  }): Promise<DigestTrust>;
  /** The trusted folder that speaks for what lies at `path`, of the workspace it is in, or `null`. `folders` are trusted besides those in the file. */
  trustingFolder(path: string, folders: readonly string[], workspace: string | null): Promise<string | null>;
  /** The nearest trusted folder that `path` is or lies in, whether or not it speaks for what is there (trust-reach.ts). */
  folderAround(path: string, folders: readonly string[]): Promise<string | null>;
  /** Whether a workspace is trusted itself: then its files may widen the configuration. One below a trusted folder is not. */
  isTrustedWorkspace(path: string, folders: readonly string[]): Promise<boolean>;
  /**
   * The trust for a place, whatever is in it now, even if nothing is: a trusted folder around it, or a
   * version of what is there that was trusted. `root` is the one it lies in; `null` when that is not known.
   */
  trustAt(
    path: string,
    folders: readonly string[],
    root: TrustRoot | null,
  ): Promise<{ readonly folder: boolean; readonly version: boolean }>;
  /** Removes what names `target` as absolute path, digest or skill name; gives what was removed. */
  untrust(target: string): Promise<TrustRecords>;
  /** `digest` is asked for only when no folder answers and one was trusted there. Throws STALE when the folder was replaced. */
  decide(
    skill: TrustSubject,
    digest: () => Promise<string>,
    folders: readonly string[],
  ): Promise<TrustVerdict>;
  /** As everything is when it is first asked: for many questions at once. */
  view(folders: readonly string[]): TrustView;
  /** Differs when a `view` may differ: by the file, and by where the folders lead. `null`: that cannot be told. */
  state(folders: readonly string[]): string | null;
}

/** What decides about a skill. */
export interface TrustView {
  decide(skill: TrustSubject, digest: () => Promise<string>): Promise<TrustVerdict>;
}

const maxBytes = 16 * 1024 * 1024;
const none: TrustRecords = { folders: [], digests: [] };

export function createTrustStore({ file, files, environment, clock }: TrustStoreOptions): TrustStore {
  async function list(): Promise<TrustRecords> {
    const read = await guarded(() => files.read(file, maxBytes));
    if (read === null) return none;
    const held = heldByOthers(files, file);
    if (held !== null)
      throw new TechneError('TRUST_STORE', `${held.reason}, so "${file}" proves nothing`, {
        hint: held.hint,
      });
    const { text, valid } = decodeUtf8(read.bytes);
    if (!valid) throw brokenTrust(file, 'it is not valid UTF-8');
    return parseTrust(text, file);
  }

  async function change<T>(
    edit: (records: TrustRecords) => { records: TrustRecords; result: T },
  ): Promise<T> {
    return guarded(() =>
      files.withLock(`${file}.lock`, async () => {
        const before = await list();
        const { records, result } = edit(before);
        if (records !== before) await files.writeAtomic(file, encodeUtf8(renderTrust(records)), 0o600);
        return result;
      }),
    );
  }

  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      throw new TechneError(
        'TRUST_STORE',
        `the trust file "${file}" cannot be read or written: ${error.message}`,
        {
          hint: `make sure that you can read and write "${file}"`,
          cause: error,
        },
      );
    }
  }

  function now(): string {
    return new Date(Number(clock.nowNs() / 1_000_000n)).toISOString();
  }

  function realFolder(path: string): string {
    const real = files.realPath(path);
    if (real === null || files.stat(real)?.isDirectory() !== true) {
      throw new TechneError('FILE_MISSING', `"${path}" is not a folder`, {
        hint: 'trust is given to a folder that exists',
      });
    }
    return real;
  }

  function realHome(): string {
    return files.realPath(environment.homeFolder) ?? environment.homeFolder;
  }

  function isTooWide(real: string, home = realHome()): boolean {
    return isInside(home, real) || /^(?:[A-Za-z]:)?[\\/]*$/.test(real);
  }

  /** Configured folders are written by hand: `~`, links and folders that are not there are all possible. */
  function realFolders(configured: readonly string[]): readonly string[] {
    return configured.flatMap(
      (path) =>
        files.realPath(
          path === '~' || path.startsWith('~/') ? environment.homeFolder + path.slice(1) : path,
        ) ?? [],
    );
  }

  function indexOf(records: TrustRecords, configured: readonly string[]): TrustIndex {
    const home = realHome();
    return indexTrust(
      records,
      [...records.folders.map((each) => each.path), ...realFolders(configured)].filter(
        (path) => !isTooWide(path, home),
      ),
    );
  }

  /** What no longer exists is taken by its name. */
  function belongingOf({ path, within, configuredFor }: TrustRoot): Belonging {
    const real = (place: string): string => files.realPath(place) ?? place;
    return {
      workspace: within === undefined ? null : real(within),
      configured: configuredFor === undefined ? null : { root: real(path), workspace: real(configuredFor) },
    };
  }

  return {
    file,
    list,

    async trustFolder(path) {
      const real = realFolder(path);
      if (isTooWide(real)) {
        throw new TechneError(
          'TRUST_TOO_WIDE',
          `"${real}" holds everything you have, so trusting it would trust every download`,
          {
            hint: 'trust the folder of one project',
          },
        );
      }
      const grant: FolderTrust = { path: real, grantedAt: now() };
      return change((records) => {
        const there = records.folders.find((each) => each.path === real);
        if (there !== undefined) return { records, result: there };
        return { records: { ...records, folders: [...records.folders, grant] }, result: grant };
      });
    },

    async trustDigest({ digest, name, folder }) {
      const grant: DigestTrust = { digest, name, path: realFolder(folder), grantedAt: now() };
      return change((records) => {
        const there = records.digests.find(
          (each) => each.path === grant.path && each.digest === digest && each.name === name,
        );
        if (there !== undefined) return { records, result: there };
        const others = records.digests.filter((each) => each.path !== grant.path);
        return { records: { ...records, digests: [...others, grant] }, result: grant };
      });
    },

    async trustingFolder(path, folders, workspace) {
      const real = files.realPath(path);
      return real === null
        ? null
        : indexOf(await list(), folders).folderFor(real, {
            ...unknownBelonging,
            workspace: workspace === null ? null : (files.realPath(workspace) ?? workspace),
          });
    },

    async folderAround(path, folders) {
      const real = files.realPath(path);
      return real === null ? null : indexOf(await list(), folders).folderAround(real);
    },

    async isTrustedWorkspace(path, folders) {
      const real = files.realPath(path);
      return real !== null && indexOf(await list(), folders).isTrustedFolder(real);
    },

    async trustAt(path, folders, root) {
      const real = files.realPath(path) ?? path;
      const index = indexOf(await list(), folders);
      return {
        folder: index.folderFor(real, root === null ? unknownBelonging : belongingOf(root)) !== null,
        version: index.digestAt(real) !== null,
      };
    },

    async untrust(target) {
      const real = isAbsolute(target) ? (files.realPath(target) ?? target) : null;
      return change((records) => {
        const folders = records.folders.filter((each) => each.path === real);
        const digests = records.digests.filter(
          (each) => each.path === real || each.digest === target || each.name === target,
        );
        const result = { folders, digests };
        if (folders.length + digests.length === 0) return { records, result };
        return {
          records: {
            folders: records.folders.filter((each) => !folders.includes(each)),
            digests: records.digests.filter((each) => !digests.includes(each)),
          },
          result,
        };
      });
    },

    decide: (skill, digest, folders) => view(folders).decide(skill, digest),
    view,

    state(folders) {
      try {
        const stat = files.stat(file);
        const signature =
          stat === null ? null : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].map(String);
        return JSON.stringify([signature, realHome(), realFolders(folders)]);
      } catch (error) {
        if (error instanceof FileFault) return null;
        throw error;
      }
    },
  };

  function view(folders: readonly string[]): TrustView {
    let read: Promise<TrustIndex> | null = null;
    const belongings = new Map<TrustRoot, Belonging>();
    const whose = (root: TrustRoot | undefined): Belonging => {
      if (root === undefined) return unknownBelonging;
      const known = belongings.get(root) ?? belongingOf(root);
      belongings.set(root, known);
      return known;
    };
    return {
      async decide(skill, digest) {
        const index = await (read ??= list().then((records) => indexOf(records, folders)));
        const real = skill.realFolder;
        const isOwnWork = skill.origin.kind === 'local' && skill.source === 'workspace';
        const folder = isOwnWork ? index.folderFor(real, whose(skill.root)) : null;
        const trusted = index.digestAt(real);
        if (folder === null && trusted === null)
          return { kind: 'none', around: isOwnWork ? index.folderAround(real) : null };
        // The folder whose files are read is the one that is judged; if a link was put in its place, neither is. Of a folder
        // that is gone only what the snapshot holds can be read.
        if ((files.realPath(real) ?? real) !== real) {
          throw new TechneError('STALE', `"${real}" was replaced after techne found it`, {
            hint: 'load the skills again',
          });
        }
        if (folder !== null) return { kind: 'folder', folder };
        const current = await digest();
        return trusted?.digest === current
          ? { kind: 'digest', digest: current }
          : { kind: 'changed', digest: current, trusted: trusted as DigestTrust };
      },
    };
  }
}

// Which trusted folder covers a place.
//
//   trust records, trusted folders -> TrustIndex;   a trusted folder and a place below it -> whether it covers the place
//
// A trusted folder covers one workspace: the folder itself, or the one around it. A workspace further down is another
// one, which anything with write access to the folder could create, such as a sandboxed command (only names at the top
// are read-only to it). So a skill is not covered when its workspace is below the folder, nor when a skills folder of
// another workspace is on the way to it, except at the top. A root that is configured for the trusted workspace itself
// is covered wherever it is in that workspace: a workspace can name roots only once it is trusted (config/precedence.ts), and
// nothing may write to them while a skill runs there (techne/open-runs.ts). Upper and lower case are the same, as on
// some disks. Of several folders that cover a place the nearest counts. Lookups go by the folders around a place, so many
// records cost no more than few.

/** `.techne`, `.agents`, `.claude` …: where workspaces keep skills. */
const places: ReadonlySet<string> = new Set([
  '.techne',
  '.agents',
  ...hostFolders.flatMap(({ workspace }) =>
    workspace === null ? [] : [workspace.slice(0, workspace.indexOf('/'))],
  ),
]);

/** Whose a place is. All real paths. */
interface Belonging {
  /** Whose skill it is; `null` when that is not known, or it belongs to none. */
  readonly workspace: string | null;
  /** The root it was found in, where one is configured, and for which workspace. */
  readonly configured: { readonly root: string; readonly workspace: string } | null;
}

const unknownBelonging: Belonging = { workspace: null, configured: null };

/** All real paths. */
export function trustReaches(folder: string, place: string, { workspace, configured }: Belonging): boolean {
  if (!isInside(place, folder)) return false;
  if (workspace !== null && !isInside(folder, workspace)) return false;
  const [top = '', ...below] = partsBelow(folder, place);
  if (places.has(top) || !below.some((part) => places.has(part))) return true;
  // A root that is configured for the trusted workspace itself.
  if (
    configured === null ||
    !isSame(configured.workspace, folder) ||
    !isInside(configured.root, folder) ||
    !isInside(place, configured.root)
  )
    return false;
  return !partsBelow(configured.root, place).some((part) => places.has(part));
}

function partsBelow(folder: string, place: string): readonly string[] {
  return place
    .slice(folder.length)
    .split(/[\\/]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

function isSame(one: string, other: string): boolean {
  return isInside(one, other) && isInside(other, one);
}

interface TrustIndex {
  /** The trusted folder that speaks for what lies there, or `null`. */
  folderFor(place: string, belonging: Belonging): string | null;
  /** The nearest trusted folder around a place, however far its trust reaches, or `null`. */
  folderAround(place: string): string | null;
  isTrustedFolder(path: string): boolean;
  digestAt(path: string): DigestTrust | null;
}

/** All real paths. */
function indexTrust({ digests }: Pick<TrustRecords, 'digests'>, folders: readonly string[]): TrustIndex {
  const byPath = new Map<string, DigestTrust>();
  for (const each of digests) if (!byPath.has(each.path)) byPath.set(each.path, each);
  const trusted = new Set(folders.map((path) => path.replace(path.startsWith('/') ? /\/+$/ : /[\\/]+$/, '')));
  return {
    folderFor(place, belonging) {
      for (const folder of foldersAround(place, trusted))
        if (trustReaches(folder, place, belonging)) return folder;
      return null;
    },
    folderAround: (place) => foldersAround(place, trusted).next().value ?? null,
    isTrustedFolder: (path) => trusted.has(path),
    digestAt: (path) => byPath.get(path) ?? null,
  };
}

/** Those of `folders` that `place` is or lies in (is-inside.ts), the nearest first. */
function* foldersAround(place: string, folders: ReadonlySet<string>): Generator<string, undefined> {
  if (folders.size === 0) return undefined;
  if (folders.has(place)) yield place;
  const posix = place.startsWith('/');
  for (let at = place.length - 1; at > 0; at -= 1) {
    if (place[at] !== '/' && (posix || place[at] !== '\\')) continue;
    const folder = place.slice(0, at);
    if (folders.has(folder)) yield folder;
  }
  return undefined;
}
