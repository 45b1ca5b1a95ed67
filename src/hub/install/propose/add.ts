// A source -> what of it would be installed.
import { TechneError } from '../../../base/error.ts';
import { findEntry } from '../../lock/lock.ts';
import type { SkillPackage } from '../../source/source.ts';
import { fetchNamed } from '../ask-source.ts';
import { choose } from '../choose-packages.ts';
import type { Installation } from '../installation.ts';
import type { Proposal } from '../proposal.ts';
import { proposePackages } from './packages.ts';
import { isPinnedSource, lockSource } from '../source-text.ts';

/** What is to be added. */
export interface AddRequest {
  readonly source: string;
  /** Where a relative path starts. */
  readonly cwd: string;
  /** Only these; empty: those that the source names, or all. */
  readonly skills: readonly string[];
  /** Digests of manifests; where there are any, each skill must have one of them, and is pinned by it. */
  readonly expect: readonly string[];
  /** Looks at each skill as it was fetched. Throws what keeps it from being installed. Default: none. */
  readonly verify?: (skill: SkillPackage) => void;
}

export async function proposeAdd(at: Installation, request: AddRequest): Promise<Proposal> {
  await at.tidy();
  const { source: text, cwd, expect } = request;
  const source = at.ports.parseSource(text, cwd);
  const wanted = request.skills.length > 0 ? request.skills : source.skills;
  // `choose` has all names of the others to suggest.
  const fetched = await fetchNamed(at, source, wanted);
  const packages = choose(fetched.packages, wanted, text);
  const lock = await at.lock();
  return proposePackages(at.place, at.ports, fetched, packages, async (skill, staged) => {
    const before = findEntry(lock, skill.name);
    request.verify?.(skill);
    if (expect.length > 0 && !expect.includes(staged.manifest.digest))
      throw new TechneError(
        'SOURCE_CHANGED',
        `"${skill.name}" has the digest ${staged.manifest.digest}, which --expect does not name`,
        {
          hint: 'nothing was installed; look at what changed before you name the new digest',
        },
      );
    return {
      before,
      source: lockSource(text, cwd, at.place, at.ports.homeFolder),
      isPinned: isPinnedSource(source) || expect.length > 0,
      pinned: before?.pinned ?? false,
    };
  });
}
