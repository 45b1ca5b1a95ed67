// What the benches of the guard take from src/.
export { scanSkill } from '../../src/guard/scan.ts';
export { nodeGuardPorts } from '../../src/node/guard-ports.ts';
