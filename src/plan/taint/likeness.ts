// Whether the same is known of two values: what is followed round by round has settled when nothing new is known.
import type { Abstract } from './abstract-value.ts';
import { keyOf } from './abstract-value.ts';

export class Likeness {
  private readonly numbers = new WeakMap<object, number>();
  private next = 0;

  /** Alike for values of which the same is known; lists, dicts and macros are only like themselves. */
  of({ constants, plain, text, unknown, list, dicts, calls }: Abstract): string {
    const atoms = (some: Abstract['text']): readonly string[] | null => some?.map(keyOf).toSorted() ?? null;
    return JSON.stringify([
      constants,
      plain,
      atoms(text),
      atoms(unknown),
      list === null ? null : this.numberOf(list),
      dicts.map((one) => this.numberOf(one)),
      calls.map((one) => this.numberOf(one)),
    ]);
  }

  private numberOf(part: object): number {
    const known = this.numbers.get(part) ?? (this.next += 1);
    this.numbers.set(part, known);
    return known;
  }
}
