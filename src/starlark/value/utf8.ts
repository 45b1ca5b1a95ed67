// UTF-8 as Starlark counts it: the length of text in bytes, and bytes as text.
//
// Each single byte that is in no valid sequence becomes U+FFFD, where a TextDecoder makes one of several bytes.

/** How many bytes `text` takes. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      length += 4;
      i += 1;
    } else length += 3;
  }
  return length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The code point whose valid encoding starts at `at`, or -1. */
export function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return first;
  const size =
    first >= 0xf0 && first <= 0xf4
      ? 4
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xc2 && first < 0xe0
          ? 2
          : 0;
  if (size === 0 || at + size > bytes.length) return -1;
  let point = first & (0xff >> (size + 1));
  for (let i = 1; i < size; i += 1) {
    const next = bytes[at + i] as number;
    if ((next & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (next & 0x3f);
  }
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  return point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? -1 : point;
}

export function pointBytes(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

export function decodeReplacing(bytes: Uint8Array): string {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < bytes.length;) {
    const point = codePointAt(bytes, i);
    part += point < 0 ? '\ufffd' : String.fromCodePoint(point);
    i += point < 0 ? 1 : pointBytes(point);
    // Kept short, so that no long chain of pieces is built.
    if (part.length > 1024) {
      parts.push(part);
      part = '';
    }
  }
  parts.push(part);
  return parts.join('');
}
