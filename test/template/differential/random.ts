// Numbers that look random and are the same each time: mulberry32.

export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[random(from.length)] as T;
}

/** True in `times` of `of` cases. */
export function chance(random: Random, times: number, of: number): boolean {
  return random(of) < times;
}
