import { describe, expect, it } from 'vitest';
import { deepFreeze } from './json.ts';

describe('deepFreeze', () => {
  it('freezes what is inside, also behind what was frozen before', () => {
    const inner = { list: [{ a: 1 }] };
    const value = deepFreeze({ held: Object.freeze({ inner }) });
    expect([value, value.held, inner, inner.list, inner.list[0]].every(Object.isFrozen)).toBe(true);
  });

  it('ends in a circle and leaves plain values alone', () => {
    const circle: { self: unknown } = { self: null };
    circle.self = circle;
    expect(Object.isFrozen(deepFreeze(circle))).toBe(true);
    expect(deepFreeze('text')).toBe('text');
    expect(deepFreeze(null)).toBe(null);
  });
});
