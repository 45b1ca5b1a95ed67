// Makes a fresh clone ready: installs exactly what package-lock.json names, once.
//
// S1. A no-op when node_modules already matches the lock file.
// S2. Never changes the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program in the project folder with this terminal; ends the process with its exit code on failure. */
export function runOrExit(program, args, options = {}) {
  const done = spawnSync(program, args, { cwd: projectFolder, stdio: 'inherit', ...options });
  if (done.error) {
    console.error(`cannot start ${program}: ${done.error.message}`);
    process.exit(3);
  }
  if (done.status !== 0) process.exit(done.status ?? 1);
}

export function setup() {
  requireNode(20, 19);
  const stampFile = `${projectFolder}node_modules/.techne-setup`;
  const wanted = createHash('sha256')
    .update(readFileSync(`${projectFolder}package-lock.json`))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  console.error('techne: installing dependencies from package-lock.json …');
  // npm names its own script when it starts us; without it, `npm` on PATH will do.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm reports on standard output; that belongs to the command we are setting up for.
  const stdio = ['ignore', 2, 2];
  if (npm?.endsWith('.js')) runOrExit(process.execPath, [npm, ...args], { stdio });
  else runOrExit(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio });
  writeFileSync(stampFile, wanted);
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  console.error(`techne needs Node ${major}.${minor} or newer; this is ${process.versions.node}`);
  process.exit(3);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
