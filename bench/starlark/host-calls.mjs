// CPU milliseconds of a program that calls the host COUNT times, each call suspending the run: node host-calls.mjs COUNT ROUNDS
import { compile, start } from '../../dist/starlark.js';

const [count, rounds] = process.argv.slice(2).map(Number);
const source = `
def run(n):
    total = 0
    for i in range(n):
        total += ask(i, name = "x")
    return total
`;
const compiled = compile(source, { predeclared: ['ask'] });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics, null, 2));
let ms = Infinity;
for (let round = 0; round < rounds; round += 1) {
  const before = process.cpuUsage();
  const run = start(compiled.program, { entry: 'run', args: [count] });
  let calls = 0;
  let state = run.run();
  while (state.kind === 'host-call') {
    calls += 1;
    run.resume(state.args[0] + 1);
    state = run.run();
  }
  const spent = process.cpuUsage(before);
  ms = Math.min(ms, (spent.user + spent.system) / 1000);
  if (calls !== count || state.kind !== 'done' || state.value !== (count * (count + 1)) / 2)
    throw new Error(`${calls} calls: ${JSON.stringify(state)}`);
}
console.log(ms);
