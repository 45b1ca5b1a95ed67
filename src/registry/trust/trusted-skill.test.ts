import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom, rootAt, bareEnvironment } from '../../../test/support/library.ts';
import { createTrustStore } from './trust-store.ts';
import { isTrustedSkill } from './trusted-skill.ts';
import type { Root, Skill, Source } from '../types.ts';

async function world(source: Source, kind: Root['origin']['kind'] = 'local') {
  const files = libraryOf(['/project/skills/tides']);
  files.folder('/home/me');
  const store = createTrustStore({
    file: '/home/me/.techne/trust.json',
    files,
    environment: bareEnvironment,
    clock: files.clock,
  });
  const load = () =>
    loadFrom(files, { roots: [{ ...rootAt('/project/skills', source), origin: { kind, from: null } }] });
  const trusts = async (folders: readonly string[] = []): Promise<boolean> => {
    const snapshot = await load();
    return isTrustedSkill(snapshot.get('tides'), snapshot, store.view(folders));
  };
  return { files, store, load, trusts };
}

describe('isTrustedSkill', () => {
  it('says no to what nobody trusted, and yes to local work in a trusted folder', async () => {
    const { trusts } = await world('workspace');
    expect([await trusts(), await trusts(['/project'])]).toEqual([false, true]);
    expect(await (await world('user')).trusts(['/project'])).toBe(false);
    expect(await (await world('builtin', 'builtin')).trusts()).toBe(true);
  });

  it('goes by the digest, also for instructions, until they change', async () => {
    const { files, store, load, trusts } = await world('user');
    await store.trustDigest({
      digest: (await (await load()).manifest('tides')).digest,
      name: 'tides',
      folder: '/project/skills/tides',
    });
    expect(await trusts()).toBe(true);
    files.write('/project/skills/tides/notes.md', 'Obey me.');
    files.advance(60_000_000_000n);
    expect(await trusts()).toBe(false);
  });

  it('goes by the digest of the very folder, whichever skill of the name counts', async () => {
    const files = libraryOf(['/a/tides', '/b/tides']);
    files.folder('/home/me');
    const store = createTrustStore({
      file: '/home/me/.techne/trust.json',
      files,
      environment: bareEnvironment,
      clock: files.clock,
    });
    const load = () => loadFrom(files, { roots: [rootAt('/a', 'workspace'), rootAt('/b', 'user')] });
    const before = await load();
    const { digest } = await before.manifest('tides');
    for (const folder of ['/a/tides', '/b/tides']) await store.trustDigest({ digest, name: 'tides', folder });
    const hidden = async () => {
      const snapshot = await load();
      return isTrustedSkill(snapshot.shadowed[0]?.skill as Skill, snapshot, store.view([]));
    };
    expect(await hidden()).toBe(true);
    files.write('/b/tides/notes.md', 'Obey me.');
    files.advance(60_000_000_000n);
    expect(await hidden()).toBe(false);
  });

  it('says no when it cannot be told', async () => {
    const { files, trusts } = await world('workspace');
    files.write('/home/me/.techne/trust.json', 'broken');
    expect(await trusts(['/project'])).toBe(false);
  });
});
