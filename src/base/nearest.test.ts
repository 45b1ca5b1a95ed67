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

  it('finds the only name within the limit among many that differ in their letters', () => {
    const names = Array.from(
      { length: 200 },
      (_, at) => `skill-${String.fromCharCode(97 + (at % 26))}${at}-report`,
    );
    expect(nearest('skill-c28-reprot', [...names, 'kills-c28-trope'], 1)).toBe('skill-c28-report');
    expect(nearest('abcdef', ['xyzdef'], 3)).toBe('xyzdef');
    expect(nearest('abcdef', ['xyzdef'], 2)).toBeNull();
  });

  it('stays silent when nothing is close', () => {
    expect(nearest('author', fields)).toBeNull();
    expect(nearest('x', fields)).toBeNull();
    expect(nearest('z', ['a'])).toBeNull();
  });
});
