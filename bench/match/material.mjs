// The real files that matching is measured on, read as data from beside the project.
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

/** `{query, expected, file_skill}` over the skills of NVIDIA; expected is null where none should be suggested. */
export function readCases() {
  return readFileSync(`${material}/triggers/nvidia-dev.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Whether a query has the name of a skill, with hyphens or with spaces. */
export function names(query, skill) {
  const text = query.toLowerCase();
  return text.includes(skill) || text.includes(skill.replaceAll('-', ' '));
}
