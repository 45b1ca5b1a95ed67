// What is measured in Postgres: the engine and the store as they are, with the effects of bench/run, which cost nothing.
export { openBench } from '../run/parts.mjs';
export { openPostgresStore } from '../../src/store-postgres/open-store.ts';
export { parseStoreAddress } from '../../src/store-postgres/address.ts';
export { createQueries } from '../../src/store-postgres/queries.ts';
export { loadDriver } from '../../src/store-postgres/driver.ts';
export { pruneRuns } from '../../src/journal/prune-runs.ts';
export { sweepBlobs } from '../../src/journal/sweep-blobs.ts';
export { openSubmitter } from './submitter.mjs';
