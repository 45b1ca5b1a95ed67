// Folders of skills -> the texts in them, for tracing what comes before a model (chat/trace-texts.ts).
//
// X1. A skill is read whole, or reported as one that was not: whatever is in its folder and was not taken (beyond a limit, not to
//     be read, no file) may be what a program prints.
// X2. Every file is a text: what is in it beside letters does not count, so a first byte hides nothing. Links are followed, each
//     folder once, and nothing is waited for: a pipe is no file.
// X3. SKILL.md of every skill first, then the smallest skills: one that is too large takes nothing from the others.
//     The same file in many skills is taken once.
// X4. One file at a time is held. As they are on disk now: that is what a program prints.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ReadTextsLimits {
  /** Entries of the folders of one skill, and of all. */
  readonly skillEntries: number;
  readonly entries: number;
  readonly fileBytes: number;
  readonly bytes: number;
}

/** A few seconds at worst, before the first call of a conversation; a thousand skills of 16 KB are read whole. */
const defaultLimits: ReadTextsLimits = { skillEntries: 5000, entries: 20_000, fileBytes: 4 * 1024 * 1024, bytes: 16 * 1024 * 1024 };

export interface SkillFolder {
  readonly skill: string;
  readonly folder: string;
}

/** `take` says whether it could do with all of a text. Gives the skills that were not taken whole (X1). */
export async function readSkillTexts(skills: readonly SkillFolder[], take: (skill: string, text: string) => boolean, limits: ReadTextsLimits = defaultLimits): Promise<ReadonlySet<string>> {
  const listed = await listFiles(skills, limits);
  const inPart = new Set(listed.filter(({ whole }) => !whole).map(({ skill }) => skill));
  const taken = new Set<string>();
  let room = limits.bytes;
  const read = async (skill: string, path: string): Promise<void> => {
    const bytes = await readWhole(path, Math.min(limits.fileBytes, room));
    const digest = bytes === null ? null : createHash('sha256').update(bytes).digest('base64');
    if (digest !== null && taken.has(digest)) return;
    room -= bytes?.length ?? 0;
    const isWhole = bytes !== null && textsOf(bytes).map((text) => take(skill, text)).every(Boolean);
    if (isWhole && digest !== null) taken.add(digest);
    else inPart.add(skill);
  };
  for (const { skill, main } of listed) if (main !== null) await read(skill, main);
  for (const { skill, files } of listed.toSorted((a, b) => a.bytes - b.bytes)) for (const path of files) await read(skill, path);
  return inPart;
}

interface Listed {
  readonly skill: string;
  main: string | null;
  readonly files: string[];
  bytes: number;
  whole: boolean;
}

/** Level by level, so that one deep tree leaves room for the others. */
async function listFiles(skills: readonly SkillFolder[], limits: ReadTextsLimits): Promise<readonly Listed[]> {
  let room = limits.entries;
  const listed = skills.map(({ skill, folder }) => ({ of: { skill, main: null, files: [], bytes: 0, whole: true } as Listed, top: folder, seen: new Set<string>(), room: limits.skillEntries }));
  let level = listed.map((one) => ({ one, folder: one.top }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { one, folder } of level) {
      const { of, seen, top } = one;
      const visit = async (name: string): Promise<void> => {
        const path = join(folder, name);
        const place = await placeOf(path);
        if (place === null) {
          of.whole = false;
        } else if (place.kind === 'folder') {
          if (!seen.has(place.id)) next.push({ one, folder: path });
          seen.add(place.id);
        } else if (folder === top && name === 'SKILL.md') {
          of.main = path;
        } else {
          of.files.push(path);
          of.bytes += place.bytes;
        }
      };
      try {
        // Not all at once: a folder may have millions of entries.
        for await (const { name } of await opendir(folder)) {
          if (room === 0 || one.room === 0) {
            of.whole = false;
            break;
          }
          room -= 1;
          one.room -= 1;
          await visit(name);
        }
      } catch {
        of.whole = false; // X1
      }
    }
    level = next;
  }
  return listed.map(({ of }) => of);
}

/** Where it leads, links followed. `null`: nowhere, or to neither a file nor a folder. */
async function placeOf(path: string): Promise<{ readonly kind: 'file' | 'folder'; readonly id: string; readonly bytes: number } | null> {
  try {
    const found = await stat(path, { bigint: true });
    const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null;
    return kind === null ? null : { kind, id: `${found.dev}:${found.ino}`, bytes: Number(found.size) };
  } catch {
    return null;
  }
}

/** `null` when it has more bytes, or cannot be read. */
async function readWhole(path: string, most: number): Promise<Buffer | null> {
  let file: Awaited<ReturnType<typeof open>> | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await file.stat();
    if (size > most) return null;
    // One more than it should have: what is said of its size need not be so.
    const bytes = Buffer.alloc(size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    return null;
  } catch {
    return null; // X1
  } finally {
    await file?.close();
  }
}

/** As it would be printed; and in the encoding that its first bytes claim, which need not be true. */
function textsOf(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8');
  return bytes[0] === 0xff && bytes[1] === 0xfe ? [text, bytes.toString('utf16le')] : [text];
}
