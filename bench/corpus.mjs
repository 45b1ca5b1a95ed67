// Builds corpora in installed layout, <root>/<name>/SKILL.md, from real files.
//
//   ../shared/compat/**/SKILL.md -> .bench/flat1000, .bench/flat10000, .bench/flat60000
//
// Files are copied byte for byte; only the `name:` line follows the new folder name, as an
// installer would have it. The corpora stay out of git.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const benchFolder = fileURLToPath(new URL('../.bench', import.meta.url));
const material = fileURLToPath(new URL('../../shared/compat', import.meta.url));

/** The folder of a corpus with `count` skills, built when it is not there yet. */
export function corpus(count) {
  const root = `${benchFolder}/flat${count}`;
  if (existsSync(`${root}.done`)) return root;
  if (!existsSync(material)) {
    console.error(`bench: ${material} is not there; it holds the real files the corpora are made of`);
    process.exit(3);
  }
  console.error(`bench: building ${root} …`);
  rmSync(root, { recursive: true, force: true });
  const files = readdirSync(material, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'SKILL.md')
    .sort()
    .map((path) => ({ stem: basename(dirname(path)), text: readFileSync(`${material}/${path}`) }));
  for (let at = 0; at < count; at += 1) {
    // Evenly over all kinds of files, whatever the count.
    const { stem, text } = files[Math.floor((at * files.length) / count) % files.length];
    const name = `${stem}-${at}`;
    mkdirSync(`${root}/${name}`, { recursive: true });
    writeFileSync(`${root}/${name}/SKILL.md`, rename(text, name));
  }
  writeFileSync(`${root}.done`, '');
  return root;
}

function rename(bytes, name) {
  const text = bytes.toString('latin1');
  return Buffer.from(text.replace(/^name:.*$/m, `name: ${name}`), 'latin1');
}
