// Makes a fresh clone ready: installs exactly what package-lock.json names, once.
//
// A no-op when node_modules already has what the lock file names. It never changes the lock file.
import { existsSync, readFileSync } from 'node:fs';
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
  if (isInstalled()) return;
  console.error('techne: installing dependencies from package-lock.json …');
  // npm names its own script when it starts us; without it, `npm` on PATH will do.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm reports on standard output; that belongs to the command we are setting up for.
  const stdio = ['ignore', 2, 2];
  if (npm?.endsWith('.js')) runOrExit(process.execPath, [npm, ...args], { stdio });
  else runOrExit(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio });
}

/** npm keeps what it installed in a lock file of its own, which it writes last. */
function isInstalled() {
  const installedFile = `${projectFolder}node_modules/.package-lock.json`;
  if (!existsSync(installedFile)) return false;
  const { packages: installed } = JSON.parse(readFileSync(installedFile, 'utf8'));
  const { packages: locked } = JSON.parse(readFileSync(`${projectFolder}package-lock.json`, 'utf8'));
  const isSame = (path) =>
    installed[path]?.version === locked[path]?.version &&
    installed[path]?.integrity === locked[path]?.integrity;
  return (
    Object.keys(installed).every(isSame) &&
    // Packages for other platforms are optional, and not installed.
    Object.keys(locked).every((path) => path === '' || path in installed || locked[path].optional === true)
  );
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  console.error(`techne needs Node ${major}.${minor} or newer; this is ${process.versions.node}`);
  process.exit(3);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
