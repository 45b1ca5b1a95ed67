// Runs work with errors that have no stack, for a library that creates thousands of errors that are never thrown.
//
// On a badly damaged text the YAML library otherwise spends up to half of its time on their stacks.

export function withoutStacks<Result>(work: () => Result): Result {
  const before = (Error as { readonly stackTraceLimit?: unknown }).stackTraceLimit;
  if (typeof before !== 'number') return work();
  // Not an assignment, which would throw where intrinsics are frozen.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return work();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', before);
  }
}
