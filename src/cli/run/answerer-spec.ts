// The value of --answer -> the answerer, as the host expects it.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';

/** Files are relative to the current folder. */
export function answererSpec(given: string | null, cwd: string): string | null {
  const fromFile = given === null ? null : /^(script|replay):([^]*)$/.exec(given);
  if (fromFile === null) return given;
  if (fromFile[2] === '')
    throw new TechneError('USAGE', `--answer ${given} names no file`, {
      hint: `write ${fromFile[1]}:answers.yaml`,
    });
  return `${fromFile[1]}:${resolve(cwd, fromFile[2] as string)}`;
}
