// For each term the documents that have it, with how much it counts there.
//
//   term -> (slot, impact)*, by slot       a posting is one number: 18 bits of slot, 14 bits of impact
//
// Lists lie in blocks of a power of two inside large chunks: growing a list copies that list alone, and outgrown blocks
// are reused. Lists are in the order of slots, so a document is found by bisection and removed without a trace: after
// any sequence of changes the lists equal those of an index built anew. The data of a posting lies in one place,
// because building waits for memory more than for anything else. Lists of an index from disk are read when they are first
// needed; how many documents a term has is known without.
import { type Checksum, type ColumnBytes, DamagedImage, type KeptImage } from '../../ports/image.ts';
import { bytesOf, numbersIn } from './image.ts';

const chunkBits = 18;
const chunkSize = 1 << chunkBits;
const chunkMask = chunkSize - 1;
const impactBits = 14;
const largestImpact = (1 << impactBits) - 1;

/** A list is no longer than a chunk, and a slot has 18 bits. */
export const mostDocuments = 1 << (32 - impactBits);

/** By term, side by side: where its block is, how many documents it has, the block's order, and the checksum of a list on disk. */
const listNumbers = 4;
const counted = 1;
/** The block has 2^(order - 1) places; 0 when there is none. */
const ordered = 2;
const onDisk = -1;
const checked = 3;

export class Postings {
  private readonly chunks: Uint32Array[] = [];
  private readonly free: number[][] = Array.from({ length: chunkBits + 2 }, () => []);
  /** The first unused place of the last chunk. */
  private next = chunkSize;
  private lists = new Int32Array(listNumbers << 12);
  private highest = -1;
  private readonly image: KeptImage | null;

  /** `terms` and `slots` are one more than the largest. Throws `DamagedImage`. */
  constructor(image: KeptImage | null = null, terms = 0, slots = 0) {
    this.image = image;
    if (image === null) return;
    this.lists = numbersIn(image, 'lists', terms * listNumbers);
    this.highest = slots - 1;
  }

  /** Adds the lists to a region that has `offset` bytes so far. */
  write(
    columns: Map<string, ColumnBytes>,
    region: ColumnBytes[],
    {
      offset,
      terms,
      checksum,
    }: { readonly offset: number; readonly terms: number; readonly checksum: Checksum },
  ): void {
    const lists = new Int32Array(terms * listNumbers);
    let next = offset;
    for (let term = 1; term < terms; term += 1) {
      const count = this.count(term);
      if (count === 0) continue;
      const list = term * listNumbers;
      const bytes = this.lists[list + ordered] === onDisk ? this.readList(list) : bytesOf(this.listOf(list));
      region.push(bytes);
      lists[list] = next / 4;
      lists[list + counted] = count;
      lists[list + ordered] = onDisk;
      lists[list + checked] = checksum(bytes);
      next += bytes.length;
    }
    columns.set('lists', lists);
  }

  private listOf(list: number): Uint32Array {
    const block = this.lists[list] as number;
    const from = block & chunkMask;
    return (this.chunks[block >> chunkBits] as Uint32Array).subarray(
      from,
      from + (this.lists[list + counted] as number),
    );
  }

  private readList(list: number): Uint8Array {
    const count = this.lists[list + counted] as number;
    return (this.image as KeptImage).region(
      (this.lists[list] as number) * 4,
      count * 4,
      this.lists[list + checked] as number,
    );
  }

  /** Reads a list that is still on disk. */
  private fetch(list: number): void {
    const count = this.lists[list + counted] as number;
    const bytes = this.readList(list);
    const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, count);
    if ((numbers[count - 1] as number) >>> impactBits > this.highest)
      throw new DamagedImage('a list has a document that is not there');
    const order = Math.ceil(Math.log2(count)) + 1;
    this.lists[list + ordered] = 0;
    this.move(list, order);
    this.listOf(list).set(numbers);
  }

  count(term: number): number {
    return this.lists[term * listNumbers + counted] ?? 0;
  }

  /** `impact` is 0 to 1; what is kept of it is never 0. */
  add(term: number, slot: number, impact: number): void {
    const list = term * listNumbers;
    if (list >= this.lists.length) this.makeRoomFor(term);
    if (this.lists[list + ordered] === onDisk) this.fetch(list);
    const count = this.lists[list + counted] as number;
    const order = this.lists[list + ordered] as number;
    if (order === 0 || count === 1 << (order - 1)) this.move(list, order + 1);
    const block = this.lists[list] as number;
    const chunk = this.chunks[block >> chunkBits] as Uint32Array;
    const from = block & chunkMask;
    let at = from + count;
    // Building appends, and must not wait for what is there; only a slot that is used again goes between others.
    if (slot >= this.highest) this.highest = slot;
    else if (count > 0 && (chunk[at - 1] as number) >>> impactBits > slot) {
      at = find(chunk, from, from + count, slot);
      chunk.copyWithin(at + 1, at, from + count);
    }
    chunk[at] = ((slot << impactBits) | Math.max(1, Math.round(impact * largestImpact))) >>> 0;
    this.lists[list + counted] = count + 1;
  }

  remove(term: number, slot: number): void {
    const list = term * listNumbers;
    if (this.lists[list + ordered] === onDisk) this.fetch(list);
    const count = this.count(term);
    const block = this.lists[list] as number;
    const chunk = this.chunks[block >> chunkBits] as Uint32Array;
    const from = block & chunkMask;
    const at = count === 0 ? from : find(chunk, from, from + count, slot);
    if (at === from + count || (chunk[at] as number) >>> impactBits !== slot)
      throw new Error(`term ${term} has no document ${slot}`);
    chunk.copyWithin(at, at + 1, from + count);
    this.lists[list + counted] = count - 1;
    if (count > 1) return;
    (this.free[this.lists[list + ordered] as number] as number[]).push(block);
    this.lists[list + ordered] = 0;
  }

  /** `scores[slot] += weight * impact` for every document of the term. */
  accumulate(term: number, weight: number, scores: Float64Array): void {
    const count = this.count(term);
    if (count === 0) return;
    const list = term * listNumbers;
    if (this.lists[list + ordered] === onDisk) this.fetch(list);
    const block = this.lists[list] as number;
    const chunk = this.chunks[block >> chunkBits] as Uint32Array;
    const from = block & chunkMask;
    const unit = weight / largestImpact;
    for (let at = from; at < from + count; at += 1) {
      const posting = chunk[at] as number;
      const slot = posting >>> impactBits;
      scores[slot] = (scores[slot] as number) + unit * (posting & largestImpact);
    }
  }

  /** The impact of a term in one document, 0 when it does not have it. */
  impact(term: number, slot: number): number {
    const count = this.count(term);
    if (count === 0) return 0;
    const list = term * listNumbers;
    if (this.lists[list + ordered] === onDisk) this.fetch(list);
    const block = this.lists[list] as number;
    const chunk = this.chunks[block >> chunkBits] as Uint32Array;
    const from = block & chunkMask;
    const at = find(chunk, from, from + count, slot);
    const posting = at < from + count ? (chunk[at] as number) : 0;
    return posting >>> impactBits === slot ? (posting & largestImpact) / largestImpact : 0;
  }

  private move(list: number, order: number): void {
    const block = (this.free[order] as number[]).pop() ?? this.allocate(order);
    const old = this.lists[list + ordered] as number;
    if (old > 0) {
      const count = this.lists[list + counted] as number;
      const from = this.lists[list] as number;
      const source = this.chunks[from >> chunkBits] as Uint32Array;
      const target = this.chunks[block >> chunkBits] as Uint32Array;
      for (let at = 0; at < count; at += 1)
        target[(block & chunkMask) + at] = source[(from & chunkMask) + at] as number;
      (this.free[old] as number[]).push(from);
    }
    this.lists[list] = block;
    this.lists[list + ordered] = order;
  }

  private allocate(order: number): number {
    const size = 1 << (order - 1);
    if (this.next + size > chunkSize) {
      // What is left of the chunk is cut into blocks for later.
      if (this.chunks.length > 0)
        this.giveBack((this.chunks.length - 1) * chunkSize + this.next, chunkSize - this.next);
      this.chunks.push(new Uint32Array(chunkSize));
      this.next = 0;
    }
    const block = (this.chunks.length - 1) * chunkSize + this.next;
    this.next += size;
    return block;
  }

  private giveBack(block: number, size: number): void {
    let at = block;
    for (let order = chunkBits + 1; order > 0; order -= 1) {
      const part = 1 << (order - 1);
      if ((size & part) === 0) continue;
      (this.free[order] as number[]).push(at);
      at += part;
    }
  }

  private makeRoomFor(term: number): void {
    const larger = new Int32Array(Math.max((term + 1) * listNumbers, this.lists.length * 2));
    larger.set(this.lists);
    this.lists = larger;
  }
}

/** The first place in [from, to) whose slot is not below `slot`. */
function find(chunk: Uint32Array, from: number, to: number, slot: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunk[middle] as number) >>> impactBits < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}
