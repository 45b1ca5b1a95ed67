// Adds many items to the end of a list. `into.push(...items)` throws a RangeError beyond some hundred thousand items,
// because each of them is an argument on the stack.

export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}
