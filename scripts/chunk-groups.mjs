// Puts modules that load together into one file, since each file costs a start about a millisecond.
//
//   the modules that a stage imports statically, without those of the stages before it -> one chunk
//
// So a stage never loads code that only a later one needs. A stage whose module is gone fails the build.
import { projectFolder } from './setup.mjs';

/** From the smallest start to the largest: each needs most of the ones before it. */
const packageStages = [
  // `--version`, and the part of base/ that the interpreter needs: most of it is needed everywhere.
  { name: 'start', from: ['src/cli/main.ts'], baseOf: 'src/starlark.ts' },
  { name: 'starlark', from: ['src/starlark.ts'] },
  // `--help`, and errors of the command line.
  { name: 'shell', from: ['src/cli/dispatch.ts'] },
  // Reading skills.
  { name: 'core', from: ['src/techne/open-skills.ts'] },
  { name: 'library', from: ['src/techne/create-techne.ts'] },
  { name: 'commands', from: ['src/cli/commands/list.ts', 'src/cli/commands/show.ts'] },
  // What both runs and matching need: matching loads no code of runs for it.
  { name: 'texts', from: ['src/base/redact.ts', 'src/skill/body/output-template.ts'] },
  // Starting and resuming a run of a program.
  { name: 'runs', from: ['src/techne/open-runs.ts', 'src/run/create-runner.ts'] },
  { name: 'plans', from: ['src/plan/compile-plan.ts'] },
  // Listing skills of others.
  { name: 'heads', from: ['src/techne/guard/heads.ts'] },
  { name: 'matching', from: ['src/techne/open-matcher.ts'] },
  // Suggesting and searching from the command line.
  { name: 'suggesting', from: ['src/cli/commands/match.ts', 'src/cli/commands/search.ts'] },
];

/** The groups for rolldown, and the plugin that learns the imports that they are made from. */
export function createGroups(stages = packageStages) {
  const imports = new Map();
  let stageOf = null;
  const plugin = {
    name: 'chunk-groups',
    moduleParsed({ id, importedIds }) {
      imports.set(id, importedIds);
    },
  };
  const find = (id) => {
    stageOf ??= assign(imports, stages);
    return stageOf.get(id);
  };
  const groups = stages.map(({ name }, at) => ({
    name,
    priority: stages.length - at,
    test: (id) => find(id) === name,
  }));
  return { groups, plugin };
}

/** A stage loads its own file and those of stages, and none that the bundler put something shared into. */
export function checkStages(chunks) {
  const isStage = ({ fileName, name }) =>
    fileName.startsWith('chunks/') &&
    (name === 'rolldown-runtime' || packageStages.some((stage) => stage.name === name));
  const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  for (const chunk of chunks.filter(isStage))
    for (const file of chunk.imports)
      if (chunkOf.has(file) && !isStage(chunkOf.get(file)))
        throw new Error(`chunk-groups.mjs: the stage "${chunk.name}" loads "${file}", which is not a stage`);
}

function assign(imports, stages) {
  const closure = (path) => {
    const found = new Set();
    const open = [`${projectFolder}${path}`];
    while (open.length > 0) {
      const id = open.pop();
      if (found.has(id) || !imports.has(id)) continue;
      found.add(id);
      open.push(...imports.get(id));
    }
    if (found.size === 0) throw new Error(`chunk-groups.mjs: there is no module "${path}"`);
    return found;
  };
  const stageOf = new Map();
  for (const { name, from, baseOf } of stages) {
    const modules = new Set(from.flatMap((path) => [...closure(path)]));
    if (baseOf !== undefined)
      for (const id of closure(baseOf)) if (id.startsWith(`${projectFolder}src/base/`)) modules.add(id);
    for (const id of modules) if (!stageOf.has(id)) stageOf.set(id, name);
  }
  return stageOf;
}
