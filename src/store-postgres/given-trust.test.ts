// Trust, approvals and manifests in a real Postgres.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../../test/support/postgres.ts';
import { createDatabase, noPostgres } from '../../test/support/postgres.ts';
import type { ApprovedCommand } from '../node/commands/approvals.ts';
import { started } from '../journal/sample-entries.ts';
import { parseStoreAddress } from './address.ts';
import type { PostgresStore } from './open-store.ts';
import { openPostgresStore } from './open-store.ts';

const digest = (letter: string): `sha256:${string}` => `sha256:${letter.repeat(64)}`;

describe.skipIf(noPostgres)('what a team keeps besides its runs', () => {
  let database: TestDatabase;
  let opened: PostgresStore;
  beforeAll(async () => {
    database = await createDatabase();
    opened = openPostgresStore({ address: parseStoreAddress(database.url) });
    await opened.check();
  }, 60_000);
  afterAll(async () => {
    await opened.store.close();
    await database.drop();
  });

  it('keeps who trusted what, once, and who took it back', async () => {
    const { trust } = opened;
    const first = await trust.grant({ skill: 'tides', digest: digest('a'), by: 'ada' });
    expect(await trust.grant({ skill: 'tides', digest: digest('a'), by: 'bob' })).toEqual(first);
    await trust.grant({ skill: 'tides', digest: digest('b'), by: 'bob' });
    expect(await trust.trustIn(digest('a'))).toMatchObject({ by: 'ada', revokedBy: null });
    expect(await trust.trustIn(digest('c'))).toBeNull();
    expect(await trust.reliedOn(digest('c'))).toBeNull();
    expect(await trust.reliedOn(digest('a'))).toEqual(await trust.trustIn(digest('a')));
    expect(await trust.earlier('tides')).toMatchObject({ digest: digest('b') });
    expect(await trust.revoke(digest('a'), 'cyd')).toMatchObject([{ digest: digest('a'), revokedBy: 'cyd' }]);
    expect(await trust.trustIn(digest('a'))).toBeNull();
    expect(await trust.reliedOn(digest('a'))).toMatchObject({
      by: 'ada',
      revokedBy: expect.any(String) as string,
    });
    expect(await trust.revoke('tides', 'cyd')).toMatchObject([{ digest: digest('b') }]);
    expect(await trust.revoke('tides', 'cyd')).toEqual([]);
    // Trusted again: a record of its own.
    expect((await trust.grant({ skill: 'tides', digest: digest('a'), by: 'dot' })).id).not.toBe(first.id);
    expect((await trust.list(10)).map(({ by, revokedBy }) => `${by} ${revokedBy}`)).toEqual([
      'dot null',
      'bob cyd',
      'ada cyd',
    ]);
  });

  it('grants once when many do at the same time', async () => {
    const { trust } = opened;
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => trust.grant({ skill: 'race', digest: digest('d'), by: `p${n}` })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  it('keeps approvals as files do: exactly this command, and "never" by its words', async () => {
    const { approvals, trust } = opened;
    const command: ApprovedCommand = {
      skill: 'deploy',
      digest: digest('e'),
      argv: ['npm', 'test'],
      cwd: 'techne-workspace:',
      stdin: null,
      sandboxed: true,
    };
    expect(await approvals.recall(command)).toBeNull();
    await approvals.remember(command, 'always', 'ada');
    await approvals.remember(command, 'always', 'bob');
    expect(await approvals.recall(command)).toBe('always');
    for (const other of [
      { digest: digest('f') },
      { argv: ['npm', 'test', '-x'] },
      { cwd: 'techne-workspace:x' },
      { stdin: 'x' },
      { sandboxed: false },
      { skill: 'deploy2' },
    ])
      expect(await approvals.recall({ ...command, ...other })).toBeNull();
    expect((await trust.list(100)).filter(({ skill }) => skill === 'deploy')).toMatchObject([
      { by: 'ada', verdict: 'always', argv: ['npm', 'test'] },
    ]);
    await approvals.remember({ ...command, digest: digest('f') }, 'never', 'cyd');
    expect(await approvals.recall(command)).toBe('never');
    // Taking trust back takes approvals back, and leaves refusals.
    await approvals.remember({ ...command, argv: ['ls'] }, 'always', 'ada');
    expect(await trust.revoke('deploy', 'dot')).toMatchObject([{ argv: ['ls'] }]);
    expect(await approvals.recall({ ...command, argv: ['ls'] })).toBeNull();
    expect(await approvals.recall(command)).toBe('never');
  });

  it('takes over what is trusted elsewhere once, and never what was revoked', async () => {
    const { trust } = opened;
    const grants = ['1', '2'].map((letter) => ({ skill: 'told', digest: digest(letter) }));
    expect(await trust.grantUnknown(grants, 'ada@desk')).toBe(2);
    expect(await trust.grantUnknown(grants, 'bob@desk')).toBe(0);
    await trust.revoke(digest('1'), 'cyd');
    expect(await trust.grantUnknown(grants, 'ada@desk')).toBe(0);
    expect(await trust.trustIn(digest('1'))).toBeNull();
    expect(await trust.trustIn(digest('2'))).toMatchObject({ by: 'ada@desk' });
  });

  it('keeps files of a run for its owner alone, for as long as the run', async () => {
    const { shared, blobs, index, store } = opened;
    const run = '01M7QVBDAM49T90RVKATPGHNYZ';
    const claim = await store.create(run, [started(run)]);
    const put = async (text: string): Promise<`sha256:${string}`> =>
      shared.putManifest(Buffer.from(`manifest of ${text}`), [await blobs.put(Buffer.from(text))]);
    const [first, second] = [await put('first'), await put('second')];
    await shared.keep(run, { digest: first, fault: null });
    await shared.keep(run, { digest: second, fault: null });
    expect(await shared.keptOf(run)).toEqual({ digest: second, fault: null });
    const sweep = async (): Promise<readonly boolean[]> => {
      await database.query(`update techne.blob set put_at = put_at - interval '2 hours'`);
      await index.bulk?.removeUnnamedBlobs(Date.now() - 3_600_000);
      return Promise.all([first, second].map((each) => blobs.has(each)));
    };
    // What was kept before is given up.
    expect(await sweep()).toEqual([false, true]);
    const other = openPostgresStore({ address: parseStoreAddress(database.url) });
    await expect(other.shared.keep(run, { digest: first, fault: null })).rejects.toMatchObject({
      code: 'OWNER_LOST',
    });
    await other.store.close();
    await shared.keep(run, { digest: second, fault: 'too large' });
    await shared.forgetFault(run);
    expect(await shared.keptOf(run)).toEqual({ digest: second, fault: null });
    await store.release(claim);
    await expect(shared.keep(run, { digest: first, fault: null })).rejects.toMatchObject({
      code: 'OWNER_LOST',
    });
  });

  it('gives a name to the newest files', async () => {
    const { shared } = opened;
    const files = { name: 'shop', files: 1, bytes: 4, source: '.', by: 'ada' };
    await shared.nameFiles({ ...files, digest: digest('5') });
    await shared.nameFiles({ ...files, digest: digest('6'), by: 'bob' });
    expect(await shared.listFiles()).toMatchObject([{ name: 'shop', digest: digest('6'), by: 'bob' }]);
    expect([await shared.removeFiles('shop'), await shared.removeFiles('shop')]).toEqual([true, false]);
    expect(await shared.findFiles('shop')).toBeNull();
  });

  it('keeps what a manifest names for as long as the manifest', async () => {
    const { shared, blobs, index } = opened;
    const [file, other] = await Promise.all(['file', 'other'].map((text) => blobs.put(Buffer.from(text))));
    expect(await shared.missing([file as `sha256:${string}`, digest('0')])).toEqual([digest('0')]);
    const manifest = await shared.putManifest(Buffer.from('manifest'), [file as `sha256:${string}`]);
    expect([await shared.renewManifest(manifest), await shared.renewManifest(digest('0'))]).toEqual([
      true,
      false,
    ]);
    await database.query(
      `insert into techne.workspace (name, digest, files, bytes, source, by) values ('w', $1, 1, 4, '', 'ada')`,
      [manifest],
    );
    const sweep = async (): Promise<readonly boolean[]> => {
      await database.query(`update techne.blob set put_at = put_at - interval '2 hours'`);
      await index.bulk?.removeUnnamedBlobs(Date.now() - 3_600_000);
      return Promise.all([manifest, file, other].map((each) => blobs.has(each as `sha256:${string}`)));
    };
    expect(await sweep()).toEqual([true, true, false]);
    await database.query(`delete from techne.workspace`);
    expect(await sweep()).toEqual([false, true, false]);
    expect(await sweep()).toEqual([false, false, false]);
    expect(await shared.renewManifest(manifest)).toBe(false);
  });
});
