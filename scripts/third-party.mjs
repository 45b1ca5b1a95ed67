// Writes the licences of the packages whose code is in dist/.
//
//   the chunks of rolldown -> the packages that their modules come from -> THIRD-PARTY-NOTICES.md
//
// Name, version, licence and its text are what each package says of itself.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { projectFolder } from './setup.mjs';

export function writeNotices(file, chunks) {
  const packages = bundledPackages(chunks);
  const parts = packages.map(
    ({ name, version, license, text }) =>
      `## ${name} ${version}\n\nLicence: ${license}\n\n${text === null ? `The package has no file with the text of its licence; the text of ${license} is below or above, with other packages.` : `\`\`\`\`text\n${text.trim()}\n\`\`\`\``}\n`,
  );
  for (const { name, license, text } of packages)
    if (text === null && !packages.some((other) => other.license === license && other.text !== null))
      throw new Error(`the package ${name} ships no text of its licence, and no other package has it`);
  writeFileSync(
    file,
    `# Third-party notices\n\nThe files of this folder contain code of these packages.\n\n${parts.join('\n')}`,
  );
}

/** The packages that modules of these chunks come from, by name. */
export function bundledPackages(chunks) {
  const folders = new Set();
  for (const { moduleIds = [] } of chunks)
    for (const id of moduleIds) {
      const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
      if (folder !== undefined) folders.add(folder);
      // The helpers of the bundler itself.
      else if (id.includes('rolldown/runtime')) folders.add(`${projectFolder}node_modules/rolldown`);
    }
  return [...folders].map(readPackage).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  return {
    name,
    version,
    license,
    text: file === undefined ? null : readFileSync(`${folder}/${file}`, 'utf8'),
  };
}
