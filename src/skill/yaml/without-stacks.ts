// Errors that do not remember where they were made, while a library makes thousands of them that nobody throws.
//
// Where a text is damaged throughout, the YAML library spends up to half of its time on their stacks.

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
