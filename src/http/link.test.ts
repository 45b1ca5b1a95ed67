import { describe, expect, it } from 'vitest';
import { LoginLink } from './link.ts';

const codeOf = (link: LoginLink): string =>
  new URL(link.urlAt('http://x')).searchParams.get('code') as string;

describe('LoginLink', () => {
  it('takes its code, once', () => {
    const link = new LoginLink(() => 0);
    expect(link.take('guess')).toBe(false);
    expect(link.take(codeOf(link))).toBe(true);
    expect(link.take(codeOf(link))).toBe(false);
  });

  it('is too old after ten minutes', () => {
    let nowMs = 0;
    const link = new LoginLink(() => nowMs);
    nowMs = 600_001;
    expect(link.take(codeOf(link))).toBe(false);
  });
});
