// One skill as discovery found it, read from disk or taken from the index cache.
//
// It is read-only: accessors over private state, and what they return is frozen on first use (the root and its origin
// once for each root), so that finding skills stays cheap.
import { deepFreeze } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { FileSignature, Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { SkillCard } from '../../skill/parse-head.ts';
import type { FormBar, SkillHead, SkillOrigin } from '../../skill/types.ts';
import type { DriftRefusal, InstalledSkills, Root, Skill, Source } from '../types.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { cardOf, parseHead } from '../../skill/parse-head.ts';
import type { Glimpse } from '../../skill/frontmatter/glance.ts';
import { cardOfGlimpse } from '../../skill/frontmatter/glance.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';

/** What holds for all skills that one walk finds below one root. */
export interface FoundIn {
  readonly root: Root;
  /** Where the files are read from: the host's, or a tree in memory. */
  readonly files: Files;
  /** When the walk began. */
  readonly takenNs: bigint;
  /** What the locks say about the folders. Default: nothing is installed. */
  readonly installed?: InstalledSkills | null;
}

export class FoundSkill implements Skill {
  readonly #realFolder: string;
  readonly #foundIn: FoundIn;
  readonly #from: HeadSource;
  readonly #folder: string;
  readonly #name: string;
  readonly #fileName: string;
  readonly #installed: SkillOrigin | null;
  #drift: DriftRefusal | null = null;
  #cardFrozen = false;

  /** `foundIn` and its root are frozen. `fileName` is SKILL.md, perhaps in another case. */
  constructor(foundIn: FoundIn, folder: string, realFolder: string, from: HeadSource, fileName = 'SKILL.md') {
    this.#fileName = fileName;
    this.#realFolder = realFolder;
    this.#installed = foundIn.installed?.originOf(realFolder) ?? null;
    this.#foundIn = foundIn;
    this.#from = from;
    this.#folder = folder;
    this.#name = folder.slice(folder.lastIndexOf('/') + 1);
    Object.preventExtensions(this);
  }

  /** The folder's name: the identity of a skill is where it is. */
  get name(): string {
    return this.#name;
  }

  get folder(): string {
    return this.#folder;
  }

  /** The folder with every link resolved. */
  get realFolder(): string {
    return this.#realFolder;
  }

  get foundIn(): FoundIn {
    return this.#foundIn;
  }

  get description(): string {
    return this.#from.description;
  }

  get source(): Source {
    return this.#foundIn.root.source;
  }

  get root(): Root {
    return this.#foundIn.root;
  }

  get origin(): SkillOrigin {
    return this.#installed ?? this.#foundIn.root.origin;
  }

  get file(): string {
    return `${this.#folder}/${this.#fileName}`;
  }

  /** What its SKILL.md is called on the disk: everybody else calls it SKILL.md. */
  get fileName(): string {
    return this.#fileName;
  }

  get files(): Files {
    return this.#foundIn.files;
  }

  get signature(): FileSignature {
    return Object.freeze(this.#from.signature);
  }

  get card(): SkillCard {
    const card = this.#from.card(this.#name);
    if (!this.#cardFrozen) {
      this.#cardFrozen = true;
      freezeCard(card);
    }
    return card;
  }

  /** The card without its description, which takes no time to get. */
  get traits(): SkillTraits {
    return this.#from.traits();
  }

  get head(): SkillHead {
    return frozen(this.#from.head(this.#name));
  }

  /** The frontmatter as written, where a glance at it was enough. */
  get glanced(): string | null {
    return this.#from.glanced;
  }

  /** Its program or plan was not judged yet. */
  get awaitsVerdict(): boolean {
    return this.#from.awaitsVerdict;
  }

  /** Why its SKILL.md is not what was installed; `null`: it is, or it was not installed. */
  get drift(): DriftRefusal | null {
    return this.#drift;
  }

  /** Before the skill is part of a snapshot: compares SKILL.md with the lock. The other files are when they are read. */
  compareWithLock(): void {
    if (this.#installed === null) return;
    this.#drift =
      this.#foundIn.installed?.judge({
        realFolder: this.#realFolder,
        path: this.#fileName,
        ...this.#readForLock(),
      }) ?? null;
  }

  /** What cannot be read is as good as gone. */
  #readForLock(): { readonly bytes: Uint8Array | null; readonly executable: boolean } {
    try {
      // One byte more than it had, so that a file that grew is noticed.
      const read = this.files.readHead(this.file, Number(this.signature.size) + 1);
      if (read !== null) return { bytes: read.bytes, executable: (read.stat.mode & 0o100n) !== 0n };
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
    }
    return { bytes: null, executable: false };
  }

  /** Before the skill is part of a snapshot. */
  judge(verdict: FormVerdict): void {
    this.#from.judge(verdict);
  }

  get diagnostics(): readonly Diagnostic[] {
    return frozen(this.#from.diagnostics(this.#name, this.file));
  }
}

/** Listing asks every skill for its card, and most hold nothing that is not frozen. */
function freezeCard(card: SkillCard): void {
  Object.freeze(card);
  if (card.bar !== null) Object.freeze(card.bar);
  if (card.requires !== null) deepFreeze(card.requires);
  if (!Object.isFrozen(card.invocation)) deepFreeze(card.invocation);
}

/** Each source keeps what it gives, so the second look costs one question. */
function frozen<T>(value: T): T {
  return Object.isFrozen(value) ? value : deepFreeze(value);
}

export function signatureOf(stat: FileSignature): FileSignature {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs };
}

export function sameSignature(a: FileSignature, b: FileSignature): boolean {
  return (
    a.ctimeNs === b.ctimeNs &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.dev === b.dev
  );
}

// Where the head of a found skill comes from.
//
//   ParsedHead    parsed while the skill was found
//   GlancedHead   recognised as plain; parsed when more than its card is needed
//   RecordedHead  taken from the index cache (head-index.ts); decoded on demand
//
// All give the same card, the same head and the same diagnostics.

/** Whether the program or plan of a skill can be executed (`giveVerdicts` of facts/facts.ts). */
export interface FormVerdict {
  readonly bar: FormBar | null;
  /** The files besides SKILL.md that it depends on. `null`: it cannot be kept for another load. */
  readonly files: readonly JudgedFile[] | null;
}

export interface JudgedFile {
  /** Relative to the skill folder. */
  readonly path: string;
  /** `null`: there is none. */
  readonly signature: FileSignature | null;
}

/** A card without its description. */
export type SkillTraits = Omit<SkillCard, 'description'>;

/** Keeps what it worked out. */
export interface HeadSource {
  /** It has a form that can be executed, nothing in the head bars that, and no verdict was given. */
  readonly awaitsVerdict: boolean;
  /** `null`: it needs none, or has none yet. */
  readonly verdict: FormVerdict | null;
  judge(verdict: FormVerdict): void;
  /** Of the SKILL.md it was read from. */
  readonly signature: FileSignature;
  /** The frontmatter, where a glance at it was enough. */
  readonly glanced: string | null;
  readonly description: string;
  card(folderName: string): SkillCard;
  /** What the card says, shared by all skills that say the same: frozen. */
  traits(): SkillTraits;
  head(folderName: string): SkillHead;
  diagnostics(folderName: string, file: string): readonly Diagnostic[];
}

export class ParsedHead implements HeadSource {
  readonly signature: FileSignature;
  readonly glanced = null;
  verdict: FormVerdict | null = null;
  private readonly parsed: SkillHead;
  private readonly reported: readonly Diagnostic[];
  private known: SkillCard | null = null;

  constructor(signature: FileSignature, parsed: SkillHead, reported: readonly Diagnostic[]) {
    this.signature = signature;
    this.parsed = parsed;
    this.reported = reported;
  }

  get description(): string {
    return this.parsed.description;
  }

  get awaitsVerdict(): boolean {
    return this.parsed.form !== 'instructions' && this.parsed.bar === null && this.verdict === null;
  }

  judge(verdict: FormVerdict): void {
    this.verdict = verdict;
    this.known = null;
  }

  card(): SkillCard {
    return (this.known ??= cardOf(this.parsed, this.reported, this.verdict?.bar ?? null));
  }

  traits(): SkillTraits {
    return this.card();
  }

  head(): SkillHead {
    return this.parsed;
  }

  diagnostics(): readonly Diagnostic[] {
    return this.reported;
  }
}

export class GlancedHead implements HeadSource {
  verdict: FormVerdict | null = null;
  readonly signature: FileSignature;
  readonly glanced: string;
  private readonly glimpse: Glimpse;
  private known: SkillCard | null = null;
  private readonly parseFull: ParseFull;
  private read: ParsedGlance | null = null;

  constructor(signature: FileSignature, glanced: string, glimpse: Glimpse, parseFull: ParseFull) {
    this.signature = signature;
    this.glanced = glanced;
    this.glimpse = glimpse;
    this.parseFull = parseFull;
  }

  get description(): string {
    return this.glimpse.description;
  }

  get awaitsVerdict(): boolean {
    return this.glimpse.form !== 'instructions' && this.verdict === null;
  }

  judge(verdict: FormVerdict): void {
    this.verdict = verdict;
    this.known = { ...this.card(), bar: verdict.bar };
  }

  card(): SkillCard {
    return (this.known ??= cardOfGlimpse(this.glimpse, this.parseFull));
  }

  traits(): SkillTraits {
    return this.card();
  }

  head(folderName: string): SkillHead {
    this.read ??= parseGlanced(this.glanced, folderName, folderName, this.signature, this.parseFull);
    return this.read.head;
  }

  diagnostics(folderName: string, file: string): readonly Diagnostic[] {
    this.read ??= parseGlanced(this.glanced, folderName, file, this.signature, this.parseFull);
    return this.read.diagnosticsFor(file);
  }
}

/** What `parseHead` makes of a frontmatter that `glance` took. */
class ParsedGlance {
  readonly head: SkillHead;
  private readonly reported: readonly Diagnostic[];

  constructor(head: SkillHead, reported: readonly Diagnostic[]) {
    this.head = head;
    this.reported = reported;
  }

  diagnosticsFor(file: string): readonly Diagnostic[] {
    return this.reported.map((diagnostic) => ({ ...diagnostic, path: file }));
  }
}

function parseGlanced(
  text: string,
  folderName: string,
  file: string,
  signature: FileSignature,
  parseFull: ParseFull,
): ParsedGlance {
  const reported: Diagnostic[] = [];
  // Nothing in the folder makes it executable, or it would not have been taken.
  const context = { folderName, entries: [], complete: true, fileBytes: Number(signature.size), parseFull };
  const head = parseHead(text, context, collectInto(reported, file));
  if (typeof head === 'string')
    throw new Error(`parseHead answered "${head}" to a head that a glance had taken: ${file}`);
  return new ParsedGlance(head, reported);
}
