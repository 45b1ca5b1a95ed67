// Keys of effects: `3` a call, `3.1` one of several parallel calls, `3/2` the second part of 3.

/** Part of another effect. */
export function isChild(key: string): boolean {
  return key.includes('/');
}

/** The effect of the program that a part belongs to. */
export function rootOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? key : key.slice(0, slash);
}

export function isAsk(kind: string): boolean {
  return kind === 'ask' || kind === 'chat' || kind === 'classify';
}

/** Entered again after a crash without a decision: its side effects are those of its parts, or it is a question. */
export function isReentered(kind: string): boolean {
  return isAsk(kind) || kind === 'input';
}
