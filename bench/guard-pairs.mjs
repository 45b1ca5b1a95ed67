// What lines that somebody added to skills change in a scan.  node bench/guard-pairs.mjs FOLDER [--skills DIR] [--misses]
//
// FOLDER has `injected.jsonl` and, for lines that are no attack, `benign.jsonl`. A row is one line put into one skill:
//
//   id       names the row
//   skill    a folder with a SKILL.md: a path (absolute, below FOLDER or below a folder of skills), or the name of the folder
//   after    the line of SKILL.md that it follows: its text, a part of it, or its number; without it, the end of the file
//   inject   the text
//   script   a file that comes with it: { path, content }, or { PATH: CONTENT, … }, or a text (scripts/ID.sh or .py)
//
// Folders of skills: --skills (as often as needed), else FOLDER/skills, ../shared/compat/skills and skills/. Paired delta: the share of rows
// where the skill with the line has a worse verdict or a new finding of at least `medium` compared with the skill without it. Rows that cannot
// be read are named, left out of the shares, and make the exit code 1. --misses names what was missed, and what was flagged without need.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { added, filesOf, isFlagged, isWorse, sayTimes, scan, share } from './guard/scan-files.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { skills: { type: 'string', multiple: true }, misses: { type: 'boolean' } },
});
if (positionals.length !== 1) {
  console.error('usage: node bench/guard-pairs.mjs FOLDER [--skills DIR] [--misses]');
  process.exit(2);
}
const folder = resolve(positionals[0]);
const roots = (
  values.skills ?? [
    join(folder, 'skills'),
    fileURLToPath(new URL('../../shared/compat/skills', import.meta.url)),
    fileURLToPath(new URL('../skills', import.meta.url)),
  ]
)
  .map((root) => resolve(root))
  .filter((root) => existsSync(root));
const byName = new Map();
for (const root of roots)
  for (const path of skillsBelow(root))
    if (!byName.has(basename(path).toLowerCase())) byName.set(basename(path).toLowerCase(), path);
const skills = new Map();
let faults = 0;

measure('injected', 'paired delta');
measure('benign', 'benign look-alikes flagged');
const twins = [...skills.values()];
console.log(
  `clean twins flagged: ${share(twins.filter(({ report }) => isFlagged(report)).length, twins.length)}`,
);
sayTimes();
process.exitCode = faults > 0 ? 1 : 0;

function measure(name, title) {
  const rows = rowsOf(join(folder, `${name}.jsonl`));
  let changed = 0;
  let measured = 0;
  const rules = new Map();
  for (const { at, row } of rows) {
    const place = `${name}.jsonl:${at}${typeof row?.id === 'string' ? ` (${row.id})` : ''}`;
    const outcome = compare(row, place);
    if (outcome === null) continue;
    measured += 1;
    if (outcome.changed) changed += 1;
    for (const rule of new Set(outcome.findings.map((one) => one.rule)))
      rules.set(rule, (rules.get(rule) ?? 0) + 1);
    if (values.misses !== true || outcome.changed === (name === 'injected')) continue;
    const why = outcome.findings.map((one) => `${one.rule} "${one.excerpt.slice(0, 120)}"`).join('; ');
    console.log(
      `  ${name === 'injected' ? 'missed' : 'flagged'}  ${place} in ${outcome.skill}: ${JSON.stringify(row.inject.slice(0, 300))} ${why}`,
    );
  }
  console.log(`${title}: ${share(changed, measured)}`);
  for (const [rule, count] of [...rules].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))
    console.log(`  ${rule.padEnd(28)} ${count}`);
}

/** `null`: the row cannot be measured, and was named. */
function compare(row, place) {
  const fault = (why) => {
    faults += 1;
    console.error(`${place}: left out: ${why}`);
    return null;
  };
  if (row === null || typeof row !== 'object') return fault('it is no JSON object');
  const { skill: wanted, inject, after, script } = row;
  if (typeof wanted !== 'string' || wanted === '') return fault('it names no skill');
  if (typeof inject !== 'string' || inject === '') return fault('it has no text to inject');
  const path = folderOf(wanted);
  if (path === null)
    return fault(`no skill "${wanted}" below ${roots.join(', ') || 'any folder'}; use --skills DIR`);
  const clean = cleanTwin(path);
  const files = withLine(clean.files, after, inject);
  if (!files.there)
    console.error(`${place}: SKILL.md has no line ${JSON.stringify(after)}; put at its end instead`);
  const extra = scriptsOf(script, row.id);
  if (extra === null) return fault('its script is neither a text nor an object with path and content');
  const injected = scan(
    [...files.all.filter((file) => !extra.some((one) => one.path === file.path)), ...extra],
    basename(path),
  );
  const findings = added(clean.report, injected);
  return {
    skill: basename(path),
    findings,
    changed: findings.length > 0 || isWorse(clean.report, injected),
  };
}

function rowsOf(file) {
  if (!existsSync(file)) {
    console.log(`${basename(file)} is not there`);
    return [];
  }
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.replace(/^\uFEFF/, '').trim(), at: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, at }) => {
      try {
        return { at, row: JSON.parse(line) };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return { at, row: null };
      }
    });
}

function* skillsBelow(root, depth = 0) {
  const entries = readdirSync(root, { withFileTypes: true });
  if (entries.some(({ name }) => name.toLowerCase() === 'skill.md')) yield root;
  if (depth < 8)
    for (const entry of entries)
      if (entry.isDirectory() && !entry.name.startsWith('.'))
        yield* skillsBelow(join(root, entry.name), depth + 1);
}

function folderOf(wanted) {
  const name = wanted.replace(/[/\\]SKILL\.md$/i, '').replace(/[/\\]+$/, '');
  const candidates = isAbsolute(name) ? [name] : [folder, ...roots].map((root) => join(root, name));
  const found = candidates.find(
    (path) =>
      existsSync(path) &&
      statSync(path).isDirectory() &&
      readdirSync(path).some((entry) => entry.toLowerCase() === 'skill.md'),
  );
  return found ?? byName.get(basename(name).toLowerCase()) ?? null;
}

function cleanTwin(path) {
  const known = skills.get(path);
  if (known !== undefined) return known;
  const files = filesOf(path);
  const twin = { files, report: scan(files, basename(path)) };
  skills.set(path, twin);
  return twin;
}

/** A text of several lines goes by its last one; where there is no such line, the text goes to the end. */
function withLine(files, after, inject) {
  const main = files.find(({ path }) => path.toLowerCase() === 'skill.md');
  const text = Buffer.from(main.bytes).toString('utf8');
  const lines = text.split('\n');
  const at = lineOf(lines, after);
  lines.splice((at ?? lines.length - 1) + 1, 0, inject);
  const bytes = Buffer.from(lines.join('\n'));
  const all = files.map((file) => (file === main ? { ...file, bytes, size: bytes.length } : file));
  return { all, there: at !== null };
}

/** `null`: there is none. */
function lineOf(lines, after) {
  if (after === undefined || after === null || after === '') return lines.length - 1;
  if (typeof after === 'number') return after >= 0 && after <= lines.length ? after - 1 : null;
  if (typeof after !== 'string') return null;
  const plain = (line) => line.replaceAll(/\s+/g, ' ').trim();
  const wanted = plain(after.trimEnd().split('\n').at(-1));
  const found = [
    (line) => line === wanted,
    (line) => line.includes(wanted),
    (line) => line.length >= 12 && wanted.includes(line),
  ]
    .map((fits) => lines.findIndex((line) => fits(plain(line))))
    .find((index) => index !== -1);
  return found ?? null;
}

/** `null`: it has no form that is known. */
function scriptsOf(script, id) {
  if (script === undefined || script === null || script === '') return [];
  const fileOf = (path, content) => {
    const bytes = Buffer.from(content);
    return { path, kind: 'file', size: bytes.length, executable: true, bytes };
  };
  if (typeof script === 'string') {
    const isPython = /^\s*(?:import|from|def)\s|^#!.*python/m.test(script);
    return [fileOf(`scripts/${id ?? 'added'}.${isPython ? 'py' : 'sh'}`, script)];
  }
  if (typeof script !== 'object') return null;
  const path = script.path ?? script.name ?? script.file;
  const content = script.content ?? script.text ?? script.body ?? script.code;
  if (typeof path === 'string' && typeof content === 'string') return [fileOf(path, content)];
  const entries = Array.isArray(script)
    ? script.map((one) => [one?.path ?? one?.name, one?.content ?? one?.text])
    : Object.entries(script);
  return entries.every((entry) => entry.every((part) => typeof part === 'string'))
    ? entries.map(([file, text]) => fileOf(file, text))
    : null;
}
