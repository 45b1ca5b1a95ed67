// Who is to answer, as it is written on a command line -> as the host takes it.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';

/** Files are named from the folder that the command was started in. */
export function answererSpec(given: string | null, cwd: string): string | null {
  const fromFile = given === null ? null : /^(script|replay):([^]*)$/.exec(given);
  if (fromFile === null) return given;
  if (fromFile[2] === '')
    throw new TechneError('USAGE', `--answer ${given} names no file`, {
      hint: `write ${fromFile[1]}:answers.yaml`,
    });
  return `${fromFile[1]}:${resolve(cwd, fromFile[2] as string)}`;
}
