// The notes of a version: node scripts/release-notes.mjs 0.1.0
//
//   CHANGELOG.md -> the section of the version, without its heading
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './setup.mjs';

const [version = ''] = process.argv.slice(2);
const sections = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8').split(/^## /m);
const section = sections.find((one) => one.split(/[\s(]/, 1)[0] === version);
const [heading = '', ...lines] = (section ?? '').split('\n');
const notes = lines.join('\n').trim();
if (notes === '' || /unreleased/i.test(heading)) {
  console.error(
    notes === ''
      ? `CHANGELOG.md has no section "## ${version}"`
      : `the section of ${version} in CHANGELOG.md still says that it is unreleased`,
  );
  process.exit(1);
}
console.log(notes);
