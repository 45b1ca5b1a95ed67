// How well a scan tells bad skills from good ones: node bench/guard/quality.mjs [options] SET…
//
//   SET          a folder with `bad/` and `good/`, each with one folder for a skill; and `pairs/NAME/{clean,injected}`
//   --inject DIR puts each line of injected-lines.yaml into clean skills of DIR, and counts how often it adds a finding
//   --held       only the lines that are held out (by a hash of their id); default: only the others
//   --misses     names what was missed and what was wrongly flagged, with the rules
//   --rules      how often each rule flagged good and bad skills
//
// Flagged: the verdict is caution or dangerous. Paired delta: the injected twin has a finding of at least `medium` that the clean one lacks.
// Sets are fetched by whoever measures; nothing of them is kept here. Intervals are Wilson's, 95 %.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { added, filesOf, isFlagged, isWarning, sayTimes, scan, share } from './scan-files.mjs';

const options = new Set(process.argv.slice(2).filter((word) => word.startsWith('--')));
const injectAt = process.argv.indexOf('--inject');
const sets = process.argv.slice(2).filter((word, at) => !word.startsWith('--') && at + 2 !== injectAt + 1);

for (const set of sets) measureSet(set);
if (injectAt !== -1) measureInjections(process.argv[injectAt + 1]);
sayTimes();

function measureSet(set) {
  const bad = scanAll(join(set, 'bad'));
  const good = scanAll(join(set, 'good'));
  const name = set.split('/').filter(Boolean).slice(-2).join('/');
  const hits = bad.filter(({ flagged }) => flagged).length;
  const alarms = good.filter(({ flagged }) => flagged).length;
  const parts = [name.padEnd(24)];
  if (bad.length > 0) parts.push(`recall ${share(hits, bad.length)}`);
  if (good.length > 0) parts.push(`FPR ${share(alarms, good.length)}`);
  if (bad.length > 0 && good.length > 0)
    parts.push(`F1 ${((2 * hits) / (2 * hits + alarms + bad.length - hits)).toFixed(3)}`);
  const open = [...bad, ...good].filter(({ report }) => report.verdict === 'incomplete').length;
  if (open > 0) parts.push(`${open} incomplete`);
  const pairs = existsSync(join(set, 'pairs')) ? readdirSync(join(set, 'pairs')) : [];
  if (pairs.length > 0) {
    const deltas = pairs.filter(
      (pair) =>
        added(scanFolder(join(set, 'pairs', pair, 'clean')), scanFolder(join(set, 'pairs', pair, 'injected')))
          .length > 0,
    );
    parts.push(`paired delta ${share(deltas.length, pairs.length)}`);
  }
  console.log(parts.join('  '));
  if (options.has('--misses')) {
    for (const { name: skill } of bad.filter(({ flagged }) => !flagged)) console.log(`  missed   ${skill}`);
    for (const { name: skill, report } of good.filter(({ flagged }) => flagged))
      for (const finding of report.findings.filter(isWarning))
        console.log(
          `  flagged  ${skill} ${finding.rule} ${finding.severity} ${finding.hiddenBy.join('+')} ${finding.file}:${finding.line} ${JSON.stringify((finding.decoded ?? finding.excerpt).slice(0, 220))}`,
        );
  }
  if (options.has('--rules')) {
    const counts = new Map();
    for (const [label, list] of [
      ['bad', bad],
      ['good', good],
    ])
      for (const { report } of list)
        for (const rule of new Set(report.findings.filter(isWarning).map(({ rule: code }) => code))) {
          const count = counts.get(rule) ?? { bad: 0, good: 0 };
          count[label] += 1;
          counts.set(rule, count);
        }
    for (const [rule, { bad: inBad, good: inGood }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.log(
        `  ${rule.padEnd(28)} bad ${String(inBad).padStart(4)}  good ${String(inGood).padStart(4)}`,
      );
  }
}

function measureInjections(folder) {
  const lines = parse(readFileSync(new URL('injected-lines.yaml', import.meta.url), 'utf8')).filter(
    ({ id }) => (hash(id) % 2 === 0) === options.has('--held'),
  );
  const hosts = readdirSync(folder).sort();
  const byGoal = new Map();
  let found = 0;
  let total = 0;
  const clean = new Map();
  for (const { id, goal, line } of lines) {
    for (let copy = 0; copy < 3; copy += 1) {
      const host = hosts[hash(`${id}/${copy}`) % hosts.length];
      const files = filesOf(join(folder, host));
      if (!clean.has(host)) clean.set(host, scan(files, host));
      const injected = scan(inject(files, line, hash(`${id}+${copy}`)), host);
      const hit = added(clean.get(host), injected).length > 0;
      total += 1;
      if (hit) found += 1;
      else if (options.has('--misses')) console.log(`  missed   ${id} in ${host}`);
      const count = byGoal.get(goal) ?? [0, 0];
      byGoal.set(goal, [count[0] + (hit ? 1 : 0), count[1] + 1]);
    }
  }
  console.log(
    `injected lines (${options.has('--held') ? 'held out' : 'to tune on'}): paired delta ${share(found, total)} of ${lines.length} lines, each in 3 skills`,
  );
  for (const [goal, [hits, count]] of byGoal) console.log(`  ${goal.padEnd(14)} ${hits}/${count}`);
  const alarms = [...clean.values()].filter(isFlagged).length;
  console.log(`  clean twins flagged: ${share(alarms, clean.size)}`);
}

/** After a paragraph of the body. */
function inject(files, line, seed) {
  return files.map((file) => {
    if (file.path !== 'SKILL.md') return file;
    const text = Buffer.from(file.bytes).toString('utf8');
    const head = text.startsWith('---') ? text.indexOf('\n---', 3) + 4 : 0;
    const places = [];
    let fenced = false;
    for (let start = head; start !== -1 && start < text.length;) {
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      if (/^\s*(?:```|~~~)/.test(text.slice(start, end))) fenced = !fenced;
      if (!fenced && text.slice(start, end).trim() === '' && start > head) places.push(start);
      start = next === -1 ? -1 : next + 1;
    }
    const place = places.length === 0 ? text.length : places[seed % places.length];
    const bytes = Buffer.from(`${text.slice(0, place)}\n${line}\n${text.slice(place)}`);
    return { ...file, bytes, size: bytes.length };
  });
}

function scanAll(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const report = scanFolder(join(folder, name));
      return { name, report, flagged: isFlagged(report) };
    });
}

function scanFolder(folder) {
  return scan(filesOf(folder), basename(folder));
}

function hash(text) {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
