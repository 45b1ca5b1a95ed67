// Finds the skills below the roots.
//
//   roots -> folders walked, SKILL.md heads read -> FoundSkill[] in order of precedence + Diagnostic[]
//
// D1. Every folder is walked once, by its real path, under the innermost root that really contains it. Links are
//     followed after all real folders, so that none of them changes the name, the source or the origin of what
//     lies elsewhere: a link into another root loads what it leads to at its real place, under that root.
// D2. A folder with SKILL.md is a skill. Folders without one are searched down to the depth limit; so are a
//     skill's own subfolders, except those that hold its parts (`partFolders`) and dot folders.
// D3. Links are followed only into a configured root. Whether one leads out is said, not guessed. A root so wide
//     that it holds the home folder or another root opens nothing to links from elsewhere. A root that must stay
//     in its workspace (`Root.within`) and does not is not entered.
// D4. What is wrong with one file or folder is one diagnostic; the rest still loads.
// D5. The order does not depend on the order in which the file system lists.
import { deepFreeze } from '../base/deep-freeze.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { Clock, DecodeUtf8 } from '../host/ports/environment.ts';
import { FileFault } from '../host/ports/files.ts';
import type { FileSignature, Files, FolderEntry } from '../host/ports/files.ts';
import { DiscoveryReport } from './discovery-report.ts';
import type { FoundIn } from './found-skill.ts';
import { HeadBatch } from './head-batch.ts';
import { FoundSkill, signatureOf } from './found-skill.ts';
import type { HeadIndex, IndexSection } from './head-index.ts';
import { IndexReader, RecordedHead, decodeListing, onlySkillFile, racyNs } from './head-index.ts';
import type { IndexRow } from './index-writer.ts';
import { IndexWriter } from './index-writer.ts';
import { isInside } from './is-inside.ts';
import type { Precedence, Root } from './types.ts';
import type { ParseFull } from '../skill/yaml/node.ts';

/** Subfolders of a skill that are part of it and never hold skills of their own. */
export const partFolders: ReadonlySet<string> = new Set(['scripts', 'references', 'assets', 'templates', 'evals', 'node_modules']);

export interface DiscoverDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly decodeUtf8: DecodeUtf8;
  readonly parseFull: ParseFull;
  /** `null`: every folder is listed and every head read. */
  readonly index: HeadIndex | null;
}

export interface DiscoverOptions {
  /** What holds it is too wide to vouch for links; `null` where there is none. */
  readonly homeFolder: string | null;
  /** Folders below a root that are searched. */
  readonly depth: number;
  readonly precedence: Precedence;
}

export interface Candidates {
  /** Highest precedence first: by source, then by the order of roots, then by path. */
  readonly skills: readonly FoundSkill[];
  /** What is wrong with files and folders that gave no skill; each skill carries its own. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the index should now hold, where that differs from what it held. */
  readonly sections: ReadonlyMap<string, IndexSection>;
}

export function discover(roots: readonly Root[], deps: DiscoverDeps, options: DiscoverOptions): Candidates {
  const startNs = deps.clock.nowNs();
  const ordered = orderRoots(roots, options.precedence);
  const recorded = deps.index?.load(ordered.map(({ path }) => path)) ?? new Map<string, IndexSection>();
  const walk = new Walk(deps, options, startNs);
  for (const root of ordered) walk.addRoot(frozenRoot(root), usable(recorded.get(root.path), startNs, deps));
  walk.folders();
  walk.links();
  walk.heads();
  return { skills: walk.skills(), diagnostics: walk.diagnostics(), sections: walk.sections() };
}

/** Highest precedence first; a path given twice counts once. */
export function orderRoots(roots: readonly Root[], precedence: Precedence): readonly Root[] {
  const seen = new Set<string>();
  const ordered = roots.toSorted((a, b) => precedence.indexOf(b.source) - precedence.indexOf(a.source));
  return ordered.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** A section from the future was written by another clock: no conclusion drawn from its times would hold. */
function usable(section: IndexSection | undefined, nowNs: bigint, { files, decodeUtf8, parseFull }: DiscoverDeps): IndexReader | null {
  return section === undefined || section.timeNs > nowNs + racyNs ? null : new IndexReader(section, files, decodeUtf8, parseFull);
}

/** A root that is there, and what was found in it. */
interface Territory {
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

interface Link {
  readonly from: Territory;
  readonly path: string;
  readonly real: string;
  readonly depth: number;
}

class Walk {
  readonly #tell = new DiscoveryReport();
  /** By precedence; no two have the same real path. */
  readonly #territories: Territory[] = [];
  /** Real paths of territories inside others; `null` when there is none. */
  #inner: Set<string> | null = null;
  // Real paths. A set only once something can lead to the same folder twice: a link.
  readonly #visited: string[] = [];
  #visitedSet: Set<string> | null = null;
  readonly #writers = new Map<string, IndexWriter>();
  readonly #links: Link[] = [];
  readonly #deps: DiscoverDeps;
  readonly #files: Files;
  readonly #depth: number;
  readonly #homeFolder: string | null;
  readonly #startNs: bigint;
  readonly #heads: HeadBatch;
  // Of the root being walked:
  #here: Territory | null = null;
  #in: FoundIn | null = null;
  #skills: (FoundSkill | null)[] = [];
  #reader: IndexReader | null = null;
  #writer: IndexWriter | null = null;

  constructor(deps: DiscoverDeps, options: DiscoverOptions, startNs: bigint) {
    this.#deps = deps;
    this.#files = deps.files;
    this.#depth = options.depth;
    this.#homeFolder = options.homeFolder;
    this.#startNs = startNs;
    this.#heads = new HeadBatch(deps.files, deps.decodeUtf8, deps.parseFull, this.#tell);
  }

  /** By precedence, highest first. */
  addRoot(root: Root, reader: IndexReader | null): void {
    const writer = this.#deps.index === null ? null : new IndexWriter(this.#startNs, reader);
    if (writer !== null) this.#writers.set(root.path, writer);
    const real = this.#realRoot(root);
    if (real === null) return;
    const territory: Territory = {
      in: Object.freeze({ root, files: this.#files, takenNs: this.#startNs }),
      real,
      reader,
      writer,
      skills: [],
      holdsHome: false,
      holdsRoot: false,
    };
    const same = this.#territories.findIndex((other) => other.real === real);
    if (same < 0) this.#territories.push(territory);
    else if (root.path === real) {
      // The one that is no link is the place itself.
      this.#territories.splice(same, 1);
      this.#territories.push(territory);
    }
  }

  folders(): void {
    const home = this.#realHome();
    for (const territory of this.#territories) {
      territory.holdsHome = isInside('/', territory.real) || (home !== null && isInside(home, territory.real));
      for (const other of this.#territories) {
        if (other === territory || !isInside(other.real, territory.real)) continue;
        territory.holdsRoot = true;
        (this.#inner ??= new Set()).add(other.real);
      }
    }
    for (const territory of this.#territories) {
      this.#enter(territory);
      this.#visit(trimSlash(territory.in.root.path), territory.real, 0);
    }
  }

  /** After all folders, those nearest to their root first, since what lies below one is searched less deep. */
  links(): void {
    if (this.#links.length === 0) return;
    this.#visitedSet = new Set(this.#visited);
    for (let link = this.#nextLink(); link !== undefined; link = this.#nextLink()) {
      const owner = this.#ownerOf(link.real) ?? link.from;
      this.#enter(owner);
      if (owner === link.from) {
        this.#visit(link.path, link.real, link.depth);
        continue;
      }
      const { path } = owner.in.root;
      this.#tell.say('SKILL_LINKED', link.path, `the link leads to "${link.real}" in the root "${path}", and what is there is loaded as part of that root`);
      this.#visit(trimSlash(path) + link.real.slice(owner.real.length), link.real, link.depth);
    }
  }

  /** After all folders and links. */
  heads(): void {
    this.#heads.flush();
  }

  skills(): readonly FoundSkill[] {
    const found: FoundSkill[] = [];
    for (const { skills } of this.#territories) for (const skill of skills) if (skill !== null) found.push(skill);
    return found;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#tell.diagnostics;
  }

  #enter(territory: Territory): void {
    this.#here = territory;
    this.#in = territory.in;
    this.#skills = territory.skills;
    this.#reader = territory.reader;
    this.#writer = territory.writer;
  }

  #nextLink(): Link | undefined {
    let first = 0;
    for (const [at, link] of this.#links.entries()) if (link.depth < (this.#links[first] as Link).depth) first = at;
    return this.#links.splice(first, 1)[0];
  }

  /** The innermost root that really contains this folder. */
  #ownerOf(real: string): Territory | null {
    let owner: Territory | null = null;
    for (const territory of this.#territories) {
      if (isInside(real, territory.real) && (owner === null || territory.real.length > owner.real.length)) owner = territory;
    }
    return owner;
  }

  sections(): ReadonlyMap<string, IndexSection> {
    const sections = new Map<string, IndexSection>();
    for (const [path, writer] of this.#writers) {
      const section = writer.finish();
      if (section !== null) sections.set(path, section);
    }
    return sections;
  }

  /** Walks one folder. False when nothing at all was found or said below it. */
  #visit(path: string, real: string, depth: number): boolean {
    if (this.#wasVisited(real)) return true;
    const writer = this.#writer;
    const reader = this.#reader;
    let row: IndexRow | null = null;
    let entries: readonly FolderEntry[] | null;
    try {
      const oldRow = reader === null ? -1 : reader.find(path);
      if (oldRow >= 0) return this.#visitRecorded(path, real, depth, oldRow);
      let stat: FileSignature | null = null;
      if (writer !== null) {
        stat = this.#files.stat(path);
        if (stat === null) return this.#tell.gone(path);
      }
      entries = this.#files.list(path);
      if (entries === null) return this.#tell.gone(path);
      if (stat !== null && writer !== null) {
        row = { path, folder: signatureOf(stat), entries, oldRow: -1, head: null };
        writer.add(row);
      }
    } catch (error) {
      this.#tell.fault(error, path, depth === 0 ? 'root' : 'folder');
      return true;
    }
    return this.#entries(entries, path, real, depth, row);
  }

  #wasVisited(real: string): boolean {
    if (this.#visitedSet === null) {
      this.#visited.push(real);
      return false;
    }
    if (this.#visitedSet.has(real)) return true;
    this.#visitedSet.add(real);
    return false;
  }

  /** A folder whose listing is on record. */
  #visitRecorded(asked: string, askedReal: string, depth: number, oldRow: number): boolean {
    const reader = this.#reader as IndexReader;
    // The index holds this text already; the one just put together can go.
    const path = reader.path(oldRow);
    const real = askedReal === asked ? path : askedReal;
    const writer = this.#writer as IndexWriter;
    const listing = reader.listing(oldRow);
    const isSkill = reader.hasHead(oldRow);
    if (isSkill && reader.isCurrent(oldRow)) {
      writer.add(oldRow);
      this.#skills.push(new FoundSkill(this.#in as FoundIn, path, real, new RecordedHead(reader, oldRow)));
      return listing === onlySkillFile || this.#subfolders(decodeListing(listing), path, real, depth, true, true);
    }
    if (!isSkill && !/(?:^|\/).skill\.md(?:$|\/)/i.test(listing)) {
      writer.add(oldRow);
      return this.#subfolders(decodeListing(listing), path, real, depth, false, false);
    }
    const entries = decodeListing(listing);
    const row: IndexRow = { path, folder: reader.folderSignature(oldRow), entries, oldRow, head: null };
    writer.add(row);
    return this.#entries(entries, path, real, depth, row);
  }

  #entries(entries: readonly FolderEntry[], path: string, real: string, depth: number, row: IndexRow | null): boolean {
    const entry = skillEntryOf(entries);
    const isSkill = entry !== null && entry.name === 'SKILL.md';
    if (isSkill) this.#skill(entry, path, real, entries, row);
    else if (entry !== null) {
      this.#tell.say('FILE_NAME_CASE', `${path}/${entry.name}`, `the file is called "${entry.name}", so the folder is not taken for a skill`, 'rename it to SKILL.md');
    }
    return entries.length > 1 || !isSkill ? this.#subfolders(entries, path, real, depth, isSkill, entry !== null) : true;
  }

  #subfolders(entries: readonly FolderEntry[], path: string, real: string, depth: number, inSkill: boolean, anySoFar: boolean): boolean {
    let any = anySoFar;
    let cut = 0;
    let firstCut = '';
    const empty: string[] = [];
    const base = path === '/' ? '' : path;
    for (const { name, kind } of entries) {
      if ((kind !== 'folder' && kind !== 'link') || name === 'SKILL.md') continue;
      if (name.charCodeAt(0) === 46 || name === 'node_modules') {
        // A skill's own dot folders are its business.
        if (!inSkill && (kind === 'folder' || this.#isFolderLink(`${path}/${name}`))) {
          this.#tell.say('FOLDER_SKIPPED', `${path}/${name}`, name === 'node_modules' ? 'node_modules is not searched' : 'dot folders are not searched');
        }
        continue;
      }
      if (inSkill && partFolders.has(name)) continue;
      const child = `${base}/${name}`;
      let childReal = real === path ? child : `${real === '/' ? '' : real}/${name}`;
      if (kind === 'folder' && this.#inner?.has(childReal) === true) {
        any = true; // it is walked as a root of its own
        continue;
      }
      if (kind === 'link') {
        const target = this.#resolveLink(child);
        if (target === '') continue;
        any = true;
        if (target === null) continue;
        childReal = target;
      }
      if (depth >= this.#depth) {
        cut += 1;
        firstCut ||= name;
      } else if (kind === 'link') {
        this.#links.push({ from: this.#here as Territory, path: child, real: childReal, depth: depth + 1 });
      } else if (this.#visit(child, childReal, depth + 1)) {
        any = true;
      } else if (!inSkill) {
        empty.push(child);
      }
    }
    if (cut > 0) {
      any = true;
      const what = cut === 1 ? `"${firstCut}" was` : `"${firstCut}" and ${cut - 1} more were`;
      this.#tell.say('FOLDER_TOO_DEEP', path, `${what} not searched: the limit is ${this.#depth} folders below the root`, 'move the skills up, add the folder as a root, or raise limits.depth');
    }
    // Only the topmost folder without skills is worth a word.
    if (any || depth === 0) for (const folder of empty) this.#tell.say('FOLDER_SKIPPED', folder, 'no SKILL.md in this folder or below');
    return any;
  }

  #skill(entry: FolderEntry, path: string, real: string, entries: readonly FolderEntry[], row: IndexRow | null): void {
    const file = `${path}/SKILL.md`;
    if (entry.kind === 'folder' || entry.kind === 'other') return this.#tell.notAFile(file, entry.kind === 'folder');
    if (entry.kind === 'link' && !this.#mayFollowFile(file)) return;
    // The recorded listing leaves out what the walk does not need, but the head may need it.
    const whole = row !== null && row.oldRow >= 0 ? this.#listAgain(path) : entries;
    const at = this.#skills.push(null) - 1;
    this.#heads.add({ skills: this.#skills, at, in: this.#in as FoundIn, path, real, entries: whole, row: entry.kind === 'file' ? row : null });
  }

  #statFile(file: string): FileSignature | null {
    try {
      return this.#files.stat(file);
    } catch (error) {
      if (error instanceof FileFault) return null; // reading it will say why
      throw error;
    }
  }

  #listAgain(path: string): readonly FolderEntry[] {
    try {
      return this.#files.list(path) ?? [];
    } catch (error) {
      if (error instanceof FileFault) return []; // reading the file will say why
      throw error;
    }
  }

  /** The real folder a link leads to; `''` when it leads to no folder, `null` when it is not followed (reported). */
  #resolveLink(path: string): string | null {
    try {
      const stat = this.#files.stat(path);
      const real = stat === null ? null : this.#files.realPath(path);
      if (stat === null || real === null) return this.#tell.broken(path, 'leads nowhere');
      if (!stat.isDirectory()) return '';
      if (this.#mayEnter(real)) return real;
      this.#tell.leaves(path, real);
      return null;
    } catch (error) {
      if (error instanceof FileFault && error.kind === 'loop') return this.#tell.broken(path, 'leads back to itself');
      this.#tell.fault(error, path, 'link');
      return null;
    }
  }

  #isFolderLink(path: string): boolean {
    return this.#statFile(path) !== null && (this.#files.stat(path)?.isDirectory() ?? false);
  }

  /** Whether SKILL.md, a link, leads to a file inside the roots; if not, it was said why. */
  #mayFollowFile(file: string): boolean {
    try {
      const stat = this.#files.stat(file);
      const real = stat === null ? null : this.#files.realPath(file);
      if (stat === null || real === null) return this.#tell.broken(file, 'leads nowhere') !== null;
      if (!this.#mayEnter(real)) {
        this.#tell.leaves(file, real);
        return false;
      }
      if (stat.isFile()) return true;
      this.#tell.notAFile(file, stat.isDirectory());
    } catch (error) {
      if (error instanceof FileFault && error.kind === 'loop') this.#tell.broken(file, 'leads back to itself');
      else this.#tell.fault(error, file, 'link');
    }
    return false;
  }

  /** Whether a link of the root being walked may lead there (D3). */
  #mayEnter(real: string): boolean {
    for (const territory of this.#territories) {
      if (territory.holdsHome || (territory.holdsRoot && territory !== this.#here)) continue;
      if (isInside(real, territory.real)) return true;
    }
    return false;
  }

  /** `null` for a root that is missing, which is fine, or that may not or cannot be looked at, which is said. */
  #realRoot({ path, within }: Root): string | null {
    try {
      const real = this.#files.realPath(path);
      if (real === null) {
        if (this.#files.lstat(path) !== null) this.#tell.broken(path, 'leads nowhere');
        return null;
      }
      if (within === undefined || this.#isWithin(real, within)) return real;
      this.#tell.say('LINK_LEAVES_ROOTS', path, `the root leads to "${real}", outside the workspace "${within}", and was not entered`, 'name that folder in roots.user of ~/.techne/config.json, or with --root, if it is yours');
      return null;
    } catch (error) {
      this.#tell.fault(error, path, 'root');
      return null;
    }
  }

  #isWithin(real: string, folder: string): boolean {
    const realFolder = this.#files.realPath(folder);
    return realFolder !== null && isInside(real, realFolder);
  }

  #realHome(): string | null {
    if (this.#homeFolder === null) return null;
    try {
      return this.#files.realPath(this.#homeFolder) ?? this.#homeFolder;
    } catch (error) {
      if (error instanceof FileFault) return this.#homeFolder; // the path itself is the best guess
      throw error;
    }
  }
}

/**
 * SKILL.md, or else the entry that has its name in another case. A function of its own: the loop over a root with
 * thousands of entries is optimised for what it saw there, which holds for no other folder.
 */
function skillEntryOf(entries: readonly FolderEntry[]): FolderEntry | null {
  let other: FolderEntry | null = null;
  for (const entry of entries) {
    const { name } = entry;
    if (name.length !== 8) continue;
    if (name === 'SKILL.md') return entry;
    if (name.toLowerCase() === 'skill.md') other = entry;
  }
  return other;
}

/** Skills hand their root out, so it must not change under them. */
function frozenRoot(root: Root): Root {
  return Object.isFrozen(root) && Object.isFrozen(root.origin) ? root : deepFreeze({ ...root, origin: { ...root.origin } });
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
