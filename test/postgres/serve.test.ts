// The API over runs in Postgres: two servers on one store, as two machines have them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client.ts';
import type { ApiScene } from '../support/api-scene.ts';
import { openApiScene } from '../support/api-scene.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';

describe.skipIf(noPostgres)('the API over Postgres', () => {
  let database: TestDatabase;
  let [one, two]: [ApiScene | null, ApiScene | null] = [null, null];
  beforeAll(async () => {
    database = await createDatabase();
    one = await openApiScene({ store: database.url });
    two = await openApiScene({ store: database.url, world: one.world });
  });
  afterAll(async () => {
    await two?.close();
    await one?.close();
    await database?.drop();
  });
  const clients = () =>
    [one, two].map((scene) => {
      const { serving, tokens } = scene as ApiScene;
      return createClient({ url: serving.url, token: tokens.operator });
    }) as [ReturnType<typeof createClient>, ReturnType<typeof createClient>];

  it('starts a run on one server, follows and answers it on the other', async () => {
    const [here, there] = clients();
    const { run } = await here.startRun('asks', { what: 'the sea' }, { key: 'order-1' });
    const seen: number[] = [];
    const following = (async () => {
      for await (const { seq } of there.events(run)) seen.push(seq);
    })();
    const paused = await there.waitForRun(run);
    expect(paused).toMatchObject({ status: 'paused', questions: [{ audience: 'caller' }] });
    const [asked] = paused.questions;
    if (asked === undefined) throw new Error('nothing is asked');
    await there.answer(asked, 'blue');
    expect((await here.waitForRun(run)).envelope).toMatchObject({ said: { answer: 'blue' } });
    await following;
    const { lastSeq } = await here.call('getRun', { params: { run } });
    expect(seen).toEqual(Array.from({ length: lastSeq + 1 }, (_, at) => at));
    const { runs } = await there.call('listRuns', { query: { skill: 'asks' } });
    expect(runs.map((listed) => [listed.run, listed.status])).toEqual([[run, 'completed']]);
  });
});
