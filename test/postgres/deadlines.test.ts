// Runs that do not end in time, with real workers: while they wait, while they are driven, while no worker takes them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam, programSkill, until } from '../support/team.ts';

describe.skipIf(noPostgres)('deadlines of served runs', () => {
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(
      {
        ...programSkill('asks', 'def run(input):\n    return ask("Topic?")["answer"]\n'),
        ...programSkill('slow', 'def run(input):\n    command(["sleep", "300"])\n    return "slept"\n'),
        ...programSkill('quick', 'def run(input):\n    return "done"\n'),
      },
      { commands: { allow: ['sleep *'] }, sandbox: { mode: 'off' } },
    );
  }, 60_000);
  afterAll(() => team.close());

  const submit = async (skill: string, ...more: readonly string[]): Promise<string> => {
    const { out, err } = await team.techne(
      'run',
      skill,
      'a=1',
      '--submit',
      '--answer',
      'caller',
      '--json',
      ...more,
    );
    expect(err).toBe('');
    return (JSON.parse(out) as { run: string }).run;
  };
  const ended = (run: string): Promise<{ readonly status: string; readonly cancelled: unknown }> =>
    until(async () => {
      const shown = JSON.parse((await team.techne('runs', 'show', run, '--json')).out) as {
        status: string;
        endedAt: number | null;
        cancelled: unknown;
      };
      return shown.endedAt === null ? null : shown;
    });
  const reason = expect.stringMatching(/^its deadline has passed: it was to end by 20\d\d-.*Z$/) as string;

  it('end a run that waits, one that is driven and one that no worker takes, and leave others alone', async () => {
    const waiting = await submit('asks', '--deadline', '3s');
    const driven = await submit('slow', '--deadline', '3s');
    const queued = await submit('quick', '--deadline', '3s', '--queue', 'no-one-listens');
    const later = await submit('asks', '--deadline', '1h');
    await team.startWorker();
    for (const run of [waiting, driven, queued])
      expect(await ended(run)).toMatchObject({ status: 'cancelled', cancelled: { by: 'deadline', reason } });
    const left = await until(async () => {
      const { status } = JSON.parse((await team.techne('runs', 'show', later, '--json')).out) as {
        status: string;
      };
      return status === 'paused' ? status : null;
    });
    expect(left).toBe('paused');
    expect((await team.techne('worker', 'held')).err).toContain('No run is held');
  }, 120_000);

  it('are taken over HTTP, and refused where no worker could keep them', async () => {
    const made = await team.world.run(['serve', 'token', 'create', 'ann', '--role', 'runner', '--json']);
    const { token } = JSON.parse(made.out) as { token: string };
    const post = async (url: string, body: object) => {
      const response = await fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, json: (await response.json()) as { run: string; detail: string } };
    };
    const url = await team.startServer();
    const { json, status } = await post(url, { skill: 'asks', input: { a: 1 }, deadline: 2 });
    expect(status).toBe(202);
    expect(await ended(json.run)).toMatchObject({
      status: 'cancelled',
      cancelled: { by: 'deadline', reason },
    });
    expect((await post(url, { skill: 'asks', input: { a: 1 }, deadline: 0 })).status).toBe(400);
    const { out } = await team.start(['serve', '--port', '0', '--answer', 'caller'], '"url"');
    const alone = await post((JSON.parse(out) as { url: string }).url, {
      skill: 'asks',
      input: { a: 1 },
      deadline: 2,
    });
    expect([alone.status, alone.json.detail]).toEqual([
      400,
      expect.stringContaining('a deadline needs a server that leaves runs to workers'),
    ]);
  }, 120_000);

  it('are checked on the command line', async () => {
    const wrong = await team.techne('run', 'quick', 'a=1', '--submit', '--deadline', 'soon');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--deadline must be a number')]);
    expect((await team.techne('run', 'quick', 'a=1', '--deadline', '2h')).err).toContain(
      '--deadline is for --submit',
    );
    expect((await team.techne('run', 'quick', 'a=1', '--submit', '--deadline', '0s')).err).toContain(
      'has passed when the run begins',
    );
  });
});
