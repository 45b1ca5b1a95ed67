// Text -> UTF-8 into memory that is there already. Half a surrogate pair becomes U+FFFD, as everywhere.

/** Bytes that `text` can need at most. */
export function maxUtf8Bytes(text: string): number {
  return text.length * 3;
}

/** Writes `text` at `at`; gives where it ends. `into` must have room for `maxUtf8Bytes`. */
export function writeUtf8(text: string, into: Uint8Array, at: number): number {
  const { length } = text;
  let to = at;
  for (let from = 0; from < length; from += 1) {
    const unit = text.charCodeAt(from);
    if (unit < 0x80) {
      into[to++] = unit;
      continue;
    }
    let point = unit;
    if (unit >= 0xd800 && unit <= 0xdfff) {
      point = text.codePointAt(from) as number;
      if (point > 0xffff) from += 1;
      else point = 0xfffd;
    }
    if (point < 0x800) {
      into[to++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        into[to++] = 0xe0 | (point >> 12);
      } else {
        into[to++] = 0xf0 | (point >> 18);
        into[to++] = 0x80 | ((point >> 12) & 0x3f);
      }
      into[to++] = 0x80 | ((point >> 6) & 0x3f);
    }
    into[to++] = 0x80 | (point & 0x3f);
  }
  return to;
}

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(maxUtf8Bytes(text));
  return bytes.slice(0, writeUtf8(text, bytes, 0));
}
