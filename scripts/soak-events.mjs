// Many subscribers to one run: node scripts/soak-events.mjs [SUBSCRIBERS]   (default 1000)
//
// Starts the built `techne serve` in a folder of its own, starts a run that waits, opens the streams, lets the run go on, and counts
// what each of them got. The exit code is 1 if one of them lost an entry or got one twice.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from './setup.mjs';

const subscribers = Number(process.argv[2] ?? 1_000);
const { createClient } = await import(`${projectFolder}dist/client.js`);
const folder = mkdtempSync(join(tmpdir(), 'techne-soak-'));
const [home, work] = [join(folder, 'home'), join(folder, 'work')];
const skill = join(work, '.techne/skills/many');
for (const path of [join(home, '.techne'), skill, join(work, '.git')]) mkdirSync(path, { recursive: true });
writeFileSync(join(home, '.techne/config.json'), JSON.stringify({ trust: { folders: [work] } }));
writeFileSync(
  join(skill, 'SKILL.md'),
  '---\nname: many\ndescription: Traces a lot. Use in a soak.\nmetaskill: SKILL.star\n---\n\n# many\n',
);
writeFileSync(
  join(skill, 'SKILL.star'),
  'def run(input):\n  ask("go on?")\n  for n in range(90):\n    trace("n", {"n": n})\n  ask("and now?")\n  return "done"\n',
);
const bin = `${projectFolder}bin/techne.mjs`;
const env = { PATH: process.env.PATH, HOME: home };
const run = (...argv) => spawnSync(process.execPath, [bin, ...argv], { cwd: work, env, encoding: 'utf8' });
const token = run('serve', 'token', 'create', 'soak', '--role', 'operator').stdout.trim();
const child = spawn(
  process.execPath,
  [bin, 'serve', '--port', '0', '--json', '--answer', 'caller', '--rate', '100000'],
  {
    cwd: work,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const url = await new Promise((resolve) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text).url);
    });
  });
  const client = createClient({ url, token });
  const { run: id } = await client.startRun('many', { a: 1 });
  const answer = async (text) => {
    const { questions } = await client.waitForRun(id);
    await client.answer(questions[0], text);
  };
  await client.waitForRun(id);
  const follow = async () => {
    const seen = [];
    for await (const { seq } of client.events(id)) seen.push(seq);
    return seen;
  };
  const following = [];
  const startedMs = performance.now();
  while (following.length < subscribers) {
    for (let at = 0; at < 50 && following.length < subscribers; at += 1) following.push(follow());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (;;) {
    const open = /^techne_event_streams (\d+)$/m.exec(await client.call('metrics'))?.[1];
    if (Number(open) >= subscribers) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const openedMs = performance.now();
  await answer('yes');
  await answer('yes');
  const all = await Promise.all(following);
  const endedMs = performance.now();
  const { lastSeq } = await client.call('getRun', { params: { run: id } });
  const wrong = all.filter(
    (seen) => seen.length !== lastSeq + 1 || seen.some((seq, at) => seq !== at),
  ).length;
  const memory = /^process_resident_memory_bytes (\d+)$/m.exec(await client.call('metrics'))?.[1];
  console.log(
    `${subscribers} subscribers, ${lastSeq + 1} entries each: ${wrong} with a loss or a repetition; opened in ${Math.round(openedMs - startedMs)} ms, all had everything ${Math.round(endedMs - openedMs)} ms after the run went on; server ${Math.round(Number(memory) / 1_048_576)} MiB`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true, force: true });
}
