// A worker that cannot begin says why and ends, so that whatever runs it can start it again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noPostgres } from '../support/postgres.ts';
import type { Team } from '../support/team.ts';
import { createTeam } from '../support/team.ts';

describe.skipIf(noPostgres)('techne worker', () => {
  let team: Team;
  beforeAll(async () => {
    team = await createTeam({});
  }, 60_000);
  afterAll(() => team.close());

  it('ends when the queue cannot be used', async () => {
    const worker = await team.startWorker();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGTERM');
    await ended;
    await team.database.query('drop schema techne_queue cascade');
    await team.database.query('create schema techne_queue');
    await expect(team.startWorker()).rejects.toThrow(/worker .* ended with [1-9]/);
    // One that is put in order again works.
    await team.database.query('drop schema techne_queue');
    await team.startWorker();
  }, 180_000);
});
