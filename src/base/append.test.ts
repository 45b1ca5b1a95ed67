import { expect, it } from 'vitest';
import { append } from './json.ts';

it('adds more items than a call takes arguments', () => {
  const into = [0];
  append(
    into,
    Array.from({ length: 1_000_000 }, (_, at) => at + 1),
  );
  expect([into.length, into[1], into.at(-1)]).toEqual([1_000_001, 1, 1_000_000]);
});
