// watch-once ROOT INDEX [quiet]   one watch, measured; the table goes to stderr
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndexCache } from '../../src/node/files/index-cache.ts';
import { createNodeFiles } from '../../src/node/files/files.ts';
import { loadRoot, watchRoot } from '../../test/support/watch-root.ts';

const [root = '', indexPath = '', quiet] = process.argv.slice(2);
const say = (label: string, value: string): void =>
  void (quiet === undefined && console.error(`  ${label.padEnd(44)} ${value}`));
const ms = (from: number): string => `${(performance.now() - from).toFixed(0)} ms`;
const mb = (): number => {
  global.gc?.();
  return process.memoryUsage().rss / 1024 / 1024;
};

// A watch does not keep a process alive.
const alive = setInterval(() => undefined, 1000);

const index = createIndexCache({ path: indexPath, files: createNodeFiles(), version: 'bench' });

const loading = performance.now();
await loadRoot(root, index);
say('load alone (index cache)', ms(loading));
const before = mb();
const starting = performance.now();
const watch = await watchRoot(root, { pollMs: 2000, pinBytes: 0 }, index);
say('start the watch (load included)', ms(starting));
say('memory for it', `${(mb() - before).toFixed(1)} MB`);
say('polling', String(watch.degraded));

const replaced = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = watch.on((event) => {
      if (event.type !== 'snapshot.replaced') return;
      stop();
      resolve();
    });
  });
await sleep(500);
const name = watch.snapshot.skills[0]?.name ?? '';
for (let turn = 0; turn < 3; turn += 1) {
  const seen = replaced();
  const editing = performance.now();
  writeFileSync(
    join(root, name, 'SKILL.md'),
    `---\nname: ${name}\ndescription: Use when it is turn ${turn}.\n---\nText.\n`,
  );
  await seen;
  say('an edit until it is seen (20 ms of quiet)', ms(editing));
  await sleep(100);
}
const switching = performance.now();
const seen = replaced();
for (const skill of watch.snapshot.skills.slice(0, 500))
  writeFileSync(skill.file, `---\nname: ${skill.name}\ndescription: Use on the other branch.\n---\nText.\n`);
await seen;
say('500 files written, until the first is seen', ms(switching));
while (watch.snapshot.skills.slice(0, 500).some((skill) => skill.description !== 'Use on the other branch.'))
  await replaced();
say('and until all are', ms(switching));
const refreshing = performance.now();
await watch.refresh();
say('refresh', ms(refreshing));
const closing = performance.now();
await watch.close();
say('close', ms(closing));
clearInterval(alive);
console.log(0);
