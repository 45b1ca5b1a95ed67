// Folders of skills -> a static hub: checked, scanned, then published as one.
//
//   folders -> strict check -> files, verified by their hashes -> scan -> hub/publish
//
// Nothing is published unless every skill passes the strict check and none is dangerous. What is published is what was
// scanned: both see the same bytes.
import { join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { scanSkill } from '../../guard/scan.ts';
import type { Report } from '../../guard/report.ts';
import type { Publication, PublishableSkill } from '../../hub/publish/publish-site.ts';
import { publishSite } from '../../hub/publish/publish-site.ts';
import { createKeyFiles } from '../../hub/sign/key-files.ts';
import type { FetchedFile } from '../../hub/source/source.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { nodeGuardPorts } from '../../node/guard-ports.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { Findings } from '../check/gather-findings.ts';
import { gatherFindings } from '../check/gather-findings.ts';
import { readAccepted, withAccepted } from '../guard/accepted.ts';
import { acceptedFile } from '../paths.ts';
import type { SkillLibrary } from '../open-skills.ts';

export interface PublishRequest {
  /** Of skills, or with skills in them. */
  readonly folders: readonly string[];
  readonly cwd: string;
  readonly homeFolder: string;
  readonly site: string;
  /** The name of a key, or the path of its file; `null`: unsigned. */
  readonly sign: string | null;
  readonly title: string | null;
  readonly base: string | null;
}

export interface ScannedForPublication {
  readonly name: string;
  readonly folder: string;
  readonly report: Report;
}

export type PublishOutcome =
  | {
      readonly kind: 'published';
      readonly publication: Publication;
      readonly scans: readonly ScannedForPublication[];
    }
  /** By the check: what is wrong is in the findings. */
  | { readonly kind: 'unsound'; readonly findings: Findings }
  /** By the scan: these are dangerous. */
  | { readonly kind: 'dangerous'; readonly scans: readonly ScannedForPublication[] };

/** Judges the files of a skill. */
export type Scan = (name: string, files: ReadonlyMap<string, FetchedFile>) => Report;

const mostSkillBytes = 25 * 1024 * 1024;

/** Throws what `publishSite` throws, and FILE_MISSING, PATH_UNSAFE, STALE, DIGEST_LIMIT. */
export async function publishSkills(
  request: PublishRequest,
  library: SkillLibrary,
  scan: Scan = scanFiles,
): Promise<PublishOutcome> {
  const { cwd, homeFolder } = request;
  const base = request.base === null ? null : baseAddress(request.base);
  const key =
    request.sign === null ? null : await createKeyFiles(library.files, homeFolder).load(request.sign, cwd);
  const findings = await gatherFindings(
    { paths: request.folders, cwd, homeFolder, strict: true, all: false },
    library,
    () => ({ step: () => undefined, end: () => undefined }),
  );
  if (findings.without > 0 || findings.diagnostics.some(({ severity }) => severity === 'error'))
    return { kind: 'unsound', findings };
  const names = new Map<string, Skill>();
  for (const skill of findings.found) {
    const other = names.get(skill.name);
    if (other !== undefined)
      throw new TechneError(
        'PUBLISH_REFUSED',
        `two skills are named "${skill.name}": "${other.folder}" and "${skill.folder}"`,
        { hint: 'a hub has one skill of each name: publish one of them' },
      );
    names.set(skill.name, skill);
  }
  const skills: PublishableSkill[] = [];
  const scans: ScannedForPublication[] = [];
  const accepted = await readAccepted(library.files, acceptedFile(request.homeFolder));
  for (const skill of names.values()) {
    const files = await readFiles(skill, findings.snapshot, library);
    // What the user accepted for this very content counts as accepted, as everywhere.
    const report = withAccepted(scan(skill.name, files), accepted);
    scans.push({ name: skill.name, folder: skill.folder, report });
    const { head } = skill;
    skills.push({
      name: skill.name,
      description: head.description,
      declaredVersion: head.declaredVersion,
      license: head.license,
      triggers: head.triggers.map(({ phrase }) => phrase),
      files,
    });
  }
  const dangerous = scans.filter(({ report }) => report.verdict === 'dangerous');
  if (dangerous.length > 0) return { kind: 'dangerous', scans: dangerous };
  const publication = await publishSite(skills, {
    files: library.files,
    sha256: nodeSha256,
    site: resolve(cwd, request.site),
    key,
    title: request.title,
    base,
    now: new Date().toISOString(),
  });
  return { kind: 'published', publication, scans };
}

function scanFiles(name: string, files: ReadonlyMap<string, FetchedFile>): Report {
  return scanSkill(
    [...files].map(([path, { bytes, executable }]) => ({
      path,
      kind: 'file',
      size: bytes.length,
      executable,
      bytes,
    })),
    nodeGuardPorts,
    { name },
  );
}

/** Every file of the manifest, as it was hashed. */
async function readFiles(
  skill: Skill,
  snapshot: Snapshot,
  { files }: SkillLibrary,
): Promise<ReadonlyMap<string, FetchedFile>> {
  const manifest = await snapshot.manifest(skill);
  const [link] = manifest.links;
  if (link !== undefined)
    throw new TechneError('PATH_UNSAFE', `"${link.path}" of the skill "${skill.name}" is a link`, {
      hint: 'a published skill holds files only: replace the link with the file itself',
    });
  const total = manifest.files.reduce((sum, { size }) => sum + size, 0);
  if (total > mostSkillBytes)
    throw new TechneError(
      'FILE_LIMIT',
      `the skill "${skill.name}" has ${total} bytes; the limit is ${mostSkillBytes}`,
      {
        hint: 'readers refuse larger ones: leave out what a model does not need',
      },
    );
  const read = new Map<string, FetchedFile>();
  for (const { path, sha256, size, executable } of manifest.files) {
    const found = await files.read(join(skill.realFolder, path), size);
    if (found === null || nodeSha256(found.bytes) !== sha256)
      throw new TechneError(
        'STALE',
        `"${path}" of the skill "${skill.name}" changed while it was published`,
        {
          hint: 'publish again',
        },
      );
    read.set(path, { bytes: found.bytes, executable });
  }
  return read;
}

function baseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new TechneError('USAGE', `--url "${text}" is not the address of a site`, {
      hint: 'such as https://skills.example.org/',
    });
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}
