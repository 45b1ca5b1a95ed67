// `npm test`: sets up, builds, and runs the whole suite. Arguments go to vitest: `npm test -- src/skill`.
import { build } from './build.mjs';
import { projectFolder, runOrExit } from './setup.mjs';

await build();
runOrExit(process.execPath, [
  `${projectFolder}node_modules/vitest/vitest.mjs`,
  'run',
  ...process.argv.slice(2),
]);
