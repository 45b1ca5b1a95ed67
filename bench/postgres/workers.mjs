// How much sooner two and four workers are done than one, with effects of 50 ms, beside what the same effects gain without techne.
//
//   npm run build && node bench/postgres/workers.mjs [rounds] [runs] [effects of a run] [workers …]
//
// The workers are processes of their own, four runs at a time each, and take turns: one, two, four, in every round, each beside as
// many processes of floor.mjs. Effects are commands, which cost a processor their start, and asks of a model, which only wait.
// Measured from the first effect to the last, by the log that the effects write; the ideal is what sleeping alone takes.
import { bundleParts } from '../bundle.mjs';
import { load, nowMs, openTeam, pause, quantile } from './team.mjs';

const [rounds = 3, runs = 48, effects = 10, ...given] = process.argv.slice(2).map(Number);
const counts = given.length === 0 ? [1, 2, 4] : given;
const seconds = 0.05;
const { openSubmitter } = await import(await bundleParts('postgres', ['pg', '@dbos-inc/dbos-sdk']));

const team = await openTeam({ answerer: 'model:openai' });

/** From the first effect to the last, when all are there. */
async function timeOf(ids) {
  const beganMs = nowMs();
  for (;;) {
    await pause(100);
    const all = team.effects();
    const times = ids.flatMap((id) =>
      Array.from({ length: effects }, (_, at) => all.get(`${id} ${at}`) ?? []).flat(),
    );
    if (times.length === ids.length * effects)
      return Math.max(...times) + seconds * 1000 - Math.min(...times);
    if (times.length > ids.length * effects)
      throw new Error(`${times.length} effects, and no more than one of each`);
    if (nowMs() - beganMs > 60_000) throw new Error(`${times.length} effects after a minute`);
  }
}

async function techne(by, workers, name) {
  const members = await Promise.all(Array.from({ length: workers }, () => team.worker('--concurrency', '4')));
  const ids = Array.from({ length: runs }, (_, at) => `${name}n${at}`);
  await Promise.all(
    ids.map((id) =>
      submitter.submit({ id, steps: String(effects), seconds: String(seconds), asks: '0', by }),
    ),
  );
  const tookMs = await timeOf(ids);
  for (const { child } of members) child.kill('SIGTERM');
  await Promise.all(members.map(({ ended }) => ended));
  return tookMs;
}

async function floor(by, workers, name) {
  const each = runs / workers;
  const names = Array.from({ length: workers }, (_, at) => `${name}p${at}`);
  const members = await Promise.all(
    names.map((one) =>
      team.startScript('floor.mjs', [team.server.url(), by, each, effects, seconds, one].map(String)),
    ),
  );
  for (const { child } of members) child.kill('SIGUSR2');
  const tookMs = await timeOf(
    names.flatMap((one) => Array.from({ length: each }, (_, at) => `${one}n${at}`)),
  );
  await Promise.all(members.map(({ ended }) => ended.catch(() => undefined)));
  return tookMs;
}

const submitter = await openSubmitter(team);
try {
  const seen = new Map();
  for (let round = 0; round < rounds; round += 1)
    for (const by of ['command', 'model'])
      for (const workers of counts)
        for (const [side, measure] of Object.entries({ techne, floor })) {
          const tookMs = await measure(by, workers, `${side}${round}${by}${workers}`);
          const key = `${side} ${by} ${workers}`;
          seen.set(key, [...(seen.get(key) ?? []), tookMs]);
          const idealMs = (runs * effects * seconds * 1000) / (4 * workers);
          console.log(
            `round ${round}, ${key}: ${(tookMs / 1000).toFixed(2)} s (ideal ${(idealMs / 1000).toFixed(2)}), load ${load()}`,
          );
        }
  for (const by of ['command', 'model'])
    for (const workers of counts.slice(1))
      for (const side of ['techne', 'floor']) {
        const ratios = seen
          .get(`${side} ${by} 1`)
          .map((ms, at) => ms / seen.get(`${side} ${by} ${workers}`)[at]);
        const perSecond = (count) =>
          (runs * effects * 1000) / quantile(seen.get(`${side} ${by} ${count}`), 0.5);
        console.log(
          `${by}, ${workers} beside one, ${side}: ${quantile(ratios, 0.5).toFixed(2)} ×${workers === 2 && side === 'techne' ? ' (bar 1.8)' : ''}; ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; ${perSecond(workers).toFixed(0)} effects/s beside ${perSecond(1).toFixed(0)}`,
        );
      }
} finally {
  await submitter.close();
  await team.close();
}
