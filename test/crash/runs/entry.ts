// What scripts/crash-runs.mjs bundles.
export { cleanRun, crashSimulated, cutSimulated, flipSimulated, usedFolder } from './simulate.ts';
export { cleanRealRun, crashReal } from './real-runs.ts';
export { runInTurns } from './run-in-turns.ts';
export { seededRandom } from '../../support/faulty-journal-files.ts';
