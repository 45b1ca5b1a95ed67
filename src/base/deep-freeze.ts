// Makes plain data immutable, all the way down.

/** Freezes `value` and everything it holds; gives it back. Circles are fine. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const held = new Set<object>([value]);
  for (const one of held) {
    // The content of a typed array cannot be frozen, and to try is an error.
    if (!ArrayBuffer.isView(one)) Object.freeze(one);
    for (const inner of Object.values(one) as unknown[])
      if (typeof inner === 'object' && inner !== null) held.add(inner);
  }
  return value;
}
