// The entries of the package, as package.json declares them: name of the file in src/ and dist/ -> how it is imported.
import { readFileSync } from 'node:fs';
import { projectFolder } from './setup.mjs';

export const packageJson = JSON.parse(readFileSync(`${projectFolder}package.json`, 'utf8'));

export const packageEntries = Object.fromEntries(
  Object.entries(packageJson.exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [[path === '.' ? 'index' : path.slice(2), path.replace('.', packageJson.name)]],
  ),
);
