// A peer for the first run of a process: XState imported, and a chain of 3 steps in memory.  node peer-xstate-first.mjs -> {"ms"}
const began = performance.now();
const { openXstate } = await import('../peer-xstate.mjs');
await openXstate(3)();
console.log(JSON.stringify({ ms: performance.now() - began }));
