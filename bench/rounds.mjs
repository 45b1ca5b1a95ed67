// Measurements of one process -> medians, also of the rounds in which nobody else was busy.
//
// R1. Every round runs each measurement, one after the other.
// R2. A neighbour on the same core halves the speed of everything. So a fixed piece of work is timed before and after
//     each measurement; `quiet` counts only those where it took at most 1.15 of its best time.
// R3. What is hot is compiled in the first runs; a process that runs skills has that behind it.

const warmUpRounds = 10;

/** `measurements`: name -> () => milliseconds. Returns name -> {median, least, quiet, quietRounds}. */
export async function measureRounds(measurements, rounds) {
  const seen = Object.fromEntries(Object.keys(measurements).map((name) => [name, []]));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(measurements)) {
      const before = fixedWork();
      const ms = await measure();
      if (round >= 0) seen[name].push({ ms, fixed: Math.max(before, fixedWork()) });
    }
  }
  const best = Math.min(...Object.values(seen).flatMap((all) => all.map((one) => one.fixed)));
  const quiet = (all) => all.filter((one) => one.fixed <= best * 1.15);
  return Object.fromEntries(
    Object.entries(seen).map(([name, all]) => [
      name,
      {
        median: median(all),
        least: Math.min(...all.map(({ ms }) => ms)),
        quiet: median(quiet(all)),
        quietRounds: quiet(all).length,
      },
    ]),
  );
}

const median = (all) =>
  all.length === 0 ? null : all.map(({ ms }) => ms).sort((a, b) => a - b)[all.length >> 1];

const fixed = {
  type: 'effect.ended',
  at: 1722222222222,
  key: 's55',
  ok: true,
  result: { value: { text: 'ok', value: null, truncated: false } },
  ms: 0,
};
let units = 0;
function fixedWork() {
  const began = performance.now();
  for (let at = 0; at < 400; at += 1) units += JSON.stringify(fixed).length;
  return performance.now() - began;
}

export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** For what takes only some milliseconds: five in a row, since what came before has cooled the caches. */
export async function middle(measure) {
  const all = [];
  for (let at = 0; at < 5; at += 1) all.push(await measure());
  return all.sort((a, b) => a - b)[2];
}

/** The floor of durable work: `times` appends of `length` bytes, a sync behind each. */
export async function appendAndSync(file, length, times) {
  const bytes = new Uint8Array(length).fill(0x61);
  const ms = await timed(async () => {
    for (let at = 0; at < times; at += 1) {
      await file.write(bytes, at * bytes.length);
      await file.sync();
    }
  });
  await file.close();
  return ms;
}
