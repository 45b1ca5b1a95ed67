// Checks the arguments and options of a library call; throws a USAGE error that names the wrong one.
//
// They are checked once, on entry: a misspelt name would otherwise silently be the default, and a wrong type would
// fail far from its cause. `undefined` is the same as a missing option. The checks are a table over the type of the
// options, so an option without a check does not compile.
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';

/** Returns what a value must be, or `null` if it is valid. */
export type Check = (value: unknown) => string | null;

export type Checks<Options> = { readonly [name in keyof Options]-?: Check };

export const text: Check = (value) => (typeof value === 'string' ? null : 'a string');
export const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? null : 'an array of strings';
export const flag: Check = (value) => (typeof value === 'boolean' ? null : 'true or false');
export const callable: Check = (value) => (typeof value === 'function' ? null : 'a function');
/** NaN is refused: it would not limit anything. */
export const amount: Check = (value) =>
  typeof value === 'number' && value >= 0 ? null : 'a number from 0 on';
export const record: Check = (value) => (isRecord(value) ? null : 'an object');
export const oneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.includes(value as string) ? null : choices.map((choice) => `"${choice}"`).join(' or ');
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value);
export const recordOf =
  (each: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every((one) => one === undefined || each(one) === null)
      ? null
      : `an object, with ${each(undefined)} behind each name`;
/** An object of any class that has these methods. */
export const having =
  (...methods: readonly string[]): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function')
      ? null
      : `an object with ${methods.map((method) => `${method}()`).join(', ')}`;

/** `call` is for messages; `hint` shows how to write it. */
export function checkArgument(call: string, name: string, value: unknown, check: Check, hint?: string): void {
  const wanted = check(value);
  if (wanted !== null)
    throw new TechneError(
      'USAGE',
      `${call}: ${name} must be ${wanted}, not ${shown(value)}`,
      hint === undefined ? {} : { hint },
    );
}

/** `of` is what the options are called, where they are not the options of the call itself. */
export function checkOptions<Options>(
  call: string,
  given: unknown,
  checks: Checks<Options>,
  of: string | null = null,
): void {
  checkArgument(call, of ?? 'the options', given, record);
  const names = Object.keys(checks);
  for (const [name, value] of Object.entries(given as object)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof Options] : undefined;
    if (check === undefined) {
      const meant = nearest(name, names);
      throw new TechneError(
        'USAGE',
        `${call}: there is no option "${printableLine(of === null ? name : `${of}.${name}`)}"`,
        { hint: meant === null ? `there is ${names.join(', ')}` : `did you mean ${meant}?` },
      );
    }
    if (value !== undefined)
      checkArgument(call, of === null ? `the option ${name}` : `${of}.${name}`, value, check);
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Short, and never by calling anything of the value. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return `"${printableLine(value.length > 40 ? `${value.slice(0, 40)}…` : value)}"`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'bigint' ? `${value}n` : String(value);
}
