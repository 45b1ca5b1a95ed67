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
import { packageEntries, packageJson } from './package-entries.mjs';
import { projectFolder, setup } from './setup.mjs';

const dist = `${projectFolder}dist`;

/**
 * What is shared goes into few files, since each file costs a start about a millisecond: what `--version` needs, what
 * `--help` needs, what every command that looks at skills needs; and apart from that the interpreter, and what runs need.
 */
const groups = [
  {
    name: 'start',
    priority: 6,
    test: /src\/(?:base\/(?:error|render-json|hidden-characters)|cli\/output|node\/package-info)\.ts$/,
  },
  {
    name: 'shell',
    priority: 5,
    test: /src\/(?:base\/(?:nearest|printable|display-width)|cli\/(?:spec\/[\w-]+|dispatch|parse-arguments|render-help|render-failure|exit-code|colour))\.ts$/,
  },
  // A group takes what its files import with it, unless a group before has it.
  {
    name: 'core',
    priority: 4,
    minShareCount: 6,
    test: /src\/(?:base|skill|config|registry|match|ports)\/|src\/cli\/[\w-]+\.ts$|src\/techne\/open-skills|src\/node\/(?:load-config|environment|yaml|crypto|display-path|files\/(?:files|index-cache|file-fault|make-folders|async-calls))|src\/answerers\/detect-answerers/,
  },
  { name: 'starlark', priority: 3, minShareCount: 2, test: /src\/starlark/ },
  {
    name: 'programs',
    priority: 2,
    minShareCount: 2,
    test: /src\/cli\/star\/(?:read-program|parse-data)|src\/techne\/check\/decode-program/,
  },
  {
    name: 'runs',
    priority: 1,
    minShareCount: 4,
    test: /src\/(?:run|journal|measure\/testing|cli\/run|answerers|tools|scripted)\/|src\/techne\/(?:open-runs|open-archive|find-run)|src\/node\/(?:store-file|commands|sandbox|shell|confined|ids|run-clock|watching|files\/(?:held-file|owner-record))/,
  },
];

/** Loaded with `import()` by some modules, statically by others; both is intended. */
const sharedLater =
  /src\/(?:node\/watching|scripted\/(?:answerer|script-file|load-script|open-world|model)|techne\/(?:open-matcher|open-runs)|prompt\/skill-session)\.ts is dynamically imported/;

export async function build({ force = false, types = true } = {}) {
  setup();
  const built = newestInput();
  if (force || !isCurrent(dist, built)) await replace(dist, bundle);
  if (types && (force || !isCurrent(`${dist}/types`, built))) await replace(`${dist}/types`, emitTypes);
}

async function bundle(out) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    cwd: projectFolder,
    input: {
      ...Object.fromEntries(Object.keys(packageEntries).map((name) => [name, `src/${name}.ts`])),
      cli: 'src/cli/main.ts',
    },
    platform: 'node',
    external: /^node:/,
    transform: { define: { TECHNE_VERSION: JSON.stringify(packageJson.version) } },
    onLog(level, log, handle) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' && sharedLater.test(log.message)) return;
      if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
      handle(level, log);
    },
  });
  await bundled.write({
    dir: out,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: false, mangle: false, codegen: true },
    codeSplitting: { groups },
  });
  await bundled.close();
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

/** Makes a folder anew, beside the old one, which it replaces when it is complete. */
async function replace(folder, make) {
  const out = mkdtempSync(`${projectFolder}dist-`);
  try {
    await make(out);
    writeFileSync(`${out}/.stamp`, '');
    // mkdtemp makes a folder that only its owner can enter.
    chmodSync(out, 0o755);
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

function newestInput() {
  const inputs = [
    'src',
    'scripts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  return Math.max(...inputs.map((input) => newestIn(`${projectFolder}${input}`)));
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // A folder's own time counts too: it changes when a file is removed.
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(`${path}/${name}`)));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build({ force: process.argv.includes('--force') });
