// The 343 skills of NVIDIA among 1,000: the others are compat skills under new names, `NAME-N` where one is taken.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchFolder } from '../corpus.mjs';

export const material = fileURLToPath(new URL('../../../shared/compat', import.meta.url));

const skillsIn = (folder) =>
  readdirSync(`${material}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === 'SKILL.md')
    .sort()
    .map((path) => ({
      name: basename(dirname(path)),
      text: readFileSync(`${material}/${folder}/${path}`, 'latin1'),
    }));

export function disclosureCorpus(count) {
  const root = `${benchFolder}/disclosure${count}`;
  if (existsSync(`${root}.done`)) return root;
  rmSync(root, { recursive: true, force: true });
  const own = skillsIn('skills/nvidia');
  const others = [...skillsIn('skills/awesome-copilot'), ...skillsIn('compositions')];
  const taken = new Set();
  const put = (name, text) => {
    taken.add(name);
    mkdirSync(`${root}/${name}`, { recursive: true });
    writeFileSync(
      `${root}/${name}/SKILL.md`,
      Buffer.from(text.replace(/^name:.*$/m, `name: ${name}`), 'latin1'),
    );
  };
  for (const { name, text } of own) put(name, text);
  for (let at = 0; taken.size < count; at += 1) {
    const { name, text } = others[at % others.length];
    put(taken.has(name) ? `${name}-${Math.floor(at / others.length) + 2}` : name, text);
  }
  writeFileSync(`${root}.done`, '');
  return root;
}

export function devCases() {
  return readFileSync(`${material}/triggers/nvidia-dev.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ expected }) => expected !== null);
}

/** 100 of a corpus, evenly. */
export function hundredOf(skills) {
  return Array.from({ length: 100 }, (_, at) => skills[Math.floor((at * skills.length) / 100)]);
}
