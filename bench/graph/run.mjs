// Building the graph of a vault and following one edit, beside the floor: reading every file.
//
//   node bench/graph/run.mjs [notes]     default 10,000; makes a vault in a temporary folder and removes it
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleParts } from '../bundle.mjs';

const { Vault, createNodeFiles, nodeParseFull } = await import(await bundleParts('graph', ['yaml']));

const count = Number(process.argv[2] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'techne-bench-vault-'));
try {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const types = ['concept', 'person', 'project', 'daily', 'reading'];
  const words =
    'entropy measure of the state that a system can be in and how it moves over time with heat'.split(' ');
  for (let at = 0; at < count; at += 1) {
    const area = join(folder, `area-${at % 40}`);
    mkdirSync(area, { recursive: true });
    const link = () => `[[Note ${random(count)}]]`;
    const text = Array.from({ length: 12 }, () =>
      Array.from({ length: 14 }, () => (random(12) === 0 ? link() : words[random(words.length)])).join(' '),
    ).join('\n\n');
    writeFileSync(
      join(area, `Note ${at}.md`),
      `---\ntype: ${types[at % types.length]}\ntags: [a${at % 9}]\nprerequisite: ["${link()}", "${link()}"]\n---\n# Note ${at}\n\nleads_to:: ${link()}\n\n${text}\n\n## Tasks\n- [ ] one\n- [x] two\n`,
    );
  }
  const timed = (work) => {
    const start = process.hrtime.bigint();
    const value = work();
    return [Number(process.hrtime.bigint() - start) / 1e6, value];
  };
  const readAll = () => {
    for (const area of readdirSync(folder))
      for (const name of readdirSync(join(folder, area))) readFileSync(join(folder, area, name), 'utf8');
  };
  readAll();
  const open = () => new Vault({ files: createNodeFiles(), folder, parseFull: nodeParseFull });
  const [floor] = timed(readAll);
  const before = process.cpuUsage();
  const [first, vault] = timed(open);
  const { user, system } = process.cpuUsage(before);
  const [second] = timed(open);
  const edits = [];
  for (let at = 0; at < 200; at += 1) {
    const number = random(count);
    const path = `area-${number % 40}/Note ${number}.md`;
    const place = join(folder, path);
    writeFileSync(place, `${readFileSync(place, 'utf8')}\nAdded [[Note ${random(count)}]].\n`);
    edits.push(timed(() => vault.update(path))[0]);
  }
  const moves = [];
  for (let at = 0; at < 50; at += 1) {
    const path = `area-1/New ${at}.md`;
    writeFileSync(join(folder, path), '[[Note 1]]');
    moves.push(timed(() => vault.update(path))[0]);
  }
  const [refresh] = timed(() => vault.refresh());
  const p = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)].toFixed(2);
  console.log(
    `${count} notes, ${vault.graph.nodes().reduce((sum, { edges }) => sum + edges.length, 0)} edges`,
  );
  console.log(`read every file   ${floor.toFixed(0)} ms (the floor)`);
  console.log(`build, first      ${first.toFixed(0)} ms, ${(first / floor).toFixed(2)} x the floor`);
  console.log(`  processor time  ${((user + system) / 1000).toFixed(0)} ms`);
  console.log(`build, warm       ${second.toFixed(0)} ms, ${(second / floor).toFixed(2)} x`);
  console.log(`one edit          p50 ${p(edits, 0.5)} ms, p95 ${p(edits, 0.95)} ms`);
  console.log(`one new note      p50 ${p(moves, 0.5)} ms, p95 ${p(moves, 0.95)} ms`);
  console.log(`look at all again ${refresh.toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
