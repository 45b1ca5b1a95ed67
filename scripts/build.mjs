// Bundles src/ into dist/: one file per package export, the CLI, and chunks that load when needed.
//
// B1. A no-op when dist/ is newer than everything it is made of, unless --force is given.
// B2. dist/ is replaced as a whole: a build that fails leaves the last one in place.
// B3. dist/ can be read by every user, as the rest of the project, also where it was made by another one.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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
    test: /src\/(?:base\/(?:nearest|printable|display-width)|cli\/(?:dispatch|commands|run-commands|prompt-commands|match-commands|mcp-commands|command-spec|parse-arguments|render-help|render-failure|exit-code|colour))\.ts$/,
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

/** Loaded with `import()` by some, at once by others; both is meant. */
const sharedLater = /src\/(?:node\/watching|scripted\/(?:answerer|script-file))\.ts is dynamically imported/;

export async function build({ force = false, types = true } = {}) {
  setup();
  if (!force && isCurrent(types)) return;
  const { rolldown } = await import('rolldown');
  const out = mkdtempSync(`${projectFolder}dist-`);
  try {
    const bundle = await rolldown({
      cwd: projectFolder,
      input: {
        index: 'src/index.ts',
        skill: 'src/skill.ts',
        starlark: 'src/starlark.ts',
        'ai-sdk': 'src/ai-sdk.ts',
        cli: 'src/cli/main.ts',
      },
      platform: 'node',
      external: /^node:/,
      transform: { define: { TECHNE_VERSION: JSON.stringify(readVersion()) } },
      onLog(level, log, handle) {
        // What commands about runs load at once, others load when they need it.
        if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' && sharedLater.test(log.message)) return;
        if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
        handle(level, log);
      },
    });
    await bundle.write({
      dir: out,
      format: 'esm',
      chunkFileNames: 'chunks/[name]-[hash].js',
      minify: { compress: false, mangle: false, codegen: true },
      codeSplitting: { groups },
    });
    await bundle.close();
    if (types) emitTypes(`${out}/types`);
    writeFileSync(`${out}/.stamp`, types ? 'with types' : 'without types');
    // mkdtemp makes a folder that only its owner can enter.
    chmodSync(out, 0o755);
    rmSync(dist, { recursive: true, force: true });
    renameSync(out, dist);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function emitTypes(outDir) {
  const tsc = `${projectFolder}node_modules/typescript/bin/tsc`;
  const done = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', outDir], {
    cwd: projectFolder,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error('the type declarations could not be made');
  for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = `${outDir}/${name}`;
    // There are no .ts files beside the declarations; TypeScript looks for `x.d.ts` when it reads `x.js`.
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        /(\bfrom\s+|\bimport\(\s*|\bimport\s+)(['"])(\.{1,2}\/[^'"\n]+)\.ts\2/g,
        '$1$2$3.js$2',
      ),
    );
  }
}

function isCurrent(types) {
  const stamp = `${dist}/.stamp`;
  if (!existsSync(stamp)) return false;
  if (types && readFileSync(stamp, 'utf8') !== 'with types') return false;
  const builtAt = statSync(stamp).mtimeMs;
  const inputs = [
    'src',
    'package.json',
    'package-lock.json',
    'scripts/build.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
  ];
  return inputs.every((input) => newestIn(`${projectFolder}${input}`) <= builtAt);
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // A folder's own time counts too: it changes when a file is removed.
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestIn(`${path}/${name}`)));
}

function readVersion() {
  return JSON.parse(readFileSync(`${projectFolder}package.json`, 'utf8')).version;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await build({ force: process.argv.includes('--force') });
