// A file of a skill -> what can be read of it, and what cannot.
//
//   GuardFile -> { text, language, gap }
//
// C1. Fails closed: whatever is not wholly read as text has a gap, which makes the verdict `incomplete`.
// C2. What can be made out is read all the same, so that a gap never hides what is plainly there: UTF-16, text with invalid
//     bytes, the beginning of a file that is too large, the printable parts of a binary file, what a gzip file holds.
// C3. Pictures and fonts are accepted when their bytes are built as their format says; what follows their end is read.
import { decodeUtf8 } from '../../base/utf8.ts';
import type { GuardFile, Language } from '../detector.ts';
import type { NotScannedReason } from '../report.ts';
import { endOfPicture } from './end-of-picture.ts';
import { kindByBytes, kindByName } from './file-kinds.ts';
import { extensionOf, languageOf } from './language.ts';

export interface Gap {
  readonly reason: NotScannedReason;
  readonly message: string;
}

export interface Classified {
  /** '' where nothing can be made out. */
  readonly text: string;
  readonly language: Language;
  readonly gap: Gap | null;
}

/** gzip, zlib or raw deflate; `null` where it is none of them, or longer than `maxBytes`. Must not throw. */
export type Inflate = (bytes: Uint8Array, maxBytes: number) => Uint8Array | null;

export interface ClassifyOptions {
  readonly maxTextBytes: number;
  readonly inflate: Inflate;
}

export function classify(file: GuardFile, options: ClassifyOptions): Classified {
  if (file.kind === 'link') return nothing('link', 'it is a link, which is not followed');
  if (file.kind === 'other') return nothing('unreadable', file.why ?? 'it is neither a file nor a folder');
  if (file.bytes === null)
    return file.size > options.maxTextBytes
      ? nothing('too-large', `it has ${file.size} bytes, more than are read`)
      : nothing('unreadable', 'it cannot be read');
  const { bytes } = file;
  const named = kindByName(file.path);
  const kind = kindByBytes(bytes) ?? named;
  if (kind?.kind === 'archive') {
    const inside =
      kind.name === 'gzip' || kind.name === 'gz' ? options.inflate(bytes, options.maxTextBytes) : null;
    return {
      text: inside === null ? stringsIn(bytes, options.maxTextBytes) : decodeUtf8(inside).text,
      language: inside === null ? 'text' : languageOf(file.path.replace(/\.gz$/i, ''), ''),
      gap: { reason: 'archive', message: `it is an archive (${kind.name}), which is not unpacked` },
    };
  }
  if (kind?.kind === 'picture') {
    const end = endOfPicture(kind.name, bytes);
    if (end === null)
      return unread(bytes, options, 'binary', `it begins like a ${kind.name} file but is not built like one`);
    const tail = bytes.subarray(end);
    if (tail.every((byte) => byte === 0)) {
      const text = textsOfPicture(bytes);
      const isMuch = text.length > options.maxTextBytes;
      return {
        text: isMuch ? text.slice(0, options.maxTextBytes) : text,
        language: 'text',
        gap: isMuch ? { reason: 'too-large', message: 'it holds more text than is read' } : null,
      };
    }
    const appended = decodeUtf8(tail.subarray(0, options.maxTextBytes));
    return {
      text: `${textsOfPicture(bytes.subarray(0, end)).slice(0, options.maxTextBytes)}\n${appended.text}`,
      language: languageOf('', appended.text),
      gap: { reason: 'binary', message: `${tail.length} bytes follow the end of the ${kind.name} file` },
    };
  }
  if (kind !== null) return unread(bytes, options, 'binary', `it is a ${kind.name} file, which is not read`);
  return isGitData(file.path) && !isPlainText(bytes) && isBuiltByGit(bytes, options)
    ? { text: '', language: 'text', gap: null }
    : readText(file.path, bytes, options);
}

function readText(path: string, bytes: Uint8Array, { maxTextBytes }: ClassifyOptions): Classified {
  const tooLarge = bytes.length > maxTextBytes;
  const part = tooLarge ? bytes.subarray(0, maxTextBytes) : bytes;
  const { text: decoded, valid } = decodeUtf8(part);
  // A lone carriage return ends a line for many readers; the length stays the same.
  const text = decoded.replace(/\r(?!\n)/g, '\n');
  // Cut in the middle of a character, a text looks invalid.
  if (tooLarge)
    return {
      text,
      language: languageOf(path, text),
      gap: {
        reason: 'too-large',
        message: `it has ${bytes.length} bytes; the first ${maxTextBytes} were scanned`,
      },
    };
  const wide = text.includes('\0') ? decodeWide(part) : null;
  if (wide !== null)
    return {
      text: wide,
      language: languageOf(path, wide),
      gap: { reason: 'undecodable', message: 'it is UTF-16 or UTF-32, not UTF-8' },
    };
  if (!valid && isMostlyBinary(part))
    return unread(bytes, { maxTextBytes }, 'binary', 'it is a binary file of an unknown kind');
  if (!valid)
    return {
      text,
      language: languageOf(path, text),
      gap: { reason: 'undecodable', message: 'it has bytes that are not UTF-8' },
    };
  if (text.includes('\0'))
    return {
      text,
      language: languageOf(path, text),
      gap: { reason: 'binary', message: 'it has zero bytes, which are in no text' },
    };
  if (extensionOf(path) === 'pyc')
    return { text, language: 'text', gap: { reason: 'binary', message: 'it is called Python bytecode' } };
  return { text, language: languageOf(path, text), gap: null };
}

function nothing(reason: NotScannedReason, message: string): Classified {
  return { text: '', language: 'text', gap: { reason, message } };
}

function unread(
  bytes: Uint8Array,
  { maxTextBytes }: Pick<ClassifyOptions, 'maxTextBytes'>,
  reason: NotScannedReason,
  message: string,
): Classified {
  return { text: stringsIn(bytes, maxTextBytes), language: 'text', gap: { reason, message } };
}

/** What git keeps for itself; its hooks and its configuration are texts. */
export function isGitData(path: string): boolean {
  return /(?:^|\/)\.git\/(?:objects\/|index$|.{0,40}\.(?:idx|pack|rev|bitmap)$)/.test(path);
}

const gitSignatures: readonly string[] = ['PACK', '\xfftOc', 'RIDX', 'DIRC', 'BITM'];

/** A loose object is deflated and begins with its kind and length; the other files begin with four letters. */
function isBuiltByGit(bytes: Uint8Array, { inflate, maxTextBytes }: ClassifyOptions): boolean {
  if (gitSignatures.includes(String.fromCharCode(...bytes.subarray(0, 4)))) return true;
  const inside = inflate(bytes, maxTextBytes);
  return (
    inside !== null && /^(?:blob|tree|commit|tag) \d{1,10}\0/.test(decodeUtf8(inside.subarray(0, 24)).text)
  );
}

function isPlainText(bytes: Uint8Array): boolean {
  return !bytes.subarray(0, 4096).includes(0) && decodeUtf8(bytes.subarray(0, 4096)).valid;
}

/** More than a tenth of the first bytes are controls, or no part of UTF-8. */
function isMostlyBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  const { text } = decodeUtf8(head);
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13 && unit !== 12)) bad += 1;
  }
  return bad * 10 > text.length;
}

/** Every second byte (or three of four) is zero in most of it. */
function decodeWide(bytes: Uint8Array): string | null {
  const zeros = [0, 0, 0, 0];
  const length = Math.min(bytes.length, 4096) & ~3;
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 4] = (zeros[at % 4] as number) + 1;
  const most = (length / 4) * 0.7;
  const isZero = zeros.map((count) => count >= most && count > 0);
  const places = isZero.map((zero) => (zero ? '0' : 'x')).join('');
  const units = { x0x0: 0, '0x0x': 1, x000: 0, '000x': 3 }[places];
  if (units === undefined) return null;
  const step = places === 'x0x0' || places === '0x0x' ? 2 : 4;
  let text = '';
  for (let at = 0; at + step <= bytes.length; at += step) {
    const low = bytes[at + units] as number;
    const high =
      step === 2 ? (bytes[at + 1 - units] as number) : (bytes[at + (units === 0 ? 1 : 2)] as number);
    text += String.fromCharCode(low | (high << 8));
  }
  return text;
}

const leastRun = 24;

/** The texts that metadata of a picture holds. */
function textsOfPicture(bytes: Uint8Array): string {
  return stringsIn(bytes, bytes.length, leastRun);
}

/** Runs of printable ASCII, one for each line. */
function stringsIn(bytes: Uint8Array, maxBytes: number, least = 8): string {
  const runs: string[] = [];
  const end = Math.min(bytes.length, maxBytes);
  let start = 0;
  for (let at = 0; at <= end; at += 1) {
    const byte = at < end ? (bytes[at] as number) : 0;
    if ((byte >= 32 && byte < 127) || byte === 9) continue;
    if (at - start >= least) runs.push(decodeUtf8(bytes.subarray(start, at)).text);
    start = at + 1;
  }
  return runs.join('\n');
}
