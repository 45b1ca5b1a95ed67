// The index cache: what earlier loads read, so that a restart only checks whether it is still valid.
//
//   folder + SKILL.md signatures -> listing and head, without listing or reading
//   folders that were seen, with what was read of them -> the section of the next load
//
// It may be slow, but never stale. A listing counts only while the folder has the recorded signature; a head only while
// both the folder (SKILL.star beside it matters) and SKILL.md have theirs, and so do the files that the verdict about
// its program or plan depends on. As in Git's racily-clean rule, what was
// changed less than `racyNs` before the load that read it began, or later, is not recorded: a later write within the
// same tick of the file system's clock would leave no trace. Records are raw facts (what is in a folder, what a file
// contains). Roots, limits, links and precedence are applied each time, so that a load with the index equals one
// without. Rows are in walk order: the next row needed is nearly always the next row. Heads and their diagnostics are
// stored apart and read on demand; if they are damaged, SKILL.md is read again and must be as it was listed.
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { FileFault } from '../../ports/files.ts';
import type { EntryKind, FileSignature, Files, FolderEntry } from '../../ports/files.ts';
import type { SkillCard } from '../../skill/parse-head.ts';
import { plainCard, isPlainCard } from '../../skill/parse-head.ts';
import { glance } from '../../skill/frontmatter/glance.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { Sha256 } from '../../ports/environment.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { HeadSource, FormVerdict, SkillTraits } from '../discover/found-skill.ts';
import { GlancedHead, ParsedHead } from '../discover/found-skill.ts';
import { readHeadAgain } from '../discover/read-skill-head.ts';
import { deepFreeze, parseJson } from '../../base/json.ts';

/** Two seconds: the coarsest clock of a file system in use (FAT). */
export const racyNs = 2_000_000_000n;

/** The rows of one root, as columns. Few and large values, so that opening it makes next to no garbage. */
export interface IndexSection {
  /** When the load that wrote this began. */
  readonly timeNs: bigint;
  readonly count: number;
  /** Folder paths, one after the other, and where each ends. */
  readonly paths: string;
  readonly pathEnds: Uint32Array;
  /** What discovery looks at in each folder (`encodeListing`), and where each ends. */
  readonly listings: string;
  readonly listingEnds: Uint32Array;
  /** What listing needs of the skills in UTF-8, and where each row's description and card end. */
  readonly cards: Uint8Array;
  readonly cardEnds: Uint32Array;
  /** Ten numbers a row: the folder's five, SKILL.md's five. */
  readonly signatures: BigInt64Array;
  /** Where each row's texts end in `texts`: head, diagnostics. An empty head means that none is recorded. */
  readonly ends: Uint32Array;
  /** How each row's card is recorded (`CardKind`). */
  readonly kinds: Uint8Array;
  /**
   * The texts of all rows one after the other, in UTF-8. A head is JSON, or the frontmatter where a glance took it.
   * Read when they are first asked for; `null` when they are damaged.
   */
  readonly texts: () => Uint8Array | null;
}

/**
 * `plain`: there is nothing but the description. `whole`: the card has the description, which is no valid UTF-8.
 * `judged`: with the card are the files that the verdict depends on.
 */
const cardKinds = { other: 0, plain: 1, whole: 2, judged: 3 } as const;

/** What is recorded of a card, besides its description. */
interface CardRecord extends Omit<SkillCard, 'description'> {
  /** With the numbers of their signatures; without any for a file that was not there. */
  readonly files?: readonly (readonly [path: string, ...signature: readonly string[]])[];
}

/** Where sections are kept between processes. Neither call throws: a lost index costs time, nothing else. */
export interface HeadIndex {
  /** The sections of these roots that are whole and were written by this version. */
  load(rootPaths: readonly string[]): ReadonlyMap<string, IndexSection>;
  /** Replaces the sections of these roots; those of other roots are kept as far as there is room. */
  save(sections: ReadonlyMap<string, IndexSection>): Promise<void>;
}

const letterKinds: Record<string, EntryKind> = { F: 'file', D: 'folder', L: 'link', O: 'other' };
/** The listing of a folder with SKILL.md and nothing else that matters. */
export const onlySkillFile = 'FSKILL.md';

/** What `encodeListing` wrote. */
export function decodeListing(text: string): readonly FolderEntry[] {
  const entries: FolderEntry[] = [];
  let at = 0;
  while (at < text.length) {
    const slash = text.indexOf('/', at);
    const end = slash < 0 ? text.length : slash;
    entries.push({ name: text.slice(at + 1, end), kind: letterKinds[text[at] as string] ?? 'other' });
    at = end + 1;
  }
  return entries;
}

const plainTraits: SkillTraits = deepFreeze(plainCard(''));
/** Different records that are kept parsed. */
const mostTraits = 1_000;

const folderHolds = 1;
const fileHolds = 2;

/** Looks rows up. */
export class IndexReader {
  readonly section: IndexSection;
  readonly files: Files;
  readonly parseFull: ParseFull;
  /** What still holds of each row; worked out when the first is asked for. */
  #holding: Uint8Array | null = null;
  #next = 0;
  #rows: Map<string, number> | null = null;
  #hits = 0;
  readonly #traits = new Map<string, SkillTraits>();

  constructor(section: IndexSection, files: Files, parseFull: ParseFull) {
    this.section = section;
    this.files = files;
    this.parseFull = parseFull;
  }

  /** The row of the folder `path` if it still has the recorded signature, else -1. */
  find(path: string): number {
    const holding = (this.#holding ??= this.#look());
    let row = this.#next;
    if (!this.#isAt(row, path)) {
      this.#rows ??= new Map(Array.from({ length: this.section.count }, (_, at) => [this.path(at), at]));
      const known = this.#rows.get(path);
      if (known === undefined) return -1;
      row = known;
    }
    this.#next = row + 1;
    if (((holding[row] as number) & folderHolds) === 0) return -1;
    this.#hits += 1;
    return row;
  }

  path(row: number): string {
    const { paths, pathEnds } = this.section;
    return paths.slice(row === 0 ? 0 : pathEnds[row - 1], pathEnds[row]);
  }

  listing(row: number): string {
    const { listings, listingEnds } = this.section;
    return listings.slice(row === 0 ? 0 : listingEnds[row - 1], listingEnds[row]);
  }

  hasHead(row: number): boolean {
    const { ends } = this.section;
    return ends[row * 2] !== (row === 0 ? 0 : ends[row * 2 - 1]);
  }

  /** The row has the verdict about a program or plan. */
  isJudged(row: number): boolean {
    const kind = this.section.kinds[row];
    return kind === cardKinds.judged || (kind === cardKinds.whole && this.#record(row).files !== undefined);
  }

  isPlain(row: number): boolean {
    return this.section.kinds[row] === cardKinds.plain;
  }

  /** Whether SKILL.md still has the recorded signature; of a row that was found. */
  isCurrent(row: number): boolean {
    return ((this.#holding?.[row] as number) & fileHolds) !== 0;
  }

  signature(row: number): FileSignature {
    return signatureAt(this.section.signatures, row * 10 + 5);
  }

  folderSignature(row: number): FileSignature {
    return signatureAt(this.section.signatures, row * 10);
  }

  description(row: number): string {
    if (this.section.kinds[row] === cardKinds.whole)
      return (this.#record(row) as unknown as SkillCard).description;
    return this.#text(cardBytes(this.section, row, 0));
  }

  card(row: number): SkillCard {
    return { ...this.traits(row), description: this.description(row) };
  }

  /** Of many skills few differ, so that each text is parsed once. */
  traits(row: number): SkillTraits {
    if (this.isPlain(row)) return plainTraits;
    const text = this.#text(cardBytes(this.section, row, 1));
    const known = this.#traits.get(text);
    if (known !== undefined) return known;
    const { form, bar, invocation, requires, invalid } = JSON.parse(text) as CardRecord;
    const traits = deepFreeze({ form, bar, invocation, requires, invalid });
    if (this.#traits.size < mostTraits) this.#traits.set(text, traits);
    return traits;
  }

  /** The head or the diagnostics of the row; `null` when they are damaged. */
  text(row: number, which: 'head' | 'diagnostics'): string | null {
    const bytes = textBytes(this.section, row, which === 'head' ? 0 : 1);
    return bytes === null ? null : this.#text(bytes);
  }

  #record(row: number): CardRecord {
    return JSON.parse(this.#text(cardBytes(this.section, row, 1))) as CardRecord;
  }

  /** What was judged is still there as it was; a link on the way to it would be another signature. */
  #isJudgedStill(row: number, path: string): boolean {
    if (!this.isJudged(row)) return true;
    return (this.#record(row).files ?? []).every(([file, ...numbers]) => {
      const stat = this.files.lstat(`${path}/${file}`);
      if (stat === null || numbers.length === 0) return stat === null && numbers.length === 0;
      return signatureNumbers(stat).every((number, at) => number === numbers[at]);
    });
  }

  #text(bytes: Uint8Array): string {
    return bytes.length === 0 ? '' : decodeUtf8(bytes).text;
  }

  /** Every row was asked for and still held. */
  get usedWhole(): boolean {
    return this.#hits === this.section.count;
  }

  /** All that was recorded, if that still is all there is: which folders, and the signatures of them and of each SKILL.md. */
  fingerprint(sha256: Sha256): string {
    const { paths, pathEnds, signatures } = this.section;
    return [paths, bytesOf(pathEnds), bytesOf(signatures)].map(sha256).join('.');
  }

  /** Asks the disk about all rows in a row (faster, as with `HeadBatch`). */
  #look(): Uint8Array {
    const { count } = this.section;
    const holding = new Uint8Array(count);
    for (let row = 0; row < count; row += 1) {
      const path = this.path(row);
      if (!this.#stillHas(row * 10, path, '')) continue;
      const isCurrent = this.hasHead(row) && this.#stillHas(row * 10 + 5, path, '/SKILL.md');
      holding[row] = isCurrent ? folderHolds | fileHolds : folderHolds;
    }
    return holding;
  }

  #stillHas(at: number, path: string, file: '' | '/SKILL.md'): boolean {
    try {
      const stat = this.files.stat(`${path}${file}`);
      if (stat === null || !this.#matches(at, stat)) return false;
      return file === '' || this.#isJudgedStill((at - 5) / 10, path);
    } catch (error) {
      if (error instanceof FileFault) return false; // the next read reports why
      throw error;
    }
  }

  #isAt(row: number, path: string): boolean {
    const { count, paths, pathEnds } = this.section;
    if (row >= count) return false;
    const start = row === 0 ? 0 : (pathEnds[row - 1] as number);
    const end = pathEnds[row] as number;
    return end - start === path.length && paths.startsWith(path, start);
  }

  #matches(at: number, signature: FileSignature): boolean {
    const { signatures } = this.section;
    return (
      signatures[at + 4] === signature.ctimeNs &&
      signatures[at + 3] === signature.mtimeNs &&
      signatures[at + 2] === signature.size &&
      signatures[at + 1] === signature.ino &&
      signatures[at] === signature.dev
    );
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | BigInt64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function cardBytes({ cards, cardEnds }: IndexSection, row: number, which: 0 | 1): Uint8Array {
  const at = row * 2 + which;
  return cards.subarray(at === 0 ? 0 : cardEnds[at - 1], cardEnds[at]);
}

function textBytes({ ends, texts }: IndexSection, row: number, which: 0 | 1): Uint8Array | null {
  const at = row * 2 + which;
  return texts()?.subarray(at === 0 ? 0 : ends[at - 1], ends[at]) ?? null;
}

/** What a recorded row says about the SKILL.md of its folder. */
export class RecordedHead implements HeadSource {
  verdict: FormVerdict | null = null;
  private readonly reader: IndexReader;
  private readonly row: number;
  private known: SkillCard | null = null;
  private decoded: HeadSource | null = null;

  constructor(reader: IndexReader, row: number) {
    this.reader = reader;
    this.row = row;
  }

  get signature(): FileSignature {
    return this.reader.signature(this.row);
  }

  get glanced(): string | null {
    const text = this.reader.text(this.row, 'head');
    return text !== null && isGlanced(text) ? text : null;
  }

  get description(): string {
    return this.reader.description(this.row);
  }

  /** It was recorded by a load that judged nothing. */
  get awaitsVerdict(): boolean {
    if (this.verdict !== null || this.reader.isPlain(this.row) || this.reader.isJudged(this.row))
      return false;
    const { form, bar } = this.traits();
    return form !== 'instructions' && bar === null;
  }

  judge(verdict: FormVerdict): void {
    this.verdict = verdict;
    this.known = { ...this.card(), bar: verdict.bar };
  }

  card(): SkillCard {
    return (this.known ??= this.reader.card(this.row));
  }

  traits(): SkillTraits {
    return this.known ?? this.reader.traits(this.row);
  }

  head(folderName: string): SkillHead {
    return this.#source(folderName).head(folderName);
  }

  diagnostics(folderName: string, file: string): readonly Diagnostic[] {
    return this.#source(folderName)
      .diagnostics(folderName, file)
      .map((diagnostic) => ({ ...diagnostic, path: file }));
  }

  #source(folderName: string): HeadSource {
    return (this.decoded ??= this.#decode(folderName));
  }

  #decode(folderName: string): HeadSource {
    const { reader, row } = this;
    const text = reader.text(row, 'head');
    const diagnostics = reader.text(row, 'diagnostics');
    if (text === null || diagnostics === null)
      return readHeadAgain(reader.path(row), this.signature, reader.files, reader.parseFull);
    const glimpse = isGlanced(text) ? glance(text) : null;
    return glimpse !== null
      ? new GlancedHead(this.signature, text, glimpse, reader.parseFull)
      : new ParsedHead(
          this.signature,
          decodeHead(text, folderName),
          decodeDiagnostics(diagnostics, folderName),
        );
  }
}

/** A head in JSON begins with a brace. */
function isGlanced(text: string): boolean {
  return text.startsWith('---');
}

function signatureAt(from: BigInt64Array, at: number): FileSignature {
  // By index, not by taking a `subarray` apart: at 10,000 skills that saves 25 ms.
  return {
    dev: from[at]!,
    ino: from[at + 1]!,
    size: from[at + 2]!,
    mtimeNs: from[at + 3]!,
    ctimeNs: from[at + 4]!,
  };
}

/** As JSON can hold them. */
function signatureNumbers({ dev, ino, size, mtimeNs, ctimeNs }: FileSignature): readonly string[] {
  return [dev, ino, size, mtimeNs, ctimeNs].map(String);
}

type DiagnosticRow = readonly [
  code: DiagnosticCode,
  start: number | null,
  end: number,
  message: string,
  hint: string | null,
];

function decodeDiagnostics(text: string, path: string): readonly Diagnostic[] {
  if (text === '') return [];
  const rows = JSON.parse(text) as readonly DiagnosticRow[];
  return rows.map(([code, start, end, message, hint]) => ({
    code,
    severity: severityOf(code),
    path,
    span: start === null ? null : { start, end },
    message,
    hint,
  }));
}

// A head as JSON, and back, for the few heads that `glance` does not recognise.
//
// decodeHead(encodeHead(head), head.name) equals head, the order of its keys included. Every object in it has no
// prototype.

/** Without the name, which is the folder's. */
export function encodeHead(head: SkillHead): string {
  return JSON.stringify({ ...head, name: '' });
}

export function decodeHead(text: string, name: string): SkillHead {
  return Object.assign(parseJson(text) as unknown as SkillHead, { name });
}

// What a load read, recorded for the next one. What is still valid is copied from the old section as bytes; what changed too recently is left out.

/** A folder that was seen. */
export interface IndexRow {
  readonly path: string;
  readonly folder: FileSignature;
  readonly entries: readonly FolderEntry[];
  /** The row of the old section that still held, or -1. */
  readonly oldRow: number;
  /** The head that was read anew, where SKILL.md is no link. */
  head: HeadSource | null;
}

/** Collects the rows of one root while it is walked. */
export class IndexWriter {
  readonly #timeNs: bigint;
  readonly #old: IndexReader | null;
  // A number is a row of the old section that held, head and all.
  readonly #rows: (IndexRow | number)[] = [];
  #fresh = false;

  constructor(timeNs: bigint, old: IndexReader | null) {
    this.#timeNs = timeNs;
    this.#old = old;
  }

  add(row: IndexRow | number): void {
    this.#rows.push(row);
    if (typeof row !== 'number') this.#fresh = true;
  }

  /** Every folder that was seen is recorded, with all that was read of it, and every record was seen. */
  get isAsRecorded(): boolean {
    return !this.#fresh && this.#old?.usedWhole === true;
  }

  /** The new section, or `null` when it would say what the old one says. */
  finish(): IndexSection | null {
    const old = this.#old;
    if (this.isAsRecorded) return null;
    const settled = this.#rows.filter((row) => typeof row === 'number' || this.#isSettled(row.folder));
    const changed = settled.some(
      (row) => typeof row !== 'number' && (row.oldRow < 0 || this.#settledHead(row) !== null),
    );
    if (!changed && (old === null ? settled.length === 0 : old.usedWhole)) return null;
    // Heads that are damaged are read anew by the next load.
    const isLost = old !== null && old.section.texts() === null;
    const kept = isLost ? settled.filter((row) => typeof row !== 'number' || !old.hasHead(row)) : settled;
    const paths: string[] = [];
    const listings: string[] = [];
    const cards = new Column(kept.length * 2);
    const texts = new Column(kept.length * 2);
    const signatures = new BigInt64Array(kept.length * 10);
    const kinds = new Uint8Array(kept.length);
    for (const [at, row] of kept.entries()) {
      if (typeof row === 'number') {
        const { section } = old as IndexReader;
        paths.push((old as IndexReader).path(row));
        listings.push((old as IndexReader).listing(row));
        signatures.set(section.signatures.subarray(row * 10, row * 10 + 10), at * 10);
        kinds[at] = section.kinds[row] as number;
        for (const which of [0, 1] as const) cards.add(cardBytes(section, row, which));
        for (const which of [0, 1] as const) texts.add(textBytes(section, row, which) ?? none);
        continue;
      }
      const head = this.#settledHead(row);
      paths.push(row.path);
      listings.push(row.oldRow < 0 ? encodeListing(row.entries) : (old as IndexReader).listing(row.oldRow));
      setSignature(signatures, at * 10, row.folder);
      if (head === null) {
        for (const column of [cards, cards, texts, texts]) column.add(none);
        continue;
      }
      setSignature(signatures, at * 10 + 5, head.signature);
      const { kind, description, rest } = encodeCard(head.card(''), head.verdict);
      kinds[at] = kind;
      cards.add(encodeUtf8(description));
      cards.add(encodeUtf8(rest));
      texts.add(encodeUtf8(head.glanced ?? encodeHead(head.head(''))));
      texts.add(head.glanced === null ? encodeUtf8(encodeDiagnostics(head.diagnostics('', ''))) : none);
    }
    const whole = texts.joined();
    return {
      timeNs: this.#timeNs,
      count: kept.length,
      paths: paths.join(''),
      pathEnds: endsOf(paths),
      listings: listings.join(''),
      listingEnds: endsOf(listings),
      cards: cards.joined(),
      cardEnds: cards.ends,
      signatures,
      ends: texts.ends,
      kinds,
      texts: () => whole,
    };
  }

  /** The head, where neither SKILL.md nor what its verdict depends on changed too recently. */
  #settledHead({ head }: IndexRow): HeadSource | null {
    if (head === null || !this.#isSettled(head.signature)) return null;
    const { verdict } = head;
    if (verdict === null) return head;
    const isKept = verdict.files?.every(({ signature }) => signature === null || this.#isSettled(signature));
    return isKept === true ? head : null;
  }

  #isSettled(signature: FileSignature): boolean {
    const latest = signature.mtimeNs > signature.ctimeNs ? signature.mtimeNs : signature.ctimeNs;
    return latest + racyNs < this.#timeNs;
  }
}

/** Texts one after the other, and where each ends. */
class Column {
  readonly ends: Uint32Array;
  readonly #parts: Uint8Array[] = [];
  #count = 0;
  #length = 0;

  constructor(count: number) {
    this.ends = new Uint32Array(count);
  }

  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#length += bytes.length;
    this.ends[this.#count] = this.#length;
    this.#count += 1;
  }

  joined(): Uint8Array {
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

const none = new Uint8Array(0);

function endsOf(texts: readonly string[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(texts, (text) => (end += text.length));
}

const kindLetters = { file: 'F', folder: 'D', link: 'L', other: 'O' } as const satisfies Record<
  EntryKind,
  string
>;

/** The entries that discovery looks at: folders, links, and SKILL.md in any case. A name holds no `/`. */
function encodeListing(entries: readonly FolderEntry[]): string {
  let text = '';
  for (const { name, kind } of entries) {
    if ((kind === 'file' || kind === 'other') && (name.length !== 8 || name.toLowerCase() !== 'skill.md'))
      continue;
    text += text === '' ? kindLetters[kind] + name : `/${kindLetters[kind]}${name}`;
  }
  return text;
}

/** A plain card is its description. Half a surrogate pair survives in JSON only. */
function encodeCard(
  card: SkillCard,
  verdict: FormVerdict | null,
): {
  readonly kind: number;
  readonly description: string;
  readonly rest: string;
} {
  const { description, form, bar, invocation, requires, invalid } = card;
  const files = verdict?.files?.map(
    ({ path, signature }) => [path, ...(signature === null ? [] : signatureNumbers(signature))] as const,
  );
  if (/\p{Cs}/u.test(description))
    return { kind: cardKinds.whole, description: '', rest: JSON.stringify({ ...card, files }) };
  if (isPlainCard(card)) return { kind: cardKinds.plain, description, rest: '' };
  const record: CardRecord = { form, bar, invocation, requires, invalid };
  return files === undefined
    ? { kind: cardKinds.other, description, rest: JSON.stringify(record) }
    : { kind: cardKinds.judged, description, rest: JSON.stringify({ ...record, files }) };
}

function setSignature(into: BigInt64Array, at: number, signature: FileSignature): void {
  into[at] = signature.dev;
  into[at + 1] = signature.ino;
  into[at + 2] = signature.size;
  into[at + 3] = signature.mtimeNs;
  into[at + 4] = signature.ctimeNs;
}

function encodeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return '';
  const rows = diagnostics.map(({ code, span, message, hint }): DiagnosticRow => [
    code,
    span?.start ?? null,
    span?.end ?? 0,
    message,
    hint,
  ]);
  return JSON.stringify(rows);
}
