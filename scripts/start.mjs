// `npm start`: sets up, builds if needed, and runs techne.
//
//   npm start              shows the shipped skills and what to try next
//   npm start -- <args>    is `techne <args>`, in the folder npm was called from
import { spawnSync } from 'node:child_process';
import { build } from './build.mjs';
import { projectFolder } from './setup.mjs';

await build({ types: false });
const args = process.argv.slice(2);
const cli = `${projectFolder}bin/techne.mjs`;
const cwd = process.env.INIT_CWD ?? process.cwd();

if (args.length > 0) {
  process.exitCode = run(args, cwd);
} else {
  console.log('techne: the skills that come with it\n');
  process.exitCode = run(['list', '--source', 'builtin'], projectFolder);
  console.log(`
Try next (each is \`techne …\` once installed):
  npm start -- show require-heading          one skill, explained
  npm start -- check skills                  what is wrong with a skill or a folder of skills
  npm start -- doctor                        this machine, and why each skill can or cannot be used
  npm start -- new my-skill --form program   a good example to begin with
  npm start -- --help                        everything else`);
}

function run(cliArgs, folder) {
  const done = spawnSync(process.execPath, [cli, ...cliArgs], { cwd: folder, stdio: 'inherit' });
  return done.status ?? 1;
}
