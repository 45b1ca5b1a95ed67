// What scripts/crash-journal.mjs bundles.
export { countCalls, crashRun } from './crash-store.ts';
export { checkCut, checkFlip, checkTear, makeJournal } from './damage-bytes.ts';
export { takeOver } from './two-owners.ts';
export { seededRandom } from '../../support/faulty-journal-files.ts';
