// Long test of the names of fetched files: node scripts/fuzz-names.mjs [COUNT] [SEED]
//
// Makes COUNT names (default 1,000,000) of pieces that leave folders, and judges them in batches as the entries of one archive.
// Every name that is taken must stay in its folder on POSIX and Windows, and no two of a batch may be one place.
import { mkdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const count = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? 1);
const batch = 1_000;
const pieces = [
  '..',
  '.',
  '/',
  '//',
  '\\',
  '..\\',
  '../',
  ':',
  '~',
  'C:',
  'c:\\',
  '\0',
  ' ',
  '. ',
  '...',
  '%2e%2e%2f',
  '\uff0e\uff0e',
  '\u2024',
  'nul',
  'CON',
  'aux.',
  'COM1',
  'lpt9.x',
  '.git',
  '.GIT',
  'git~1',
  'node_modules',
  'SKILL.md',
  'skill.MD',
  'a',
  'A',
  'b',
  'ß',
  'SS',
  'ss',
  '\u0301',
  'e',
  'é',
  'E\u0301',
  'ﬁ',
  'fi',
  'K',
  'k',
  'ſ',
  's',
  'İ',
  'i',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\u{e0041}',
  '\n',
  '\u001b[',
  '$DATA',
  'x'.repeat(100),
  'd/'.repeat(12),
  '日本',
  '🙂',
  '-',
  '--upload-pack',
  '*',
  '?',
  '|',
  '"',
  '<',
];

const out = fileURLToPath(new URL('../node_modules/.techne-fuzz/', import.meta.url));
mkdirSync(out, { recursive: true });
await build({
  input: fileURLToPath(new URL('../src/hub/archive/judge-entries.ts', import.meta.url)),
  platform: 'node',
  logLevel: 'silent',
  output: { file: `${out}judge-entries.mjs`, format: 'esm' },
});
const { judgeEntries } = await import(pathToFileURL(`${out}judge-entries.mjs`).href);

let state = seed >>> 0;
function random(below) {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

/** Simple case folding, which is another one than that of the code under test. */
const folded = (path) => path.normalize('NFC').toLowerCase().normalize('NFC');

let taken = 0;
let bad = 0;
for (let done = 0; done < count; done += batch) {
  const entries = Array.from({ length: Math.min(batch, count - done) }, () => ({
    path: Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join(
      random(3) === 0 ? '/' : '',
    ),
    kind: random(20) === 0 ? 'link' : 'file',
    size: 1,
    executable: false,
    fault: null,
  }));
  const places = new Map();
  for (const path of judgeEntries(entries, { depth: 32, fileBytes: 1000 }).taken.keys()) {
    taken += 1;
    const stays =
      posix.relative('/t', posix.resolve('/t', path)) === path &&
      win32.relative('C:\\t', win32.resolve('C:\\t', path)) === path.replaceAll('/', '\\');
    const parts = folded(path).split('/');
    const collides = parts.some((_, at) => {
      const key = parts.slice(0, at + 1).join('/');
      const spelled = path
        .split('/')
        .slice(0, at + 1)
        .join('/');
      const kind = at === parts.length - 1 ? 'file' : 'folder';
      const before = places.get(key);
      places.set(key, { spelled, kind });
      return before !== undefined && (before.spelled !== spelled || before.kind !== kind || kind === 'file');
    });
    if (stays && !collides) continue;
    bad += 1;
    console.error(JSON.stringify(path));
  }
}
console.log(`${count} names, ${taken} taken, ${bad} that leave their folder or share a place (seed ${seed})`);
process.exitCode = bad === 0 ? 0 : 1;
