// A skill -> the keys of what can be known about it: a digest of all that a result depends on.
//
// K1. The content of the skill and of every skill that it names, at any distance; what its folder is called; the version of techne
//     and of the rules; the configuration; what a person accepted; the options of the command.
// K2. Where something of it cannot be digested there is no key, and nothing is kept.
import { basename } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { acceptedFile } from '../paths.ts';
import { rulesVersion } from '../scan-skills.ts';
import { createUses } from './affected.ts';
import type { CiKind } from './finding.ts';

export interface CacheKeys {
  /** `null`: the result is not kept. */
  keyOf(kind: CiKind, skill: Skill): Promise<string | null>;
}

export async function createCacheKeys(
  library: SkillLibrary,
  snapshot: Snapshot,
  skills: readonly Skill[],
  { strict, homeFolder }: { readonly strict: boolean; readonly homeFolder: string },
): Promise<CacheKeys> {
  const policy: Json = [
    packageVersion(),
    rulesVersion,
    process.versions.node.split('.')[0] ?? '',
    process.platform,
    strict,
    library.loaded.files.map(({ layer, text }) => [layer, text]),
    await textOf(library.files, acceptedFile(homeFolder)),
  ];
  const uses = createUses(skills, snapshot);
  const digests = new Map<Skill, Promise<string | null>>();
  const digestOf = (skill: Skill, of: Snapshot): Promise<string | null> => {
    const known = digests.get(skill) ?? digest(skill, of);
    digests.set(skill, known);
    return known;
  };
  let all: Promise<Snapshot> | null = null;
  /** Of a skill that is elsewhere: shipped, or the user's own. */
  const elsewhere = async (name: string): Promise<string | null> => {
    const known = await (all ??= library.load());
    if (!known.has(name)) return 'none';
    const skill = known.get(name);
    return skill.origin.kind === 'builtin' ? 'shipped' : digestOf(skill, known);
  };
  return {
    async keyOf(kind, skill) {
      const parts: string[] = [];
      const seen = new Set<Skill>([skill]);
      for (const one of seen) {
        const own = await digestOf(one, snapshot);
        if (own === null) return null;
        parts.push(`${one === skill ? '' : one.name} ${own}`);
        const { found, missing } = uses(one);
        for (const other of found) seen.add(other);
        for (const name of missing) {
          const there = await elsewhere(name);
          if (there === null) return null;
          parts.push(`${name} ${there}`);
        }
      }
      const [own, ...others] = parts;
      return nodeSha256(
        canonicalJson([kind, skill.name, basename(skill.folder), own as string, others.toSorted(), policy]),
      );
    },
  };
}

async function digest(skill: Skill, snapshot: Snapshot): Promise<string | null> {
  try {
    const { digest: sum, links, excluded } = await snapshot.manifest(skill);
    return `${sum} ${nodeSha256(JSON.stringify([links, excluded]))}`;
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}

async function textOf(files: Files, path: string): Promise<string> {
  try {
    const read = await files.read(path, 64 * 1024 * 1024);
    return read === null ? '' : nodeSha256(read.bytes);
  } catch (error) {
    if (error instanceof FileFault) return error.message;
    throw error;
  }
}
