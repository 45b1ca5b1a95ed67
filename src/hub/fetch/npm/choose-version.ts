// A version, range or tag × the versions of a package -> one version.
//
//   range = set ("||" set)*      set = "a - b" | comparator*      comparator = ("^" | "~" | "<" | ">" | "=" …) partial
//
// As npm reads them: the greatest version that fits, `latest` where it fits, and a pre-release only where the range names one
// of the same numbers.
import { unreachable } from '../../../base/error.ts';

export interface Version {
  readonly numbers: readonly [number, number, number];
  readonly pre: readonly (string | number)[];
}

function parseVersion(text: string): Version | null {
  const found = /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
    text.trim(),
  );
  if (found === null) return null;
  const pre = found[4] === undefined ? [] : found[4].split('.');
  if (pre.includes('')) return null;
  return {
    numbers: [Number(found[1]), Number(found[2]), Number(found[3])],
    pre: pre.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  };
}

function compareVersions(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const) {
    const order = a.numbers[at] - b.numbers[at];
    if (order !== 0) return order;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let at = 0; at < Math.max(a.pre.length, b.pre.length); at += 1) {
    const order = comparePart(a.pre[at], b.pre[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Numbers before words, nothing before something. */
function comparePart(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : a < b ? -1 : 1;
}

/** `null`: nothing fits. */
export function chooseVersion(
  range: string | null,
  versions: readonly string[],
  tags: { readonly [tag: string]: string | undefined },
): string | null {
  const wanted = range ?? 'latest';
  const tagged = Object.hasOwn(tags, wanted) ? tags[wanted] : undefined;
  if (tagged !== undefined) return versions.includes(tagged) ? tagged : null;
  const exact = parseVersion(wanted);
  if (exact !== null) return versions.find((text) => sameVersion(text, exact)) ?? null;
  const sets = parseRange(wanted);
  if (sets === null) return null;
  const fits = (text: string): boolean => {
    const version = parseVersion(text);
    return version !== null && sets.some((set) => fitsSet(version, set));
  };
  const { latest } = tags;
  if (latest !== undefined && versions.includes(latest) && fits(latest)) return latest;
  return (
    versions
      .filter(fits)
      .toSorted((a, b) => compareVersions(parseVersion(b) as Version, parseVersion(a) as Version))[0] ?? null
  );
}

function sameVersion(text: string, version: Version): boolean {
  const other = parseVersion(text);
  return other !== null && compareVersions(other, version) === 0;
}

interface Comparator {
  readonly operator: '<' | '<=' | '>' | '>=' | '=';
  readonly version: Version;
}

/** `null`: it is no range. */
function parseRange(text: string): readonly (readonly Comparator[])[] | null {
  const sets: (readonly Comparator[])[] = [];
  for (const part of text.split('||')) {
    const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(part);
    const words =
      hyphen === null
        ? part
            .replace(/([<>=~^]+)\s+/g, '$1')
            .trim()
            .split(/\s+/)
            .filter((word) => word !== '')
        : [`>=${hyphen[1]}`, `<=${hyphen[2]}`];
    const set: Comparator[] = [];
    for (const word of words) {
      const comparators = parseComparator(word);
      if (comparators === null) return null;
      set.push(...comparators);
    }
    sets.push(set);
  }
  return sets;
}

const lowest: readonly (string | number)[] = [0];

function parseComparator(word: string): readonly Comparator[] | null {
  const found = /^(\^|~>?|[<>]=?|=)?v?(.*)$/.exec(word);
  const operator = (found?.[1] ?? '').replace('~>', '~');
  const partial =
    /^(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(
      found?.[2] ?? '',
    );
  if (partial === null) return null;
  const given: number[] = [];
  for (const part of partial.slice(1, 4)) {
    if (part === undefined || /^[xX*]$/.test(part)) break;
    given.push(Number(part));
  }
  const [major = 0, minor = 0, patch = 0] = given;
  const pre =
    given.length === 3 && partial[4] !== undefined ? (parseVersion(`0.0.0-${partial[4]}`)?.pre ?? []) : [];
  const from: Version = { numbers: [major, minor, patch], pre };
  if (given.length === 0)
    return operator === '<' || operator === '>'
      ? [{ operator: '<', version: { numbers: [0, 0, 0], pre: lowest } }]
      : [];
  const after = (at: number): Version => ({
    numbers: at === 0 ? [major + 1, 0, 0] : at === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1],
    pre: lowest,
  });
  const between = (at: number): readonly Comparator[] => [
    { operator: '>=', version: from },
    { operator: '<', version: after(at) },
  ];
  switch (operator) {
    case '^':
      return between(major > 0 || given.length === 1 ? 0 : minor > 0 || given.length === 2 ? 1 : 2);
    case '~':
      return between(given.length === 1 ? 0 : 1);
    case '<':
      return [{ operator: '<', version: given.length === 3 ? from : { ...from, pre: lowest } }];
    case '>=':
      return [{ operator: '>=', version: from }];
    case '>':
      return given.length === 3
        ? [{ operator: '>', version: from }]
        : [{ operator: '>=', version: { ...after(given.length - 1), pre: [] } }];
    case '<=':
      return given.length === 3
        ? [{ operator: '<=', version: from }]
        : [{ operator: '<', version: after(given.length - 1) }];
    default:
      return given.length === 3 ? [{ operator: '=', version: from }] : between(given.length - 1);
  }
}

function fitsSet(version: Version, set: readonly Comparator[]): boolean {
  if (!set.every((comparator) => fitsBound(version, comparator))) return false;
  if (version.pre.length === 0) return true;
  return set.some(
    ({ version: { numbers, pre } }) =>
      pre.length > 0 && pre !== lowest && numbers.every((number, at) => number === version.numbers[at]),
  );
}

function fitsBound(version: Version, { operator, version: bound }: Comparator): boolean {
  const order = compareVersions(version, bound);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '=':
      return order === 0;
    default:
      return unreachable(operator);
  }
}
