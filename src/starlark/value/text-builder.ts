// Makes a long text from many pieces, charged before it grows.
//
// Adding to a string makes a tree whose nodes are larger than the pieces. That is fastest for a few; beyond them the
// pieces are collected and joined by the block, which is five times faster and takes memory in proportion to the text.
import {
  MAX_STRING_UNITS,
  UNITS_PER_STEP,
  tooLarge,
  STRING_BYTES,
  STRING_UNIT_BYTES,
} from '../../python/charge.ts';
import type { Meter } from '../../base/meter.ts';

/** Units that may be added before they are charged. */
const UNCHARGED_UNITS = 512;
const PIECES_PER_BLOCK = 1024;
const FEW_PIECES = 32;

export class TextBuilder {
  private readonly meter: Meter;
  private open = '';
  private pieces = 0;
  /** The pieces of the last block, once there are more than a few in all. */
  private parts: string[] | null = null;
  private uncharged = 0;
  private unchargedPieces = 0;
  private charged = 0;
  private blocks: string[] | null = null;

  constructor(meter: Meter) {
    this.meter = meter;
  }

  add(piece: string): void {
    this.unchargedPieces += 1;
    if ((this.uncharged += piece.length) > UNCHARGED_UNITS) this.charge();
    if (this.parts === null) {
      this.open += piece;
      if (++this.pieces === FEW_PIECES) this.parts = [this.open];
    } else if (this.parts.push(piece) === PIECES_PER_BLOCK) this.closeBlock(this.parts);
  }

  finish(): string {
    this.charge();
    this.meter.allocate(STRING_BYTES);
    if (this.parts === null) return this.open;
    const last = this.parts.join('');
    return this.blocks === null ? last : this.blocks.join('') + last;
  }

  private charge(): void {
    this.charged += this.uncharged;
    if (this.charged > MAX_STRING_UNITS) tooLarge(`a string of ${this.charged} units`, MAX_STRING_UNITS);
    this.meter.work(1 + this.unchargedPieces + Math.floor(this.uncharged / UNITS_PER_STEP));
    this.meter.allocate(this.uncharged * STRING_UNIT_BYTES);
    this.uncharged = 0;
    this.unchargedPieces = 0;
  }

  private closeBlock(parts: readonly string[]): void {
    this.charge();
    this.blocks ??= [];
    this.blocks.push(parts.join(''));
    this.parts = [];
  }
}
