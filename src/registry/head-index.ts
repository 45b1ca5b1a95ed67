// What earlier loads learnt, so that a restart only asks whether it still holds.
//
//   folder + SKILL.md signatures -> listing and head, without listing or reading
//
// I1. May be slow, never stale. A listing counts only while the folder has the recorded signature; a head only
//     while both the folder (SKILL.star beside it matters) and SKILL.md have theirs.
// I2. Git's racily-clean rule: what was modified or changed less than `racyNs` before the load that read it
//     began, or "after" it, is not recorded, since a later write within the same tick of the file system's clock
//     would leave no trace. A time in the future is never recorded either.
// I3. The records are raw facts (what is in a folder, what a file says). Roots, limits, links and precedence
//     are worked out anew each time, so that a load with the index equals a load without.
// I4. Rows are kept in walk order: the next row asked for is nearly always the next row there is.
import type { DiagnosticCode } from '../base/codes.ts';
import { severityOf } from '../base/codes.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import type { DecodeUtf8 } from '../host/ports/environment.ts';
import type { EntryKind, FileSignature, FolderEntry } from '../host/ports/files.ts';
import type { SkillCard } from '../skill/card.ts';
import { isPlainCard, plainCard } from '../skill/card.ts';
import { glance } from '../skill/glance.ts';
import type { SkillHead } from '../skill/types.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { decodeHead, encodeHead } from './encode-head.ts';
import { encodeUtf8 } from './encode-utf8.ts';
import type { HeadSource } from './head-source.ts';
import { GlancedHead, ParsedHead } from './head-source.ts';

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
  /** Descriptions of the skills, one after the other, and where each ends. */
  readonly descriptions: string;
  readonly descriptionEnds: Uint32Array;
  /** Ten numbers a row: the folder's five, SKILL.md's five. */
  readonly signatures: BigInt64Array;
  /** Where each row's texts end in `texts`: head, diagnostics, card. An empty head means that none is recorded. */
  readonly ends: Uint32Array;
  /** The texts of all rows one after the other, in UTF-8. A head is JSON, or the frontmatter where a glance took it. */
  readonly texts: Uint8Array;
  /** 1 for each row whose card is plain, so that its head need not be decoded to list it. */
  readonly plain: Uint8Array;
}

/** Where sections are kept between processes. Neither call throws: a lost index costs time, nothing else. */
export interface HeadIndex {
  /** The sections of these roots that are whole and were written by this version. */
  load(rootPaths: readonly string[]): ReadonlyMap<string, IndexSection>;
  /** Replaces the sections of these roots; those of other roots are kept as far as there is room. */
  save(sections: ReadonlyMap<string, IndexSection>): Promise<void>;
}

const kindLetters = { file: 'F', folder: 'D', link: 'L', other: 'O' } as const satisfies Record<EntryKind, string>;
const letterKinds: Record<string, EntryKind> = { F: 'file', D: 'folder', L: 'link', O: 'other' };
/** The listing of a folder with SKILL.md and nothing else that matters. */
export const onlySkillFile = 'FSKILL.md';

/** The entries that discovery looks at: folders, links, and SKILL.md in any case. A name holds no `/`. */
export function encodeListing(entries: readonly FolderEntry[]): string {
  let text = '';
  for (const { name, kind } of entries) {
    if ((kind === 'file' || kind === 'other') && (name.length !== 8 || name.toLowerCase() !== 'skill.md')) continue;
    text += text === '' ? kindLetters[kind] + name : `/${kindLetters[kind]}${name}`;
  }
  return text;
}

/** One entry at a time: a root can hold thousands. */
export function* decodeListing(text: string): Generator<FolderEntry> {
  let at = 0;
  while (at < text.length) {
    const slash = text.indexOf('/', at);
    const end = slash < 0 ? text.length : slash;
    yield { name: text.slice(at + 1, end), kind: letterKinds[text[at] as string] ?? 'other' };
    at = end + 1;
  }
}

/** Looks rows up. */
export class IndexReader {
  readonly section: IndexSection;
  readonly parseFull: ParseFull;
  readonly #decode: DecodeUtf8;
  #next = 0;
  #rows: Map<string, number> | null = null;
  #hits = 0;

  constructor(section: IndexSection, decode: DecodeUtf8, parseFull: ParseFull) {
    this.section = section;
    this.parseFull = parseFull;
    this.#decode = decode;
  }

  /** The row of the folder `path` if it still has this signature, else -1. */
  find(path: string, folder: FileSignature): number {
    let row = this.#next;
    if (!this.#isAt(row, path)) {
      this.#rows ??= new Map(Array.from({ length: this.section.count }, (_, at) => [this.path(at), at]));
      const known = this.#rows.get(path);
      if (known === undefined) return -1;
      row = known;
    }
    this.#next = row + 1;
    if (!this.#matches(row * 10, folder)) return -1;
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
    return ends[row * 3] !== (row === 0 ? 0 : ends[row * 3 - 1]);
  }

  isPlain(row: number): boolean {
    return this.section.plain[row] === 1;
  }

  isCurrent(row: number, file: FileSignature): boolean {
    return this.#matches(row * 10 + 5, file);
  }

  signature(row: number): FileSignature {
    return signatureAt(this.section.signatures, row * 10 + 5);
  }

  description(row: number): string {
    const { descriptions, descriptionEnds } = this.section;
    return descriptions.slice(row === 0 ? 0 : descriptionEnds[row - 1], descriptionEnds[row]);
  }

  /** Of the row: 0 its head, 1 its diagnostics, 2 its card unless that is plain. */
  text(row: number, which: 0 | 1 | 2): string {
    const bytes = textBytes(this.section, row, which);
    return bytes.length === 0 ? '' : this.#decode(bytes).text;
  }

  /** Every row was asked for and still held. */
  get usedWhole(): boolean {
    return this.#hits === this.section.count;
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

function textBytes({ ends, texts }: IndexSection, row: number, which: number): Uint8Array {
  const at = row * 3 + which;
  return texts.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
}

/** What a recorded row says about the SKILL.md of its folder. */
export class RecordedHead implements HeadSource {
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
    const text = this.reader.text(this.row, 0);
    return isGlanced(text) ? text : null;
  }

  get description(): string {
    return this.reader.description(this.row);
  }

  card(): SkillCard {
    if (this.known === null) {
      const description = this.reader.description(this.row);
      this.known = this.reader.isPlain(this.row) ? plainCard(description) : { description, ...(JSON.parse(this.reader.text(this.row, 2)) as Omit<SkillCard, 'description'>) };
    }
    return this.known;
  }

  head(folderName: string): SkillHead {
    return this.#source(folderName).head(folderName);
  }

  diagnostics(folderName: string, file: string): readonly Diagnostic[] {
    const { decoded } = this;
    if (decoded === null && !this.reader.isPlain(this.row)) return decodeDiagnostics(this.reader.text(this.row, 1), file);
    return this.#source(folderName).diagnostics(folderName, file).map((diagnostic) => ({ ...diagnostic, path: file }));
  }

  #source(folderName: string): HeadSource {
    if (this.decoded !== null) return this.decoded;
    const text = this.reader.text(this.row, 0);
    const glimpse = isGlanced(text) ? glance(text) : null;
    this.decoded = glimpse !== null
      ? new GlancedHead(this.signature, text, glimpse, this.reader.parseFull)
      : new ParsedHead(this.signature, decodeHead(text, folderName), decodeDiagnostics(this.reader.text(this.row, 1), folderName));
    return this.decoded;
  }
}

/** The description has a column of its own. */
function encodeCard({ form, bar, invocation, requires, invalid }: SkillCard): string {
  return JSON.stringify({ form, bar, invocation, requires, invalid });
}

/** A head in JSON begins with a brace. */
function isGlanced(text: string): boolean {
  return text.startsWith('---');
}

/** A folder that was seen, or the number of the row that still held. */
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

  /** The new section, or `null` when it would say what the old one says. */
  finish(): IndexSection | null {
    if (!this.#fresh && this.#old?.usedWhole === true) return null;
    const kept = this.#rows.filter((row) => typeof row === 'number' || this.#isSettled(row.folder));
    const changed = kept.some((row) => typeof row !== 'number' && (row.oldRow < 0 || (row.head !== null && this.#isSettled(row.head.signature))));
    if (!changed && (this.#old === null ? kept.length === 0 : this.#old.usedWhole)) return null;
    const paths: string[] = [];
    const listings: string[] = [];
    const descriptions: string[] = [];
    const texts: Uint8Array[] = [];
    const signatures = new BigInt64Array(kept.length * 10);
    const ends = new Uint32Array(kept.length * 3);
    const plain = new Uint8Array(kept.length);
    let length = 0;
    const addText = (at: number, bytes: Uint8Array): void => {
      if (bytes.length > 0) texts.push(bytes);
      length += bytes.length;
      ends[at] = length;
    };
    for (const [at, row] of kept.entries()) {
      if (typeof row === 'number') {
        const { section } = this.#old as IndexReader;
        paths.push((this.#old as IndexReader).path(row));
        listings.push((this.#old as IndexReader).listing(row));
        signatures.set(section.signatures.subarray(row * 10, row * 10 + 10), at * 10);
        plain[at] = section.plain[row] as number;
        descriptions.push((this.#old as IndexReader).description(row));
        for (let which = 0; which < 3; which += 1) addText(at * 3 + which, textBytes(section, row, which));
        continue;
      }
      const head = row.head !== null && this.#isSettled(row.head.signature) ? row.head : null;
      paths.push(row.path);
      listings.push(row.oldRow < 0 ? encodeListing(row.entries) : (this.#old as IndexReader).listing(row.oldRow));
      setSignature(signatures, at * 10, row.folder);
      if (head !== null) setSignature(signatures, at * 10 + 5, head.signature);
      const card = head?.card('') ?? null;
      plain[at] = card !== null && isPlainCard(card) ? 1 : 0;
      descriptions.push(head?.description ?? '');
      addText(at * 3, head === null ? none : encodeUtf8(head.glanced ?? encodeHead(head.head(''))));
      addText(at * 3 + 1, head === null || head.glanced !== null ? none : encodeUtf8(encodeDiagnostics(head.diagnostics('', ''))));
      addText(at * 3 + 2, card === null || plain[at] === 1 ? none : encodeUtf8(encodeCard(card)));
    }
    return {
      timeNs: this.#timeNs,
      count: kept.length,
      paths: paths.join(''),
      pathEnds: endsOf(paths),
      listings: listings.join(''),
      listingEnds: endsOf(listings),
      descriptions: descriptions.join(''),
      descriptionEnds: endsOf(descriptions),
      signatures,
      ends,
      texts: joined(texts, length),
      plain,
    };
  }

  #isSettled(signature: FileSignature): boolean {
    const latest = signature.mtimeNs > signature.ctimeNs ? signature.mtimeNs : signature.ctimeNs;
    return latest + racyNs < this.#timeNs;
  }
}

const none = new Uint8Array(0);

function endsOf(texts: readonly string[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(texts, (text) => (end += text.length));
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function signatureAt(from: BigInt64Array, at: number): FileSignature {
  const [dev, ino, size, mtimeNs, ctimeNs] = from.subarray(at, at + 5) as unknown as readonly [bigint, bigint, bigint, bigint, bigint];
  return { dev, ino, size, mtimeNs, ctimeNs };
}

function setSignature(into: BigInt64Array, at: number, signature: FileSignature): void {
  into[at] = signature.dev;
  into[at + 1] = signature.ino;
  into[at + 2] = signature.size;
  into[at + 3] = signature.mtimeNs;
  into[at + 4] = signature.ctimeNs;
}

type DiagnosticRow = readonly [code: DiagnosticCode, start: number | null, end: number, message: string, hint: string | null];

function encodeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  if (diagnostics.length === 0) return '';
  const rows = diagnostics.map(({ code, span, message, hint }): DiagnosticRow => [code, span?.start ?? null, span?.end ?? 0, message, hint]);
  return JSON.stringify(rows);
}

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
