// Which small changes of the code do the tests notice? By hand, not part of the tests: node scripts/mutate.mjs --help
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { areas, isTestOfArea, sourcesOf } from './mutate/areas.mjs';
import { applyMutant, findMutants } from './mutate/find-mutants.mjs';
import { nearestTests, readImporters } from './mutate/import-graph.mjs';
import { createMutantTests } from './mutate/mutant-tests.mjs';
import { projectFolder } from './setup.mjs';

const help = `Usage: node scripts/mutate.mjs [AREA|PATH...] [options]

Changes the code in one small place, runs the nearest tests, and says whether one of them failed. A mutant is given to the
tests in memory; no file is changed, whatever ends the command.

Areas: ${Object.keys(areas).join(', ')} (all of them when none is named), or a file or folder below src/.

  --count N        mutants of each area, taken by chance (default 25); 0 takes them all
  --seed N         which ones (default 1)
  --tests N        at most so many test files for a mutant: the one with the name of the file, those beside it, those of
                   its area, then the nearest by imports (default 24)
  --seconds N      at most so many seconds of tests for a mutant, as measured without it (default 60)
  --again FILE     only the mutants that survived or timed out in FILE, an earlier --json result
  --list           print the mutants, run nothing
  --json FILE      write the result as JSON
  --help           print this

caught      a test failed
timed out   the tests took three times as long as without the mutant; counted as caught
survived    no test failed: write one, or add the mutant to scripts/mutate/equivalent.json with the reason
equivalent  listed there: the change makes no difference that a test could see; not counted

Ends with 1 when fewer than 90 % of an area are caught, with 2 when a value of the command line is wrong.`;

const options = readOptions();
if (options === null) process.exit(2);
if (options.help) {
  console.log(help);
  process.exit();
}

const equivalents = JSON.parse(readFileSync(new URL('mutate/equivalent.json', import.meta.url), 'utf8'));
const importers = readImporters(projectFolder, ['src', 'test']);
const tests = createMutantTests({
  project: projectFolder,
  maxTests: options.tests,
  maxSeconds: options.seconds,
});
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    tests.close();
    process.exit(status);
  });
}

const results = [];
try {
  for (const area of options.areas) {
    results.push(await mutateArea(area));
    // An area that is done is kept, whatever ends the next.
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
  }
} finally {
  tests.close();
}
report();

async function mutateArea(area) {
  const texts = new Map(
    sourcesOf(projectFolder, area).map((file) => [file, readFileSync(join(projectFolder, file), 'utf8')]),
  );
  const all = [...texts].flatMap(([file, text]) => findMutants(file, text));
  const stale = equivalents.filter(
    (known) => texts.has(known.file) && !all.some((one) => isSame(known, one)),
  );
  for (const { file, onLine } of stale)
    console.log(`equivalent.json names a mutant that is not there: ${file}  ${onLine}`);
  const chosen = select(all, area).toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start,
  );
  const mutants = [];
  for (const mutant of chosen) {
    const judged = { ...name(mutant), line: mutant.line, ...(await judge(mutant, texts.get(mutant.file))) };
    mutants.push(judged);
    console.log(describe(judged));
  }
  return { area, possible: all.length, mutants };
}

async function judge(mutant, text) {
  if (options.list) return { outcome: 'possible' };
  const equivalent = equivalents.find((known) => isSame(known, mutant));
  if (equivalent !== undefined) return { outcome: 'equivalent', why: equivalent.why };
  const chosen = await tests.choose(
    nearestTests(importers, mutant.file, (test) => isTestOfArea(test, mutant.file)),
  );
  if (chosen.files.length === 0) return { outcome: 'survived', tests: 0 };
  const judged = await tests.judge({ file: mutant.file, text: applyMutant(text, mutant) }, chosen);
  return { ...judged, tests: chosen.files.length };
}

function select(all, area) {
  if (options.again !== null)
    return all.filter((mutant) => options.again.some((known) => isSame(known, mutant)));
  if (options.count === 0) return all;
  // The same mutants for the same seed, whichever other areas are named.
  const random = createRandom(`${options.seed} ${area}`);
  const left = [...all];
  return Array.from(
    { length: Math.min(options.count, all.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0],
  );
}

function report() {
  if (options.list) return;
  const columns = ['caught', 'timed out', 'survived', 'equivalent'];
  console.log(
    `\n${'area'.padEnd(30)}${columns.map((column) => column.padStart(12)).join('')}${'score'.padStart(9)}`,
  );
  for (const { area, mutants } of results) {
    const counts = columns.map((column) => mutants.filter(({ outcome }) => outcome === column).length);
    const [caught, timedOut, survived] = counts;
    const score =
      caught + timedOut + survived === 0 ? 1 : (caught + timedOut) / (caught + timedOut + survived);
    if (score < 0.9) process.exitCode = 1;
    console.log(
      `${area.padEnd(30)}${counts.map((count) => String(count).padStart(12)).join('')}${`${Math.floor(score * 1000) / 10} %`.padStart(9)}`,
    );
  }
  const broken = tests.broken();
  if (broken.length > 0) console.log(`\nLeft out, since they do not pass here in time: ${broken.join(', ')}`);
}

function describe({ outcome, file, line, onLine, change, by, why }) {
  const because = by ?? why;
  return `${outcome.padEnd(10)} ${file}:${line}  ${change}\n           ${onLine}${because === undefined ? '' : `\n           ${because}`}`;
}

/** What names a mutant although lines moved. */
function name({ file, onLine, change, nth }) {
  return { file, onLine, change, nth };
}
function isSame(a, b) {
  return a.file === b.file && a.onLine === b.onLine && a.change === b.change && a.nth === b.nth;
}

/** Numbers from 0 to 1 that follow from the text (mulberry32 over an FNV hash). */
function createRandom(text) {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ char.codePointAt(0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The options, or `null` after saying what is wrong with them. */
function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        count: { type: 'string', default: '25' },
        seed: { type: 'string', default: '1' },
        tests: { type: 'string', default: '24' },
        seconds: { type: 'string', default: '60' },
        again: { type: 'string' },
        list: { type: 'boolean', default: false },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const number = (key, least) => {
      const value = Number(values[key]);
      if (!Number.isInteger(value) || value < least)
        throw new Error(`--${key} must be a whole number of at least ${least}, not "${values[key]}"`);
      return value;
    };
    const again = values.again === undefined ? null : readEarlier(values.again);
    const named =
      positionals.length > 0 ? positionals : (again?.map(({ area }) => area) ?? Object.keys(areas));
    for (const area of named) {
      if (sourcesOf(projectFolder, area) === null)
        throw new Error(
          `no such area: "${area}" (one of ${Object.keys(areas).join(', ')}, or a source below src/)`,
        );
    }
    return {
      areas: named,
      count: number('count', 0),
      seed: number('seed', 0),
      tests: number('tests', 1),
      seconds: number('seconds', 1),
      again:
        again
          ?.flatMap(({ mutants }) => mutants)
          .filter(({ outcome }) => outcome === 'survived' || outcome === 'timed out') ?? null,
      list: values.list,
      json: values.json ?? null,
      help: values.help,
    };
  } catch (error) {
    console.error(`mutate: ${error.message}`);
    return null;
  }
}

function readEarlier(file) {
  const earlier = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(earlier) || !earlier.every(({ mutants }) => Array.isArray(mutants)))
    throw new Error(`${file} is not a result of --json`);
  return earlier;
}
