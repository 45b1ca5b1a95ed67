// The longest time that the event loop was held while runs went on: node event-loop.mjs PARTS FOLDER -> {"name": ms, …}
//
// L1. A timer of one millisecond beside each run; how late it came, less what it is late with nothing going on, is how
//     long others had to wait.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const [partsFile, folder] = process.argv.slice(2);
const { AnswerLater, answerer, openBench } = await import(pathToFileURL(partsFile).href);
const { runner, store } = openBench({ folder: join(folder, 'loop'), durable: true });
const later = openBench({
  folder: join(folder, 'later'),
  durable: true,
  answers: { ...answerer, answer: async () => Promise.reject(new AnswerLater('caller')) },
});

async function paused(n) {
  const { run, questions } = await later.runner.start({ skill: 'pause', input: { n } });
  await later.runner.answer(run, {
    question: questions[0].id,
    nonce: questions[0].nonce,
    value: 'go on',
    from: 'caller',
  });
  return run;
}

const works = {
  nothing: () => new Promise((resolve) => setTimeout(resolve, 300)),
  '100 effects, durable': () => runner.start({ skill: 'commands', input: { n: 100 } }),
  '100 effects at once': () => runner.start({ skill: 'asks', input: { n: 100 }, limits: { parallel: 100 } }),
  '1,000 effects, durable': () => runner.start({ skill: 'commands', input: { n: 1000 } }),
  '10 million steps': () => runner.start({ skill: 'spin', input: { n: 2_000_000 } }),
  'resume of 100 effects': async (run) => later.runner.resume(run),
  'resume of 1,000 effects': async (run) => later.runner.resume(run),
};
const prepared = {
  'resume of 100 effects': () => paused(100),
  'resume of 1,000 effects': () => paused(1000),
};
const longest = {};
for (let round = 0; round < 3; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const given = await prepared[name]?.();
    const monitor = monitorEventLoopDelay({ resolution: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    monitor.enable();
    await work(given);
    monitor.disable();
    // The first round compiles.
    if (round > 0) longest[name] = Math.min(longest[name] ?? Infinity, monitor.max / 1e6);
  }
}
await Promise.all([store, later.store].map((one) => one.close()));
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify(longest));
