// The files of a skill on the disk, as far as they can be edited here.
import { call } from '../../lib/session.svelte.ts';
import type { DiskFile } from './draft.svelte.ts';

/** Files with more bytes are not edited in a browser. */
export const mostBytes = 262_144;
const mostFiles = 50;

export interface DiskSkill {
  readonly digest: string;
  readonly files: readonly DiskFile[];
  readonly hasMore: boolean;
  /** Why a change of it cannot be proposed; `null`: it can. */
  readonly fixed: string | null;
}

export async function readSkill(skill: string): Promise<DiskSkill> {
  const params = { skill };
  const [{ files, totalFiles, digest }, { source }, installed] = await Promise.all([
    call('skillTrust', { params }),
    call('showSkill', { params }),
    call('listInstalled'),
  ]);
  const first = files
    .toSorted((a, b) => Number(b.path === 'SKILL.md') - Number(a.path === 'SKILL.md'))
    .slice(0, mostFiles);
  return {
    digest,
    files: await Promise.all(
      first.map(async ({ path, size }) => ({
        path,
        bytes: size,
        text: size > mostBytes ? null : await readText(skill, path),
      })),
    ),
    hasMore: totalFiles > first.length,
    fixed:
      source === 'builtin'
        ? 'It is part of techne, so it is not changed here.'
        : source === 'plugin'
          ? 'It is part of a plugin, so it is not changed here.'
          : installed.skills.some(({ name }) => name === skill)
            ? 'It was installed from elsewhere, so it is not changed here.'
            : null,
  };
}

/** `null`: it is no text. */
async function readText(skill: string, path: string): Promise<string | null> {
  let text = '';
  for (let offset: number | null = 0; offset !== null;) {
    const page: { text: string | null; next: number | null } = await call('skillFile', {
      params: { skill },
      query: { path, offset, limit: mostBytes },
    });
    if (page.text === null) return null;
    text += page.text;
    offset = page.next;
  }
  return text;
}
