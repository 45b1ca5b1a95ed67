// Where a picture or a font ends, so that what was appended to it can be read.
//
//   bytes of a known format -> the offset after its last byte, or null: it is not built as its format says
//
// Only the outer structure is walked; nothing is decoded. A picture without a known end is not accepted.
import type { BinaryKind } from './file-kinds.ts';

type Picture = Extract<BinaryKind, { readonly kind: 'picture' }>['name'];

export function endOfPicture(name: Picture, bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = ends[name](view);
    return end === null || end > bytes.length ? null : end;
  } catch (error) {
    // It ends in the middle of something.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const ends: { readonly [name in Picture]: (view: DataView) => number | null } = {
  png: endOfPng,
  jpeg: endOfJpeg,
  gif: endOfGif,
  webp: (view) => 8 + view.getUint32(4, true) + (view.getUint32(4, true) % 2),
  bmp: (view) => view.getUint32(2, true),
  ico: endOfIco,
  font: endOfFont,
};

/** Chunks of length, type, data and checksum; the last is IEND. */
function endOfPng(view: DataView): number | null {
  for (let at = 8; ;) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    at += 12 + length;
    if (type === 0x49454e44) return at;
  }
}

/** Segments with a marker and a length; after a scan, data in which FF is followed by 00 or a restart marker. */
function endOfJpeg(view: DataView): number | null {
  let at = 2;
  for (;;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (marker === 0xd9) {
      return at + 2;
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
    } else {
      at += 2 + view.getUint16(at + 2);
      if (marker === 0xda) at = endOfScan(view, at);
    }
  }
}

function endOfScan(view: DataView, start: number): number {
  for (let at = start; ; at += 1) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
}

function endOfGif(view: DataView): number | null {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + tableBytes(view.getUint8(10));
  const skipBlocks = (): void => {
    for (let size = view.getUint8(at); ; size = view.getUint8(at)) {
      at += 1 + size;
      if (size === 0) return;
    }
  };
  for (;;) {
    const kind = view.getUint8(at);
    if (kind === 0x3b) return at + 1;
    if (kind === 0x21) {
      at += 2;
    } else if (kind === 0x2c) {
      at += 11 + tableBytes(view.getUint8(at + 9));
    } else {
      return null;
    }
    skipBlocks();
  }
}

function endOfIco(view: DataView): number | null {
  const count = view.getUint16(4, true);
  let end = 6 + 16 * count;
  for (let entry = 0; entry < count; entry += 1) {
    const at = 6 + 16 * entry;
    end = Math.max(end, view.getUint32(at + 12, true) + view.getUint32(at + 8, true));
  }
  return count === 0 ? null : end;
}

/** WOFF gives its length; TrueType and OpenType have a table of tables, each padded to four bytes. */
function endOfFont(view: DataView): number | null {
  const signature = view.getUint32(0);
  if (signature === 0x774f4646 || signature === 0x774f4632) return view.getUint32(8);
  const tables = view.getUint16(4);
  let end = 12 + 16 * tables;
  for (let table = 0; table < tables; table += 1) {
    const at = 12 + 16 * table;
    end = Math.max(end, view.getUint32(at + 8) + view.getUint32(at + 12));
  }
  return tables === 0 ? null : Math.min(view.byteLength, (end + 3) & ~3);
}
