// The existing roots, each by its real path.
//
//   Root, in order of precedence -> Territory, or a diagnostic about a root that is not entered
//
// No two territories have the same real path: of two roots that lead to one place, the one that is not a link stays. A
// link may lead only into a territory. A territory that contains the home folder accepts no links, and one that contains
// another root accepts none from elsewhere. A root that must stay in its workspace (`Root.within`) and does not is not
// entered. A missing root is fine.
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import type { DiscoveryReport } from './discovery-report.ts';
import type { FoundIn, FoundSkill } from './found-skill.ts';
import type { IndexReader, IndexWriter } from '../cache/head-index.ts';
import { isInside } from '../../base/is-inside.ts';
import type { Root } from '../types.ts';

/** A root that is there, and what was found in it. */
export interface Territory {
  readonly in: FoundIn;
  readonly real: string;
  readonly reader: IndexReader | null;
  readonly writer: IndexWriter | null;
  /** In the order they were met; `null` where a head is still to be read, or could not be. */
  readonly skills: (FoundSkill | null)[];
  /** Holds the home folder, or everything. */
  holdsHome: boolean;
  /** Holds another root. */
  holdsRoot: boolean;
}

export class Territories {
  /** By precedence, highest first. */
  readonly all: Territory[] = [];
  /** Real paths of territories inside others; `null` when there is none. Known once they are compared. */
  inner: Set<string> | null = null;
  readonly #files: Files;
  readonly #takenNs: bigint;
  readonly #reporter: DiscoveryReport;

  constructor(files: Files, takenNs: bigint, reporter: DiscoveryReport) {
    this.#files = files;
    this.#takenNs = takenNs;
    this.#reporter = reporter;
  }

  /** By precedence, highest first; `root` is frozen. */
  add(root: Root, reader: IndexReader | null, writer: IndexWriter | null): void {
    const real = this.#realRoot(root);
    if (real === null) return;
    const territory: Territory = {
      in: Object.freeze({ root, files: this.#files, takenNs: this.#takenNs }),
      real,
      reader,
      writer,
      skills: [],
      holdsHome: false,
      holdsRoot: false,
    };
    const same = this.all.findIndex((other) => other.real === real);
    if (same < 0) this.all.push(territory);
    else if (root.path === real) {
      // The one that is no link is the place itself.
      this.all.splice(same, 1);
      this.all.push(territory);
    }
  }

  /** After all were added: which of them hold others, or the home folder. */
  compare(homeFolder: string | null): void {
    const home = homeFolder === null ? null : this.#realHome(homeFolder);
    for (const territory of this.all) {
      territory.holdsHome =
        isInside('/', territory.real) || (home !== null && isInside(home, territory.real));
      for (const other of this.all) {
        if (other === territory || !isInside(other.real, territory.real)) continue;
        territory.holdsRoot = true;
        (this.inner ??= new Set()).add(other.real);
      }
    }
  }

  /** The innermost one that really contains this folder. */
  ownerOf(real: string): Territory | null {
    let owner: Territory | null = null;
    for (const territory of this.all) {
      if (isInside(real, territory.real) && (owner === null || territory.real.length > owner.real.length))
        owner = territory;
    }
    return owner;
  }

  /** Whether a link in `from` may lead there. */
  mayEnter(real: string, from: Territory): boolean {
    for (const territory of this.all) {
      if (territory.holdsHome || (territory.holdsRoot && territory !== from)) continue;
      if (isInside(real, territory.real)) return true;
    }
    return false;
  }

  /** `null` for a root that is missing, or that may not or cannot be looked at, which is reported. */
  #realRoot({ path, within }: Root): string | null {
    try {
      const real = this.#files.realPath(path);
      if (real === null) {
        if (this.#files.lstat(path) !== null) this.#reporter.broken(path, 'leads nowhere');
        return null;
      }
      if (within === undefined || this.#isWithin(real, within)) return real;
      this.#reporter.add(
        'LINK_LEAVES_ROOTS',
        path,
        `the root leads to "${real}", outside the workspace "${within}", and was not entered`,
        'name that folder in roots.user of ~/.techne/config.json, or with --root, if it is yours',
      );
      return null;
    } catch (error) {
      this.#reporter.fault(error, path, 'root');
      return null;
    }
  }

  #isWithin(real: string, folder: string): boolean {
    const realFolder = this.#files.realPath(folder);
    return realFolder !== null && isInside(real, realFolder);
  }

  #realHome(homeFolder: string): string {
    try {
      return this.#files.realPath(homeFolder) ?? homeFolder;
    } catch (error) {
      if (error instanceof FileFault) return homeFolder; // the path itself is the best guess
      throw error;
    }
  }
}
