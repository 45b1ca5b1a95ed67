// The head of one SKILL.md: no more bytes are read, and no more are decoded, than the frontmatter needs.
//
//   4 KB -> up to the closing fence -> glance           nearly every file ends here
//                                   -> parseHead
//        -> all of the 4 KB -> 32 KB -> 256 KB -> whole only while parseHead says "more"
//
// H1. A file that needs the YAML library is put aside; the caller loads the library once for all of them.
// H2. A cut through a character is not a fault of the file: the half is left to the next step.
import type { Diagnostic, Report } from '../base/diagnostic.ts';
import { severityOf } from '../base/codes.ts';
import type { DecodeUtf8 } from '../host/ports/environment.ts';
import type { FileRead, Files, FolderEntry } from '../host/ports/files.ts';
import { glance } from '../skill/glance.ts';
import { inspectText } from '../skill/inspect-text.ts';
import { isPlainName } from '../skill/name.ts';
import { parseHead } from '../skill/parse-head.ts';
import type { SkillHead } from '../skill/types.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { signatureOf } from './found-skill.ts';
import type { HeadSource } from './head-source.ts';
import { GlancedHead, ParsedHead } from './head-source.ts';

export const headLimits = { firstBytes: 4096, maxBytes: 4 * 1024 * 1024 } as const;
const steps = [headLimits.firstBytes, 32 * 1024, 256 * 1024, headLimits.maxBytes] as const;

const none: readonly Diagnostic[] = [];

export class HeadReader {
  /** Set once the YAML library is loaded. */
  parseFull: ParseFull | null = null;
  readonly #files: Files;
  readonly #decode: DecodeUtf8;
  // One report for all files, since this runs for each of thousands.
  #path = '';
  #reported: Diagnostic[] | null = null;
  readonly #report: Report = (code, at, message, hint) => {
    (this.#reported ??= []).push({ code, severity: severityOf(code), path: this.#path, span: at, message, hint: hint ?? null });
  };

  constructor(files: Files, decode: DecodeUtf8) {
    this.#files = files;
    this.#decode = decode;
  }

  /** Goes on from `first`, the first bytes of `file`. `null`: the file went away meanwhile. Throws what `Files.readHead` throws. */
  finish(file: string, folderName: string, entries: readonly FolderEntry[], first: FileRead): HeadSource | 'needs-yaml' | null {
    this.#path = file;
    const glanced = this.#glance(folderName, entries, first);
    if (glanced !== null) return glanced;
    let read = first;
    for (let step = 0; ; step += 1) {
      const size = Number(read.stat.size);
      const complete = read.bytes.length >= size || step === steps.length - 1;
      const fence = step === 0 ? closingFenceEnd(read.bytes) : -1;
      let result: SkillHead | 'needs-yaml' | 'more' = 'more';
      if (fence > 0 && fence < read.bytes.length) result = this.#parse(read.bytes.subarray(0, fence), folderName, entries, false, size);
      if (result === 'more') {
        const end = complete ? read.bytes.length : wholeCharactersEnd(read.bytes);
        result = this.#parse(end === read.bytes.length ? read.bytes : read.bytes.subarray(0, end), folderName, entries, complete, size);
      }
      if (result === 'needs-yaml') return 'needs-yaml';
      if (result !== 'more') return new ParsedHead(signatureOf(read.stat), result, this.#reported ?? none);
      if (complete) throw new Error(`parseHead asked for more than the whole of "${file}"`);
      const more = this.#files.readHead(file, steps[step + 1] as number);
      if (more === null) return null;
      read = more;
    }
  }

  /** Nearly all skills are plain instructions, and that can be seen without parsing them. */
  #glance(folderName: string, entries: readonly FolderEntry[], { bytes, stat }: FileRead): GlancedHead | null {
    const fence = closingFenceEnd(bytes);
    if (fence < 0 || !isPlainName(folderName) || hasProgram(entries)) return null;
    const { text, valid } = this.#decode(bytes.subarray(0, fence));
    const card = valid ? glance(text) : null;
    return card === null ? null : new GlancedHead(signatureOf(stat), text, card);
  }

  #parse(bytes: Uint8Array, folderName: string, entries: readonly FolderEntry[], complete: boolean, fileBytes: number): SkillHead | 'needs-yaml' | 'more' {
    this.#reported = null;
    const { text, valid } = this.#decode(bytes);
    const result = parseHead(text, { folderName, entries, complete, fileBytes, parseFull: this.parseFull }, this.#report);
    if (typeof result === 'object') inspectText(text, valid, this.#report);
    return result;
  }
}

/** The offset after the line that looks like the closing fence, or -1. A guess: the parser decides. */
function closingFenceEnd(bytes: Uint8Array): number {
  const start = bytes[0] === 0xef ? 3 : 0;
  if (bytes[start] !== 45 || bytes[start + 1] !== 45 || bytes[start + 2] !== 45) return -1;
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] !== 45 || bytes[at + 2] !== 45 || bytes[at + 3] !== 45) continue;
    const end = bytes.indexOf(10, at + 4);
    return end < 0 ? -1 : end + 1;
  }
  return -1;
}

function hasProgram(entries: readonly FolderEntry[]): boolean {
  return entries.length > 1 && entries.some(({ name }) => name === 'SKILL.star');
}

/** `bytes.length`, less the bytes of a UTF-8 character that is cut off at the end. */
function wholeCharactersEnd(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] as number;
    if (byte < 0x80) return length;
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needs > back ? length - back : length;
    }
  }
  return length;
}
