// parts.mjs -> JavaScript under .bench/, bundled as the package is; with BENCH_PLAIN=1 in lines, for profiles.
import { fileURLToPath } from 'node:url';
import { benchFolder } from '../corpus.mjs';

/** The path of the bundle. */
export async function bundleParts() {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: fileURLToPath(new URL('parts.mjs', import.meta.url)),
    platform: 'node',
    external: /^node:/,
    transform: { define: { TECHNE_VERSION: '"bench"' } },
  });
  const file = `${benchFolder}/run/parts.mjs`;
  await bundle.write({ file, format: 'esm', minify: process.env.BENCH_PLAIN === '1' ? false : { compress: false, mangle: false, codegen: true } });
  await bundle.close();
  return file;
}
