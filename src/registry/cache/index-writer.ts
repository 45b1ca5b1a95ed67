// Records what a load read, for the next one (head-index.ts).
//
//   folders that were seen, with what was read of them -> IndexSection
//
// What is still valid is copied from the old section as bytes; what changed too recently is left out.
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { EntryKind, FileSignature, FolderEntry } from '../../ports/files.ts';
import type { SkillCard } from '../../skill/parse-head.ts';
import { isPlainCard } from '../../skill/parse-head.ts';
import { cardBytes, cardKinds, encodeHead, racyNs, signatureNumbers, textBytes } from './head-index.ts';
import type { CardRecord, DiagnosticRow, IndexReader, IndexSection } from './head-index.ts';
import type { HeadSource, Verdict } from '../discover/found-skill.ts';

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

  /** The new section, or `null` when it would say what the old one says. */
  finish(): IndexSection | null {
    const old = this.#old;
    if (!this.#fresh && old?.usedWhole === true) return null;
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
  verdict: Verdict | null,
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
