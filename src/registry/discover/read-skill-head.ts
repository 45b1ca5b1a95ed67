// The heads of SKILL.md files, one by one or in batches. No more bytes are read or decoded than the frontmatter needs.
//
//   4 KB -> up to the closing fence -> glance           nearly every file ends here
//                                   -> parseHead
//        -> all of the 4 KB -> 256 KB -> whole file, only while parseHead returns "more"
//
// A frontmatter that is open at the end of a step is not parsed there: parseHead would only ask for more. A character
// that is cut at the end of a step is not a fault of the file: it is left to the next step.
import type { Diagnostic, Report } from '../../base/diagnostic.ts';
import { severityOf } from '../../base/codes.ts';
import { TechneError } from '../../base/error.ts';
import type { DecodedText } from '../../base/utf8.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { FileFault } from '../../ports/files.ts';
import type { FileRead, FileSignature, Files, FolderEntry } from '../../ports/files.ts';
import { glance } from '../../skill/frontmatter/glance.ts';
import { inspectText } from '../../skill/check/inspect-text.ts';
import { isUnsafeName, parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { yamlLimits } from '../../skill/yaml/node.ts';
import { GlancedHead, ParsedHead, sameSignature, signatureOf, FoundSkill } from './found-skill.ts';
import type { HeadSource, FoundIn } from './found-skill.ts';
import type { DiscoveryReport } from './roots.ts';
import type { IndexRow } from '../cache/head-index.ts';

export const headLimits = {
  firstBytes: 4096,
  maxBytes: 4 * 1024 * 1024,
  maxBytesBig: 4n * 1024n * 1024n,
} as const;
const steps = [headLimits.firstBytes, 256 * 1024, headLimits.maxBytes] as const;

const none: readonly Diagnostic[] = [];

export class HeadReader {
  readonly #files: Files;
  readonly #parseFull: ParseFull;
  // One report for all files, since this runs for each of thousands.
  #path = '';
  #reported: Diagnostic[] | null = null;
  readonly #report: Report = (code, at, message, hint) => {
    (this.#reported ??= []).push({
      code,
      severity: severityOf(code),
      path: this.#path,
      span: at,
      message,
      hint: hint ?? null,
    });
  };

  constructor(files: Files, parseFull: ParseFull) {
    this.#files = files;
    this.#parseFull = parseFull;
  }

  /** Goes on from `first`, the first bytes of `file`. `null`: the file went away meanwhile. Throws what `Files.readHead` throws. */
  finish(
    file: string,
    folderName: string,
    entries: readonly FolderEntry[],
    first: FileRead,
  ): HeadSource | null {
    this.#path = file;
    const mayGlance = file.endsWith('/SKILL.md') && !isUnsafeName(folderName) && !hasProgram(entries);
    let read = first;
    for (let step = 0; ; step += 1) {
      const { bytes, stat } = read;
      const size = Number(stat.size);
      const complete = bytes.length >= size || step === steps.length - 1;
      const fence = closingFenceEnd(bytes);
      let result: SkillHead | 'more' = 'more';
      if (fence > 0) {
        const decoded = decodeUtf8(bytes, fence);
        // Nearly all skills are plain, and that can be seen without parsing them.
        const glimpse = mayGlance && decoded.valid ? glance(decoded.text) : null;
        if (glimpse !== null)
          return new GlancedHead(signatureOf(stat), decoded.text, glimpse, this.#parseFull);
        if (fence < bytes.length) result = this.#parse(decoded, folderName, entries, false, size);
      }
      if (result === 'more' && (complete || fence > 0 || !isSurelyOpen(bytes))) {
        const end = complete ? bytes.length : wholeCharactersEnd(bytes);
        result = this.#parse(decodeUtf8(bytes, end), folderName, entries, complete, size);
      }
      if (result !== 'more') return new ParsedHead(signatureOf(stat), result, this.#reported ?? none);
      if (complete) throw new Error(`parseHead asked for more than the whole of "${file}"`);
      const more = this.#files.readHead(file, steps[step + 1] as number);
      if (more === null) return null;
      read = more;
    }
  }

  #parse(
    { text, valid }: DecodedText,
    folderName: string,
    entries: readonly FolderEntry[],
    complete: boolean,
    fileBytes: number,
  ): SkillHead | 'more' {
    this.#reported = null;
    const result = parseHead(
      text,
      { folderName, entries, complete, fileBytes, parseFull: this.#parseFull },
      this.#report,
    );
    if (typeof result === 'object') inspectText(text, valid, this.#report);
    return result;
  }
}

/** The head of a skill folder that was listed with `signature`. Throws STALE when it is not there as it was. */
export function readHeadAgain(
  folder: string,
  signature: FileSignature,
  files: Files,
  parseFull: ParseFull,
): HeadSource {
  const file = `${folder}/SKILL.md`;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  try {
    const entries = files.list(folder);
    const first = entries === null ? null : files.readHead(file, headLimits.firstBytes);
    const head =
      entries === null || first === null
        ? null
        : new HeadReader(files, parseFull).finish(file, name, entries, first);
    if (head !== null && sameSignature(head.signature, signature)) return head;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  throw new TechneError('STALE', `"SKILL.md" of the skill "${name}" changed after the skills were loaded`, {
    hint: 'load the skills again',
  });
}

/** The path that is all that a file holds, as Git writes a link where it makes none. Nearly every file begins with a dash. */
function linkTarget({ bytes, stat }: FileRead): string | null {
  if (bytes[0] === 45 || stat.size > 1000n || bytes.length < Number(stat.size)) return null;
  const path = decodeUtf8(bytes).text.replace(/\r?\n$/, '');
  const isPath = /^[\w@.+/-]+$/.test(path) && (/[^/]\/[^/]/.test(path) || /^[^/]+\.md$/i.test(path));
  return isPath && !path.endsWith('/') ? path : null;
}

/** The offset after the line that looks like the closing fence, or -1. A guess: the parser decides. */
function closingFenceEnd(bytes: Uint8Array): number {
  const start = bytes[0] === 0xef ? 3 : 0;
  if (bytes[start] !== 45 || bytes[start + 1] !== 45 || bytes[start + 2] !== 45) return -1;
  // Of three dashes in a row one is at every third place.
  const { length } = bytes;
  for (let at = start + 5; at < length; at += 3) {
    if (bytes[at] !== 45) continue;
    let first = at;
    while (bytes[first - 1] === 45) first -= 1;
    while (bytes[at + 1] === 45) at += 1;
    if (bytes[first - 1] !== 10 || at - first < 2) continue;
    const end = bytes.indexOf(10, at);
    return end < 0 ? -1 : end + 1;
  }
  return -1;
}

/** Begins with a fence, and none closes it here: the parser would ask for more of the file. */
function isSurelyOpen(bytes: Uint8Array): boolean {
  return (
    bytes.length < yamlLimits.bytes &&
    bytes[0] === 45 &&
    bytes[1] === 45 &&
    bytes[2] === 45 &&
    bytes[3] === 10 &&
    !bytes.includes(13)
  );
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

// The files that a walk meets are read many at a time.
//
//   where a skill belongs + its listing -> first bytes of each file -> FoundSkill, in its place
//
// First all files of a batch are read, then all are parsed: right after a system call a processor runs our code about
// half as fast as in a row, which shows when a process has just started. Each skill keeps its place, whatever the order
// of reading.

/** A SKILL.md that was met, and where its skill belongs. */
interface PendingHead {
  readonly skills: (FoundSkill | null)[];
  readonly at: number;
  readonly in: FoundIn;
  readonly path: string;
  readonly real: string;
  readonly fileName: string;
  readonly entries: readonly FolderEntry[];
  readonly row: IndexRow | null;
}

const headsAtATime = 64;

export class HeadBatch {
  readonly #files: Files;
  readonly #heads: HeadReader;
  readonly #reporter: DiscoveryReport;
  readonly #pending: PendingHead[] = [];
  readonly #reads: (FileRead | null)[] = [];

  constructor(files: Files, parseFull: ParseFull, reporter: DiscoveryReport) {
    this.#files = files;
    this.#heads = new HeadReader(files, parseFull);
    this.#reporter = reporter;
  }

  add(pending: PendingHead): void {
    this.#pending.push(pending);
    if (this.#pending.length === headsAtATime) this.flush();
  }

  /** Reads what is still to be read. */
  flush(): void {
    const pending = this.#pending;
    const reads = this.#reads;
    // Slot 0 is left to files of which more must be read.
    for (const { path, fileName } of pending)
      reads.push(this.#firstBytes(`${path}/${fileName}`, reads.length + 1));
    for (let at = 0; at < reads.length; at += 1) {
      const first = reads[at];
      if (first !== null && first !== undefined) this.#place(pending[at] as PendingHead, first);
    }
    pending.length = 0;
    reads.length = 0;
  }

  #place(
    { skills, at, in: foundIn, path, real, fileName, entries, row }: PendingHead,
    first: FileRead,
  ): void {
    const head = this.#headOf(`${path}/${fileName}`, path.slice(path.lastIndexOf('/') + 1), entries, first);
    if (head === null) return;
    if (row !== null) row.head = head;
    skills[at] = new FoundSkill(foundIn, path, real, head, fileName);
  }

  /** `null` after saying why it cannot be read. */
  #firstBytes(file: string, slot: number): FileRead | null {
    try {
      const first = this.#files.readHead(file, headLimits.firstBytes, slot);
      if (first === null) this.#wentAway(file);
      return first;
    } catch (error) {
      this.#reporter.fault(error, file, 'file');
      return null;
    }
  }

  /** `null` after saying why it cannot be read. */
  #headOf(
    file: string,
    folderName: string,
    entries: readonly FolderEntry[],
    first: FileRead,
  ): HeadSource | null {
    if (first.stat.size > headLimits.maxBytesBig) {
      this.#reporter.add(
        'FILE_TOO_LARGE',
        file,
        `SKILL.md has ${first.stat.size} bytes, over the limit of ${headLimits.maxBytes}`,
        'move long material into references/',
      );
      return null;
    }
    const target = linkTarget(first);
    if (target !== null) {
      this.#reporter.add(
        'LINK_AS_TEXT',
        file,
        `the file holds nothing but the path "${target}": it is a link that was checked out as text, so it is not loaded`,
        'check it out as a link (git config core.symlinks true), or put the file itself here',
      );
      return null;
    }
    try {
      const head = this.#heads.finish(file, folderName, entries, first);
      if (head === null) this.#wentAway(file);
      return head;
    } catch (error) {
      this.#reporter.fault(error, file, 'file');
      return null;
    }
  }

  #wentAway(file: string): void {
    this.#reporter.add('FILE_UNREADABLE', file, 'SKILL.md was removed while it was read');
  }
}
