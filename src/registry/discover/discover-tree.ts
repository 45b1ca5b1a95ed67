// Finds a skill that exists only in memory, in the same way as skills on disk.
//
// One tree is one skill: skills in its subfolders are left out and reported, and so is a tree without SKILL.md. It cannot
// claim to be part of techne, so it is not executed without trust.
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import { TechneError } from '../../base/error.ts';
import type { Config } from '../../config/types.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { isSafeRelativePath } from '../../skill/resources.ts';
import type { Candidates } from './discover.ts';
import { discover } from './discover.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import type { Root, SkillTree } from '../types.ts';

let trees = 0;

/** The host of the root of a skill in memory. */
export const memoryHost = 'memory';

/** Throws PATH_UNSAFE when the name or a path would lead out of the tree or two paths exclude each other, ORIGIN_REFUSED when it claims to be part of techne. */
export function discoverTree(
  tree: SkillTree,
  deps: { readonly parseFull: ParseFull; readonly config: Config },
): Candidates {
  if (!isSafeRelativePath(tree.name) || tree.name.includes('/'))
    throw new TechneError('PATH_UNSAFE', `"${tree.name}" cannot be the name of a skill folder`);
  if (tree.origin.kind === 'builtin') {
    throw new TechneError(
      'ORIGIN_REFUSED',
      `the skill "${tree.name}" is given as part of techne, but it is not`,
      { hint: 'declare where it comes from: local, installed, remote or plugin' },
    );
  }
  // A path of its own for each tree, so that what was read of one is never taken for another's.
  trees += 1;
  const path = `/memory/${trees}`;
  const initial: Record<string, Uint8Array> = {};
  for (const [relativePath, bytes] of tree.files) {
    if (!isSafeRelativePath(relativePath))
      throw new TechneError('PATH_UNSAFE', `"${relativePath}" is not a path inside the skill "${tree.name}"`);
    const around = foldersAround(relativePath).find((folder) => tree.files.has(folder));
    if (around !== undefined)
      throw new TechneError(
        'PATH_UNSAFE',
        `"${around}" cannot be a file of the skill "${tree.name}" and hold "${relativePath}"`,
      );
    initial[`${path}/${tree.name}/${relativePath}`] = bytes;
  }
  const files = createMemoryFiles(initial);
  const folder = `${path}/${tree.name}`;
  files.folder(folder);
  const root: Root = { source: 'workspace', path, host: memoryHost, origin: tree.origin };
  const { depth } = deps.config.limits;
  const inMemory = {
    files,
    clock: files.clock,
    parseFull: deps.parseFull,
    index: null,
  };
  const found = discover([root], inMemory, { depth, precedence: ['workspace'], homeFolder: null });
  const diagnostics = [...found.diagnostics];
  const add = (code: DiagnosticCode, at: string, message: string, hint: string | null): void => {
    diagnostics.push({ code, severity: severityOf(code), path: at, span: null, message, hint });
  };
  for (const skill of found.skills) {
    if (skill.folder !== folder)
      add(
        'SKILL_NESTED',
        skill.file,
        `"${skill.name}" lies inside "${tree.name}" and is left out`,
        'give it as a tree of its own',
      );
  }
  const skills = found.skills.filter((skill) => skill.folder === folder);
  const saidWhy = found.diagnostics.some(
    (diagnostic) =>
      diagnostic.path === folder || diagnostic.path.toLowerCase() === `${folder}/skill.md`.toLowerCase(),
  );
  if (skills.length === 0 && !saidWhy)
    add('FOLDER_SKIPPED', folder, `there is no SKILL.md in "${tree.name}"`, null);
  return { ...found, skills, diagnostics };
}

/** `a/b/c` -> `a`, `a/b`. */
function foldersAround(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}
