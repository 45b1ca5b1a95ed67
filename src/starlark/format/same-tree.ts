// Two trees -> whether they are of the same program, wherever it stands in its text.
const places: ReadonlySet<string> = new Set([
  'start',
  'end',
  'source',
  'operatorStart',
  'openStart',
  'nameStart',
  'binding',
  'scope',
  'doubtful',
]);

/** Recurses as deep as the trees, which the parser bounds. */
export function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  if (Array.isArray(one) || one instanceof Uint8Array) {
    if (!(Array.isArray(other) || other instanceof Uint8Array) || one.length !== other.length) return false;
    return one.every((item: unknown, at: number) => isSameTree(item, other[at]));
  }
  const keys = Object.keys(one).filter((key) => !places.has(key));
  if (keys.length !== Object.keys(other).filter((key) => !places.has(key)).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) &&
      isSameTree((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}
