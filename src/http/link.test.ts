import { describe, expect, it } from 'vitest';
import { LoginLink } from './link.ts';

const codeOf = (link: LoginLink): string =>
  new URL(link.urlAt('http://x')).searchParams.get('code') as string;

describe('LoginLink', () => {
  it('opens one session, once', () => {
    const link = new LoginLink('ada@local', () => 0);
    expect(link.open('guess')).toBeNull();
    const cookie = link.open(codeOf(link)) as string;
    expect(link.open(codeOf(link))).toBeNull();
    const [pair = ''] = cookie.split(';', 1);
    expect(link.sessionOf(`a=b; ${pair}; c=d`)).toMatchObject({
      name: 'ada@local',
      csrf: expect.any(String) as string,
    });
    for (const wrong of ['', 'techne_session', 'techne_session=', `${pair}x`, `x${pair}`])
      expect(link.sessionOf(wrong)).toBeNull();
  });

  it('is too old after ten minutes', () => {
    let nowMs = 0;
    const link = new LoginLink('ada@local', () => nowMs);
    nowMs = 600_001;
    expect(link.open(codeOf(link))).toBeNull();
  });
});
