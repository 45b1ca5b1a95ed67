// The skills, tools and files of this machine that a plan is checked against.
//
// A skill is looked for beside the one that names it, then among the known skills. Only built-in tools are known
// here; the host of a run knows the others. A file of the skill is read only inside its folder, as in a run: a link
// that leads out counts as missing.
import { createGraphTools } from '../../graph/graph-tools.ts';
import { basename, dirname, join } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { describeBuiltIns } from '../../tools/built-in/built-in-tools.ts';
import { entrypointOf } from '../../plan/entrypoint.ts';
import { factsOfTool } from '../../plan/tool-facts.ts';
import type { ToolFacts } from '../../plan/tool-facts.ts';
import type { PlanWorld, SkillFacts } from '../../plan/world.ts';
import { isInside } from '../../base/is-inside.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { parseHead } from '../../skill/parse-head.ts';
import type { SkillHead } from '../../skill/types.ts';

const maxBytes = 4 * 1024 * 1024;

export interface PlanWorldParts {
  readonly files: Files;
  /** The skills of the library; loaded when a plan first names one that is not beside it. */
  readonly loadSnapshot: () => Promise<Pick<Snapshot, 'skills'>>;
}

/** `paths`: the files of the skill's folder. */
export async function planWorldFor(
  folder: string,
  head: SkillHead,
  paths: readonly string[],
  { files, loadSnapshot }: PlanWorldParts,
): Promise<PlanWorld> {
  const facts = new Map<string, SkillFacts | null>();
  let names: readonly string[] = [];
  for (const name of skillsNamedIn(head)) {
    const beside = name === basename(folder) ? null : await readBeside(files, dirname(folder), name);
    if (beside !== null) facts.set(name, factsOf(beside, false));
    else {
      const { skills } = await loadSnapshot();
      names = skills.map((skill) => skill.name);
      const found = skills.find((skill) => skill.name === name);
      facts.set(name, found === undefined ? null : factsOf(found.head, found.source === 'builtin'));
    }
  }
  const texts = new Map<string, string | null>();
  const output = head.output?.replace(/^(?:\.\/)+/, '') ?? null;
  if (output !== null && /^[\w./-]+$/.test(output)) {
    const stem = output.slice(0, Math.max(0, output.lastIndexOf('.')));
    for (const path of new Set([output, ...paths.filter((one) => stem !== '' && one.startsWith(stem))]))
      texts.set(path, paths.includes(path) ? await readInside(files, folder, path) : null);
  }
  return {
    skill: (name) => (facts.has(name) ? (facts.get(name) ?? null) : 'unknown'),
    tool: (name) => tools().get(name) ?? 'unknown',
    skillNames: () => names,
    toolNames: () => tools().keys(),
    file: (path) => texts.get(path),
    paths: () => paths,
  };
}

/** Nothing is called here. */
const noVault = (): Promise<never> => Promise.reject(new Error('nothing is called here'));

let known: ReadonlyMap<string, ToolFacts> | null = null;

function tools(): ReadonlyMap<string, ToolFacts> {
  known ??= new Map(
    [...describeBuiltIns(), ...createGraphTools(noVault)].flatMap(({ name, parameters: schema }) => {
      const facts = factsOfTool(name);
      return facts === null ? [] : [[name, { ...facts, schema }] as const];
    }),
  );
  return known;
}

function factsOf(
  head: Pick<SkillHead, 'form' | 'frontmatter' | 'risk' | 'capabilities' | 'inputs'>,
  builtin: boolean,
): SkillFacts {
  return {
    form: head.form,
    entrypoint: entrypointOf(head.frontmatter['entrypoint']),
    risk: head.risk,
    capabilities: head.capabilities,
    inputs: head.inputs,
    builtin,
  };
}

async function readBeside(files: Files, parent: string, name: string): Promise<SkillHead | null> {
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return null;
  const text = await readText(files, join(parent, name, 'SKILL.md'));
  if (text === null) return null;
  const head = parseHead(
    text,
    {
      folderName: name,
      entries: files.list(join(parent, name)) ?? [],
      complete: true,
      fileBytes: text.length,
      parseFull: nodeParseFull,
    },
    () => undefined,
  );
  return head === 'more' ? null : head;
}

/** Inside the folder of the skill only. */
async function readInside(files: Files, folder: string, path: string): Promise<string | null> {
  try {
    const [realFolder, real] = [files.realPath(folder), files.realPath(join(folder, path))];
    return realFolder === null || real === null || !isInside(real, realFolder)
      ? null
      : await readText(files, real);
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
}

async function readText(files: Files, path: string): Promise<string | null> {
  try {
    const read = await files.read(path, maxBytes);
    return read === null ? null : decodeUtf8(read.bytes).text;
  } catch (error) {
    // An unreadable skill cannot be used; a check of that skill reports why.
    if (error instanceof FileFault) return null;
    throw error;
  }
}

/** Every name that stands where a plan names a skill. */
export function skillsNamedIn({ frontmatter }: SkillHead): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (json: Json | undefined, key: string): void => {
    if (Array.isArray(json)) json.forEach((item: Json) => walk(item, key));
    else if (isJsonObject(json)) for (const inner of Object.keys(json)) walk(json[inner], inner);
    else if (
      typeof json === 'string' &&
      ['skill', 'to', 'name', 'chain'].includes(key) &&
      json.length <= 100 &&
      !json.includes('{{')
    )
      found.add(json.trim());
  };
  for (const key of ['composition', 'steps', 'chain']) walk(frontmatter[key], key);
  return found;
}
