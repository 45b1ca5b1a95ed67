// Documents of an index <-> their part of an image.
//
//   record = u32 words, where each field ends, words of each field, the words, what people say to it (JSON), padding to 4
//
// A record is read when its document is first looked at closely: a message looks at few.
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { fields } from './fields.ts';
import { type Checksum, type ColumnBytes, DamagedImage, type KeptImage } from '../../ports/image.ts';
import { KeptTexts, addTexts, float64sIn, int32s, numbersIn } from './image.ts';
import type { StoredDocument } from './read-document.ts';

/** By slot: where its record is and how long, its checksum, its priority; no length for a slot that is free. */
const rowNumbers = 4;
const headNumbers = 1 + 2 * fields.length;

export function writeDocuments(
  documents: readonly (StoredDocument | undefined)[],
  columns: Map<string, ColumnBytes>,
  region: ColumnBytes[],
  { offset, checksum }: { readonly offset: number; readonly checksum: Checksum },
): boolean {
  const rows = new Int32Array(documents.length * rowNumbers);
  const priorities = new Float64Array(documents.length);
  let next = offset;
  for (const [slot, document] of documents.entries()) {
    if (document === undefined) continue;
    const bytes = document instanceof KeptDocument ? document.recordBytes() : recordOf(document);
    region.push(bytes);
    rows.set([next / 4, bytes.length, checksum(bytes)], slot * rowNumbers);
    priorities[slot] = document.priority;
    next += bytes.length;
  }
  columns.set('documents', rows);
  columns.set('documents.priorities', priorities);
  return addTexts(
    columns,
    'documents.names',
    documents.map((document) => document?.name ?? ''),
  );
}

function recordOf({ words, ends, lengths, said }: StoredDocument): Uint8Array {
  const text = encodeUtf8(JSON.stringify(said));
  const record = new Uint8Array((headNumbers + words.length + Math.ceil(text.length / 4)) * 4).fill(0x20);
  const numbers = int32s(record);
  numbers.set([words.length, ...ends, ...lengths]);
  numbers.set(words, headNumbers);
  record.set(text, (headNumbers + words.length) * 4);
  return record;
}

interface Record {
  readonly words: Int32Array;
  readonly ends: readonly number[];
  readonly lengths: readonly number[];
  readonly said: readonly string[];
}

/** What all documents of an image share: an object for each row would be most of what opening it costs. */
interface KeptRows {
  readonly image: KeptImage;
  readonly names: KeptTexts;
  readonly rows: Int32Array;
  readonly priorities: Float64Array;
}

class KeptDocument implements StoredDocument {
  private readonly kept: KeptRows;
  private readonly slot: number;
  private record: Record | null = null;

  constructor(kept: KeptRows, slot: number) {
    this.kept = kept;
    this.slot = slot;
  }

  get name(): string {
    return this.kept.names.at(this.slot);
  }
  get priority(): number {
    return this.kept.priorities[this.slot] as number;
  }
  get words(): Int32Array {
    return (this.record ??= this.read()).words;
  }
  get ends(): readonly number[] {
    return (this.record ??= this.read()).ends;
  }
  get lengths(): readonly number[] {
    return (this.record ??= this.read()).lengths;
  }
  get said(): readonly string[] {
    return (this.record ??= this.read()).said;
  }

  recordBytes(): Uint8Array {
    const { image, rows } = this.kept;
    const [at, length, checksum] = rows.subarray(this.slot * rowNumbers) as unknown as readonly [
      number,
      number,
      number,
    ];
    return image.region(at * 4, length, checksum);
  }

  private read(): Record {
    const bytes = this.recordBytes();
    const numbers = int32s(bytes);
    const count = numbers[0] ?? -1;
    if (count < 0 || headNumbers + count > numbers.length) throw new DamagedImage('a document is cut off');
    return {
      words: numbers.subarray(headNumbers, headNumbers + count),
      ends: [...numbers.subarray(1, 1 + fields.length)],
      lengths: [...numbers.subarray(1 + fields.length, headNumbers)],
      said: JSON.parse(decodeUtf8(bytes.subarray((headNumbers + count) * 4)).text) as readonly string[],
    };
  }
}

/** By slot. Throws `DamagedImage`. */
export function readDocuments(image: KeptImage): (StoredDocument | undefined)[] {
  const names = new KeptTexts(image, 'documents.names');
  const rows = numbersIn(image, 'documents', names.count * rowNumbers);
  const priorities = float64sIn(image, 'documents.priorities', names.count);
  const kept: KeptRows = { image, names, rows, priorities };
  return Array.from({ length: names.count }, (_, slot) =>
    rows[slot * rowNumbers + 1] === 0 ? undefined : new KeptDocument(kept, slot),
  );
}
