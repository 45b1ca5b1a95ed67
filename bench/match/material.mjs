// The real files that matching is measured on, read as data from beside the project.
//
//   NVIDIA        one author, many siblings of one family
//   public-evals  many authors, many near twins
//   everyday      our own: what people type, over small libraries (test/match/everyday-libraries.ts)
//   tools         questions to functions with a name and one sentence, where they are there (read-tools.mjs)
//
// A world is a set of messages over some skills: those of its own collection or of all collections together, with their
// whole texts, with their heads alone, or with a name and one sentence, as tools are described. A weight must hold in every world.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { benchFolder } from '../corpus.mjs';

const material = fileURLToPath(new URL('../../../shared/compat', import.meta.url));

export function needMaterial() {
  if (existsSync(material)) return;
  console.error(`bench: ${material} is not there; it holds the skills and the queries`);
  process.exit(3);
}

/** Heads and bodies of the skills in a folder of the material. */
export function readSkills(folder, parseSkill) {
  return readFolder(`${material}/skills/${folder}`, parseSkill);
}

/** Those that ship with techne. */
export function readShippedSkills(parseSkill) {
  return readFolder(fileURLToPath(new URL('../../skills', import.meta.url)), parseSkill);
}

async function readFolder(root, parseSkill) {
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

/** `{name, set, documents, asking, others}`: messages that do not name their skill, and messages without one. */
export async function readWorlds({ parseSkill, matchDocument, heldOut, tuned }) {
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
  const worlds = ['nvidia', 'public-evals'].flatMap((set) => {
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
      { name: `${set}, all lines`, documents: all.map(lineOf) },
    ].map((world) => ({ ...world, set, asking, others }));
  });
  return [...worlds, everydayWorld([...tuned, ...heldOut]), ...toolWorlds()];
}

/** Our own: the libraries that a household or a company would make, all together. */
function everydayWorld(libraries) {
  return {
    name: 'everyday, all libraries',
    set: 'everyday',
    documents: libraries.flatMap(({ documents }) => documents),
    asking: libraries.flatMap(({ requests }) => requests.map(([query, expected]) => ({ query, expected }))),
    others: libraries.flatMap(({ talk, elsewhere }) => [...talk, ...elsewhere].map((query) => ({ query }))),
  };
}

/** Made by read-tools.mjs; none where it is not there. */
function toolWorlds() {
  const file = `${benchFolder}/tools.json`;
  if (!existsSync(file)) return [];
  const { documents, cases } = JSON.parse(readFileSync(file, 'utf8'));
  return [
    {
      name: 'tools, all lines',
      set: 'tools',
      documents: documents.map((one) => ({ ...one, triggers: [], sections: [], priority: 0 })),
      asking: cases,
      others: [],
    },
  ];
}

function headOf(document) {
  return { ...document, sections: [] };
}

/** As tools are described: a name and one sentence. */
function lineOf(document) {
  const [line] = document.description.split(/(?<=[.!?])\s|\n/);
  return { ...document, description: line, triggers: [], sections: [] };
}
