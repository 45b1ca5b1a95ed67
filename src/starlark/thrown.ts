// What a function of the embedder threw.

/** Carries it through the machine untouched: a RangeError of `print` is not one of the program. */
export class ThrownByHost extends Error {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    super('a function of the embedder threw');
    this.thrown = thrown;
  }
}

/** What it says, for a message of the program. Calls nothing of the value but what an Error has. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'message' in thrown &&
    typeof thrown.message === 'string'
  )
    return thrown.message;
  if (typeof thrown === 'number' || typeof thrown === 'bigint' || typeof thrown === 'boolean')
    return String(thrown);
  return 'it failed without saying why';
}
