// --steps, --memory and --output -> limits of a program.
import { TechneError } from '../../base/error.ts';
import type { Arguments } from '../parse-arguments.ts';

export interface Limits {
  readonly maxSteps?: number;
  readonly maxMemoryBytes?: number;
  readonly maxOutputUnits?: number;
}

const kib = 1024;
/** The JavaScript heap cannot hold more. */
const mostBytes = 2 * kib ** 3;

/** Only the given limits; the others keep the defaults of the interpreter. Throws USAGE. */
export function starLimitsOf(args: Arguments): Limits {
  const steps = amountOf(args, 'steps', {
    kilo: 1000,
    bytes: false,
    least: 1,
    most: 1e13,
    range: 'a whole number from 1 to 10000g',
    example: '500000 or 20m',
  });
  const memory = amountOf(args, 'memory', {
    kilo: kib,
    bytes: true,
    least: kib,
    most: mostBytes,
    range: 'a size from 1k to 2g',
    example: '64m, or plain bytes',
  });
  const output = amountOf(args, 'output', {
    kilo: kib,
    bytes: true,
    least: 1,
    most: mostBytes / 4,
    range: 'a size from 1 to 512m',
    example: '16m, or plain characters',
  });
  return {
    ...(steps === null ? {} : { maxSteps: steps }),
    ...(memory === null ? {} : { maxMemoryBytes: memory }),
    ...(output === null ? {} : { maxOutputUnits: output }),
  };
}

interface Amount {
  /** The factor of `k`; `m` and `g` are its powers. */
  readonly kilo: number;
  /** Whether `64MB` and `64MiB` may be written for `64m`. */
  readonly bytes: boolean;
  readonly least: number;
  readonly most: number;
  readonly range: string;
  readonly example: string;
}

function amountOf(
  args: Arguments,
  name: string,
  { kilo, bytes, least, most, range, example }: Amount,
): number | null {
  const text = args.value(name);
  if (text === null) return null;
  const found = (bytes ? /^(\d{1,14})([kmg]?)(?:i?b)?$/i : /^(\d{1,14})([kmg]?)$/i).exec(text);
  const amount =
    found === null
      ? Number.NaN
      : Number(found[1]) * kilo ** ['', 'k', 'm', 'g'].indexOf((found[2] as string).toLowerCase());
  if (amount >= least && amount <= most) return amount;
  throw new TechneError('USAGE', `--${name} must be ${range}`, { hint: `such as --${name} ${example}` });
}
