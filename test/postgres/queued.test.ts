// A run that no worker has begun: everyone who lists it sees that it is queued, also servers that did not queue it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client.ts';
import { noPostgres } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';

describe.skipIf(noPostgres)('a queued run', () => {
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(programSkill('quick', 'def run(input):\n    return "done"\n'));
  }, 60_000);
  afterAll(() => team.close());

  it('is shown as queued, then as held with the reason, and ends with a worker', async () => {
    const submitted = await team.techne('run', 'quick', '--submit', '--answer', 'caller', '--json');
    const { run } = JSON.parse(submitted.out) as { run: string };
    const listed = async (...filter: readonly string[]): Promise<unknown> => {
      const { out } = await team.techne('runs', 'list', '--json', ...filter);
      return (JSON.parse(out) as { runs: { run: string; status: string }[] }).runs.map((one) => one.status);
    };
    expect(await listed()).toEqual(['queued']);
    expect(await listed('--status', 'queued')).toEqual(['queued']);
    expect(await listed('--status', 'interrupted')).toEqual([]);
    const shown = (await team.techne('runs', 'show', run)).out;
    expect(shown).toMatch(/^run {7}\w{26} {2}queued$/m);
    expect(shown).toContain(
      'queued    waits for a worker: none that lives takes runs of the queue "default"',
    );
    expect(shown.trimEnd().split('\n').at(-1)).toBe('Workers continue it.');

    // A server that did not queue it.
    const { out } = await team.world.run(['serve', 'token', 'create', 'v', '--role', 'viewer', '--json']);
    const { token } = JSON.parse(out) as { token: string };
    const client = createClient({ url: await team.startServer(), token });
    const statusIn = async (query: { readonly status?: 'queued' | 'interrupted' }) =>
      (await client.call('listRuns', { query })).runs.map(({ status }) => status);
    expect([await statusIn({}), await statusIn({ status: 'queued' })]).toEqual([['queued'], ['queued']]);
    expect(await statusIn({ status: 'interrupted' })).toEqual([]);

    await team.database.query(`update techne.served set held = 'it kills' where run = $1`, [run]);
    expect(await listed()).toEqual(['interrupted']);
    const held = (await team.techne('runs', 'show', run)).out;
    expect(held).toContain('held      it kills');
    expect(held).toContain(`When the cause is gone:\n  techne worker release ${run} --store`);
    expect((await team.techne('worker', 'release', run)).code).toBe(0);

    await team.startWorker();
    expect(await until(async () => ((await listed()) as string[]).find((one) => one === 'completed'))).toBe(
      'completed',
    );
  }, 120_000);

  it('of a language profile that a worker does not have is left to others, which says so', async () => {
    team.killAll();
    const submitted = await team.techne('run', 'quick', '--submit', '--answer', 'caller', '--json');
    const { run } = JSON.parse(submitted.out) as { run: string };
    // As a newer techne has made it.
    const profileIs = (before: string, after: string): Promise<unknown> =>
      team.database.query(
        `update techne.entry set entry = replace(entry, $2, $3) where run = $1 and seq = 0 and position($2 in entry) > 0 returning 1`,
        [run, `"profile":"${before}`, `"profile":"${after}`],
      );
    expect(await profileIs('starlark', 'newer-starlark')).toHaveLength(1);
    const { child } = await team.start(['worker', '--answer', 'caller'], '"ready"');
    let said = '';
    child.stdout?.on('data', (text: Buffer) => (said += text.toString()));
    const left = await until(async () => /^\{.*"left".*\}$/m.exec(said)?.[0]);
    expect(JSON.parse(left)).toMatchObject({
      kind: 'left',
      run,
      reason: expect.stringContaining('but this is') as string,
    });
    const status = async (): Promise<string> =>
      (JSON.parse((await team.techne('runs', 'show', run, '--json')).out) as { status: string }).status;
    expect(await status()).toBe('queued');
    await profileIs('newer-starlark', 'starlark');
    expect(await until(async () => ((await status()) === 'completed' ? true : null))).toBe(true);
  }, 120_000);

  it('names the store and the filters in the command for older runs', async () => {
    await team.techne('run', 'quick', '--submit', '--answer', 'caller');
    const [, hint] = (await team.techne('runs', 'list', '--limit', '1', '--skill', 'quick')).out.split(
      'Older ones: ',
    );
    expect(hint?.trim()).toMatch(
      /^techne runs list --store 'postgres:\S+' --skill quick --limit 1 --cursor [0-9A-Z]{26}$/,
    );
  }, 60_000);
});
