// Builds the browser client (studio/) into a folder. Called by scripts/build.mjs; alone, `node scripts/build-studio.mjs` builds it into
// dist/studio, for those who work on it.
import { writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { projectFolder, setup } from './setup.mjs';

export function buildStudio(out) {
  const vite = `${projectFolder}node_modules/vite/bin/vite.js`;
  const done = spawnSync(process.execPath, [vite, 'build', '--outDir', out, '--emptyOutDir'], {
    cwd: `${projectFolder}studio`,
    // Another value, such as that of a test runner, makes Vite bundle what is for development only.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error('the studio could not be built');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  setup();
  buildStudio(`${projectFolder}dist/studio`);
  writeFileSync(`${projectFolder}dist/studio/.stamp`, '');
}
