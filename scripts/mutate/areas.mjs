// The names of areas → their sources. A path of a file or folder below src/ is an area too.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { listSources } from './import-graph.mjs';

/** `tests`: what tests the area as a whole, although its imports are far away. */
export const areas = {
  journal: { sources: ['src/journal'], tests: ['test/journal-crash.test.ts', 'src/node/store-file'] },
  store: {
    sources: ['src/node/store-file'],
    tests: ['test/journal-crash.test.ts', 'test/run-sync-order.test.ts', 'test/run-owners.test.ts'],
  },
  engine: {
    sources: ['src/run/engine', 'src/run/effect', 'src/run/question', 'src/run/tell'],
    tests: [
      'src/run/engine',
      'src/run/effect',
      'src/run/waiting.test.ts',
      'src/run/crash.test.ts',
      'src/run/nested-run.test.ts',
      'src/run/run-faults.test.ts',
      'src/run/run-events.test.ts',
      'src/run/clarify',
    ],
  },
  budgets: { sources: ['src/run/budget'], tests: ['src/run/engine', 'src/run/effect'] },
  trust: { sources: ['src/registry/trust'], tests: [] },
  policy: { sources: ['src/node/commands', 'src/tools/tool-policy.ts'], tests: ['src/node/shell'] },
  sandbox: { sources: ['src/node/sandbox'], tests: ['src/node/shell', 'test/sandbox'] },
  http: {
    sources: ['src/mcp/http'],
    tests: ['test/mcp-http-connections.test.ts', 'test/mcp-http-matrix.test.ts'],
  },
  taint: { sources: ['src/plan/taint'], tests: ['test/taint-fuzz.test.ts'] },
  guards: { sources: ['src/match/guard'], tests: ['test/match'] },
};

/** The sources of `area`, without tests, or `null` when there is no such area. */
export function sourcesOf(project, area) {
  const paths = Object.hasOwn(areas, area) ? areas[area].sources : [area];
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

/** Whether the test is one of those that the areas of `file` name. */
export function isTestOfArea(test, file) {
  return Object.values(areas).some(
    ({ sources, tests }) =>
      sources.some((path) => isBelow(file, path)) && tests.some((path) => isBelow(test, path)),
  );
}

const isBelow = (file, path) => file === path || file.startsWith(`${path}/`);
