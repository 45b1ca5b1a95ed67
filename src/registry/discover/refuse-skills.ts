// Strict loading: what the standard rejects is skipped, with a warning for each of its faults.
//
//   found skills -> those that the standard accepts + those that it rejects, with why
//
// Found skills, and the index cache, do not know the setting: it is applied to what they say at each load. Most heads were
// only glanced at and have their text; the SKILL.md of the others is read again. A file that can no longer be read as it
// was found is not judged here: reading it reports the reason. Loaded only where loading is strict.
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { checkStandard } from '../../skill/check/check-standard.ts';
import { parseWholeFrontmatter } from '../../skill/frontmatter/read-frontmatter.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { ContentReader } from '../read-content.ts';
import type { FoundSkill } from './found-skill.ts';

interface Sifted {
  readonly skills: readonly FoundSkill[];
  readonly refused: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function refuseSkills(
  found: readonly FoundSkill[],
  reader: ContentReader,
  parseFull: ParseFull,
): Promise<Sifted> {
  const skills: FoundSkill[] = [];
  const refused: FoundSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const skill of found) {
    const faults = await faultsOf(skill, reader, parseFull);
    if (faults.length === 0) skills.push(skill);
    else refused.push(skill);
    diagnostics.push(...faults);
  }
  return { skills, refused, diagnostics };
}

async function faultsOf(
  skill: FoundSkill,
  reader: ContentReader,
  parseFull: ParseFull,
): Promise<readonly Diagnostic[]> {
  const written = await textOf(skill, reader);
  if (written === null) return [];
  const faults: Diagnostic[] = [];
  const entries = [{ name: skill.fileName, kind: 'file' as const }];
  checkStandard(
    parseWholeFrontmatter(written.text, parseFull),
    { folderName: skill.name, entries, validUtf8: written.valid },
    (code, span, message, hint) =>
      faults.push({
        code: 'SKILL_REFUSED',
        severity: severityOf('SKILL_REFUSED'),
        path: skill.file,
        span,
        message: `not loaded, since loading is strict: ${message} (${code})`,
        hint: hint ?? null,
      }),
  );
  return faults;
}

async function textOf(
  skill: FoundSkill,
  reader: ContentReader,
): Promise<{ readonly text: string; readonly valid: boolean } | null> {
  const { glanced } = skill;
  if (glanced !== null) return { text: glanced, valid: true };
  try {
    return decodeUtf8((await reader.look(skill, 'SKILL.md')).bytes);
  } catch (error) {
    if (error instanceof TechneError) return null;
    throw error;
  }
}
