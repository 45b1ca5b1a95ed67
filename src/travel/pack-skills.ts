// The skills of a snapshot -> one manifest in the store, so that every worker runs the same bytes.
//
//   NAME/SKILL.md, NAME/scripts/…   for every skill that is found
//
// The bytes are those of the snapshot, read the one way there is (registry/read-content.ts): what the guard refuses, or what
// is not as its lock says, does not travel. Neither does a skill with a link, since a link is no content. What is left out
// is named with the reason; a run that needs it does not start.
import { TechneError } from '../base/error.ts';
import { nameFault } from '../hub/stage/check-names.ts';
import { nodeSha256 } from '../node/environment.ts';
import type { BlobDigest, Blobs } from '../ports/blobs.ts';
import type { SharedFiles } from '../ports/shared-files.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Skill } from '../registry/types.ts';
import type { TravelFile, TravelManifest } from './manifest.ts';
import { renderManifest } from './manifest.ts';

export interface PackedSkills {
  /** Of the manifest. */
  readonly digest: BlobDigest;
  /** By name: the digest of the whole folder, which is trusted. */
  readonly skills: ReadonlyMap<string, string>;
  /** By name: why a skill is not in it. */
  readonly left: ReadonlyMap<string, string>;
}

export interface PackParts {
  readonly blobs: Pick<Blobs, 'put'>;
  readonly shared: SharedFiles;
}

type Skills = Pick<Snapshot, 'skills' | 'manifest' | 'readFile' | 'drift'>;

/** `leftOut`: why a skill is not to travel; null: it may. Throws FILE_LIMIT, and what the store throws. */
export async function packSkills(
  snapshot: Skills,
  { blobs, shared }: PackParts,
  leftOut: (skill: Skill) => string | null = () => null,
): Promise<PackedSkills> {
  const files: TravelFile[] = [];
  const skills = new Map<string, string>();
  const left = new Map<string, string>();
  /** Where to read what a digest stands for. */
  const places = new Map<BlobDigest, { readonly name: string; readonly path: string }>();
  for (const skill of snapshot.skills) {
    const { name } = skill;
    const packed = leftOut(skill) ?? (await filesOf(snapshot, name));
    if (typeof packed === 'string') {
      left.set(name, packed);
      continue;
    }
    skills.set(name, packed.digest);
    for (const { path, sha256, size, executable } of packed.files) {
      const digest = `sha256:${sha256}` as const;
      places.set(digest, { name, path });
      files.push({ path: `${name}/${path}`, digest, size, executable });
    }
  }
  const manifest: TravelManifest = { files, links: [] };
  const bytes = renderManifest(manifest);
  const digest = `sha256:${nodeSha256(bytes)}` as const;
  if (!(await shared.renewManifest(digest))) {
    for (const missing of await shared.missing([...places.keys()])) {
      const { name, path } = places.get(missing) as { readonly name: string; readonly path: string };
      if ((await blobs.put(await snapshot.readFile(name, path))) !== missing)
        throw new TechneError('STALE', `"${path}" of the skill "${name}" changed while it was read`, {
          hint: 'try again',
        });
    }
    await shared.putManifest(bytes, [...places.keys()]);
  }
  return { digest, skills, left };
}

/** Text: why it cannot travel. */
async function filesOf(
  snapshot: Skills,
  name: string,
): Promise<Awaited<ReturnType<Snapshot['manifest']>> | string> {
  if (name.includes('/') || nameFault(name, 1) !== null) return 'its name cannot be that of a folder';
  try {
    const drift = await snapshot.drift(name);
    if (drift !== null) return drift.message;
    const manifest = await snapshot.manifest(name);
    const [link] = manifest.links;
    if (link !== undefined) return `"${link.path}" is a link`;
    for (const { path } of manifest.files) {
      const fault = nameFault(`${name}/${path}`, 16);
      if (fault !== null) return `"${path}" ${fault}`;
    }
    return manifest;
  } catch (error) {
    if (error instanceof TechneError) return error.message;
    throw error;
  }
}
