import { describe, expect, it } from 'vitest';
import { brokenTrust, isAbsolute, parseTrust, renderTrust } from './trust-records.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const grantedAt = '2026-01-02T03:04:05.678Z';
const folder = { path: '/work', grantedAt };
const skill = { digest, name: 'tides', path: '/work/tides', grantedAt };
const whole = { version: 1, folders: [folder], digests: [skill] };

/** Why the file is broken, or `null`. */
function faultOf(value: unknown): string | null {
  try {
    parseTrust(typeof value === 'string' ? value : JSON.stringify(value), 'F');
    return null;
  } catch (error) {
    return (error as Error).message.replace('the trust file "F" cannot be used: ', '');
  }
}

describe('parseTrust', () => {
  it('gives back what was rendered', () => {
    const records = { folders: [folder], digests: [skill] };
    expect(parseTrust(renderTrust(records), 'F')).toEqual(records);
    expect(renderTrust(records)).toBe(`${JSON.stringify(whole, null, 2)}\n`);
    expect(faultOf({ ...whole, digests: [{ ...skill, digest: 'b'.repeat(64) }] })).toBeNull();
  });

  it.each<[unknown, string]>([
    ['{', 'it is not valid JSON'],
    [[], 'it is not an object'],
    ['null', 'it is not an object'],
    [{ ...whole, version: 0 }, 'its version is not 1'],
    [{ ...whole, version: '2' }, 'its version is not 1'],
    [{ ...whole, version: 2 }, '"F" has version 2, and this techne knows version 1'],
    [{ ...whole, more: [] }, 'it has an unknown key "more"'],
    [{ ...whole, folders: {} }, 'folders is not a list'],
    [{ version: 1, folders: [] }, 'digests is not a list'],
    [{ ...whole, folders: [folder, 'x'] }, 'folders[1] is not an object'],
    [{ ...whole, folders: [{ ...folder, name: 'x' }] }, 'it has an unknown key "name"'],
    [{ ...whole, folders: [{ grantedAt }] }, 'folders[0].path is not text'],
    [{ ...whole, digests: [{ ...skill, name: '' }] }, 'digests[0].name is not text'],
    [{ ...whole, folders: [{ ...folder, path: 'work' }] }, 'folders[0].path is not absolute'],
    [{ ...whole, folders: [{ ...folder, grantedAt: 'today' }] }, 'folders[0].grantedAt is not a time'],
    [{ ...whole, digests: [skill, { ...skill, digest: 'x' }] }, 'digests[1].digest is not a digest'],
    [{ ...whole, digests: [{ ...skill, digest: `${digest}a` }] }, 'digests[0].digest is not a digest'],
  ])('%j is broken', (value, fault) => {
    expect(faultOf(value)).toBe(fault);
  });

  it('says what can be done about it', () => {
    const cause = new Error('x');
    expect(brokenTrust('F', 'why', cause)).toMatchObject({
      code: 'TRUST_STORE',
      hint: 'nothing is trusted until it is repaired; to start again without any trust, remove "F"',
      cause,
    });
    expect(() => parseTrust('{"version":3}', 'F')).toThrow(
      expect.objectContaining({ hint: 'update techne' }),
    );
  });
});

describe('isAbsolute', () => {
  it.each([
    ['/a', true],
    ['C:\\a', true],
    ['c:/a', true],
    ['\\\\server\\share', true],
    ['C:a', false],
    ['a/b', false],
    ['', false],
  ])('%s: %s', (path, expected) => {
    expect(isAbsolute(path)).toBe(expected);
  });
});
