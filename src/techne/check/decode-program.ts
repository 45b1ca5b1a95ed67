// The bytes of a program -> its text, and a fault if they are not UTF-8 text.
import { isUtf8 } from 'node:buffer';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';

/** This much shows what a file is. */
const sampleBytes = 8192;

/** A byte order mark is dropped. With a fault, invalid bytes have become U+FFFD. */
export function decodeProgram(
  bytes: Uint8Array,
  path: string,
): { readonly text: string; readonly fault: Diagnostic | null } {
  const faults: Diagnostic[] = [];
  const report = collectInto(faults, path);
  const text = new TextDecoder().decode(bytes);
  if (
    bytes.length > 1 &&
    ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
  ) {
    report('PROGRAM_NOT_TEXT', null, 'the file is UTF-16, not UTF-8', 'save it as UTF-8');
  } else if (isBinary(bytes))
    report(
      'PROGRAM_NOT_TEXT',
      null,
      'the file is not a text file',
      'give a Starlark program: a text in UTF-8',
    );
  else if (!isUtf8(bytes)) {
    const { offset, byte } = firstBadByte(bytes);
    report(
      'PROGRAM_NOT_TEXT',
      { start: offset, end: offset + 1 },
      `the byte 0x${byte.toString(16).padStart(2, '0').toUpperCase()} here is not UTF-8`,
      'save the file as UTF-8',
    );
  }
  return { text, fault: faults[0] ?? null };
}

/** A NUL, or more than one control character in sixteen, and not just a few of them. */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const sample = bytes.subarray(0, sampleBytes);
  let controls = 0;
  // Tab, line ends, form feed and escape may stand in a text.
  for (const byte of sample)
    if (byte === 0x7f || (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b)) controls += 1;
  return controls >= 8 && controls * 16 > sample.length;
}

/** The offset in the decoded text of the first invalid byte. */
function firstBadByte(bytes: Uint8Array): { readonly offset: number; readonly byte: number } {
  // Whole lines are quickly skipped; the line at fault is decoded a byte at a time.
  let start = 0;
  for (
    let end = bytes.indexOf(0x0a);
    end !== -1 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(0x0a, start)
  )
    start = end + 1;
  const before = new TextDecoder().decode(bytes.subarray(0, start)).length;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: start > 0 });
  let units = 0;
  let lead = start;
  for (let at = start; at < bytes.length; at += 1) {
    let made: string;
    try {
      made = decoder.decode(bytes.subarray(at, at + 1), { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return { offset: before + units, byte: bytes[lead] as number };
    }
    if (made !== '') {
      units += made.length;
      lead = at + 1;
    }
  }
  // The last character is cut off.
  return { offset: before + units, byte: bytes[lead] as number };
}
