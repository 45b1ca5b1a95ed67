import { describe, expect, it } from 'vitest';
import { vouchesFor } from './still-trusted.ts';

const config = {
  execution: { policy: 'trusted' },
  trust: { folders: [] },
  skills: { disabled: ['off'] },
} as unknown as Parameters<typeof vouchesFor>[2];
const by = (folder: boolean, version: boolean): Parameters<typeof vouchesFor>[1] => ({
  vouching: async () => ({ folder, version }),
});
const asked = async (vouchedBy: string | null, store = by(false, false), name = 'tides'): Promise<string> => {
  const { ok, reasons } = await vouchesFor({ name, folder: '/skills/tides', vouchedBy }, store, config);
  return `${ok ? 'yes' : 'no'} ${reasons[0]?.code}`;
};

describe('vouchesFor', () => {
  it('asks who vouches for the place, as the run was started', async () => {
    expect(await asked('TRUSTED_DIGEST', by(false, true))).toBe('yes TRUSTED_DIGEST');
    expect(await asked('TRUSTED_FOLDER', by(true, false))).toBe('yes TRUSTED_FOLDER');
    expect(await asked(null, by(true, false))).toBe('yes TRUSTED_FOLDER');
    expect(await asked('TRUSTED_FOLDER', by(false, true))).toBe('yes TRUSTED_DIGEST');
    // A folder does not stand in for a digest that was taken back.
    expect(await asked('TRUSTED_DIGEST', by(true, false))).toBe('no NOT_TRUSTED');
  });

  it('says no when nothing does, unless the skill is part of techne', async () => {
    for (const vouchedBy of ['TRUSTED_DIGEST', 'TRUSTED_FOLDER', null])
      expect(await asked(vouchedBy)).toBe('no NOT_TRUSTED');
    expect(await asked('TRUSTED_BUILTIN')).toBe('yes TRUSTED_BUILTIN');
    expect((await vouchesFor({ name: 'x', folder: null, vouchedBy: null }, by(true, true), config)).ok).toBe(
      false,
    );
  });

  it('says no while execution or the skill is switched off', async () => {
    expect(await asked('TRUSTED_BUILTIN', by(true, true), 'off')).toBe('no DISABLED');
    const { reasons } = await vouchesFor(
      { name: 'tides', folder: '/x', vouchedBy: 'TRUSTED_BUILTIN' },
      by(true, true),
      { ...config, execution: { policy: 'off' } },
    );
    expect(reasons[0]?.code).toBe('EXECUTION_OFF');
  });
});
