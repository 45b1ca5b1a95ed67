// Backup and restore as docs/guide/operating.md says them: pg_dump while a team works, pg_restore into an empty database.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';

const large = 'x'.repeat(20_000);

describe.skipIf(noPostgres)('a backup', () => {
  let team: Team;
  let restored: TestDatabase;
  beforeAll(async () => {
    team = await createTeam(
      programSkill(
        'topic',
        `def run(input):\n    print("${large}")\n    return "%s about %s" % (input["who"], ask("Topic?")["answer"])\n`,
      ),
    );
    restored = await createDatabase();
  }, 120_000);
  afterAll(async () => {
    await team.close();
    await restored.drop();
  });

  const tool = (name: string, ...argv: readonly string[]): void => {
    const { status, stderr } = spawnSync(name, argv, { encoding: 'utf8' });
    expect([name, status, stderr]).toEqual([name, 0, '']);
  };
  const statusOf = async (store: string, run: string): Promise<string> => {
    const { out } = await team.world.run(['runs', 'show', run, '--json', '--store', store]);
    return (JSON.parse(out) as { status: string }).status;
  };

  it('has every run, and a team continues them where it is restored', async () => {
    const submit = async (who: string): Promise<string> =>
      (await team.techne('run', 'topic', `who=${who}`, '--submit', '--answer', 'caller')).out.trim();
    await team.startWorker();
    const [done, waiting] = [await submit('Ann'), await submit('Bob')];
    for (const run of [done, waiting])
      await until(async () => ((await statusOf(team.store, run)) === 'paused' ? run : null));
    await team.techne('answer', done, '--text', 'tides');
    await until(async () => ((await statusOf(team.store, done)) === 'completed' ? done : null));
    team.killAll();
    const queued = await submit('Cyd');

    const file = join(team.world.folder, 'techne.dump');
    tool('pg_dump', '--format=custom', '--schema=techne', `--file=${file}`, `--dbname=${team.database.url}`);
    tool('pg_restore', '--no-owner', `--dbname=${restored.url}`, file);

    const store = `${restored.url}?lease=2`;
    const { code, out } = await team.world.run(['runs', 'replay', done, '--store', store]);
    expect([code, out]).toEqual([0, expect.stringContaining('identical')]);
    // The queue is not in the backup: it is made again, and what was queued is found in the tables.
    await team.startWorker(store);
    await until(async () => ((await statusOf(store, queued)) === 'paused' ? queued : null));
    for (const [run, topic] of [
      [waiting, 'sand'],
      [queued, 'wind'],
    ] as const) {
      await team.world.run(['answer', run, '--text', topic, '--store', store]);
      await until(async () => ((await statusOf(store, run)) === 'completed' ? run : null));
    }
    // The database that was backed up knows nothing of it.
    expect(await statusOf(team.store, waiting)).toBe('paused');
  }, 300_000);
});
