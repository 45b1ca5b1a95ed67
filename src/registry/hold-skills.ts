// Skills -> all that they hold, kept by the snapshot: their bodies, programs and other files, and what is in their folders.
//
// Every file is verified as on any other read, so only what is as old as the snapshot is held. What cannot be read is
// left: reading it later reports the reason. Several skills are read at once, bodies and programs of all of them first;
// then the other files of skill after skill, as long as there are few enough.
import { TechneError } from '../base/error.ts';
import type { FoundSkill } from './discover/found-skill.ts';
import type { ContentReader, KeptFolder } from './read-content.ts';

const atOnce = 8;

/** Gives the names of skills that are no longer as they were found. */
export async function holdSkills(
  skills: readonly FoundSkill[],
  reader: ContentReader,
  look: (skill: FoundSkill) => KeptFolder,
  maxFiles: number,
): Promise<readonly string[]> {
  const stale = new Set<string>();
  const known = new Map<FoundSkill, KeptFolder>();
  const trying = async (skill: FoundSkill, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      if (error.code === 'STALE') stale.add(skill.name);
    }
  };
  await each(
    skills.filter((skill) => reader.heldFolder(skill) === null),
    (skill) =>
      trying(skill, async () => {
        // A head may be read when it is first asked for.
        const { program } = skill.head;
        await reader.hold(skill, 'SKILL.md', Number(skill.signature.size));
        const folder = look(skill);
        const size = folder.entries.find(({ path }) => path === program)?.size ?? 0;
        if (program !== null && folder.bar === null) await reader.hold(skill, program, size);
        known.set(skill, folder);
      }),
  );
  let files = 0;
  await each([...known], async ([skill, folder]) => {
    files += folder.entries.length;
    if (files > maxFiles) return;
    for (const { path, entry, size } of folder.entries)
      if (entry === 'file') await trying(skill, async () => void (await reader.hold(skill, path, size)));
    if (!stale.has(skill.name)) reader.holdFolder(skill, folder);
  });
  return [...stale];
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
