// `npm test`: sets up, builds, and runs the whole suite. Arguments go to vitest: `npm test -- src/skill`.
import { build } from './build.mjs';
import { projectFolder, runOrExit } from './setup.mjs';

// Files that others can write grant nothing, and tests write many that shall.
process.umask(0o022);
await build();
runOrExit(process.execPath, [
  `${projectFolder}node_modules/vitest/vitest.mjs`,
  'run',
  ...process.argv.slice(2),
]);
