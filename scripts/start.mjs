// `npm start`: installs dependencies, builds if needed, and runs techne.
//
//   npm start              runs a shipped skill end to end, offline, and shows result, trace and journal
//   npm start -- <args>    is `techne <args>`, in the folder npm was called from
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { projectFolder } from './setup.mjs';

await build({ types: false });
const args = process.argv.slice(2);
const cli = `${projectFolder}bin/techne.mjs`;
const cwd = process.env.INIT_CWD ?? process.cwd();

if (args.length > 0) process.exitCode = run(args, cwd);
else process.exitCode = demonstrate();

function demonstrate() {
  const home = writableHome();
  const argv = [
    'run',
    'require-heading',
    'task=Announce release 2.4 in a few lines.',
    'heading=Rollback plan',
    '--answer',
    'script:scripts/start-answers.yaml',
  ];
  console.log(`techne runs the skill "require-heading": it asks for a draft, checks that a heading is in it, and asks again while the heading is
missing. No model is asked here: scripts/start-answers.yaml has the answers, and the first one lacks the heading.

  $ techne ${argv.map((word) => (/^[\w./:=-]+$/.test(word) ? word : word.replace(/=(.*)$/, '="$1"'))).join(' ')}
`);
  const code = run(argv, projectFolder, home);
  if (code !== 0) return code;
  console.log(`
Try next (each is \`techne …\` once installed):
  npm start -- runs show last                 the calls of this run
  npm start -- runs replay last               replay the run from its journal, and compare the results
  npm start -- studio                         skills, runs and what waits for you, in a browser
  npm start -- run diff-review                review your uncommitted changes; asks before it runs git
  npm start -- list                           the available skills
  npm start -- test skills                    the tests of the shipped skills, offline
  npm start -- new my-skill --form program    a new skill from a template
  npm start -- --help                         all commands`);
  return 0;
}

/** Runs are kept in the home folder, or in a temporary folder if the home folder is not writable. */
function writableHome() {
  try {
    accessSync(homedir(), constants.W_OK);
    return undefined;
  } catch {
    const other = join(tmpdir(), 'techne-home');
    console.log(`(${homedir()} is not writable, so the run is kept in ${other})\n`);
    return other;
  }
}

function run(cliArgs, folder, home) {
  const env = home === undefined ? process.env : { ...process.env, HOME: home };
  const done = spawnSync(process.execPath, [cli, ...cliArgs], { cwd: folder, stdio: 'inherit', env });
  return done.status ?? 1;
}
