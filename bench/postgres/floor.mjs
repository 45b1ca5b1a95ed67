// The same effects without techne: what the machine, Postgres and the effects themselves leave to gain from a second process.
//
//   node bench/postgres/floor.mjs ADDRESS BY RUNS EFFECTS SECONDS NAME      prints a line when it is connected, begins on SIGUSR2
//
// Four at a time: an effect, then one row of the size of an append.
import { spawn } from 'node:child_process';
import pg from 'pg';

const [url, by, runs, effects, seconds, name] = process.argv.slice(2);
const client = new pg.Pool({ connectionString: url, max: 4 });
await client.query('create table if not exists floor (id bigint generated always as identity, entry text)');
const line = 'x'.repeat(580);

const perform = {
  command: (id, step) =>
    new Promise((resolve) => {
      spawn('note', [id, step, seconds], { stdio: ['ignore', 'pipe', 'pipe'], detached: true }).on(
        'close',
        resolve,
      );
    }),
  model: async (id, step) => {
    const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content: `effect ${id} ${step} ${seconds}` }] }),
    });
    await response.text();
  },
};

process.once('SIGUSR2', async () => {
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < Number(runs)) {
        const id = `${name}n${next++}`;
        for (let step = 0; step < Number(effects); step += 1) {
          await perform[by](id, String(step));
          await client.query({
            name: 'floor',
            text: 'insert into floor (entry) values ($1)',
            values: [line],
          });
        }
      }
    }),
  );
  await client.end();
  process.exit(0);
});
console.log('ready');
