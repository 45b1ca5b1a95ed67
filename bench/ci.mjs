// `techne ci` in a repository of 500 skills of which 3 changed, whole process.  node bench/ci.mjs [ROUNDS]
//
// Four of five skills are real files from the corpus with four test prompts each; every fifth is a shipped skill under a new
// name, with its tests and prompts. The bar is 3 seconds with warm caches.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.mjs';
import { benchFolder, corpus } from './corpus.mjs';
import { interleave, report, sayMachine, wall } from './measure.mjs';

const count = 500;
const rounds = Number(process.argv[2] ?? 5);
const node = process.execPath;
const cli = fileURLToPath(new URL('../bin/techne.mjs', import.meta.url));
const shipped = fileURLToPath(new URL('../skills', import.meta.url));

await build({ types: false });
const repository = createRepository();
const home = `${benchFolder}/ci-home`;
rmSync(home, { recursive: true, force: true });
mkdirSync(home, { recursive: true });
const env = { PATH: process.env.PATH, HOME: home };
const options = { cwd: repository, env };

sayMachine();
const once = (...argv) => {
  const start = performance.now();
  const { status, stderr } = spawnSync(node, [cli, 'ci', ...argv], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0 && status !== 1) throw new Error(`techne ci ${argv.join(' ')}: ${stderr}`);
  return performance.now() - start;
};
console.log(`${count} skills, 3 changed, no cache: ${Math.round(once('--base', 'main'))} ms`);
console.log(`every skill, caches of 3: ${Math.round(once('--every'))} ms`);
console.log(`every skill, warm: ${Math.round(once('--every'))} ms`);
const difference = ['-c', 'core.quotePath=false', 'diff', '--name-only', 'main'];
report(
  `ci of ${count} skills, 3 changed, whole process`,
  interleave(
    {
      'git diff, then bare node': () => wall('git', difference, options) + wall(node, ['-e', ''], options),
      'techne list --json': () => wall(node, [cli, 'list', '--json', '--root', 'skills'], options),
      'techne ci': () => once('--base', 'main'),
      'techne ci --only check': () => once('--base', 'main', '--only', 'check'),
    },
    rounds,
  ),
  'git diff, then bare node',
  {},
);

function createRepository() {
  const folder = `${benchFolder}/ci-${count}`;
  if (existsSync(`${folder}.done`)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/skills`, { recursive: true });
  const real = readdirSync(corpus(1000)).sort();
  const own = readdirSync(shipped).sort();
  for (let at = 0; at < count; at += 1) {
    if (at % 5 === 0) {
      const name = own[(at / 5) % own.length];
      const target = `${folder}/skills/${name}-${at}`;
      cpSync(`${shipped}/${name}`, target, { recursive: true });
      for (const file of ['SKILL.md', 'evals/evals.json'])
        writeFileSync(
          `${target}/${file}`,
          readFileSync(`${target}/${file}`, 'utf8').replaceAll(name, `${name}-${at}`),
        );
    } else {
      const name = real[at * 2];
      cpSync(`${corpus(1000)}/${name}`, `${folder}/skills/${name}`, { recursive: true });
      const prompt = (kind, message, expected) => ({ kind, message, expected });
      const triggers = [
        prompt('explicit', `/${name}`, name),
        prompt('explicit', `/${name} and show me`, name),
        prompt('neighbouring-domain', 'What is the time in Lisbon?', null),
        prompt('neighbouring-domain', 'Thank you, that is all.', null),
      ];
      mkdirSync(`${folder}/skills/${name}/evals`);
      writeFileSync(
        `${folder}/skills/${name}/evals/evals.json`,
        JSON.stringify({ skill_name: name, triggers, rubric: ['It works.'] }),
      );
    }
  }
  const git = (...argv) => {
    const done = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...argv], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (done.status !== 0) throw new Error(done.stderr);
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  git('switch', '-q', '-c', 'change');
  const all = readdirSync(`${folder}/skills`).sort();
  for (const name of [
    all[50],
    all.find((one) => one.startsWith('require-heading-')),
    all.find((one) => one.startsWith('pr-review-')),
  ]) {
    const file = `${folder}/skills/${name}/SKILL.md`;
    writeFileSync(file, `${readFileSync(file, 'latin1')}\nOne more line.\n`, 'latin1');
  }
  git('commit', '-qam', 'change');
  writeFileSync(`${folder}.done`, '');
  return folder;
}
