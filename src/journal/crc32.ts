// CRC-32 (as in zlib and PNG), which can continue an earlier one: crc32(crc32(0, a), b) is that of a followed by b.
//
// It finds every damage within 32 bits, so every changed byte.

// Four bytes at a time: tables[k] is the effect of a byte k places before the last one.
const tables: readonly Int32Array[] = makeTables();

export function crc32(previous: number, bytes: Uint8Array, start: number, end: number): number {
  const [t0, t1, t2, t3] = tables as readonly [Int32Array, Int32Array, Int32Array, Int32Array];
  let crc = ~previous;
  let at = start;
  for (const last = end - 3; at < last; at += 4) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (t3[crc & 255] as number) ^
      (t2[(crc >>> 8) & 255] as number) ^
      (t1[(crc >>> 16) & 255] as number) ^
      (t0[crc >>> 24] as number);
  }
  for (; at < end; at += 1) crc = (t0[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function makeTables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xed_b8_83_20 : crc >>> 1;
    return crc;
  });
  const made = [first];
  for (let k = 1; k < 4; k += 1) {
    made.push((made[k - 1] as Int32Array).map((crc) => (crc >>> 8) ^ (first[crc & 255] as number)));
  }
  return made;
}
