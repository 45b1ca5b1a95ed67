// Snapshot + trust -> whether somebody vouches for what a skill says: then a model may be told to follow it.
//
// S1. As for execution (runnable.ts): what comes with techne, local work in a trusted folder, content that was trusted by
//     its digest. The digest is computed only where one was trusted in this place, and of this very folder: a skill that is
//     hidden by another is read all the same.
// S2. A question that cannot be answered (files that changed, a broken trust file) is a no.
import { TechneError } from '../../base/error.ts';
import { memoryHost } from '../discover/discover-tree.ts';
import type { Snapshot } from '../snapshot.ts';
import type { TrustView } from './trust-store.ts';
import type { Skill } from '../types.ts';

export async function isTrustedSkill(
  skill: Skill,
  snapshot: Pick<Snapshot, 'manifest'>,
  view: TrustView,
): Promise<boolean> {
  if (skill.root.host === memoryHost) return false;
  if (skill.origin.kind === 'builtin') return true;
  try {
    const { kind } = await view.decide(skill, async () => (await snapshot.manifest(skill)).digest);
    return kind === 'folder' || kind === 'digest';
  } catch (error) {
    if (error instanceof TechneError) return false;
    throw error;
  }
}
