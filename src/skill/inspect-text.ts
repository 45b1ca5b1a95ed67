// What can be wrong with a decoded file before anyone looks at its meaning.
//
// Each fault once, at its first place; the text itself is never changed here.
import type { Report } from '../base/diagnostic.ts';

const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Cs}/u;

/** `valid` is false when decoding had to replace bytes. */
export function inspectText(text: string, valid: boolean, report: Report): void {
  if (!valid) {
    const at = text.indexOf('\uFFFD');
    report('ENCODING_INVALID', at === -1 ? null : { start: at, end: at + 1 }, 'the file is not valid UTF-8; bad bytes were replaced', 'save it as UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff) report('ENCODING_BOM', { start: 0, end: 1 }, 'the file starts with a byte order mark', 'save it as UTF-8 without BOM');
  const nul = text.indexOf('\0');
  if (nul !== -1) report('ENCODING_NUL', { start: nul, end: nul + 1 }, 'the file holds a NUL character', 'remove it');
  const half = valid && surrogate.test(text) ? (loneSurrogate.exec(text)?.index ?? -1) : -1;
  if (half !== -1) report('ENCODING_SURROGATE', { start: half, end: half + 1 }, 'the text holds half of a surrogate pair', 'remove it');
  const crlf = text.indexOf('\r\n');
  if (crlf !== -1) report('LINE_ENDINGS_CRLF', { start: crlf, end: crlf + 2 }, 'lines end in CRLF', 'use LF line ends');
}
