// The order of sources behind a `precedence` value, lowest first.
import type { Json } from '../base/json.ts';

const profiles: { readonly [name: string]: readonly string[] } = {
  default: ['builtin', 'plugin', 'user', 'workspace'],
  claude: ['builtin', 'plugin', 'workspace', 'user'],
};

export const precedenceProfileNames: readonly string[] = Object.keys(profiles);
export const precedenceSources: readonly string[] = ['builtin', 'plugin', 'user', 'workspace'];

/** `value` is a validated `precedence`. */
export function precedenceOrder(value: Json): readonly string[] {
  return typeof value === 'string' ? (profiles[value] as readonly string[]) : (value as readonly string[]);
}
