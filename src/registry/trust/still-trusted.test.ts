import { describe, expect, it } from 'vitest';
import { isStillTrusted } from './trusted-skill.ts';

const config = {
  execution: { policy: 'trusted' },
  trust: { folders: [] },
  skills: { disabled: ['off'] },
} as unknown as Parameters<typeof isStillTrusted>[2];
const by = (folder: boolean, version: boolean): Parameters<typeof isStillTrusted>[1] => ({
  trustAt: async () => ({ folder, version }),
});
const asked = async (trustedBy: string | null, store = by(false, false), name = 'tides'): Promise<string> => {
  const { ok, reasons } = await isStillTrusted({ name, folder: '/skills/tides', trustedBy }, store, config);
  return `${ok ? 'yes' : 'no'} ${reasons[0]?.code}`;
};

describe('isStillTrusted', () => {
  it('checks the trust of the place, as the run was started', async () => {
    expect(await asked('TRUSTED_DIGEST', by(false, true))).toBe('yes TRUSTED_DIGEST');
    expect(await asked('TRUSTED_FOLDER', by(true, false))).toBe('yes TRUSTED_FOLDER');
    expect(await asked(null, by(true, false))).toBe('yes TRUSTED_FOLDER');
    expect(await asked('TRUSTED_FOLDER', by(false, true))).toBe('yes TRUSTED_DIGEST');
    // A folder does not stand in for a digest that was taken back.
    expect(await asked('TRUSTED_DIGEST', by(true, false))).toBe('no NOT_TRUSTED');
  });

  it('says no when nothing does, unless the skill is part of techne', async () => {
    for (const trustedBy of ['TRUSTED_DIGEST', 'TRUSTED_FOLDER', null])
      expect(await asked(trustedBy)).toBe('no NOT_TRUSTED');
    expect(await asked('TRUSTED_BUILTIN')).toBe('yes TRUSTED_BUILTIN');
    expect(
      (await isStillTrusted({ name: 'x', folder: null, trustedBy: null }, by(true, true), config)).ok,
    ).toBe(false);
  });

  it('says no while execution or the skill is switched off', async () => {
    expect(await asked('TRUSTED_BUILTIN', by(true, true), 'off')).toBe('no DISABLED');
    const { reasons } = await isStillTrusted(
      { name: 'tides', folder: '/x', trustedBy: 'TRUSTED_BUILTIN' },
      by(true, true),
      { ...config, execution: { policy: 'off' } },
    );
    expect(reasons[0]?.code).toBe('EXECUTION_OFF');
  });
});
