// parts.mjs of a bench -> JavaScript under .bench/, bundled as the package is; with BENCH_PLAIN=1 in lines, for profiles.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGroups } from '../scripts/chunk-groups.mjs';
import { benchFolder } from './corpus.mjs';

/** The path of the bundle of bench/NAME/parts.mjs; what is loaded later is beside it. */
export async function bundleParts(name, external = []) {
  const { rolldown } = await import('rolldown');
  // One file for what loads at once, as in the package.
  const { groups, plugin } = createGroups([{ name: 'start', from: [`bench/${name}/parts.mjs`] }]);
  const bundle = await rolldown({
    plugins: [plugin],
    input: fileURLToPath(new URL(`${name}/parts.mjs`, import.meta.url)),
    platform: 'node',
    external: [/^node:/, ...external],
    transform: { define: { TECHNE_VERSION: '"bench"' } },
  });
  const dir = `${benchFolder}/${name}/parts`;
  rmSync(dir, { recursive: true, force: true });
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
    codeSplitting: { groups },
    minify: process.env.BENCH_PLAIN === '1' ? false : { compress: false, mangle: false, codegen: true },
  });
  await bundle.close();
  return `${dir}/parts.mjs`;
}
