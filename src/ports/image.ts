// Where an index is kept between processes, so that the next one need not build it.
//
//   index -> Image { columns, region };   the same bytes, read again -> KeptImage -> index
//
// Columns are read whole when the image is opened. The region is far larger, and only the places that are needed are
// read, each against its checksum. What is not as it was written throws `DamagedImage`: an index is derived from skills,
// and can be built anew.

export type ColumnBytes = Int32Array | Uint32Array | BigInt64Array | Float64Array | Uint8Array;
export type Checksum = (bytes: Uint8Array) => number;

/** What is written. */
export interface Image {
  readonly columns: ReadonlyMap<string, ColumnBytes>;
  /** One after the other. */
  readonly region: readonly ColumnBytes[];
}

/** What was written. */
export interface KeptImage {
  /** Throws `DamagedImage`. The memory is the caller's, and aligned for numbers of 64 bits. */
  column(name: string): Uint8Array;
  /** Throws `DamagedImage`. The same. */
  region(offset: number, length: number, checksum: number): Uint8Array;
}

export class DamagedImage extends Error {
  constructor(what: string) {
    super(`the index on disk is damaged: ${what}`);
    this.name = 'DamagedImage';
  }
}
