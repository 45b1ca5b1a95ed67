// The names of areas → their sources. A path of a file or folder below src/ is an area too.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './import-graph.mjs';

export const areas = {
  journal: ['src/journal'],
  store: ['src/node/store-file'],
  engine: ['src/run/engine', 'src/run/effect', 'src/run/question', 'src/run/tell'],
  budgets: ['src/run/budget'],
  trust: ['src/registry/trust'],
  policy: ['src/node/commands', 'src/tools/tool-policy.ts'],
  sandbox: ['src/node/sandbox'],
  http: ['src/mcp/http'],
  taint: ['src/plan/taint'],
  guards: ['src/match/guard'],
};

/** The sources of `area`, without tests, or `null` when there is no such area. */
export function sourcesOf(project, area) {
  const paths = Object.hasOwn(areas, area) ? areas[area] : [area];
  const sources = paths.flatMap((path) => {
    const found = statSync(join(project, path), { throwIfNoEntry: false });
    if (found === undefined) return [];
    return found.isDirectory() ? listSources(project, path) : [path];
  });
  const mutable = sources.filter(
    (path) => /^src\/.*\.ts$/.test(path) && !/\.(?:test|contract)\.ts$/.test(path),
  );
  return mutable.length === 0 ? null : mutable;
}
