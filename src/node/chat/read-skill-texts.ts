// Folders of skills -> the texts in them, for tracing what reaches a model (chat/trace/trace-texts.ts).
//
// A skill is read completely or reported as incomplete, with the first path and the reason: a program could print
// whatever was not read. Every file counts as text, links are followed, each folder is read once, and pipes and
// devices are not opened. Each SKILL.md is read first, then the smallest skills, so a large skill cannot crowd out
// the others. The limits count bytes or decoded letters, whichever is more, and one file at a time is in memory.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import type { Learnt } from '../../chat/trace/trace-texts.ts';

export interface ReadTextsLimits {
  /** Entries of the folders of one skill, and of all. */
  readonly skillEntries: number;
  readonly entries: number;
  /** Of one file, and of all; in bytes and in decoded letters. */
  readonly fileBytes: number;
  readonly bytes: number;
}

/** A few seconds at worst, before the first call of a conversation; a thousand skills of 16 KB are read whole. */
const defaultLimits: ReadTextsLimits = {
  skillEntries: 5000,
  entries: 20_000,
  fileBytes: 4 * 1024 * 1024,
  bytes: 16 * 1024 * 1024,
};

export interface SkillFolder {
  readonly skill: string;
  readonly folder: string;
}

/** Reads no more than `maxLetters` of a text. */
type TakeText = (skill: string, text: string, maxLetters: number) => Learnt;

/** Returns the skills that were not read completely, each with the path and the reason, so that a person can fix it. */
export async function readSkillTexts(
  skills: readonly SkillFolder[],
  take: TakeText,
  limits: ReadTextsLimits = defaultLimits,
): Promise<ReadonlyMap<string, string>> {
  const listed = await listFiles(skills, limits);
  const taken = new Set<string>();
  const tooMuch = `too large together with the others (over ${sizeOf(limits.bytes)} in all untrusted skills)`;
  let room = limits.bytes;
  const read = async ({ unread }: Listed, skill: string, path: string): Promise<void> => {
    const bytes = await readWhole(path, Math.min(limits.fileBytes, room));
    if (!Buffer.isBuffer(bytes)) {
      unread.push({
        path,
        why:
          bytes.error ??
          (bytes.size > limits.fileBytes ? `too large (over ${sizeOf(limits.fileBytes)})` : tooMuch),
      });
      return;
    }
    const digest = createHash('sha256').update(bytes).digest('base64');
    if (taken.has(digest)) return;
    let letters = 0;
    let isWhole = true;
    const most = Math.min(limits.fileBytes, room);
    for (const text of textsOf(bytes)) {
      const learnt = take(skill, text, most - letters);
      letters += learnt.letters;
      isWhole &&= learnt.isWhole;
    }
    room = Math.max(0, room - Math.max(bytes.length, letters));
    if (isWhole) taken.add(digest);
    else
      unread.push({
        path,
        why:
          letters > limits.fileBytes ? `too large (its text is over ${sizeOf(limits.fileBytes)})` : tooMuch,
      });
  };
  for (const one of listed) if (one.main !== null) await read(one, one.skill, one.main);
  for (const one of listed.toSorted((a, b) => a.bytes - b.bytes))
    for (const path of one.files) await read(one, one.skill, path);
  return new Map(
    listed.filter(({ unread }) => unread.length > 0).map((one) => [one.skill, describeUnread(one)]),
  );
}

interface Unread {
  readonly path: string;
  readonly why: string;
}

/** As much of a path as of a description: the skill chooses both. */
const maxPathShown = 160;

function describeUnread({ top, unread }: Listed): string {
  const [first, ...others] = unread.toSorted((a, b) => (a.path < b.path ? -1 : 1)) as [Unread, ...Unread[]];
  const path = relative(top, first.path) || '.';
  const shown =
    path.length > maxPathShown ? `${path.slice(0, maxPathShown / 2)}…${path.slice(-maxPathShown / 2)}` : path;
  return `${JSON.stringify(printableLine(shown))} is ${first.why}${others.length === 0 ? '' : `, and ${others.length} more`}`;
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}

interface Listed {
  readonly skill: string;
  readonly top: string;
  main: string | null;
  readonly files: string[];
  bytes: number;
  readonly unread: Unread[];
}

/** Level by level, so that one deep tree leaves room for the others. */
async function listFiles(
  skills: readonly SkillFolder[],
  limits: ReadTextsLimits,
): Promise<readonly Listed[]> {
  let room = limits.entries;
  const listed = skills.map(({ skill, folder }) => ({
    of: { skill, top: folder, main: null, files: [], bytes: 0, unread: [] } as Listed,
    seen: new Set<string>(),
    room: limits.skillEntries,
  }));
  let level = listed.map((one) => ({ one, folder: one.of.top }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { one, folder } of level) {
      const { of, seen } = one;
      const visit = async (name: string): Promise<void> => {
        const path = join(folder, name);
        const place = await placeOf(path);
        if (place.kind === 'nowhere') return;
        if (place.kind === 'unread') {
          of.unread.push({ path, why: place.why });
        } else if (place.kind === 'folder') {
          if (!seen.has(place.id)) next.push({ one, folder: path });
          seen.add(place.id);
        } else if (folder === of.top && name === 'SKILL.md') {
          of.main = path;
        } else {
          of.files.push(path);
          of.bytes += place.bytes;
        }
      };
      try {
        // In steps: a folder may have millions of entries.
        for await (const { name } of await opendir(folder)) {
          if (room === 0 || one.room === 0) {
            const why =
              one.room === 0
                ? `too full (over ${limits.skillEntries} files and folders in this skill)`
                : `too full together with the others (over ${limits.entries} files and folders in all untrusted skills)`;
            of.unread.push({ path: folder, why });
            break;
          }
          room -= 1;
          one.room -= 1;
          await visit(name);
        }
      } catch (error) {
        of.unread.push({ path: folder, why: unreadable(error) });
      }
    }
    level = next;
  }
  return listed.map(({ of }) => of);
}

type Place =
  | { readonly kind: 'file' | 'folder'; readonly id: string; readonly bytes: number }
  | { readonly kind: 'unread'; readonly why: string }
  | { readonly kind: 'nowhere' };

/** Where it leads, links followed. */
async function placeOf(path: string): Promise<Place> {
  try {
    const found = await stat(path, { bigint: true });
    const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    return kind === null
      ? { kind: 'unread', why: 'neither a file nor a folder' }
      : { kind, id: `${found.dev}:${found.ino}`, bytes: Number(found.size) };
  } catch (error) {
    return ledNowhere.has(codeOf(error)) && (await isLink(path))
      ? { kind: 'nowhere' }
      : { kind: 'unread', why: unreadable(error) };
  }
}

/** It does not exist, its path goes through a file, or it is a loop of links. */
const ledNowhere: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false; // It is gone, perhaps renamed, so the skill was not read completely.
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

function unreadable(error: unknown): string {
  return `unreadable (${codeOf(error)})`;
}

/** All of it; or how large it is when that is more than `most`, or why it cannot be read. */
async function readWhole(
  path: string,
  most: number,
): Promise<Buffer | { readonly size: number; readonly error: string | null }> {
  let file: Awaited<ReturnType<typeof open>> | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await file.stat();
    if (size > most) return { size, error: null };
    // One byte more than its size, which may be wrong.
    const bytes = Buffer.alloc(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    return { size: 0, error: 'unreadable (it grew while it was read)' };
  } catch (error) {
    return { size: 0, error: unreadable(error) };
  } finally {
    await file?.close();
  }
}

/** As it would be printed; and in the encoding that its first bytes claim, which need not be true. */
function textsOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8');
  return bytes[0] === 0xff && bytes[1] === 0xfe ? [text, bytes.toString('utf16le')] : [text];
}
