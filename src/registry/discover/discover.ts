// Finds the skills below the roots.
//
//   roots -> Territories (roots.ts) -> folders walked, then links -> SKILL.md heads read (read-skill-head.ts)
//         -> FoundSkill[] in order of precedence + Diagnostic[]
//
// A fault of one file or folder is one diagnostic; the rest still loads. The order does not depend on the order in which
// the file system lists.
import { deepFreeze } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Clock, Sha256 } from '../../ports/environment.ts';
import type { Files, FileSignature, FolderEntry } from '../../ports/files.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { DiscoveryReport, Territories } from './roots.ts';
import type { FoundIn } from './found-skill.ts';
import type { HeadIndex, IndexSection, IndexRow } from '../cache/head-index.ts';
import {
  IndexReader,
  racyNs,
  IndexWriter,
  RecordedHead,
  decodeListing,
  onlySkillFile,
} from '../cache/head-index.ts';
import type { Territory } from './roots.ts';
import type { Precedence } from '../../config/precedence.ts';
import type { InstalledSkills, Root } from '../types.ts';
import { FileFault } from '../../ports/files.ts';
import { FoundSkill, signatureOf } from './found-skill.ts';
import { HeadBatch } from './read-skill-head.ts';

interface DiscoverDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly parseFull: ParseFull;
  /** `null`: every folder is listed and every head read. */
  readonly index: HeadIndex | null;
  /** What the locks say. Default: nothing is installed. */
  readonly installed?: InstalledSkills | null;
}

interface DiscoverOptions {
  /** A territory that contains it accepts no links; `null` where there is none. */
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
  /** What the index should now hold, where that differs from what it held. Asked for once the skills are judged. */
  readonly sections: () => ReadonlyMap<string, IndexSection>;
  /** The same for the same folders and SKILL.md files, by path and signature; `null` where something is not on record. */
  readonly fingerprint: (sha256: Sha256) => string | null;
}

export function discover(roots: readonly Root[], deps: DiscoverDeps, options: DiscoverOptions): Candidates {
  const startNs = deps.clock.nowNs();
  const ordered = orderRoots(roots, options.precedence);
  const recorded = deps.index?.load(ordered.map(({ path }) => path)) ?? new Map<string, IndexSection>();
  const reporter = new DiscoveryReport();
  const territories = new Territories(deps.files, startNs, reporter, deps.installed ?? null);
  const writers = new Map<string, IndexWriter>();
  for (const root of ordered) {
    const reader = usable(recorded.get(root.path), startNs, deps);
    const writer = deps.index === null ? null : new IndexWriter(startNs, reader);
    if (writer !== null) writers.set(root.path, writer);
    territories.add(frozenRoot(root), reader, writer);
  }
  territories.compare(options.homeFolder);
  walkFolders(territories, deps, options.depth, reporter);
  return {
    skills: skillsIn(territories.all),
    diagnostics: reporter.diagnostics,
    sections: () => sectionsOf(writers),
    fingerprint: (sha256) => fingerprintOf(territories.all, sha256),
  };
}

/** Highest precedence first; a path given twice counts once. */
function orderRoots(roots: readonly Root[], precedence: Precedence): readonly Root[] {
  const seen = new Set<string>();
  const ordered = roots.toSorted((a, b) => precedence.indexOf(b.source) - precedence.indexOf(a.source));
  return ordered.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** A section from the future was written by another clock: no conclusion drawn from its times would hold. */
function usable(
  section: IndexSection | undefined,
  nowNs: bigint,
  { files, parseFull }: DiscoverDeps,
): IndexReader | null {
  return section === undefined || section.timeNs > nowNs + racyNs
    ? null
    : new IndexReader(section, files, parseFull);
}

/** Skills hand their root out, so it must not change under them. */
function frozenRoot(root: Root): Root {
  return Object.isFrozen(root) && Object.isFrozen(root.origin)
    ? root
    : deepFreeze({ ...root, origin: { ...root.origin } });
}

function skillsIn(territories: readonly Territory[]): readonly FoundSkill[] {
  const found: FoundSkill[] = [];
  for (const { skills } of territories) for (const skill of skills) if (skill !== null) found.push(skill);
  return found;
}

function fingerprintOf(territories: readonly Territory[], sha256: Sha256): string | null {
  const all: string[] = [];
  for (const { real, reader, writer } of territories) {
    if (reader === null || writer?.isAsRecorded !== true) return null;
    all.push(real, reader.fingerprint(sha256));
  }
  return sha256(JSON.stringify(all));
}

function sectionsOf(writers: ReadonlyMap<string, IndexWriter>): ReadonlyMap<string, IndexSection> {
  const sections = new Map<string, IndexSection>();
  for (const [path, writer] of writers) {
    const section = writer.finish();
    if (section !== null) sections.set(path, section);
  }
  return sections;
}

// The walk: the folders of all territories, then the links.
//
//   Territories -> FoundSkill | null, in the order they were met, in each Territory + rows for the index
//
// Every folder is walked once, by its real path, under the innermost root that really contains it. Links are followed
// after all real folders, so that no link changes the name, the source or the origin of a skill elsewhere: a link into
// another root loads its target at its real place, under that root. A folder with SKILL.md is a skill. Folders without
// one are searched down to the depth limit, and so are a skill's own subfolders, except those that hold its parts
// (`partFolders`) and dot folders. What the index has recorded, and is unchanged, is neither listed nor read.

/** Subfolders of a skill that are part of it and never hold skills of their own. */
const partFolders: ReadonlySet<string> = new Set([
  'scripts',
  'references',
  'assets',
  'templates',
  'evals',
  'node_modules',
]);

interface WalkDeps {
  readonly files: Files;
  readonly parseFull: ParseFull;
}

/** `depth`: folders below a root that are searched. */
function walkFolders(
  territories: Territories,
  deps: WalkDeps,
  depth: number,
  reporter: DiscoveryReport,
): void {
  const walk = new Walk(territories, deps, depth, reporter);
  walk.folders();
  walk.links();
  walk.heads();
}

interface Link {
  readonly from: Territory;
  readonly path: string;
  readonly real: string;
  readonly depth: number;
}

class Walk {
  readonly #reporter: DiscoveryReport;
  readonly #territories: Territories;
  /** Real paths of roots inside others, which are walked as roots of their own. */
  readonly #inner: ReadonlySet<string> | null;
  // Real paths. A set only once something can lead to the same folder twice: a link.
  readonly #visited: string[] = [];
  #visitedSet: Set<string> | null = null;
  readonly #links: Link[] = [];
  readonly #files: Files;
  readonly #linkContext: LinkContext;
  readonly #depth: number;
  readonly #heads: HeadBatch;
  // Of the root being walked:
  #here: Territory | null = null;
  #in: FoundIn | null = null;
  #skills: (FoundSkill | null)[] = [];
  #reader: IndexReader | null = null;
  #writer: IndexWriter | null = null;

  constructor(
    territories: Territories,
    { files, parseFull }: WalkDeps,
    depth: number,
    reporter: DiscoveryReport,
  ) {
    this.#reporter = reporter;
    this.#territories = territories;
    this.#inner = territories.inner;
    this.#files = files;
    this.#linkContext = { files, territories, reporter };
    this.#depth = depth;
    this.#heads = new HeadBatch(files, parseFull, reporter);
  }

  folders(): void {
    for (const territory of this.#territories.all) {
      this.#enter(territory);
      this.#visit(trimSlash(territory.in.root.path), territory.real, 0);
    }
  }

  /** After all folders, those nearest to their root first, since what lies below one is searched less deep. */
  links(): void {
    if (this.#links.length === 0) return;
    this.#visitedSet = new Set(this.#visited);
    for (let link = this.#nextLink(); link !== undefined; link = this.#nextLink()) {
      const owner = this.#territories.ownerOf(link.real) ?? link.from;
      this.#enter(owner);
      if (owner === link.from) {
        this.#visit(link.path, link.real, link.depth);
        continue;
      }
      const { path } = owner.in.root;
      this.#reporter.add(
        'SKILL_LINKED',
        link.path,
        `the link leads to "${link.real}" in the root "${path}", and what is there is loaded as part of that root`,
      );
      this.#visit(trimSlash(path) + link.real.slice(owner.real.length), link.real, link.depth);
    }
  }

  /** After all folders and links. */
  heads(): void {
    this.#heads.flush();
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
    for (const [at, link] of this.#links.entries())
      if (link.depth < (this.#links[first] as Link).depth) first = at;
    return this.#links.splice(first, 1)[0];
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
        if (stat === null) return this.#reporter.gone(path);
      }
      entries = this.#files.list(path);
      if (entries === null) return this.#reporter.gone(path);
      if (stat !== null && writer !== null) {
        row = { path, folder: signatureOf(stat), entries, oldRow: -1, head: null };
        writer.add(row);
      }
    } catch (error) {
      this.#reporter.fault(error, path, depth === 0 ? 'root' : 'folder');
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
      return (
        listing === onlySkillFile || this.#subfolders(decodeListing(listing), path, real, depth, true, true)
      );
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

  #entries(
    entries: readonly FolderEntry[],
    path: string,
    real: string,
    depth: number,
    row: IndexRow | null,
  ): boolean {
    const entry = skillEntryOf(entries);
    const isSkill = entry !== null && (entry.name === 'SKILL.md' || entry.kind !== 'folder');
    if (isSkill) this.#skill(entry, path, real, entries, row);
    else if (entry !== null) {
      this.#reporter.add(
        'FILE_NAME_CASE',
        `${path}/${entry.name}`,
        `a folder is called "${entry.name}", which is the name of a file`,
        'rename the folder',
      );
    }
    return entries.length > 1 || !isSkill
      ? this.#subfolders(entries, path, real, depth, isSkill, entry !== null)
      : true;
  }

  #subfolders(
    entries: readonly FolderEntry[],
    path: string,
    real: string,
    depth: number,
    inSkill: boolean,
    anySoFar: boolean,
  ): boolean {
    let any = anySoFar;
    let cut = 0;
    let firstCut = '';
    const empty: string[] = [];
    const base = path === '/' ? '' : path;
    for (const { name, kind } of entries) {
      if ((kind !== 'folder' && kind !== 'link') || name === 'SKILL.md') continue;
      if (name.charCodeAt(0) === 46 || name === 'node_modules') {
        // A skill's own dot folders are its business.
        if (!inSkill && (kind === 'folder' || isFolderLink(`${path}/${name}`, this.#files))) {
          this.#reporter.add(
            'FOLDER_SKIPPED',
            `${path}/${name}`,
            name === 'node_modules' ? 'node_modules is not searched' : 'dot folders are not searched',
          );
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
        const target = folderBehind(child, this.#here as Territory, this.#linkContext);
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
      this.#reporter.add(
        'FOLDER_TOO_DEEP',
        path,
        `${what} not searched: the limit is ${this.#depth} folders below the root`,
        'move the skills up, add the folder as a root, or raise limits.depth',
      );
    }
    // Only the topmost folder without skills is worth a word.
    if (any || depth === 0)
      for (const folder of empty)
        this.#reporter.add('FOLDER_SKIPPED', folder, 'no SKILL.md in this folder or below');
    return any;
  }

  #skill(
    entry: FolderEntry,
    path: string,
    real: string,
    entries: readonly FolderEntry[],
    row: IndexRow | null,
  ): void {
    const file = `${path}/${entry.name}`;
    if (entry.kind === 'folder' || entry.kind === 'other')
      return this.#reporter.notAFile(file, entry.kind === 'folder');
    if (entry.kind === 'link' && !mayFollowFile(file, this.#here as Territory, this.#linkContext)) return;
    // The recorded listing leaves out what the walk does not need, but the head may need it.
    const whole = row !== null && row.oldRow >= 0 ? this.#listAgain(path) : entries;
    const at = this.#skills.push(null) - 1;
    this.#heads.add({
      skills: this.#skills,
      at,
      in: this.#in as FoundIn,
      path,
      real,
      fileName: entry.name,
      entries: whole,
      // The index knows SKILL.md only.
      row: entry.kind === 'file' && entry.name === 'SKILL.md' ? row : null,
    });
  }

  #listAgain(path: string): readonly FolderEntry[] {
    try {
      return this.#files.list(path) ?? [];
    } catch (error) {
      if (error instanceof FileFault) return []; // reading the file will say why
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

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

// Where a link that a walk meets leads, and whether it may be followed.
//
// Links are followed only into a territory (roots.ts). A link that is not followed is one diagnostic: it leads out,
// nowhere, back to itself, or to something that cannot be read.

/** What links are judged by. */
interface LinkContext {
  readonly files: Files;
  readonly territories: Territories;
  readonly reporter: DiscoveryReport;
}

/** The real folder a link leads to; `''` when it leads to no folder, `null` when it is not followed (reported). */
function folderBehind(
  path: string,
  from: Territory,
  { files, territories, reporter }: LinkContext,
): string | null {
  try {
    const stat = files.stat(path);
    const real = stat === null ? null : files.realPath(path);
    if (stat === null || real === null) return reporter.broken(path, 'leads nowhere');
    if (!stat.isDirectory()) return '';
    if (territories.mayEnter(real, from)) return real;
    reporter.leaves(path, real);
    return null;
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'loop')
      return reporter.broken(path, 'leads back to itself');
    reporter.fault(error, path, 'link');
    return null;
  }
}

/** Whether SKILL.md, a link, leads to a file inside the roots; if not, it was said why. */
function mayFollowFile(
  file: string,
  from: Territory,
  { files, territories, reporter }: LinkContext,
): boolean {
  try {
    const stat = files.stat(file);
    const real = stat === null ? null : files.realPath(file);
    if (stat === null || real === null) return reporter.broken(file, 'leads nowhere') !== null;
    if (!territories.mayEnter(real, from)) {
      reporter.leaves(file, real);
      return false;
    }
    if (stat.isFile()) return true;
    reporter.notAFile(file, stat.isDirectory());
  } catch (error) {
    if (error instanceof FileFault && error.kind === 'loop') reporter.broken(file, 'leads back to itself');
    else reporter.fault(error, file, 'link');
  }
  return false;
}

/** Whether it leads to a folder at all, wherever that lies; nothing is said. */
function isFolderLink(path: string, files: Files): boolean {
  try {
    return files.stat(path)?.isDirectory() ?? false;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}
