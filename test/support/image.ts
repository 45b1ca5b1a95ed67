// An image that was written, in memory.
import {
  type Checksum,
  type ColumnBytes,
  DamagedImage,
  type Image,
  type KeptImage,
} from '../../src/ports/image.ts';

export interface MemoryImage extends KeptImage {
  /** How often the region was read. */
  readonly reads: number;
}

export function imageInMemory({ columns, region }: Image, checksum: Checksum): MemoryImage {
  const whole = Buffer.concat(region.map(bytesOf));
  let reads = 0;
  const own = (bytes: Uint8Array): Uint8Array => {
    const copy = new Uint8Array(new ArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  return {
    get reads() {
      return reads;
    },
    column(name) {
      const found = columns.get(name);
      if (found === undefined) throw new DamagedImage(`"${name}" is missing`);
      return own(bytesOf(found));
    },
    region(offset, length, expected) {
      reads += 1;
      const bytes = own(whole.subarray(offset, offset + length));
      if (bytes.length !== length || checksum(bytes) >>> 0 !== expected >>> 0)
        throw new DamagedImage('a part is not as it was written');
      return bytes;
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ColumnBytes): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
