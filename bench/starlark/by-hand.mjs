// What V8 itself needs for programs/skill_mix.star, written by hand in JavaScript: node bench/starlark/by-hand.mjs
//
// No machine, no limits, no snapshot. Prints wall clock and CPU of the first run in this process.
function parse(line) {
  const fields = line.split('|');
  if (fields.length !== 4) return null;
  return new Map([
    ['path', fields[0].trim()],
    ['level', fields[1].trim().toLowerCase()],
    ['line', parseInt(fields[2].trim(), 10)],
    ['message', fields[3].trim()],
  ]);
}

function weight(finding) {
  const level = finding.get('level');
  return level === 'error' ? 100 : level === 'warning' ? 10 : 1;
}

function group(findings) {
  const files = new Map();
  for (const finding of findings) {
    const path = finding.get('path');
    if (!files.has(path)) files.set(path, []);
    files.get(path).push(finding);
  }
  return files;
}

function sumOf(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

function summary(files) {
  const lines = [];
  const ranked = [...files]
    .map((entry) => ({ weight: -sumOf(entry[1].map(weight)), entry }))
    .sort((a, b) => a.weight - b.weight || (a.entry[0] < b.entry[0] ? -1 : 1))
    .map(({ entry }) => entry);
  for (const [path, findings] of ranked.slice(0, 20)) {
    let worst = findings[0];
    for (const finding of findings) if (weight(finding) > weight(worst)) worst = finding;
    lines.push(`## ${path} (${findings.length})`);
    const first = findings.slice().sort((a, b) => a.get('line') - b.get('line'));
    for (const finding of first.slice(0, 5))
      lines.push(
        `- ${finding.get('line')}: ${finding.get('message')} [${finding.get('level').toUpperCase()}]`,
      );
    lines.push(`worst: ${worst.get('message')}`);
  }
  return lines.join('\n');
}

function run() {
  const levels = ['error', 'warning', 'info', 'Info'];
  const rows = [];
  for (let i = 0; i < 4000; i += 1)
    rows.push(
      `src/file${i % 97}.ts | ${levels[(i * 7) % 4]} | ${(i * 31) % 500} | problem ${i % 13} in call`,
    );
  const text = rows.join('\n');
  let out = 0;
  for (let round = 0; round < 9; round += 1) {
    const findings = text
      .split(/\r?\n/)
      .map(parse)
      .filter((finding) => finding !== null);
    const report = summary(group(findings));
    const state = JSON.parse(JSON.stringify({ report, count: findings.length }));
    out += state.report.length + state.count;
  }
  return out;
}

const before = process.cpuUsage();
const began = performance.now();
const result = run();
const wallMs = performance.now() - began;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ result, wallMs, cpuMs: (user + system) / 1000 }));
