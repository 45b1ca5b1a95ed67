// `techne list --json`, whole process.  node bench/list.mjs [COUNT …]
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../scripts/build.mjs';
import { benchFolder, corpus } from './corpus.mjs';
import { interleave, report, sayMachine, wall } from './measure.mjs';

await build({ types: false });
const node = process.execPath;
const cli = fileURLToPath(new URL('../bin/techne.mjs', import.meta.url));
const bare = fileURLToPath(new URL('once/limit-list.mjs', import.meta.url));
const peers = `${benchFolder}/peers/node_modules`;
const counts = process.argv.slice(2).map(Number);

sayMachine();
for (const count of counts.length > 0 ? counts : [1000]) {
  const root = corpus(count);
  const home = `${benchFolder}/home-${count}`;
  mkdirSync(`${home}/.claude`, { recursive: true });
  mkdirSync(`${home}/.agents`, { recursive: true });
  for (const host of ['.claude', '.agents'])
    if (!existsSync(`${home}/${host}/skills`)) symlinkSync(root, `${home}/${host}/skills`);
  const env = { ...process.env, HOME: home };

  const contenders = {
    'bare node script': () => wall(node, [bare, root], { env }),
    'techne list --json (no cache)': () =>
      wall(node, [cli, 'list', '--json', '--no-cache', '--root', root], { env }),
    'techne list --json': () => wall(node, [cli, 'list', '--json', '--root', root], { env }),
  };
  if (existsSync(`${peers}/openskills`))
    contenders['openskills list'] = () =>
      wall(node, [`${peers}/openskills/dist/cli.js`, 'list'], { env, cwd: home });
  if (existsSync(`${peers}/skills`))
    contenders['skills list --json'] = () =>
      wall(node, [`${peers}/skills/bin/cli.mjs`, 'list', '--json', '-g'], { env, cwd: home });
  report(`list --json of ${count}, whole process`, interleave(contenders, 9), 'bare node script', {
    'techne list --json (no cache)': 1.6,
    'techne list --json': 1.6,
  });
}
