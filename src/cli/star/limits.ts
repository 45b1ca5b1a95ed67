// --steps and --memory as the limits of a run.
import { TechneError } from '../../base/error.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption } from '../parse-arguments.ts';

export interface Limits {
  readonly maxSteps?: number;
  readonly maxMemoryBytes?: number;
}

const mostSteps = 1e13;
const leastBytes = 1024;
/** More than this the JavaScript heap could not hold anyway. */
const mostBytes = 2 * 1024 ** 3;
const units: { readonly [letter: string]: number } = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** What was not given stays at the default of the interpreter. Throws USAGE. */
export function limitsOf(args: Arguments): Limits {
  const steps = numberOption(args, 'steps', 1, mostSteps);
  const memory = args.value('memory');
  return { ...(steps === null ? {} : { maxSteps: steps }), ...(memory === null ? {} : { maxMemoryBytes: parseSize(memory) }) };
}

/** `65536`, `64k`, `64m`, `1g`; also `64MB` and `64MiB`, all in powers of 1024. */
function parseSize(text: string): number {
  const found = /^(\d{1,12})([kmg]?)(?:i?b)?$/i.exec(text);
  const bytes = found === null ? Number.NaN : Number(found[1]) * (units[(found[2] as string).toLowerCase()] as number);
  if (bytes >= leastBytes && bytes <= mostBytes) return bytes;
  throw new TechneError('USAGE', '--memory must be a size from 1k to 2g', { hint: 'such as --memory 64m' });
}
