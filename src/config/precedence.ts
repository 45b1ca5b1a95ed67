// What wins: between sources of skills whose names collide, and between the layers of a configuration.
//
// A `precedence` value is a profile or an order of sources. A value of an untrusted workspace only narrows what the
// layers below it allow.
import type { Json, JsonObject } from '../base/json.ts';
import { canonicalJson, emptyObject } from '../base/json.ts';

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

// How the value of an untrusted workspace is combined with the one below it.
//
//   lower × higher -> a value that allows nothing that `lower` did not allow
//
// Each function takes validated values of its key in `keys.ts`.

export type Narrow = (lower: Json, higher: Json) => Json;

/** What is allowed shrinks: only what both layers name. */
export const intersection: Narrow = (lower, higher) =>
  texts(higher).filter((text) => texts(lower).includes(text));

/** What is denied grows: everything that either layer names. */
export const union: Narrow = (lower, higher) => [...new Set([...texts(lower), ...texts(higher)])];

/** A workspace has no say. */
export const unchanged: Narrow = (lower) => lower;

export const both: Narrow = (lower, higher) => lower === true && higher === true;

/** As `intersection`, where `null` stands for everything. */
export const withinOrAll: Narrow = (lower, higher) =>
  lower === null ? higher : higher === null ? lower : intersection(lower, higher);

export const smaller: Narrow = (lower, higher) => Math.min(lower as number, higher as number);

/** For waiting times: waiting longer costs less. */
export const larger: Narrow = (lower, higher) => Math.max(lower as number, higher as number);

/** `order` runs from the loosest to the strictest value. */
export function stricter(order: readonly string[]): Narrow {
  return (lower, higher) =>
    order.indexOf(higher as string) > order.indexOf(lower as string) ? higher : lower;
}

/** Entries may be taken away (by `null`), never added or changed. */
export const onlyRemoved: Narrow = (lower, higher) => {
  const kept = emptyObject();
  for (const [name, value] of Object.entries(lower as JsonObject)) {
    if ((higher as JsonObject)[name] !== null) kept[name] = value;
  }
  return kept;
};

/** The workspace may move itself down, and nothing else. */
export const workspaceLower: Narrow = (lower, higher) => {
  const below = precedenceOrder(lower as PrecedenceSetting);
  const wanted = precedenceOrder(higher as PrecedenceSetting);
  return others(below) === others(wanted) && wanted.indexOf('workspace') <= below.indexOf('workspace')
    ? higher
    : lower;
};

function others(order: readonly string[]): string {
  return canonicalJson(order.filter((source) => source !== 'workspace'));
}

function texts(value: Json): readonly string[] {
  return value as readonly string[];
}
