// The rules for the program file itself, checked when its bytes are read.
import type { ExecutionBar } from '../types.ts';

export const programLimitBytes = 64 * 1024;

/** Why the program cannot be executed, or `null`. `bytes` is its size on disk. */
export function checkProgram(programText: string, bytes: number): ExecutionBar | null {
  if (bytes > programLimitBytes) {
    return {
      code: 'PROGRAM_TOO_LARGE',
      message: `the program has ${bytes} bytes, over ${programLimitBytes}`,
    };
  }
  if (/^\uFEFF?---[ \t]*(?:\r?\n|$)/.test(programText)) {
    return {
      code: 'PROGRAM_FRONTMATTER',
      message: 'the program starts with frontmatter; only SKILL.md holds metadata',
    };
  }
  return null;
}
