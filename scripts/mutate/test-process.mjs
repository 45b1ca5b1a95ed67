// The process that runs tests against a mutant: { files, mutant } → { outcomes }, one request at a time.
//
// T1. A mutant is never written to the disk: Vite gets its text instead of the file's. Whatever ends this process, the tree
//     is as it was.
// T2. Vitest starts once. Each request runs its test files in one new process, in the order given, and stops at the first
//     failure.
// T3. Snapshots are compared, never written.

// Resolved here, so that its types do not reach the lint of other scripts.
const { createVitest } = await import(import.meta.resolve('vitest/node'));

let mutant = null;
const vitest = await createVitest(
  'test',
  {
    root: process.cwd(),
    watch: false,
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    update: 'none',
    reporters: [{}],
    silent: true,
    sequence: { sequencer: InOrder },
  },
  {
    logLevel: 'silent',
    plugins: [
      { name: 'mutant', enforce: 'pre', load: (id) => (id === mutant?.path ? mutant.text : undefined) },
    ],
  },
);

/** Vitest would begin with what was slow or failed before. */
function InOrder() {
  return { sort: (files) => files, shard: (files) => files };
}

process.on('message', (request) => void answer(request));
process.on('disconnect', () => process.exit());
process.send('ready');

async function answer(request) {
  const touched = [mutant?.path, request.mutant?.path].filter((path) => path !== undefined);
  mutant = request.mutant;
  for (const path of touched) vitest.invalidateFile(path);
  const project = vitest.getRootProject();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    request.files.map((file) => project.createSpecification(file)),
    false,
  );
  process.send({
    // Vitest also gives those of earlier requests.
    outcomes: testModules.filter(({ moduleId }) => request.files.includes(moduleId)).map(outcomeOf),
    faults: unhandledErrors.map((error) => String(error?.message ?? error)),
  });
}

function outcomeOf(module) {
  const failed = [...module.children.allTests('failed')][0]?.fullName;
  const passed = [...module.children.allTests('passed')].length;
  return {
    file: module.moduleId,
    state: module.state(),
    passed,
    ...(failed === undefined ? {} : { failed }),
  };
}
