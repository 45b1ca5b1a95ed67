// Where the files that would be executed really are.
//
//   a skill folder and the path of its program -> why they cannot be executed, or null
//
// Only what the digest covers is executed: SKILL.md and the program must be regular files of the folder itself, reached
// through no link, and not excluded from the manifest. A size over the limit is reported without reading the file.
import type { Files } from '../../ports/files.ts';
import { checkProgram, programLimitBytes } from '../../skill/form.ts';
import { isExcluded, isSafeRelativePath } from '../../skill/resources.ts';
import type { ExecutionBar } from '../../skill/types.ts';

/** `realFolder` has no links in it. `program` is `null` for a form that has none. */
export function placeBar(files: Files, realFolder: string, program: string | null): ExecutionBar | null {
  if (files.lstat(`${realFolder}/SKILL.md`)?.isFile() !== true) {
    return {
      code: 'PROGRAM_PATH',
      message: 'SKILL.md is a link, so its content cannot be trusted to be executed',
    };
  }
  if (program === null) return null;
  if (!isSafeRelativePath(program))
    return {
      code: 'PROGRAM_PATH',
      message: `the program path "${program}" is absolute or leaves the skill folder`,
    };
  if (isExcluded(program)) {
    return {
      code: 'PROGRAM_PATH',
      message: `the program "${program}" is a file that tools write (such as those in .git or __pycache__), which is not part of the skill`,
    };
  }
  const path = `${realFolder}/${program}`;
  const real = files.realPath(path);
  if (real === null) return { code: 'PROGRAM_MISSING', message: `the program "${program}" does not exist` };
  if (real !== path) {
    const leaves = !real.startsWith(`${realFolder}/`);
    return {
      code: 'PROGRAM_PATH',
      message: leaves
        ? `the program "${program}" is a link that leaves the skill folder`
        : `the program "${program}" is reached through a link`,
    };
  }
  const stat = files.lstat(path);
  if (stat?.isFile() !== true)
    return { code: 'PROGRAM_MISSING', message: `the program "${program}" is not a file` };
  return stat.size > BigInt(programLimitBytes) ? checkProgram('', Number(stat.size)) : null;
}
