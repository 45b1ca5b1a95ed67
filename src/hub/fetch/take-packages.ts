// What a source lists -> the skills that were asked for, read into memory.
//
//   Listing -> judged entries -> folders of skills -> their names -> SkillPackage[]
//
// P1. Only files of a skill that is taken are read, besides manifests of plugins and the SKILL.md of each candidate.
// P2. The name of a skill is the name of its folder after the install, so it is strict: what the SKILL.md says, or else the
//     folder. A skill without such a name is refused.
// P3. Every entry that is not taken is in `refused`, of the skill whose folder it lies in or of the source.
import { TechneError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { nodeFrontmatter } from '../../node/yaml.ts';
import { headOfFrontmatter, isPlainName, nameLimit } from '../../skill/parse-head.ts';
import type { JudgedEntries } from '../archive/judge-entries.ts';
import { judgeEntries } from '../archive/judge-entries.ts';
import { overLimit } from '../archive/limited.ts';
import type { ListedEntry, Listing } from '../archive/listing.ts';
import { show } from '../source/git-words.ts';
import type { Fetched, FetchedFile, RefusedEntry, Resolved, SkillPackage } from '../source/source.ts';
import type { FetchContext } from './context.ts';
import { stopIfAborted } from './context.ts';
import { findSkillFolders, joined } from './find-skills.ts';
import { readPlugins } from './plugins/read-plugins.ts';

export interface Taken {
  /** The folder that was named, '' for all of the source. */
  readonly root: string;
  /** Only these skills; none: all of them. */
  readonly skills: readonly string[];
  readonly resolvedOf: (folder: string) => Resolved;
  /** What a skill at the root is called when its SKILL.md does not say. */
  readonly rootName: string;
  /** For messages: what the person asked for. */
  readonly source: string;
}

/** Of a SKILL.md or a manifest that is read to find out what there is. */
const maxHeadBytes = 1024 * 1024;
const maxRefused = 1_000;

export async function takePackages(listing: Listing, taken: Taken, context: FetchContext): Promise<Fetched> {
  const judged = judgeEntries(listing.entries, context.limits);
  const readText = async (path: string): Promise<string | null> => {
    const entry = judged.taken.get(path);
    if (entry === undefined || entry.size > maxHeadBytes) return null;
    return decodeUtf8(await listing.read(entry)).text;
  };
  const plugins = await readPlugins(judged.taken.keys(), taken.root, readText);
  const found = findSkillFolders(judged.taken.keys(), taken.root, { folders: plugins.folders });
  const choice = new Choice(taken, judged);
  for (const folder of found.usual) choice.add(folder, await readText(joined(folder, 'SKILL.md')));
  if (!choice.isComplete())
    for (const folder of found.others) choice.add(folder, await readText(joined(folder, 'SKILL.md')));
  const chosen = choice.chosen();
  const refused: RefusedEntry[] = [...choice.refused, ...plugins.refused];
  if (chosen.length === 0) throw nothingFound(taken, choice, [...refused, ...judged.refused]);
  const packages = await readPackages(listing, judged, chosen, taken, context);
  const folders = new Set(chosen.map(({ folder }) => folder));
  const elsewhere = judged.refused.filter(({ path }) => foldersAbove(path, folders).length === 0);
  return { packages, pluginParts: plugins.parts, refused: bounded([...refused, ...elsewhere]) };
}

interface Candidate {
  readonly name: string;
  readonly folder: string;
}

/** The candidates by name; the first of a name counts. */
class Choice {
  readonly refused: RefusedEntry[] = [];
  readonly #byName = new Map<string, Candidate>();
  readonly #wanted: readonly string[];
  readonly #taken: Taken;
  readonly #judged: JudgedEntries;

  constructor(taken: Taken, judged: JudgedEntries) {
    this.#taken = taken;
    this.#judged = judged;
    this.#wanted = taken.skills.map((name) => name.toLowerCase());
  }

  add(folder: string, text: string | null): void {
    const path = joined(folder, 'SKILL.md');
    const name = text === null ? null : nameOf(text, folder, this.#taken.rootName);
    if (text === null || name === null) {
      const size = this.#judged.taken.get(path)?.size ?? 0;
      this.refused.push({
        path,
        reason:
          text === null
            ? `its SKILL.md has ${size} bytes; the limit is ${maxHeadBytes}`
            : 'neither its name nor its folder is a name that a skill can have: a-z, 0-9 and single hyphens, at most 64 characters',
      });
      return;
    }
    const before = this.#byName.get(name);
    if (before === undefined) this.#byName.set(name, { name, folder });
    else if (before.folder !== folder)
      this.refused.push({
        path,
        reason: `"${before.folder === '' ? '.' : before.folder}" is a skill of the same name`,
      });
  }

  names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  missing(): readonly string[] {
    return this.#wanted.filter((name) => !this.#byName.has(name));
  }

  isComplete(): boolean {
    return this.#byName.size > 0 && this.missing().length === 0;
  }

  /** Throws SOURCE_EMPTY when a skill that was asked for is not there. */
  chosen(): readonly Candidate[] {
    const all = [...this.#byName.values()];
    if (this.#wanted.length === 0) return all;
    const missing = this.missing();
    if (missing.length > 0 && all.length > 0)
      throw new TechneError(
        'SOURCE_EMPTY',
        `"${show(this.#taken.source)}" has no skill ${missing.map((name) => `"${show(name)}"`).join(', ')}`,
        { hint: `it has ${listed(this.names())}` },
      );
    return all.filter(({ name }) => this.#wanted.includes(name));
  }
}

/** The name that the skill would be installed by; `null`: none is usable. */
function nameOf(text: string, folder: string, rootName: string): string | null {
  const folderName = folder === '' ? rootName : (folder.split('/').at(-1) as string);
  const context = { folderName, entries: [], fileBytes: text.length };
  const { declaredName } = headOfFrontmatter(nodeFrontmatter(text), context, () => undefined);
  return (
    [declaredName, folderName].find(
      (name) => name !== null && isPlainName(name) && name.length <= nameLimit,
    ) ?? null
  );
}

async function readPackages(
  listing: Listing,
  judged: JudgedEntries,
  chosen: readonly Candidate[],
  taken: Taken,
  context: FetchContext,
): Promise<readonly SkillPackage[]> {
  const { limits } = context;
  const packages: SkillPackage[] = [];
  const folders = new Set(chosen.map(({ folder }) => folder));
  const byFolder = {
    taken: grouped([...judged.taken.values()], folders),
    leftOut: grouped([...judged.leftOut.values()], folders),
    refused: grouped(judged.refused, folders),
  };
  let total = 0;
  let entries = 0;
  for (const { name, folder } of chosen) {
    const inside = byFolder.taken.get(folder) ?? [];
    const besides = byFolder.leftOut.get(folder) ?? [];
    const all = [...inside, ...besides];
    const bytes = all.reduce((sum, { size }) => sum + size, 0);
    if (all.length > limits.skillFiles)
      throw overLimit(`the skill "${name}" has ${all.length} files; the limit is ${limits.skillFiles}`);
    if (bytes > limits.skillBytes)
      throw overLimit(`the skill "${name}" has ${bytes} bytes; the limit is ${limits.skillBytes}`);
    total += bytes;
    entries += all.length;
    if (total > limits.totalBytes)
      throw overLimit(
        `the skills have more than ${limits.totalBytes} bytes together`,
        'choose some of them with --skill',
      );
    if (entries > limits.entries)
      throw overLimit(
        `the skills have more than ${limits.entries} files together`,
        'choose some of them with --skill',
      );
    context.tell({ phase: 'unpack', what: name, doneBytes: total, totalBytes: null });
    packages.push({
      name,
      resolved: taken.resolvedOf(folder),
      path: folder,
      files: await readFiles(listing, folder, inside, context),
      leftOut: await readFiles(listing, folder, besides, context),
      refused: bounded(byFolder.refused.get(folder) ?? []),
    });
  }
  return packages;
}

/** The folders of skills that a path lies in. */
function foldersAbove(path: string, folders: ReadonlySet<string>): readonly string[] {
  const above = folders.has('') ? [''] : [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    if (end > 0 && folders.has(path.slice(0, end))) above.push(path.slice(0, end));
  return above;
}

function grouped<T extends { readonly path: string }>(
  entries: readonly T[],
  folders: ReadonlySet<string>,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries)
    for (const folder of foldersAbove(entry.path, folders)) {
      const group = groups.get(folder);
      if (group === undefined) groups.set(folder, [entry]);
      else group.push(entry);
    }
  return groups;
}

async function readFiles(
  listing: Listing,
  folder: string,
  entries: readonly ListedEntry[],
  context: FetchContext,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const start = folder === '' ? 0 : folder.length + 1;
  const files = new Map<string, FetchedFile>();
  for (const entry of entries) {
    stopIfAborted(context.signal);
    files.set(entry.path.slice(start), { bytes: await listing.read(entry), executable: entry.executable });
  }
  return files;
}

function bounded(refused: readonly RefusedEntry[]): readonly RefusedEntry[] {
  if (refused.length <= maxRefused) return refused;
  const more = refused.length - maxRefused;
  return [...refused.slice(0, maxRefused), { path: '…', reason: `and ${more} more that are not taken` }];
}

function nothingFound(taken: Taken, choice: Choice, refused: readonly RefusedEntry[]): TechneError {
  const place =
    taken.root === ''
      ? `"${show(taken.source)}"`
      : `the folder "${show(taken.root)}" of "${show(taken.source)}"`;
  const telling = refused.find(({ path }) => /(?:^|\/)SKILL\.md$/i.test(path)) ?? refused[0];
  const why = telling === undefined ? '' : `; "${show(telling.path)}" was not taken: ${telling.reason}`;
  return new TechneError('SOURCE_EMPTY', `${place} holds no skill${why}`, {
    hint:
      choice.names().length > 0
        ? `it has ${listed(choice.names())}`
        : 'a skill is a folder with a file SKILL.md; name its folder if it lies deeper',
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ');
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}
