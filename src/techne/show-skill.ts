// Everything there is to show of one skill, for people and programs.
//
// A value that cannot be determined is null, and `unavailable` has the reason.
import { describeDiagnostic } from '../base/describe-diagnostic.ts';
import { TechneError } from '../base/error.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { Fact, Facts, Skill } from '../registry/types.ts';
import { describeSkill, shadowsByName } from './describe-skill.ts';

export type SkillDetails = Awaited<ReturnType<typeof gatherDetails>>;

/** What needs reading files. */
export async function gatherDetails(snapshot: Snapshot, { name }: Skill, runnable: () => Promise<Fact>) {
  const unavailable: string[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      unavailable.push(`${what}: ${error.message}`);
      return null;
    }
  };
  return {
    text: await attempt('text', async () => (await snapshot.readText(name)).text),
    body: await attempt('body', () => snapshot.readBody(name)),
    version: await attempt('version', () => snapshot.version(name)),
    files: await attempt('files', () => snapshot.listFiles(name)),
    manifest: await attempt('digest', () => snapshot.manifest(name)),
    runnable: await attempt('runnable', runnable),
    unavailable,
  };
}

/** The skill as in a list, and: facts, folder, origin, version, digest, head, sections, files, diagnostics … */
export function describeDetails(snapshot: Snapshot, skill: Skill, facts: Facts, details: SkillDetails) {
  return {
    ...describeSkill(skill, facts, shadowsByName(snapshot.shadowed).get(skill.name) ?? []),
    facts: { ...facts, runnable: details.runnable },
    folder: skill.folder,
    origin: skill.origin,
    version: details.version,
    digest: details.manifest?.digest ?? null,
    estimatedTokens: details.body?.estimatedTokens ?? null,
    head: skill.head,
    sections: details.body?.sections ?? null,
    inputKeys: details.body?.inputKeys ?? null,
    references: details.body?.references ?? null,
    files: details.files,
    diagnostics: skill.diagnostics.map((diagnostic) => describeDiagnostic(diagnostic, details.text)),
    unavailable: details.unavailable,
  };
}
