import { describe, expect, it } from 'vitest';
import { isInside } from './is-inside.ts';

describe('isInside', () => {
  it('compares whole segments', () => {
    expect(isInside('/a/b', '/a/b')).toBe(true);
    expect(isInside('/a/b/c', '/a/b')).toBe(true);
    expect(isInside('/a/bc', '/a/b')).toBe(false);
    expect(isInside('/a', '/a/b')).toBe(false);
    expect(isInside('/a/b', '/a/b/')).toBe(true);
    expect(isInside('/a/b', '/')).toBe(true);
    expect(isInside('/a/b\\c', '/a/b')).toBe(false);
  });

  it('knows the separators of Windows', () => {
    expect(isInside('C:\\a\\b', 'C:\\a')).toBe(true);
    expect(isInside('C:\\ab', 'C:\\a')).toBe(false);
    expect(isInside('C:\\a', 'C:\\')).toBe(true);
    expect(isInside('D:\\a', 'C:\\')).toBe(false);
  });
});
