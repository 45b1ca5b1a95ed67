// Checks the types of the browser client with svelte-check.
//
// svelte-check needs the compiler of TypeScript 6 as a library, and TypeScript 7, which checks the rest, has none. Both are installed; in
// this process `typescript` means the older one.
import Module, { createRequire } from 'node:module';
import { projectFolder } from './setup.mjs';

const require = createRequire(import.meta.url);
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  return request === 'typescript'
    ? require.resolve('@typescript/typescript6')
    : resolve.call(this, request, ...rest);
};
process.argv.splice(
  2,
  Infinity,
  '--workspace',
  `${projectFolder}studio`,
  '--tsconfig',
  `${projectFolder}studio/tsconfig.json`,
  '--fail-on-warnings',
  '--output',
  'human',
);
await import('svelte-check');
