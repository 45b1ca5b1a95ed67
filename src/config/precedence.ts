// Which source of skills wins where names collide: the profiles, and the order that a `precedence` value means.

const defaultOrder = ['builtin', 'plugin', 'user', 'workspace'] as const;

/** Where a skill comes from: the package, a plugin, the user's folders or the workspace. */
export type Source = (typeof defaultOrder)[number];

/** Lowest to highest. */
export type Precedence = readonly Source[];

export const precedenceProfiles = {
  default: defaultOrder,
  claude: ['builtin', 'plugin', 'workspace', 'user'],
} as const satisfies Record<string, Precedence>;

export const precedenceProfileNames: readonly string[] = Object.keys(precedenceProfiles);
export const precedenceSources: readonly string[] = defaultOrder;

/** A profile, or an order of one's own. */
export type PrecedenceSetting = keyof typeof precedenceProfiles | Precedence;

export function precedenceOrder(value: PrecedenceSetting): Precedence {
  return typeof value === 'string' ? precedenceProfiles[value] : value;
}
