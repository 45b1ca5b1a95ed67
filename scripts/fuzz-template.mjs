// Long comparison of templates with Jinja2: node scripts/fuzz-template.mjs [COUNT] [SEED] [PROCESSES]
//
// Bundles test/template/differential/ and puts COUNT random templates and expressions (default 100,000) to both, in as
// many processes as there are cores. Needs a Python with Jinja2 3.1 (Debian's python3-jinja2).
// node scripts/fuzz-template.mjs --show SEED prints one of them.
import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';

const batch = 500;
const oracle = fileURLToPath(new URL('../test/template/differential/oracle.py', import.meta.url));

if (process.send === undefined) await lead();
else await work();

async function lead() {
  const bundled = await bundle();
  const { pythonWithJinja, questionOf } = await import(pathToFileURL(bundled).href);
  if (process.argv[2] === '--show') {
    const { template, expression } = questionOf(Number(process.argv[3]));
    console.log(template ?? expression);
    return;
  }
  const python = pythonWithJinja();
  if (python === null) {
    console.error('no Python with Jinja2 3.1 is installed (Debian: python3-jinja2)');
    process.exit(3);
  }
  const count = Number(process.argv[2] ?? 100_000);
  const seed = Number(process.argv[3] ?? 1);
  const processes = Number(process.argv[4] ?? availableParallelism());
  const first = seed * 10_000_000;
  const tally = {
    began: Date.now(),
    next: 0,
    done: 0,
    same: 0,
    sameErrors: 0,
    failed: 0,
    justified: new Map(),
  };
  const take = () => {
    const size = Math.min(batch, count - tally.next);
    if (size <= 0) return null;
    const given = { from: first + tally.next, count: size, python };
    tally.next += size;
    return given;
  };
  const say = () =>
    console.log(
      `${tally.done} compared, ${Math.round(tally.done / ((Date.now() - tally.began) / 1000))} a second: ${tally.same} the same (${tally.sameErrors} of them errors), ${tally.failed} different`,
    );
  const progress = setInterval(say, 60_000);
  await Promise.all(Array.from({ length: processes }, () => follow(bundled, take, tally)));
  clearInterval(progress);
  say();
  for (const [reason, times] of [...tally.justified].sort((a, b) => b[1] - a[1]))
    console.log(`  differs for a reason: ${reason.padEnd(22)} ${times}`);
  process.exitCode = tally.failed === 0 && tally.done === count ? 0 : 1;
}

/** Gives batches to one child until there are no more. */
function follow(bundled, take, tally) {
  const child = fork(fileURLToPath(import.meta.url), [bundled]);
  const give = () => {
    const given = take();
    if (given === null) child.disconnect();
    else child.send(given);
  };
  child.on('message', (message) => {
    tally.done += message.count;
    tally.same += message.same;
    tally.sameErrors += message.sameErrors;
    for (const [reason, times] of message.justified)
      tally.justified.set(reason, (tally.justified.get(reason) ?? 0) + times);
    for (const difference of message.differences) {
      tally.failed += 1;
      console.log(`DIFFERENT ${difference}\n`);
    }
    give();
  });
  give();
  return new Promise((ended) => {
    child.on('exit', (code, signal) => {
      if (code !== 0) {
        tally.failed += 1;
        console.log(`DIED (${code ?? signal})`);
      }
      ended();
    });
  });
}

async function work() {
  const { compareRange, describeDifference } = await import(pathToFileURL(process.argv[2]).href);
  process.on('message', ({ from, count, python }) => {
    const { same, sameErrors, justified, differences } = compareRange(python, from, count, oracle);
    process.send({
      count,
      same,
      sameErrors,
      justified: [...justified],
      differences: differences.map(describeDifference),
    });
  });
}

async function bundle() {
  const { rolldown } = await import('rolldown');
  const folder = fileURLToPath(new URL('../node_modules/.cache/techne-fuzz/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const made = await rolldown({
    input: fileURLToPath(new URL('../test/template/differential/run.ts', import.meta.url)),
    platform: 'node',
    external: /^node:/,
  });
  await made.write({ file: `${folder}template-fuzz.mjs`, format: 'esm' });
  await made.close();
  return `${folder}template-fuzz.mjs`;
}
