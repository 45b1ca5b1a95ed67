// Bundles src/ into dist/: one file per package export, the CLI, and chunks that load when needed.
//
// A no-op when dist/ is newer than everything it is made of, unless --force is given. The code is replaced as a whole, and
// so are the declarations: a build that fails leaves the last one in place. Every user can read dist/.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildStudio } from './build-studio.mjs';
import { checkStages, createGroups } from './chunk-groups.mjs';
import { packageEntries, packageJson } from './package-entries.mjs';
import { projectFolder, setup } from './setup.mjs';
import { writeNotices } from './third-party.mjs';

const dist = `${projectFolder}dist`;

/** Entries that also load in browsers: they import nothing of Node. */
const forBrowsers = ['client'];

/** Names stay readable in stack traces. */
const minify = { compress: false, mangle: false, codegen: true };

/** Loaded with `import()` by some modules, statically by others; both is intended. */
const sharedLater =
  /src\/(?:node\/watching|run\/budget\/limits|scripted\/(?:world|script-file|model)|techne\/(?:open-matcher|open-runs|open-skills)|prompt\/skill-session)\.ts is dynamically imported/;

export async function build({ force = false, types = true } = {}) {
  setup();
  const built = newestOf(inputs);
  const studioBuilt = newestOf(studioInputs);
  if (force || !isCurrent(dist, built)) await replace(dist, bundle, force ? [] : ['studio']);
  if (force || !isCurrent(`${dist}/studio`, studioBuilt)) await replace(`${dist}/studio`, buildStudio);
  if (types && (force || !isCurrent(`${dist}/types`, built))) await replace(`${dist}/types`, emitTypes);
}

async function bundle(out) {
  const { rolldown } = await import('rolldown');
  const { groups, plugin } = createGroups();
  const bundled = await rolldown({
    plugins: [plugin],
    cwd: projectFolder,
    input: {
      ...Object.fromEntries(
        Object.keys(packageEntries)
          .filter((name) => !forBrowsers.includes(name))
          .map((name) => [name, `src/${name}.ts`]),
      ),
      cli: 'src/cli/main.ts',
    },
    platform: 'node',
    // The driver of Postgres is optional: whoever keeps runs in a database installs it.
    external: /^(?:node:|pg$|@dbos-inc\/)/,
    // Its ES modules, which node's condition does not lead to.
    resolve: { alias: { yaml: `${projectFolder}node_modules/yaml/browser/index.js` } },
    transform: {
      define: {
        TECHNE_VERSION: JSON.stringify(packageJson.version),
        TECHNE_YAML: JSON.stringify('dist/yaml.cjs'),
      },
    },
    onLog(level, log, handle) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' && sharedLater.test(log.message)) return;
      if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
      handle(level, log);
    },
  });
  const { output } = await bundled.write({
    dir: out,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify,
    codeSplitting: { groups },
  });
  await bundled.close();
  checkStages(output);
  // The library of YAML must load synchronously, which ES modules cannot on Node 20.
  const yaml = await rolldown({ cwd: projectFolder, input: 'yaml', platform: 'node' });
  const { output: yamlOutput } = await yaml.write({ file: `${out}/yaml.cjs`, format: 'cjs', minify });
  await yaml.close();
  // One file without any import, which a browser can load as it is.
  for (const name of forBrowsers) {
    const alone = await rolldown({ cwd: projectFolder, input: `src/${name}.ts`, platform: 'neutral' });
    await alone.write({ file: `${out}/${name}.js`, format: 'esm', minify, codeSplitting: false });
    await alone.close();
  }
  writeNotices(`${out}/THIRD-PARTY-NOTICES.md`, [...output, ...yamlOutput]);
}

/** tsc writes a declaration for each source file; one for each entry ships. */
async function emitTypes(out) {
  const every = `${out}/every`;
  const tsc = `${projectFolder}node_modules/typescript/bin/tsc`;
  const done = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', every], {
    cwd: projectFolder,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error('the type declarations could not be made');
  const { rollTypes } = await import('./roll-types.mjs');
  const { texts } = rollTypes(
    Object.fromEntries(Object.keys(packageEntries).map((name) => [name, `${every}/${name}.d.ts`])),
  );
  for (const [name, text] of texts) writeFileSync(`${out}/${name}.d.ts`, text);
  rmSync(every, { recursive: true });
}

/** Makes a folder anew, beside the old one, which it replaces when it is complete. `kept`: folders in it that go over as they are. */
async function replace(folder, make, kept = []) {
  const out = mkdtempSync(`${projectFolder}dist-`);
  try {
    await make(out);
    writeFileSync(`${out}/.stamp`, '');
    // mkdtemp makes a folder that only its owner can enter.
    chmodSync(out, 0o755);
    for (const name of kept)
      if (existsSync(`${folder}/${name}`)) renameSync(`${folder}/${name}`, `${out}/${name}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(out, folder);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function isCurrent(folder, newest) {
  const stamp = `${folder}/.stamp`;
  return existsSync(stamp) && statSync(stamp).mtimeMs >= newest;
}

const inputs = [
  'src',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** The client shares the table of operations and the client of the API with the server. */
const studioInputs = [
  'studio',
  'src/api',
  'src/base',
  'src/client',
  'scripts/build-studio.mjs',
  'package-lock.json',
];

function newestOf(paths) {
  return Math.max(...paths.map((input) => newestIn(`${projectFolder}${input}`)));
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // A folder's own time counts too: it changes when a file is removed.
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(`${path}/${name}`)));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build({ force: process.argv.includes('--force') });
