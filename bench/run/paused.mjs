// Runs that wait, all in one process: node paused.mjs PARTS FOLDER COUNT -> {"rssMb", "startMs", "resumeMs": {"median", "most"}}
//
// W1. All are started at once, do three effects each and wait for an answer.
// W2. Then some of them, taken from all over, are answered and resumed one after the other while the rest waits.
import { pathToFileURL } from 'node:url';

const [partsFile, folder, countText] = process.argv.slice(2);
const { AnswerLater, answerer, openBench } = await import(pathToFileURL(partsFile).href);
const count = Number(countText);
const { runner, store } = openBench({
  folder,
  durable: true,
  answers: { ...answerer, answer: async () => Promise.reject(new AnswerLater('caller')) },
});
const began = performance.now();
const paused = await Promise.all(
  Array.from({ length: count }, () => runner.start({ skill: 'pause', input: { n: 3 } })),
);
const startMs = performance.now() - began;
if (paused.some(({ status }) => status !== 'paused'))
  throw new Error(paused.find(({ status }) => status !== 'paused').text);
const rssMb = process.memoryUsage().rss / 1024 / 1024;
const resumed = [];
for (let at = 0; at < count; at += Math.ceil(count / 100)) {
  const {
    run,
    questions: [{ id, nonce }],
  } = paused[at];
  await runner.answer(run, { question: id, nonce, value: 'go on', from: 'caller' });
  const from = performance.now();
  const result = await runner.resume(run);
  resumed.push(performance.now() - from);
  if (result.status !== 'completed') throw new Error(result.text);
}
resumed.sort((a, b) => a - b);
await store.close();
console.log(
  JSON.stringify({
    rssMb,
    startMs,
    resumeMs: { median: resumed[resumed.length >> 1], most: resumed.at(-1) },
  }),
);
