// The paths of a source -> the folders of its skills, in one order.
//
//   1. the folder that was named, when it has a SKILL.md: that skill alone
//   2. what the manifests of plugins name (plugins/)
//   3. the folders in `containers`, each one level deep, in that order
//   4. if nothing was found so far, or a skill that was asked for was not: every folder down to `searchDepth`
//
// A SKILL.md below the folder of a skill is a file of that skill, not another one.

/** Folders whose folders are skills, as `npx skills` and the agents have them. */
const containers: readonly string[] = [
  '',
  'skills',
  'skills/.curated',
  'skills/.experimental',
  'skills/.system',
  '.agents/skills',
  '.agent/skills',
  '.claude/skills',
  '.codex/skills',
  '.cursor/skills',
  '.gemini/skills',
  '.github/skills',
  '.goose/skills',
  '.kilocode/skills',
  '.kiro/skills',
  '.opencode/skills',
  '.openhands/skills',
  '.roo/skills',
  '.trae/skills',
  '.windsurf/skills',
  'dist/skills',
];

const searchDepth = 5;
const notSearched: ReadonlySet<string> = new Set(['dist', 'build', '__pycache__']);

export interface NamedPlaces {
  /** Folders that a manifest calls skills, or folders of skills. */
  readonly folders: readonly string[];
}

export interface FoundFolders {
  /** By the rules 1 to 3. */
  readonly usual: readonly string[];
  /** By rule 4: the others. */
  readonly others: readonly string[];
}

/** `paths` are files of the source; `root` is the folder that was named, '' for all of it. */
export function findSkillFolders(paths: Iterable<string>, root: string, named: NamedPlaces): FoundFolders {
  const folders = new Set<string>();
  for (const path of paths) {
    if (path === 'SKILL.md') folders.add('');
    else if (path.endsWith('/SKILL.md')) folders.add(path.slice(0, -'/SKILL.md'.length));
  }
  if (folders.has(root)) return { usual: [root], others: [] };
  const children = new Map<string, string[]>();
  for (const folder of [...folders].sort()) {
    const parent = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [folder]);
    else siblings.push(folder);
  }
  const usual = new Set<string>();
  for (const place of named.folders) {
    if (folders.has(place)) usual.add(place);
    else for (const folder of children.get(place) ?? []) usual.add(folder);
  }
  for (const container of containers)
    for (const folder of children.get(joined(root, container)) ?? []) usual.add(folder);
  const others = [...folders].sort().filter((folder) => {
    if (usual.has(folder) || !isBelow(folder, root)) return false;
    const segments = folder.slice(root === '' ? 0 : root.length + 1).split('/');
    if (segments.length > searchDepth || segments.some((segment) => notSearched.has(segment))) return false;
    return !hasSkillAbove(folder, folders);
  });
  return { usual: [...usual], others };
}

export function joined(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function hasSkillAbove(folder: string, folders: ReadonlySet<string>): boolean {
  for (let end = folder.lastIndexOf('/'); end !== -1; end = folder.lastIndexOf('/', end - 1))
    if (folders.has(folder.slice(0, end))) return true;
  return false;
}
