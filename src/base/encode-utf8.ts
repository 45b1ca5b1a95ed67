// Text -> UTF-8 bytes, without the platform. Half a surrogate pair becomes U+FFFD, as everywhere.

export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let point = text.codePointAt(at) as number;
    if (point > 0xffff) at += 1;
    else if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) {
      bytes[length++] = point;
      continue;
    }
    if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        bytes[length++] = 0xe0 | (point >> 12);
      } else {
        bytes[length++] = 0xf0 | (point >> 18);
        bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      }
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
    }
    bytes[length++] = 0x80 | (point & 0x3f);
  }
  return bytes.slice(0, length);
}
