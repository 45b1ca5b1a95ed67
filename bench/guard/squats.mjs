// Names made to be taken for others -> how many are noticed, and how many honest names are.  node bench/guard/squats.mjs [FOLDER …]
//
// Known are the names of the shipped skills and of all skills below the folders. 500 squats are made from them by a fixed sequence: letters
// left out, doubled, swapped or replaced, look-alike letters, separators, words that decorate, plurals. Then every honest name is
// compared with all others.
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundleParts } from '../bundle.mjs';
import { makeSquats } from './make-squats.mjs';

const { createNameBook } = await import(await bundleParts('guard'));

function* skillsBelow(folder, depth = 0) {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name.toLowerCase() === 'skill.md')) yield basename(folder);
  else if (depth < 8)
    for (const entry of entries)
      if (entry.isDirectory()) yield* skillsBelow(join(folder, entry.name), depth + 1);
}

const shipped = [...skillsBelow(new URL('../../skills', import.meta.url).pathname)];
const others = process.argv.slice(2).flatMap((folder) => [...skillsBelow(resolve(folder))]);
const names = [...new Set([...shipped, ...others])];

const start = performance.now();
const book = createNameBook({ shipped, others });
const madeMs = performance.now() - start;
const squats = makeSquats(names, 500);
const missed = squats.filter(({ name }) => book.lookAlike(name) === null);
const byWay = new Map();
for (const { way } of squats) byWay.set(way, { all: (byWay.get(way)?.all ?? 0) + 1, missed: 0 });
for (const { way } of missed) byWay.get(way).missed += 1;
console.log(`${names.length} known names, book made in ${madeMs.toFixed(0)} ms`);
for (const [way, { all, missed: lost }] of byWay) console.log(`  ${way.padEnd(12)} ${all - lost} of ${all}`);
for (const { of, name, way } of missed) console.log(`  missed: ${name} for ${of} (${way})`);
console.log(`squats noticed: ${squats.length - missed.length} of ${squats.length}`);

// Each against all others, also the shipped ones.
const flat = createNameBook({ shipped: [], others: names });
const taken = names.map((name) => [name, flat.lookAlike(name)]).filter(([, other]) => other !== null);
for (const [name, other] of taken) console.log(`  honest: ${name} taken for ${other}`);
console.log(`honest names noticed: ${taken.length} of ${names.length}`);
