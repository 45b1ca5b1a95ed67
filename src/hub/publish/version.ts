// The version that a skill is published as, and the order of versions.
//
//   `version` or `metadata.version` of the frontmatter; without one: "0.0.0-" and 12 hex digits of the digest of the tree
//
// Versions are listed the newest first. Numbers decide where both versions are numbers with dots, a pre-release going before
// its release; what cannot be compared is ordered by when it was published.
import { TechneError } from '../../base/error.ts';
import type { IndexVersion } from '../source/index-format.ts';

const allowed = /^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/;
const ofDigest = /^0\.0\.0-[0-9a-f]{12}$/;

/** Throws PUBLISH_REFUSED for a version that cannot be part of a file name. `tree`: the digest of the files. */
export function publishedVersion(name: string, declared: string | null, tree: string): string {
  if (declared === null) return `0.0.0-${tree.replace('sha256:', '').slice(0, 12)}`;
  if (allowed.test(declared) && !declared.includes('..')) return declared;
  throw new TechneError(
    'PUBLISH_REFUSED',
    `the version "${declared}" of the skill "${name}" cannot be published`,
    { hint: 'use letters, digits and . + _ -, at most 64, such as 1.2.0' },
  );
}

/** The list with one more version in its place. */
export function insertVersion(
  versions: readonly IndexVersion[],
  added: IndexVersion,
): readonly IndexVersion[] {
  const at = versions.findIndex(({ version }) => compareVersions(added.version, version) >= 0);
  return at === -1 ? [...versions, added] : [...versions.slice(0, at), added, ...versions.slice(at)];
}

/** Negative when `a` is older; 0 where they are equal or cannot be compared. */
function compareVersions(a: string, b: string): number {
  if (ofDigest.test(a) && ofDigest.test(b)) return 0;
  const [one, other] = [parts(a), parts(b)];
  if (one === null || other === null) return 0;
  for (let at = 0; at < Math.max(one.numbers.length, other.numbers.length); at += 1) {
    const difference = (one.numbers[at] ?? 0n) - (other.numbers[at] ?? 0n);
    if (difference !== 0n) return difference < 0n ? -1 : 1;
  }
  if (one.before === null || other.before === null)
    return one.before === other.before ? 0 : one.before === null ? 1 : -1;
  return comparePreReleases(one.before, other.before);
}

function parts(
  version: string,
): { readonly numbers: readonly bigint[]; readonly before: string | null } | null {
  const [, numbers, before] = /^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version) ?? [];
  return numbers === undefined ? null : { numbers: numbers.split('.').map(BigInt), before: before ?? null };
}

function comparePreReleases(a: string, b: string): number {
  const [one, other] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [x, y] = [one[at], other[at]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const numeric = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (numeric[0] === true && numeric[1] === true) return BigInt(x) < BigInt(y) ? -1 : 1;
    if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}
