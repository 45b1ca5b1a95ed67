// Two snapshots, earlier and later -> what happened to each skill.
//
// A skill is identified by its name. It changed when another folder has the name, when SKILL.md has another signature, or
// when something in its folder was touched. The earlier version is kept when the file changed into something that cannot
// be read as intended (an error, or a frontmatter that could only be guessed) and the earlier one had no such fault.
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { sameSignature } from '../discover/found-skill.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Skill } from '../types.ts';

/** How the skills of one snapshot differ from those of an earlier one. */
export interface Changes {
  readonly added: readonly Skill[];
  readonly changed: readonly Skill[];
  readonly removed: readonly Skill[];
  /** Skills of the earlier snapshot that should stand in the later one. */
  readonly kept: readonly Kept[];
}

/** A skill whose file is broken now, so that its last good version stays. */
export interface Kept {
  readonly skill: Skill;
  /** What is wrong with the file now. */
  readonly faults: readonly Diagnostic[];
}

const unreadable: ReadonlySet<DiagnosticCode> = new Set([
  'FRONTMATTER_MISSING',
  'FRONTMATTER_UNCLOSED',
  'FRONTMATTER_EMPTY',
  'FRONTMATTER_NOT_A_MAP',
  'YAML_SYNTAX',
]);

export function compareSnapshots(earlier: Snapshot, later: Snapshot, touched: ReadonlySet<string>): Changes {
  const added: Skill[] = [];
  const changed: Skill[] = [];
  const removed: Skill[] = [];
  const kept: Kept[] = [];
  const keptNames = new Set<string>();
  let places: Places | null = null;
  const nowByName = new Map(later.skills.map((skill) => [skill.name, skill]));
  const beforeByName = new Map(earlier.skills.map((skill) => [skill.name, skill]));
  for (const before of earlier.skills) {
    const now = nowByName.get(before.name);
    if (now?.folder === before.folder && sameSignature(now.signature, before.signature)) continue;
    places ??= placesOf(later);
    const faults = faultsOf(before, places);
    if (faults.length > 0) {
      kept.push({ skill: before, faults });
      keptNames.add(before.name);
    } else if (now === undefined) {
      removed.push(before);
    }
  }
  const touchedSkills = ownersOf(touched, later);
  for (const now of later.skills) {
    if (keptNames.has(now.name)) continue;
    const before = beforeByName.get(now.name);
    if (before === undefined) added.push(now);
    else if (
      before.folder !== now.folder ||
      !sameSignature(before.signature, now.signature) ||
      touchedSkills.has(now.folder)
    )
      changed.push(now);
  }
  return { added, changed, removed, kept };
}

interface Places {
  readonly byFolder: ReadonlyMap<string, Skill>;
  /** File -> what was reported about it, where it gave no skill. */
  readonly diagnosticsOf: (file: string) => readonly Diagnostic[];
}

function placesOf(snapshot: Snapshot): Places {
  const all = [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill)];
  let byPath: Map<string, Diagnostic[]> | null = null;
  return {
    byFolder: new Map(all.map((skill) => [skill.folder, skill])),
    diagnosticsOf(file) {
      if (byPath === null) {
        byPath = new Map();
        for (const diagnostic of snapshot.diagnostics) {
          const reported = byPath.get(diagnostic.path);
          if (reported === undefined) byPath.set(diagnostic.path, [diagnostic]);
          else reported.push(diagnostic);
        }
      }
      return byPath.get(file) ?? [];
    },
  };
}

/** What makes the file worse than `before`; empty when it is as good, or gone. */
function faultsOf(before: Skill, { byFolder, diagnosticsOf }: Places): readonly Diagnostic[] {
  const now = byFolder.get(before.folder);
  if (now !== undefined && sameSignature(now.signature, before.signature)) return [];
  const reported = now === undefined ? diagnosticsOf(before.file) : now.diagnostics;
  const already = new Set(before.diagnostics.map(({ code }) => code));
  return reported.filter(
    ({ code }) => (severityOf(code) === 'error' || unreadable.has(code)) && !already.has(code),
  );
}

/** The folders of the skills that the touched folders are, or lie in. */
function ownersOf(touched: ReadonlySet<string>, snapshot: Snapshot): ReadonlySet<string> {
  if (touched.size === 0) return touched;
  // A skill that is linked to may be watched in its real place.
  const folders = new Map(
    snapshot.skills.flatMap(({ folder, realFolder }) =>
      folder === realFolder
        ? [[folder, folder]]
        : [
            [folder, folder],
            [realFolder, folder],
          ],
    ),
  );
  const owners = new Set<string>();
  for (const path of touched) {
    for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('\\'), 0))) {
      const owner = folders.get(at);
      if (owner === undefined) continue;
      owners.add(owner);
      break;
    }
  }
  return owners;
}
