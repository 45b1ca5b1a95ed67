// Every bomb in a process of its own, with its time and memory: node bench/starlark/bombs.mjs [NAME PART …]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.mjs';
import { sayMachine } from '../measure.mjs';
import { bombs } from './bomb-list.mjs';

// The smaller of wall clock and CPU time counts: on a busy machine the wall clock says how busy it is.
const bars = { ms: 2000, rssMb: 300 };
const child = fileURLToPath(new URL('bomb-child.mjs', import.meta.url));
await build({ types: false });
sayMachine();
const wanted = process.argv.slice(2);
const names = Object.keys(bombs).filter(
  (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
const worst = { ms: 0, rssMb: 0 };
let missed = 0;
console.log(
  `  ${'bomb'.padEnd(38)} ${'ended with'.padEnd(18)} ${'ms'.padStart(6)} ${'CPU ms'.padStart(7)} ${'MB'.padStart(5)}`,
);
for (const name of names) {
  const done = spawnSync(process.execPath, [child, name], {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  if (done.status !== 0) {
    missed += 1;
    console.log(
      `  ${name.padEnd(38)} ${done.signal === null ? `exit ${done.status}` : done.signal}: ${done.stderr
        .split('\n')
        .filter((line) => /Error|heap|FATAL/.test(line))
        .slice(0, 2)
        .join(' ')}`,
    );
    continue;
  }
  const { code, right, ms, cpuMs, rssMb, alive } = JSON.parse(done.stdout);
  const faults = [
    right ? '' : 'WRONG CODE',
    alive ? '' : 'NOT ALIVE',
    Math.min(ms, cpuMs) > bars.ms ? 'TOO SLOW' : '',
    rssMb > bars.rssMb ? 'TOO LARGE' : '',
  ].filter((fault) => fault !== '');
  if (faults.length > 0) missed += 1;
  worst.ms = Math.max(worst.ms, Math.min(ms, cpuMs));
  worst.rssMb = Math.max(worst.rssMb, rssMb);
  console.log(
    `  ${name.padEnd(38)} ${String(code).padEnd(18)} ${String(ms).padStart(6)} ${String(cpuMs).padStart(7)} ${String(rssMb).padStart(5)}  ${faults.join(', ')}`,
  );
}
console.log(
  `\n  ${names.length} bombs: ${missed} missed a bar (${bars.ms} ms, ${bars.rssMb} MB); worst ${worst.ms} ms, ${worst.rssMb} MB`,
);
process.exitCode = missed === 0 ? 0 : 1;
