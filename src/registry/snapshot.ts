// The skills of a session: frozen, with one way to read their content.
//
//   roots -> discover -> candidates -> Snapshot { skills, shadowed, diagnostics, facts, reads }
//
// Nothing in a snapshot changes, nor in what it returns. A later look at the disk gives another snapshot. Heads from the
// index cache are parsed on demand. `with` judges a tree in memory exactly as a folder on disk: same walk, same parser,
// same reads.
import { decodeUtf8 } from '../base/utf8.ts';
import { deepFreeze, canonicalJson, append } from '../base/json.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../base/diagnostic.ts';
import { TechneError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import type { Config } from '../config/types.ts';
import type { Environment, Sha256, Clock } from '../ports/environment.ts';
import { checkProgram } from '../skill/form.ts';
import { inspectText } from '../skill/check/inspect-text.ts';
import { bodyVersion, parseBody } from '../skill/body/parse-body.ts';
import type { ExecutionBar, SkillBody } from '../skill/types.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import type { Candidates } from './discover/discover.ts';
import { Eligibility, FactFinder, invalidReasons, placeBar, giveVerdicts } from './facts/facts.ts';
import type { FoundSkill } from './discover/found-skill.ts';
import { sameSignature } from './discover/found-skill.ts';
import { racyNs } from './cache/head-index.ts';
import { precedenceOrder } from '../config/precedence.ts';
import { chooseWinners } from './discover/choose-winners.ts';
import type {
  CountListed,
  Facts,
  JudgeForm,
  InstalledSkills,
  Reason,
  Shadowed,
  Skill,
  SkillTree,
  ContentGate,
  Root,
} from './types.ts';
import { severityOf } from '../base/codes.ts';
import type { Precedence } from '../config/precedence.ts';
import { FileFault } from '../ports/files.ts';
import type { FileManifest, ResourceKind } from '../skill/resources.ts';
import { isExcluded, manifestOf, resourceKind } from '../skill/resources.ts';
import type { ContentEntry, KeptFolder } from './read-content.ts';
import { refusalOf, ContentReader } from './read-content.ts';
import type { Blobs } from '../ports/blobs.ts';
import type { Files } from '../ports/files.ts';
import { discover } from './discover/discover.ts';
import type { HeadIndex } from './cache/head-index.ts';

interface SnapshotParts {
  readonly candidates: Found;
  readonly reader: ContentReader;
  readonly config: Config;
  readonly environment: Environment;
  readonly sha256: Sha256;
  readonly parseFull: ParseFull;
  readonly countListed: CountListed;
  readonly judge: JudgeForm | null;
  readonly installed: InstalledSkills | null;
  readonly barOf: ((skill: Skill) => Reason | null) | null;
  readonly fingerprint: (() => string | null) | null;
}

/** The skills at one moment. It never changes; every read of what a skill holds goes through it. */
export class Snapshot {
  /** One for each name, by name (code units). */
  readonly skills: readonly Skill[];
  /** The others of those names, with the reason. */
  readonly shadowed: readonly Shadowed[];
  /** What the standard rejects, where loading is strict; `diagnostics` say why. */
  readonly refused: readonly Skill[];
  readonly #diagnostics: Diagnostic[];
  readonly #parts: SnapshotParts;
  readonly #byName: ReadonlyMap<string, FoundSkill>;
  readonly #facts: FactFinder;
  #digest: string | null = null;

  /** @internal Snapshots come from `loadSnapshot` and `with`. */
  constructor(parts: SnapshotParts) {
    const eligibility = new Eligibility(parts.environment, parts.config);
    const chosen = chooseWinners(parts.candidates.skills, (skill) => {
      const reason = invalidReasons(skill)[0] ?? eligibility.missing(skill.traits.requires)[0];
      return reason?.message ?? null;
    });
    this.#parts = parts;
    this.#byName = chosen.byName;
    this.#facts = new FactFinder(
      chosen.skills,
      this.#byName,
      eligibility,
      parts.config,
      parts.countListed,
      parts.barOf,
    );
    this.skills = Object.freeze(chosen.skills);
    for (const one of chosen.shadowed) Object.freeze(one);
    this.shadowed = Object.freeze(chosen.shadowed);
    this.refused = Object.freeze([...parts.candidates.refused]);
    this.#diagnostics = [
      ...(parts.installed?.diagnostics ?? []),
      ...parts.candidates.diagnostics,
      ...chosen.diagnostics,
    ];
    Object.freeze(this);
  }

  /** What it was made with. */
  get config(): Config {
    return this.#parts.config;
  }

  /** What is wrong with files and folders that gave no skill, and which skills hide others; by path. The rest is in `Skill.diagnostics`. */
  get diagnostics(): readonly Diagnostic[] {
    return Object.isFrozen(this.#diagnostics)
      ? this.#diagnostics
      : deepFreeze(this.#diagnostics.sort(compareDiagnostics));
  }

  /** SHA-256 over identities and head metadata; bodies and places on disk do not count. */
  digest(): string {
    if (this.#digest === null) {
      const rows = this.skills.map(
        ({ name, source, origin, head }) => [name, source, { ...origin }, head as unknown as Json] as Json,
      );
      this.#digest = `sha256:${this.#parts.sha256(canonicalJson(rows))}`;
    }
    return this.#digest;
  }

  /**
   * The same for the same folders and SKILL.md files of the same roots, by path and signature; `null` where that is not known, as
   * after a change. @internal
   */
  fingerprint(): string | null {
    return this.#parts.fingerprint?.() ?? null;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  /** Throws SKILL_UNKNOWN. */
  get(name: string): Skill {
    return this.#found(name);
  }

  facts(skill: Skill): Facts {
    return this.#facts.of(this.#found(skill.name));
  }

  /** Whether people or a model may start it, as its facts say. */
  mayStart(skill: Skill): boolean {
    return this.#facts.mayStart(this.#found(skill.name));
  }

  /** The whole of SKILL.md, with what is wrong with its encoding. */
  async readText(
    name: string,
  ): Promise<{ readonly text: string; readonly diagnostics: readonly Diagnostic[] }> {
    const skill = this.#found(name);
    const { text, valid } = decodeUtf8(await this.#parts.reader.read(skill, 'SKILL.md'));
    const diagnostics: Diagnostic[] = [];
    inspectText(text, valid, collectInto(diagnostics, skill.file));
    return { text, diagnostics };
  }

  async readBody(name: string): Promise<SkillBody> {
    return parseBody((await this.readText(name)).text);
  }

  /** The text of a body for an index of words, which is not shown. */
  async readWords(name: string): Promise<string> {
    const { text } = decodeUtf8(await this.#parts.reader.readForIndex(this.#found(name), 'SKILL.md'));
    return parseBody(text).text;
  }

  /** What a reader of the skill should know, once some of it was read: one line of the guard, or `null`. */
  note(name: string): string | null {
    return this.#parts.reader.noteOf(this.#found(name));
  }

  /** The first 16 hex digits of the body's SHA-256: stable while only the frontmatter changes. */
  async version(name: string): Promise<string> {
    return bodyVersion((await this.readBody(name)).text, this.#parts.sha256);
  }

  /** A file of the skill, by its path inside the folder. */
  async readFile(name: string, relativePath: string): Promise<Uint8Array> {
    return this.#parts.reader.read(this.#found(name), relativePath);
  }

  async listFiles(name: string): Promise<readonly ResourceEntry[]> {
    const skill = this.#found(name);
    return listFiles(entriesOf(skill, this.#parts.reader), this.#parts.config.limits);
  }

  /** Size, mode and SHA-256 of every file, and the digest over them all; what it does not cover besides. Reads the whole folder, by name that of the winner. */
  async manifest(name: string | Skill): Promise<SkillManifest> {
    return digestFiles(
      typeof name === 'string' ? this.#found(name) : this.#candidate(name),
      this.#parts.reader,
      this.#parts.config.limits,
      this.#parts.sha256,
    );
  }

  /** Why the whole of an installed skill is not what its lock says; `null`: it is, or it was not installed. Reads all of it. */
  async drift(name: string): Promise<Reason | null> {
    const skill = this.#found(name);
    const locked = this.#parts.installed?.digestOf(skill.realFolder) ?? null;
    if (locked === null) return null;
    const known = 'refusal' in locked ? locked.refusal : skill.drift;
    if (known !== null) return { code: 'DRIFTED', ...known };
    const { digest } = await this.manifest(name);
    if ('digest' in locked && digest === locked.digest) return null;
    return {
      code: 'DRIFTED',
      message: `the files of the installed skill "${name}" are not those that were installed`,
      hint: `techne hub list shows which; techne restore ${name} puts them back, techne adopt ${name} keeps them`,
    };
  }

  /**
   * Why the files of the skill cannot be executed, or `null`: looks at SKILL.md and the program, and reads the
   * program. What the head says (`card.form`, `card.bar`) is not repeated. Throws what reading throws.
   */
  async executionBar(name: string): Promise<ExecutionBar | null> {
    const skill = this.#found(name);
    const { program } = skill.head;
    const held = this.#parts.reader.heldFolder(skill);
    const bar = held === null ? barOfPlace(skill) : held.bar;
    if (bar !== null || program === null) return bar;
    const bytes = await this.#parts.reader.read(skill, program);
    return checkProgram(decodeUtf8(bytes).text, bytes.length);
  }

  /**
   * Keeps all that these skills hold, so that it reads the same whatever happens to the disk: all bodies and programs, and as
   * many other files as `maxFiles` says, up to 64 MiB. Costs little the second time. Gives the names of skills that are no
   * longer as they were found.
   */
  async hold(
    skills: readonly Skill[] = this.skills,
    { maxFiles = Infinity }: { readonly maxFiles?: number } = {},
  ): Promise<readonly string[]> {
    const { holdSkills } = await import('./hold-skills.ts');
    const { reader } = this.#parts;
    const found = skills.map(({ name }) => this.#found(name));
    const look = (skill: FoundSkill): KeptFolder => ({ entries: [...walk(skill)], bar: barOfPlace(skill) });
    return holdSkills(found, reader, look, maxFiles);
  }

  /** This snapshot with one more skill, which counts before all others of its name while it is usable. */
  async with(tree: SkillTree): Promise<Snapshot> {
    const { discoverTree } = await import('./discover/discover-tree.ts');
    const { candidates, reader, judge } = this.#parts;
    const added = await admit(discoverTree(tree, this.#parts), this.#parts);
    await giveVerdicts(added.skills, reader, judge);
    return new Snapshot({
      ...this.#parts,
      fingerprint: null,
      candidates: {
        skills: [...added.skills, ...candidates.skills],
        refused: [...added.refused, ...candidates.refused],
        diagnostics: [...added.diagnostics, ...candidates.diagnostics],
      },
    });
  }

  /** This snapshot as it would be if there were nothing in `realFolder`; another skill of its name may take its place. */
  without(realFolder: string): Snapshot {
    const { candidates } = this.#parts;
    const stays = (skill: FoundSkill): boolean => skill.realFolder !== realFolder;
    return new Snapshot({
      ...this.#parts,
      fingerprint: null,
      candidates: {
        skills: candidates.skills.filter(stays),
        refused: candidates.refused.filter(stays),
        diagnostics: candidates.diagnostics.filter(
          ({ path }) => path !== realFolder && !path.startsWith(`${realFolder}/`),
        ),
      },
    });
  }

  /**
   * This snapshot, with the skills `names` of an earlier one in place of what their folders hold now. Their
   * SKILL.md, and every other one that is unchanged, read as they did wherever the earlier one had read them.
   */
  keeping(earlier: Snapshot, names: readonly string[]): Snapshot {
    const kept = names.map((name) => earlier.#found(name));
    const { candidates, reader } = this.#parts;
    for (const skill of kept) reader.inherit(earlier.#parts.reader, skill, 'all-files');
    for (const skill of candidates.skills) {
      const before = earlier.#byName.get(skill.name);
      if (before?.folder !== skill.folder || !sameSignature(before.signature, skill.signature)) continue;
      // What was written in the last moment before the earlier look may have been written again since, unseen.
      if (skill.signature.ctimeNs + racyNs < before.foundIn.takenNs)
        reader.inherit(earlier.#parts.reader, before, 'skill-file');
    }
    return kept.length === 0
      ? this
      : new Snapshot({
          ...this.#parts,
          fingerprint: null,
          candidates: keepIn(candidates, kept, precedenceOrder(this.#parts.config.precedence)),
        });
  }

  /** Also one that another hides. */
  #candidate(skill: Skill): FoundSkill {
    return this.#parts.candidates.skills.find((one) => one === skill) ?? this.#found(skill.name);
  }

  #found(name: string): FoundSkill {
    const skill = this.#byName.get(name);
    if (skill !== undefined) return skill;
    const close = nearest(name, this.#byName.keys());
    throw new TechneError(
      'SKILL_UNKNOWN',
      `there is no skill "${name}"`,
      close === null ? {} : { hint: `did you mean "${close}"?` },
    );
  }
}

interface Found extends Pick<Candidates, 'skills' | 'diagnostics'> {
  readonly refused: readonly FoundSkill[];
}

/** Applies the setting `loading`. */
async function admit(
  found: Pick<Candidates, 'skills' | 'diagnostics'>,
  { config, reader, parseFull }: Pick<SnapshotParts, 'config' | 'reader' | 'parseFull'>,
): Promise<Found> {
  const { skills, diagnostics } = found;
  if (config.loading === 'lenient') return { skills, diagnostics, refused: [] };
  const { refuseSkills } = await import('./discover/refuse-skills.ts');
  const sifted = await refuseSkills(skills, reader, parseFull);
  return { ...sifted, diagnostics: [...diagnostics, ...sifted.diagnostics] };
}

function keepIn(candidates: Found, kept: readonly FoundSkill[], precedence: Precedence): Found {
  const skills = [...candidates.skills];
  const diagnostics = [...candidates.diagnostics];
  for (const skill of kept) {
    const at = skills.findIndex((candidate) => candidate.folder === skill.folder);
    if (at >= 0) {
      append(diagnostics, (skills[at] as FoundSkill).diagnostics);
      skills[at] = skill;
    } else {
      skills.splice(placeFor(skill, skills, precedence), 0, skill);
    }
    diagnostics.push(staleKept(skill));
  }
  return {
    skills,
    diagnostics,
    refused: candidates.refused.filter(({ folder }) => !kept.some((skill) => skill.folder === folder)),
  };
}

/** Before the first of its name that does not come before it by source; candidates are in order of precedence. */
function placeFor(skill: FoundSkill, skills: readonly FoundSkill[], precedence: Precedence): number {
  const rank = precedence.indexOf(skill.source);
  const at = skills.findIndex(
    (other) => other.name === skill.name && precedence.indexOf(other.source) <= rank,
  );
  return at >= 0 ? at : skills.length;
}

function staleKept(skill: FoundSkill): Diagnostic {
  return {
    code: 'SKILL_STALE_KEPT',
    severity: severityOf('SKILL_STALE_KEPT'),
    path: skill.file,
    span: null,
    message: `"${skill.name}" changed and can no longer be read as it was; its last good version stays in use`,
    hint: 'fix the file; the other messages about it show what is wrong',
  };
}

// The files of a skill folder besides SKILL.md, and the manifest of all of them.
//
// Links are named, never followed. In a manifest a link counts by where in the folder it leads, so that redirecting it
// changes the digest. A link that leads to something outside the digest (outside the folder, or excluded) is reported as
// uncovered, because such a digest covers too little. A listing that reaches its limit ends with an entry that says so; a
// digest over a part is refused.

/** A file beside SKILL.md. */
export interface ResourceEntry {
  /** Relative to the skill folder, with `/`. */
  readonly path: string;
  readonly kind: ResourceKind;
  /** `cut`: the limit was reached, this and what follows is not listed. */
  readonly entry: 'file' | 'link' | 'other' | 'cut';
  /** Bytes; 0 for what is not a file. */
  readonly size: number;
}

interface ManifestLink {
  readonly path: string;
  /** Where in the folder it leads; `null` for nowhere, or for a place outside. */
  readonly target: string | null;
  /** Leads to something that the digest does not cover. */
  readonly uncovered: boolean;
}

/** A manifest, with what is in the folder besides. */
export interface SkillManifest extends FileManifest {
  readonly links: readonly ManifestLink[];
  /** Files, and folders with a `/` at the end, that are left out; not what is inside those folders. */
  readonly excluded: readonly string[];
}

type Limits = Config['limits'];

/** Everything in the folder but SKILL.md and what is excluded from manifests, by path. */
function listFiles(entries: Iterable<ContentEntry>, limits: Limits): readonly ResourceEntry[] {
  const found: ResourceEntry[] = [];
  for (const { path, entry, size } of entries) {
    if (path === 'SKILL.md' || entry === 'excluded') continue;
    if (found.length >= limits.files) {
      found.push({ path, kind: resourceKind(path), entry: 'cut', size: 0 });
      break;
    }
    found.push({ path, kind: resourceKind(path), entry, size });
  }
  return found;
}

/** Throws DIGEST_LIMIT, and what reading throws. */
async function digestFiles(
  skill: FoundSkill,
  reader: ContentReader,
  limits: Limits,
  sha256: Sha256,
): Promise<SkillManifest> {
  const files: FileManifest['files'][number][] = [];
  const links: ManifestLink[] = [];
  const excluded: string[] = [];
  let bytes = 0;
  for (const { path, entry, size, target } of entriesOf(skill, reader)) {
    if (entry === 'excluded') {
      excluded.push(path);
      continue;
    }
    if (files.length >= limits.files)
      throw overLimit(skill, `more than ${limits.files} files`, 'limits.files');
    if (entry === 'other')
      throw new TechneError(
        'FILE_DENIED',
        `"${path}" of the skill "${skill.name}" is a special file and cannot be digested`,
      );
    if (entry === 'link') {
      files.push({ path, size: 0, executable: false, sha256: sha256(`link:${target}`) });
      const inside = target.startsWith('in:') ? target.slice('in:'.length) : null;
      links.push({
        path,
        target: inside,
        uncovered: target === 'out' || (inside !== null && isExcluded(inside)),
      });
      continue;
    }
    if (bytes + size > limits.bytes)
      throw overLimit(skill, `more than ${limits.bytes} bytes`, 'limits.bytes');
    const file = await reader.digest(skill, path);
    bytes += file.size;
    files.push({ path, size: file.size, executable: file.executable, sha256: file.sha256 });
  }
  return { ...manifestOf(files, sha256), links, excluded };
}

/** As they were when the skill was held, else as they are. */
function entriesOf(skill: FoundSkill, reader: ContentReader): Iterable<ContentEntry> {
  return reader.heldFolder(skill)?.entries ?? walk(skill);
}

function barOfPlace(skill: FoundSkill): ExecutionBar | null {
  const { program } = skill.head;
  return faultless(skill, program ?? 'SKILL.md', () => placeBar(skill.files, skill.realFolder, program));
}

function* walk(skill: FoundSkill): Generator<ContentEntry> {
  const ahead: { readonly path: string; readonly kind: 'file' | 'link' | 'other' | 'folder' | 'excluded' }[] =
    [{ path: '', kind: 'folder' }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (next.kind !== 'folder') {
      const { path, kind } = next;
      yield {
        path,
        entry: kind,
        size: kind === 'file' ? sizeOf(skill, path) : 0,
        target: kind === 'link' ? linkTarget(skill, path) : '',
      };
      continue;
    }
    const prefix = next.path === '' ? '' : `${next.path}/`;
    const entries = faultless(skill, next.path, () =>
      skill.files.list(`${skill.realFolder}/${next?.path ?? ''}`),
    );
    if (entries === null)
      throw new TechneError(
        'FILE_DENIED',
        `"${next.path}" of the skill "${skill.name}" is listed but cannot be found: it went away, or its name is not valid UTF-8`,
      );
    for (const { name, kind } of entries.toReversed()) {
      const path = prefix + name;
      if (isExcluded(path)) ahead.push({ path: kind === 'folder' ? `${path}/` : path, kind: 'excluded' });
      else ahead.push({ path, kind });
    }
  }
}

function sizeOf(skill: FoundSkill, path: string): number {
  return Number(faultless(skill, path, () => skill.files.lstat(`${skill.realFolder}/${path}`))?.size ?? 0n);
}

/** Where inside the folder a link leads; where outside is not ours to look at. */
function linkTarget(skill: FoundSkill, path: string): string {
  const real = faultless(skill, path, () => skill.files.realPath(`${skill.realFolder}/${path}`));
  if (real === null) return 'nowhere';
  return real.startsWith(`${skill.realFolder}/`) ? `in:${real.slice(skill.realFolder.length + 1)}` : 'out';
}

/** A fault while looking at a file of the skill, as a refusal. */
function faultless<T>(skill: FoundSkill, path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw error instanceof FileFault ? refusalOf(error, skill, path === '' ? '.' : path) : error;
  }
}

function overLimit(skill: FoundSkill, what: string, key: string): TechneError {
  return new TechneError('DIGEST_LIMIT', `the skill "${skill.name}" has ${what}`, {
    hint: `move generated files out of the skill folder, or raise ${key}`,
  });
}

// `loadSnapshot` is the entry point of the registry.

export interface SnapshotOptions {
  /** Within a source the earlier root wins; `defaultRoots` gives the usual ones. */
  readonly roots: readonly Root[];
  readonly files: Files;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly parseFull: ParseFull;
  readonly config: Config;
  /** Decides the fact `listed`; `prompt/index-layout.ts` has the usual one. */
  readonly countListed: CountListed;
  /** Judges programs and plans (techne/judge-form.ts). Default: only their heads and places are. */
  readonly judge?: JudgeForm;
  /** Where content that was read is pinned. Default: memory. */
  readonly blobs?: Blobs;
  /** Default: everything passes. */
  readonly gate?: ContentGate;
  /** What the locks of installed skills say. Default: nothing is installed. */
  readonly installed?: InstalledSkills | null;
  /** Why a skill is known to be refused to its readers. Must not throw. Default: none is. */
  readonly barOf?: (skill: Skill) => Reason | null;
  /** Default: none; every head is read. */
  readonly index?: HeadIndex | null;
}

export async function loadSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { files, environment, clock, sha256, parseFull, config, countListed } = options;
  const index = config.cache.enabled ? (options.index ?? null) : null;
  const installed = options.installed ?? null;
  const found = discover(
    options.roots,
    { files, clock, parseFull, index, installed },
    {
      depth: config.limits.depth,
      precedence: precedenceOrder(config.precedence),
      homeFolder: environment.homeFolder,
    },
  );
  const reader = new ContentReader({
    sha256,
    blobs: options.blobs ?? null,
    gate: options.gate ?? null,
    installed,
    maxBytes: config.limits.bytes,
  });
  const judge = options.judge ?? null;
  if (installed !== null) for (const skill of found.skills) skill.compareWithLock();
  const candidates = await admit(found, { config, reader, parseFull });
  await giveVerdicts(candidates.skills, reader, judge);
  const snapshot = new Snapshot({
    candidates,
    reader,
    config,
    environment,
    sha256,
    parseFull,
    countListed,
    judge,
    installed,
    barOf: options.barOf ?? null,
    fingerprint: () => found.fingerprint(sha256),
  });
  const sections = index === null ? null : found.sections();
  if (index !== null && sections !== null && sections.size > 0) await index.save(sections);
  return snapshot;
}
