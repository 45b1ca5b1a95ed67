// Folders of skills -> the texts in them, for tracing what comes before a model (chat/trace-texts.ts).
//
// X1. SKILL.md of every skill first, then folder by folder from the top: what matters most is within the limits.
// X2. Links are not followed, but for SKILL.md, and nothing is waited for: a pipe is no file.
// X3. As they are on disk now: that is what a program prints. What cannot be read is left out; so is what is no text.
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillText } from '../../chat/trace-texts.ts';

export interface ReadTextsLimits {
  /** Entries of folders that are looked at. */
  readonly entries: number;
  /** Of one file: the rest of it is not read. */
  readonly fileBytes: number;
  readonly allBytes: number;
}

const defaultLimits: ReadTextsLimits = { entries: 5000, fileBytes: 1024 * 1024, allBytes: 16 * 1024 * 1024 };

export async function readSkillTexts(skills: readonly { readonly skill: string; readonly folder: string }[], limits: ReadTextsLimits = defaultLimits): Promise<readonly SkillText[]> {
  const texts: SkillText[] = [];
  let { entries, allBytes } = limits;
  const take = async (skill: string, path: string, flags: number): Promise<void> => {
    if (allBytes <= 0) return;
    const bytes = await readStart(path, Math.min(limits.fileBytes, allBytes), flags);
    allBytes -= bytes?.length ?? 0;
    if (bytes !== null && !bytes.subarray(0, 8192).includes(0)) texts.push({ skill, text: bytes.toString('utf8') });
  };
  for (const { skill, folder } of skills) await take(skill, join(folder, 'SKILL.md'), 0);
  let level = skills.map(({ skill, folder }) => ({ skill, folder, isTop: true }));
  while (level.length > 0 && entries > 0) {
    const next: typeof level = [];
    for (const { skill, folder, isTop } of level) {
      for (const entry of await entriesOf(folder)) {
        entries -= 1;
        if (entries < 0) return texts;
        const path = join(folder, entry.name);
        if (entry.isDirectory()) next.push({ skill, folder: path, isTop: false });
        else if (entry.isFile() && !(isTop && entry.name === 'SKILL.md')) await take(skill, path, constants.O_NOFOLLOW);
      }
    }
    level = next;
  }
  return texts;
}

async function entriesOf(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // X3
  }
}

async function readStart(path: string, most: number, flags: number): Promise<Buffer | null> {
  let file: Awaited<ReturnType<typeof open>> | null = null;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(stat.size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } catch {
    return null; // X3
  } finally {
    await file?.close();
  }
}
