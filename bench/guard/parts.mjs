// What bench/guard.mjs measures.
export { scanSkill } from '../../src/guard/scan.ts';
export { readTree } from '../../src/guard/read-tree.ts';
export { nodeGuardPorts } from '../../src/node/guard-ports.ts';
export { createNodeFiles } from '../../src/node/files/files.ts';
export { createNameBook } from '../../src/guard/detect/name-book.ts';
