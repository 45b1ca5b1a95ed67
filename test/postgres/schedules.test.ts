// Schedules as a team has them: made on the command line, fired by real workers, one of which is killed at the worst moment.
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';

describe.skipIf(noPostgres)('schedules of a team', () => {
  let team: Team;
  let database: TestDatabase;
  beforeAll(async () => {
    team = await createTeam(
      programSkill(
        'greet',
        'def run(input):\n    return "hello %s" % input["who"]\n',
        'inputs:\n  who: {type: string, required: true}\n',
      ),
    );
    ({ database } = team);
  }, 60_000);
  afterEach(async () => {
    team.killAll();
    await database.query('delete from techne.schedule');
    await database.query('delete from techne.served');
  });
  afterAll(() => team.close());

  const techne: Team['techne'] = (...argv) => team.techne(...argv);
  const startWorker: Team['startWorker'] = () => team.startWorker();
  /** As if its time had come two minutes ago. */
  const makeDue = (name: string) =>
    database.query('update techne.schedule set next_at = next_at - 120000 where name = $1', [name]);
  const row = async (name: string) =>
    (
      await database.query<{ last_run: string | null; fault: string | null; taken_until: string | null }>(
        'select last_run, fault, taken_until from techne.schedule where name = $1',
        [name],
      )
    )[0];
  const keys = async () =>
    await database.query<{ key: string; run: string; made: boolean }>(
      `select v.key, v.run, exists (select 1 from techne.run r where r.run = v.run) as made from techne.served v order by v.key`,
    );

  it('are made, shown, paused, resumed and removed on the command line', async () => {
    const inFiles = await team.world.run(['schedule', 'list']);
    expect([inFiles.code, inFiles.err]).toEqual([2, expect.stringContaining('--store postgres://')]);
    const wrong = await techne('schedule', 'add', 'greet', '--cron', '61 * * * *', '-i', 'who=Ann');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Invalid value for minute')]);
    expect((await techne('schedule', 'add', 'greet', '--cron', '0 0 30 2 *', '-i', 'who=Ann')).err).toContain(
      'never comes',
    );
    expect((await techne('schedule', 'add', 'greet', '--cron', '@daily')).err).toContain(
      'the skill "greet" needs "who"',
    );
    expect((await techne('schedule', 'add', 'gret', '--cron', '@daily')).err).toContain(
      'did you mean "greet"?',
    );
    expect((await techne('schedule', 'add', 'greet', '-i', 'who=Ann')).err).toContain('--cron is missing');
    expect((await techne('schedule', 'list')).err).toContain('There is no schedule yet');
    const made = await techne(
      'schedule',
      'add',
      'greet',
      '--cron',
      '0 6 * * MON-FRI',
      '--timezone',
      'Europe/Berlin',
      '--missed',
      'skip',
      '--name',
      'morning',
      '-i',
      'who=Ann',
    );
    expect([made.code, made.out]).toEqual([
      0,
      expect.stringContaining('Workers start greet at "0 6 * * MON-FRI" in Europe/Berlin, next at'),
    ]);
    expect(
      (await techne('schedule', 'add', 'greet', '--cron', '@daily', '--name', 'morning', '-i', 'who=Bob'))
        .err,
    ).toContain('there is a schedule "morning" already');
    const shown = await techne('schedule', 'show', 'morning', '--json');
    expect(JSON.parse(shown.out)).toMatchObject({
      skill: 'greet',
      input: { who: 'Ann' },
      missed: 'skip',
      isPaused: false,
      following: expect.objectContaining({ length: 5 }) as unknown,
    });
    expect((await techne('schedule', 'pause', 'morning')).out).toContain(
      'starts nothing until it is resumed',
    );
    expect((await techne('schedule')).out).toMatch(
      /morning +greet +0 6 \* \* MON-FRI Europe\/Berlin +paused +not yet/,
    );
    expect((await techne('schedule', 'resume', 'morning')).out).toContain('next at');
    expect((await techne('schedule', 'remove', 'morning')).out).toContain('is removed');
    expect((await techne('schedule', 'show', 'morning')).err).toContain('there is no schedule "morning"');
  }, 120_000);

  it('are one run on two workers, which says what started it; a skill that is gone stops no other', async () => {
    await techne('schedule', 'add', 'greet', '--cron', '* * * * *', '-i', 'who=Ann');
    await techne('schedule', 'add', 'greet', '--cron', '* * * * *', '--name', 'gone', '-i', 'who=Ann');
    await database.query(`update techne.schedule set skill = 'lost' where name = 'gone'`);
    await Promise.all([startWorker(), startWorker()]);
    await makeDue('greet');
    await makeDue('gone');
    const run = await until(async () => (await row('greet'))?.last_run);
    const fault = await until(async () => (await row('gone'))?.fault);
    expect(fault).toContain(`SKILL_UNKNOWN: there is no skill 'lost'`);
    const shown = await until(async () => {
      const { out } = await techne('runs', 'show', run);
      return out.includes('completed') ? out : null;
    });
    expect(shown).toMatch(/by +schedule greet, for 20\d\d-/);
    expect(shown).toContain('hello Ann');
    expect((await techne('schedule', 'list')).out).toMatch(/gone +lost .* failed .*SKILL_UNKNOWN/);
    // Each key is one time, and each time is one run.
    const found = await keys();
    expect(found.every(({ made }) => made)).toBe(true);
    expect(new Set(found.map(({ run: of }) => of)).size).toBe(found.length);
    const now = await techne('schedule', 'run-now', 'greet', '--answer', 'caller', '--json');
    expect(JSON.parse(now.out)).toMatchObject({ schedule: 'greet', run: expect.any(String) as string });
  }, 120_000);

  it('are one run when the worker is killed between the key and the run', async () => {
    await techne('schedule', 'add', 'greet', '--cron', '0 0 * * *', '-i', 'who=Ann');
    const lock = new pg.Client({ connectionString: database.url });
    await lock.connect();
    // The key can be entered, and the run cannot be made.
    await lock.query('begin');
    await lock.query('lock table techne.run in share row exclusive mode');
    const worker = await startWorker();
    await database.query('update techne.schedule set next_at = next_at - 86400000');
    const [first] = await until(async () => {
      const found = await keys();
      return found.length > 0 ? found : null;
    });
    await until(async () => ((await row('greet'))?.taken_until === null ? null : true));
    expect(first?.made).toBe(false);
    worker.kill('SIGKILL');
    // Whatever it had sent dies with it.
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'techne' and datname = current_database() and wait_event_type = 'Lock'`,
    );
    await lock.query('rollback');
    await lock.end();
    expect(await keys()).toEqual([{ ...first, made: false }]);
    await startWorker();
    expect(await until(async () => (await row('greet'))?.last_run)).toBe(first?.run);
    expect(await keys()).toEqual([{ ...first, made: true }]);
  }, 120_000);

  it('are one run when the worker is killed between the run and the schedule', async () => {
    await techne('schedule', 'add', 'greet', '--cron', '0 0 * * *', '-i', 'who=Ann');
    await database.query(`create function techne.wait_here() returns trigger language plpgsql as $$
      begin perform pg_sleep(300); return new; end $$`);
    await database.query(`create trigger wait_here before update of next_at on techne.schedule for each row
      when (new.next_at > old.next_at) execute function techne.wait_here()`);
    const worker = await startWorker();
    await database.query('update techne.schedule set next_at = next_at - 86400000');
    await until(async () => {
      const [found] = await database.query(
        `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
      );
      return found;
    });
    worker.kill('SIGKILL');
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    );
    const before = await keys();
    expect([before.length, before[0]?.made, (await row('greet'))?.last_run]).toEqual([1, true, null]);
    await database.query('drop trigger wait_here on techne.schedule');
    await startWorker();
    expect(await until(async () => (await row('greet'))?.last_run)).toBe(before[0]?.run);
    expect(await keys()).toEqual(before);
  }, 120_000);
});
