// techne doctor --store against a real Postgres that is broken in one way after the other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  judgeClock,
  judgeConnections,
  judgeDurability,
  judgePooler,
  judgeTls,
} from '../../src/store-postgres/admin/examine-store.ts';
import { schemaVersion } from '../../src/store-postgres/migrations.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

interface Finding {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
  readonly hint: string | null;
}

describe.skipIf(noPostgres)('techne doctor --store', () => {
  let database: TestDatabase;
  let world: World;
  beforeAll(async () => {
    database = await createDatabase();
    world = createWorld();
    await world.run(['store', 'migrate', '--store', database.url]);
  });
  afterAll(async () => {
    world.remove();
    await database.drop();
  });

  const doctor = async (url = database.url) => {
    const { code, out, err } = await world.run(['doctor', '--store', url, '--json']);
    expect(err).toBe('');
    const { findings } = JSON.parse(out) as { findings: readonly Finding[] };
    return { code, findings, of: (wanted: string) => findings.find(({ name }) => name === wanted) };
  };

  it('finds nothing wrong with a store that is new, besides what a server of tests leaves out', async () => {
    const { findings, of } = await doctor();
    expect(findings.filter(({ ok, name }) => ok === false && name !== 'durability')).toEqual([]);
    expect(findings.map(({ name }) => name)).toEqual([
      'driver',
      'engine',
      'server',
      'version',
      'durability',
      'autovacuum',
      'connections',
      'clock',
      'encryption',
      'pooler',
      'tables',
      'queue',
      'rights',
      'workers',
      'queues',
      'held runs',
      'schedules',
      'blobs',
      'vacuum',
    ]);
    expect(of('tables')).toMatchObject({ ok: true, detail: `version ${schemaVersion}` });
    // Everything that is not fine has a hint.
    for (const { ok, hint } of findings) expect(ok === true).toBe(hint === null);
  });

  it('takes the digest of a skill, which a run names, for no blob', async () => {
    await database.query(`insert into techne.reference (run, digest) values ('R', 'sha256:skill')`);
    await database.query(
      `insert into techne.entry (run, seq, entry) values ('R', 0, '{"type":"run.started","skill":{"digest":"sha256:skill"}}')`,
    );
    try {
      expect((await doctor()).of('blobs')?.ok).toBe(true);
    } finally {
      await database.query(`delete from techne.reference`);
      await database.query(`delete from techne.entry where run = 'R'`);
    }
  });

  it('prints what to do, and takes the address of the configuration', async () => {
    const url = new URL(database.url);
    url.password = '';
    world.write({ 'home/.techne/config.json': JSON.stringify({ runs: { store: url.toString() } }) });
    const shown = await world.run(['doctor', '--store']);
    expect([shown.code, shown.err]).toEqual([3, '']);
    expect(shown.out).toMatch(/^postgres:.*\n {2}ok {2}driver/);
    expect(await world.run(['doctor', 'some-skill', '--store', database.url])).toMatchObject({ code: 2 });
    expect(await world.run(['doctor', '--store', 'files'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('runs are kept in files here') as string,
    });
  });

  it('says that a server cannot be reached, has no such database, or refuses the user', async () => {
    for (const [change, message] of [
      [(url: URL) => (url.port = '1'), /cannot be reached/],
      [(url: URL) => (url.pathname = '/nope'), /has no database "nope"/],
      [(url: URL) => (url.username = 'nobody_here'), /refuses the user|does not exist/],
    ] as const) {
      const url = new URL(database.url);
      change(url);
      const { code, of, findings } = await doctor(url.toString());
      expect([code, of('server')?.ok, findings.length]).toEqual([3, false, 3]);
      expect(of('server')?.detail).toMatch(message);
      expect(of('server')?.hint).not.toBe(null);
    }
  });

  it.each([
    [
      'tables',
      `update techne.migration set version = 99 where version = ${schemaVersion}`,
      `update techne.migration set version = ${schemaVersion} where version = 99`,
      /version 99/,
      /update this one/,
    ],
    [
      'tables',
      `delete from techne.migration where version = ${schemaVersion}`,
      `insert into techne.migration (version) values (${schemaVersion})`,
      /this techne needs/,
      /techne store migrate/,
    ],
    [
      'tables',
      'alter schema techne rename to elsewhere',
      'alter schema elsewhere rename to techne',
      /there are none in the schema "techne"/,
      /techne store migrate/,
    ],
    [
      'held runs',
      `insert into techne.served (run, queue, priority, held) values ('H', 'default', 0, 'why')`,
      `delete from techne.served`,
      /^1, which no worker tries/,
      /techne worker held/,
    ],
    [
      'queues',
      `insert into techne.served (run, queue, priority) values ('Q', 'reports', 0)`,
      `delete from techne.served`,
      /takes runs of reports/,
      /techne worker --queue reports/,
    ],
    [
      'workers',
      `insert into techne.worker (id, record, beat, beat_at, queues) values ('w', '{}', 1, now() - interval '1 hour', '{default}');
      insert into techne.run (run, epoch, seq, owner, status, skill, started_at) values ('D', 1, 1, 'w', 'running', 's', 1)`,
      `delete from techne.run; delete from techne.worker`,
      /0 alive, 1 process dead with 1 run, and 1 run need one/,
      /start one/,
    ],
    [
      'schedules',
      `insert into techne.schedule (id, name, skill, cron, timezone, missed, queue, priority, made_at, next_at) values ('s', 'nightly', 's', '* * * * *', 'UTC', 'skip', 'default', 0, 1, 1)`,
      `delete from techne.schedule`,
      /not started: nightly/,
      /techne worker list/,
    ],
    [
      'schedules',
      `insert into techne.schedule (id, name, skill, cron, timezone, missed, queue, priority, made_at, fault) values ('s', 'weekly', 's', '* * * * *', 'UTC', 'skip', 'default', 0, 1, 'the skill is gone')`,
      `delete from techne.schedule`,
      /gave no run: weekly/,
      /techne schedule list/,
    ],
    [
      'blobs',
      `insert into techne.reference (run, digest) values ('R', 'sha256:gone')`,
      `delete from techne.reference`,
      /1 of runs \(such as R\)/,
      /backup/,
    ],
    [
      'blobs',
      `insert into techne.workspace (name, digest, files, bytes, source, by) values ('site', 'gone', 1, 1, 'x', 'x')`,
      `delete from techne.workspace`,
      /1 of workspaces \(such as site\)/,
      /backup/,
    ],
    [
      'rights',
      `revoke update on techne.run from current_user`,
      `grant update on techne.run to current_user`,
      /update on techne.run/,
      /grant/,
    ],
  ] as const)('names what is wrong with %s', async (name, breaking, mending, detail, hint) => {
    const isRights = name === 'rights';
    const url = new URL(database.url);
    if (isRights) {
      // A superuser lacks no right, so another user is asked.
      url.username = 'doctor_guest';
      url.password = 'guest';
      await database.query(`create role doctor_guest login password 'guest'`);
      await database.query(`grant usage on schema techne, techne_queue to doctor_guest`);
      await database.query(
        `grant select, insert, update, delete on all tables in schema techne, techne_queue to doctor_guest`,
      );
      await database.query(`grant usage on all sequences in schema techne, techne_queue to doctor_guest`);
    }
    const before = await doctor(url.toString());
    expect(before.of(name)?.ok).toBe(true);
    await database.query(breaking.replace('current_user', 'doctor_guest'));
    try {
      const { code, of } = await doctor(url.toString());
      expect([code, of(name)]).toEqual([
        3,
        {
          name,
          ok: false,
          detail: expect.stringMatching(detail) as string,
          hint: expect.stringMatching(hint) as string,
        },
      ]);
    } finally {
      await database.query(mending.replace('current_user', 'doctor_guest'));
    }
    expect((await doctor(url.toString())).of(name)?.ok).toBe(true);
    if (isRights) {
      await database.query('drop owned by doctor_guest');
      await database.query('drop role doctor_guest');
    }
  });
});

describe('what cannot be broken in a test', () => {
  const settings = { commit: 'on', fsync: 'on', pages: 'on' };
  it.each([
    ['fine settings', judgeDurability(settings, { user: 'u' }), true],
    ['synchronous_commit off', judgeDurability({ ...settings, commit: 'off' }, { user: 'u' }), false],
    ['fsync off', judgeDurability({ ...settings, fsync: 'off' }, { user: 'u' }), false],
    ['no full pages', judgeDurability({ ...settings, pages: 'off' }, { user: 'u' }), false],
    ['the same clock', judgeClock(-900), true],
    ['a clock behind by some seconds', judgeClock(-4_000), null],
    ['a clock ahead by a minute', judgeClock(60_000), false],
    ['room', judgeConnections({ most: 97, used: 20, processes: 3 }), true],
    ['little room', judgeConnections({ most: 97, used: 90, processes: 3 }), null],
    ['too many processes', judgeConnections({ most: 97, used: 20, processes: 9 }), false],
    ['two connections', judgePooler(7, 8), true],
    ['one connection for two', judgePooler(7, 7), false],
    [
      'this machine without TLS',
      judgeTls({ host: '127.0.0.1:5432', server: '127.0.0.1', tls: false, url: 'postgres://u@127.0.0.1/d' }),
      true,
    ],
    [
      'another machine without TLS',
      judgeTls({
        host: 'db.example.org',
        server: '10.0.0.7',
        tls: false,
        url: 'postgres://u@db.example.org/d',
      }),
      false,
    ],
    [
      'TLS that no one checks',
      judgeTls({ host: 'db', server: '10.0.0.7', tls: true, url: 'postgres://u@db/d?sslmode=no-verify' }),
      false,
    ],
    [
      'TLS',
      judgeTls({ host: 'db', server: '10.0.0.7', tls: true, url: 'postgres://u@db/d?sslmode=verify-full' }),
      true,
    ],
  ] as const)('%s', (_, { ok, hint }, expected) => {
    expect(ok).toBe(expected);
    expect(hint === null).toBe(expected === true);
  });
});
