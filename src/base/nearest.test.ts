import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  const fields = ['name', 'description', 'allowed-tools', 'license'];

  it.each([
    ['descripton', 'description'],
    ['Description', 'description'],
    ['allowed_tools', 'allowed-tools'],
    ['licence', 'license'],
    ['nmae', 'name'],
    ['nam', 'name'],
  ])('finds the field meant by %s', (word, meant) => {
    expect(nearest(word, fields)).toBe(meant);
  });

  it('counts a swap of neighbours as one change, wherever it stands', () => {
    expect(nearest('abcdefghijlk', ['abcdefghijxy', 'abcdefghijkl'])).toBe('abcdefghijkl');
    expect(nearest('bacdfeghi', ['xxcdefghi', 'abcdefghi'])).toBe('abcdefghi');
  });

  it('stays silent when nothing is close', () => {
    expect(nearest('author', fields)).toBeNull();
    expect(nearest('x', fields)).toBeNull();
    expect(nearest('z', ['a'])).toBeNull();
  });
});
