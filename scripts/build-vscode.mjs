// The extension of VS Code: node scripts/build-vscode.mjs [--out FOLDER]
//
//   editors/vscode/src -> one file, dist/extension.js -> techne-VERSION.vsix
//
// The client of the protocol is bundled, so that the package has no node_modules. The same sources give the same bytes.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder, setup } from './setup.mjs';
import { writeNotices } from './third-party.mjs';
import { packVsix } from './pack-vsix.mjs';

const source = `${projectFolder}editors/vscode`;

/** What is packed besides the bundle. */
const parts = ['package.json', 'README.md', 'language-configuration.json', 'snippets', 'syntaxes'];

/** Gives the path of the package. */
export async function buildExtension(out = source) {
  setup();
  rmSync(join(out, 'dist'), { recursive: true, force: true });
  mkdirSync(join(out, 'dist'), { recursive: true });
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    cwd: source,
    input: 'src/extension.ts',
    platform: 'node',
    external: ['vscode'],
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
      handle(level, log);
    },
  });
  const { output } = await bundled.write({
    file: join(out, 'dist', 'extension.js'),
    format: 'cjs',
    minify: { compress: false, mangle: false, codegen: true },
  });
  writeNotices(join(out, 'dist', 'THIRD-PARTY-NOTICES.md'), output);
  const manifest = JSON.parse(readFileSync(`${source}/package.json`, 'utf8'));
  const files = new Map([
    ...parts.flatMap((part) => filesIn(part).map((path) => [path, readFileSync(join(source, path))])),
    ['dist/extension.js', readFileSync(join(out, 'dist', 'extension.js'))],
    ['dist/THIRD-PARTY-NOTICES.md', readFileSync(join(out, 'dist', 'THIRD-PARTY-NOTICES.md'))],
    ['LICENSE.txt', readFileSync(`${projectFolder}LICENSE`)],
  ]);
  const path = join(out, `${manifest.name}-${manifest.version}.vsix`);
  writeFileSync(path, packVsix(manifest, files));
  return path;
}

function filesIn(part) {
  if (!statSync(join(source, part)).isDirectory()) return [part];
  return readdirSync(join(source, part)).map((name) => `${part}/${name}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--out');
  const path = await buildExtension(at === -1 ? undefined : process.argv[at + 1]);
  console.log(`${basename(path)}: ${Math.ceil(statSync(path).size / 1024)} KiB`);
}
