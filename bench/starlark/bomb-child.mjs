// One bomb in a process of its own: node bomb-child.mjs NAME [MAX_STEPS] -> {"code", "right", "ms", "cpuMs", "rssMb", "alive"}
//
// `alive`: afterwards the same process runs another program as if nothing had been.
import { existsSync, readFileSync } from 'node:fs';
import * as doors from '../../dist/starlark.js';
import { bombs, explode } from './bomb-list.mjs';

const [name, maxSteps] = process.argv.slice(2);
const bomb = bombs[name];
const began = performance.now();
const before = process.cpuUsage();
const { code, right } = explode(bomb, doors, maxSteps === undefined ? undefined : Number(maxSteps));
const { user, system } = process.cpuUsage(before);
const ms = performance.now() - began;
const { program } = doors.compile('def run(n): return sorted([x * n for x in range(5)], reverse = True)');
const after = doors.start(program, { entry: 'run', args: [3] }).run();
const alive = JSON.stringify(after) === '{"kind":"done","value":[12,9,6,3,0]}';
console.log(
  JSON.stringify({
    code,
    right,
    ms: Math.round(ms),
    cpuMs: Math.round((user + system) / 1000),
    rssMb: Math.round(peakKb() / 1024),
    alive,
  }),
);

/** Where Linux says it: `resourceUsage` begins with what the process that started this one had. */
function peakKb() {
  const status = '/proc/self/status';
  const found = existsSync(status) ? /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(status, 'utf8')) : null;
  return found === null ? process.resourceUsage().maxRSS : Number(found[1]);
}
