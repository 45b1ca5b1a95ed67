// Counts the source files that take part in one cold `techne run` of a program: `node scripts/walk.mjs [--files]`.
//
// src/ is built file by file and the command runs with V8's coverage. A file takes part when one of its named functions ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageJson } from './package-entries.mjs';
import { projectFolder } from './setup.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'techne-walk-'));
try {
  await buildModules(join(scratch, 'dist'));
  runSkill();
  report(filesThatRan());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function buildModules(out) {
  const bundle = await rolldown({
    cwd: projectFolder,
    input: 'src/cli/main.ts',
    platform: 'node',
    external: (id) => id.startsWith('node:') || !/^[./]|^src\//.test(id),
    transform: {
      define: {
        TECHNE_VERSION: JSON.stringify(packageJson.version),
        TECHNE_YAML: JSON.stringify('node_modules/yaml/dist/index.js'),
      },
    },
    onLog: () => {},
  });
  await bundle.write({
    dir: out,
    format: 'esm',
    preserveModules: true,
    preserveModulesRoot: join(projectFolder, 'src'),
  });
  await bundle.close();
  for (const name of ['node_modules', 'skills', 'package.json'])
    symlinkSync(join(projectFolder, name), join(scratch, name));
}

function runSkill() {
  const main = join(scratch, 'dist/cli/main.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { runProcess } = await import(${JSON.stringify(main)});
       process.argv = ['node', 'techne', 'run', 'require-heading', 'task=Announce it', 'heading=Rollback plan',
         '--answer', 'script:' + ${JSON.stringify(join(projectFolder, 'scripts/start-answers.yaml'))}];
       await runProcess();`,
    ],
    {
      cwd: scratch,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: join(scratch, 'home'),
        NODE_V8_COVERAGE: join(scratch, 'coverage'),
      },
    },
  );
  if (status !== 0) throw new Error(`the run failed (${status}): ${stderr}`);
}

/** Files of src/ with a named function that ran, in alphabetical order. */
function filesThatRan() {
  const coverage = join(scratch, 'coverage');
  const ran = new Set();
  for (const name of readdirSync(coverage)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, name), 'utf8')).result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      if (!file.startsWith(join(scratch, 'dist') + '/')) continue;
      if (functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0))
        ran.add(file.slice(join(scratch, 'dist').length + 1).replace(/\.js$/, '.ts'));
    }
  }
  return [...ran].sort((a, b) => (a < b ? -1 : 1));
}

function report(files) {
  const folders = new Map();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  for (const [folder, inFolder] of folders) {
    process.stdout.write(`${String(inFolder.length).padStart(4)}  ${folder}\n`);
    if (process.argv.includes('--files'))
      for (const file of inFolder) process.stdout.write(`        ${file}\n`);
  }
  process.stdout.write(`${String(files.length).padStart(4)}  in all\n`);
}
