// The real files that matching is measured on, read as data from beside the project.
//
//   NVIDIA        one author, many siblings of one family
//   public-evals  many authors, many near twins
//
// A world is a set of messages over some skills: those of its own collection or of all collections together, with their
// whole texts or with their heads alone. A weight must hold in every world.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const material = fileURLToPath(new URL('../../../shared/compat', import.meta.url));

export function needMaterial() {
  if (existsSync(material)) return;
  console.error(`bench: ${material} is not there; it holds the skills and the queries`);
  process.exit(3);
}

/** Heads and bodies of the skills in a folder of the material. */
export async function readSkills(folder, parseSkill) {
  const root = `${material}/skills/${folder}`;
  const skills = [];
  for (const folderName of readdirSync(root).sort()) {
    const path = `${root}/${folderName}/SKILL.md`;
    if (!existsSync(path)) continue;
    const { head, body } = await parseSkill(readFileSync(path, 'utf8'), { folderName });
    skills.push({ head, body: body.text });
  }
  return skills;
}

/** `{query, expected, file_skill}`; expected is null where no skill should be suggested. */
export function readCases(set = 'nvidia') {
  return readFileSync(`${material}/triggers/${set}-dev.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Whether a query has the name of a skill, with hyphens or with spaces. */
export function names(query, skill) {
  const text = query.toLowerCase();
  return text.includes(skill) || text.includes(skill.replaceAll('-', ' '));
}

/** `{name, documents, asking, others}`: messages that do not name their skill, and messages without one. */
export async function readWorlds({ parseSkill, matchDocument }) {
  const collections = {};
  for (const folder of ['nvidia', 'public-evals', 'awesome-copilot'])
    collections[folder] = (await readSkills(folder, parseSkill)).map(({ head, body }) =>
      matchDocument(head, body),
    );
  const all = [
    ...new Map(
      Object.values(collections)
        .flat()
        .map((one) => [one.name, one]),
    ).values(),
  ];
  return ['nvidia', 'public-evals'].flatMap((set) => {
    const own = collections[set];
    const known = new Set(own.map(({ name }) => name));
    const cases = readCases(set);
    const asking = cases.filter(
      ({ query, expected }) => expected !== null && known.has(expected) && !names(query, expected),
    );
    const others = cases.filter(({ expected }) => expected === null);
    return [
      { name: `${set}, own skills`, documents: own },
      { name: `${set}, own heads`, documents: own.map(headOf) },
      { name: `${set}, all skills`, documents: all },
      { name: `${set}, all heads`, documents: all.map(headOf) },
    ].map((world) => ({ ...world, asking, others }));
  });
}

function headOf(document) {
  return { ...document, sections: [] };
}
