// A folder of sources → which test files reach a module, nearest first.
//
// G1. Imports of types alone are no edges: nothing of the module runs.
// G2. An import that is written as a text in `import()` is an edge; one that is computed is not.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** The importers of each module, by paths below `project`. */
export function readImporters(project, folders) {
  const importers = new Map();
  for (const file of folders.flatMap((folder) => listSources(project, folder))) {
    for (const imported of importsOf(file, readFileSync(join(project, file), 'utf8'))) {
      const known = importers.get(imported);
      if (known === undefined) importers.set(imported, [file]);
      else known.push(file);
    }
  }
  return importers;
}

/**
 * The test files that import `file`, directly or through others: the one with its name, those beside it, those that are
 * `named` for it, then those with the fewest steps.
 */
export function nearestTests(importers, file, isNamed = () => false) {
  const steps = new Map([[file, 0]]);
  const queue = [file];
  for (const module of queue) {
    for (const importer of importers.get(module) ?? []) {
      if (steps.has(importer)) continue;
      steps.set(importer, steps.get(module) + 1);
      queue.push(importer);
    }
  }
  const rank = (test) => {
    if (test === file.replace(/\.ts$/, '.test.ts')) return 0;
    return dirname(test) === dirname(file) ? 1 : isNamed(test) ? 2 : 3;
  };
  return [...steps.keys()]
    .filter((module) => module.endsWith('.test.ts'))
    .toSorted(
      (a, b) =>
        rank(a) - rank(b) ||
        steps.get(a) - steps.get(b) ||
        sharedLetters(b, file) - sharedLetters(a, file) ||
        (a < b ? -1 : 1),
    );
}

export function listSources(project, folder) {
  return readdirSync(join(project, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.includes('node_modules'))
    .toSorted();
}

function importsOf(file, text) {
  const { module } = parseSync(file, text);
  const names = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .filter(({ isType, moduleRequest }) => !isType && moduleRequest !== null)
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.dynamicImports
      .map(({ moduleRequest: { start, end } }) => /^(['"])(.*)\1$/.exec(text.slice(start, end))?.[2])
      .filter((name) => name !== undefined),
  ];
  return new Set(names.filter((name) => name.startsWith('.')).map((name) => join(dirname(file), name)));
}

/** How long the two paths are the same. */
function sharedLetters(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
