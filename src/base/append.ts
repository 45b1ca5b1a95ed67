// Adds many items at the end. `into.push(...items)` fails with RangeError beyond some hundred thousand: they are arguments
// of one call, which stand on the stack.

export function append<T>(into: T[], items: Iterable<T>): void {
  for (const item of items) into.push(item);
}
