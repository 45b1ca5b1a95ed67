// What scripts/fuzz-starlark.mjs bundles.
export { readPrograms, seedPrograms } from './corpus.ts';
export { checkProgram } from './check-program.ts';
export { fuzzPrograms, programOf } from './fuzz-programs.ts';
