// How long a person waits for the smallest answers.  node bench/start-up.mjs
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { build } from '../scripts/build.mjs';
import { benchFolder } from './corpus.mjs';
import { interleave, report, sayMachine, wall } from './measure.mjs';

await build({ types: false });
const cli = fileURLToPath(new URL('../bin/techne.mjs', import.meta.url));
const node = process.execPath;
const peers = `${benchFolder}/peers/node_modules`;

sayMachine();
const contenders = {
  "node -e ''": () => wall(node, ['-e', '']),
  'techne --version': () => wall(node, [cli, '--version']),
  'techne --help': () => wall(node, [cli, '--help']),
};
if (existsSync(`${peers}/openskills`))
  contenders['openskills --version'] = () => wall(node, [`${peers}/openskills/dist/cli.js`, '--version']);
if (existsSync(`${peers}/skills`))
  contenders['skills --version'] = () => wall(node, [`${peers}/skills/bin/cli.mjs`, '--version']);
report('start-up, whole process', interleave(contenders, 25), "node -e ''", { 'techne --version': 1.6 });
