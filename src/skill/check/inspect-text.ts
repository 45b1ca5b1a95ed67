// Reports faults of the encoding and of hidden characters in a decoded file.
//
// Each fault is reported once, at its first place; the text is not changed.
import type { Report } from '../../base/diagnostic.ts';

const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Cs}/u;

/** This much of a text shows what it is. */
const sampleLength = 8192;
/** C0 controls but for tab, line ends, form feed and escape. */
const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Whether more than one character in sixteen is a control character, and not just a few of them are. */
export function isBinary(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  const controls = sample.match(control)?.length ?? 0;
  return controls >= 8 && controls * 16 > sample.length;
}

/** `valid` is false when decoding had to replace bytes. */
export function inspectText(text: string, valid: boolean, report: Report): void {
  const binary = isBinary(text);
  if (binary)
    report(
      'FILE_BINARY',
      null,
      'the file is full of control characters: it is not a text',
      'write a text in UTF-8',
    );
  if (!valid && !binary) {
    const at = text.indexOf('\uFFFD');
    // Bytes that are not UTF-8 leave a mark each; without one, the file was decoded by its UTF-16 byte order mark.
    const message =
      at === -1
        ? 'the file is UTF-16, not UTF-8; other hosts cannot read it'
        : 'the file is not valid UTF-8; bad bytes were replaced';
    report('ENCODING_INVALID', at === -1 ? null : { start: at, end: at + 1 }, message, 'save it as UTF-8');
  }
  if (text.charCodeAt(0) === 0xfeff)
    report(
      'ENCODING_BOM',
      { start: 0, end: 1 },
      'the file starts with a byte order mark',
      'save it as UTF-8 without BOM',
    );
  const nul = binary ? -1 : text.indexOf('\0');
  if (nul !== -1)
    report('ENCODING_NUL', { start: nul, end: nul + 1 }, 'the file holds a NUL character', 'remove it');
  const half = valid && surrogate.test(text) ? (loneSurrogate.exec(text)?.index ?? -1) : -1;
  if (half !== -1)
    report(
      'ENCODING_SURROGATE',
      { start: half, end: half + 1 },
      'the text holds half of a surrogate pair',
      'remove it',
    );
  const crlf = text.indexOf('\r\n');
  if (crlf !== -1)
    report('LINE_ENDINGS_CRLF', { start: crlf, end: crlf + 2 }, 'lines end in CRLF', 'use LF line ends');
}
