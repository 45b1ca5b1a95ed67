// Finds the skills below the roots.
//
//   roots -> Territories (territories.ts) -> folders walked, SKILL.md heads read (walk-folders.ts)
//         -> FoundSkill[] in order of precedence + Diagnostic[]
//
// A fault of one file or folder is one diagnostic; the rest still loads. The order does not depend on the order in which
// the file system lists.
import { deepFreeze } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Clock } from '../../ports/environment.ts';
import type { Files } from '../../ports/files.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { DiscoveryReport } from './discovery-report.ts';
import type { FoundSkill } from './found-skill.ts';
import type { HeadIndex, IndexSection } from '../cache/head-index.ts';
import { IndexReader, racyNs, IndexWriter } from '../cache/head-index.ts';
import type { Territory } from './territories.ts';
import { Territories } from './territories.ts';
import type { Precedence } from '../../config/precedence.ts';
import type { Root } from '../types.ts';
import { walkFolders } from './walk-folders.ts';

interface DiscoverDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly parseFull: ParseFull;
  /** `null`: every folder is listed and every head read. */
  readonly index: HeadIndex | null;
}

interface DiscoverOptions {
  /** A territory that contains it accepts no links; `null` where there is none. */
  readonly homeFolder: string | null;
  /** Folders below a root that are searched. */
  readonly depth: number;
  readonly precedence: Precedence;
}

export interface Candidates {
  /** Highest precedence first: by source, then by the order of roots, then by path. */
  readonly skills: readonly FoundSkill[];
  /** What is wrong with files and folders that gave no skill; each skill carries its own. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the index should now hold, where that differs from what it held. Asked for once the skills are judged. */
  readonly sections: () => ReadonlyMap<string, IndexSection>;
}

export function discover(roots: readonly Root[], deps: DiscoverDeps, options: DiscoverOptions): Candidates {
  const startNs = deps.clock.nowNs();
  const ordered = orderRoots(roots, options.precedence);
  const recorded = deps.index?.load(ordered.map(({ path }) => path)) ?? new Map<string, IndexSection>();
  const reporter = new DiscoveryReport();
  const territories = new Territories(deps.files, startNs, reporter);
  const writers = new Map<string, IndexWriter>();
  for (const root of ordered) {
    const reader = usable(recorded.get(root.path), startNs, deps);
    const writer = deps.index === null ? null : new IndexWriter(startNs, reader);
    if (writer !== null) writers.set(root.path, writer);
    territories.add(frozenRoot(root), reader, writer);
  }
  territories.compare(options.homeFolder);
  walkFolders(territories, deps, options.depth, reporter);
  return {
    skills: skillsIn(territories.all),
    diagnostics: reporter.diagnostics,
    sections: () => sectionsOf(writers),
  };
}

/** Highest precedence first; a path given twice counts once. */
function orderRoots(roots: readonly Root[], precedence: Precedence): readonly Root[] {
  const seen = new Set<string>();
  const ordered = roots.toSorted((a, b) => precedence.indexOf(b.source) - precedence.indexOf(a.source));
  return ordered.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** A section from the future was written by another clock: no conclusion drawn from its times would hold. */
function usable(
  section: IndexSection | undefined,
  nowNs: bigint,
  { files, parseFull }: DiscoverDeps,
): IndexReader | null {
  return section === undefined || section.timeNs > nowNs + racyNs
    ? null
    : new IndexReader(section, files, parseFull);
}

/** Skills hand their root out, so it must not change under them. */
function frozenRoot(root: Root): Root {
  return Object.isFrozen(root) && Object.isFrozen(root.origin)
    ? root
    : deepFreeze({ ...root, origin: { ...root.origin } });
}

function skillsIn(territories: readonly Territory[]): readonly FoundSkill[] {
  const found: FoundSkill[] = [];
  for (const { skills } of territories) for (const skill of skills) if (skill !== null) found.push(skill);
  return found;
}

function sectionsOf(writers: ReadonlyMap<string, IndexWriter>): ReadonlyMap<string, IndexSection> {
  const sections = new Map<string, IndexSection>();
  for (const [path, writer] of writers) {
    const section = writer.finish();
    if (section !== null) sections.set(path, section);
  }
  return sections;
}
