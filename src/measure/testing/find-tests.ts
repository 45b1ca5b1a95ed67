// A skill -> its test files, read.
//
// Tests are the .yaml and .yml files in the folder tests beside SKILL.md, by name; other files are ignored. A file that
// cannot be read is reported, and so is a link: tests must lie in the skill.
import { decodeUtf8 } from '../../base/utf8.ts';
import { append } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import { yamlLimits } from '../../skill/yaml/node.ts';
import { parseTests } from './parse-tests.ts';
import type { SkillTest } from './skill-test.ts';

interface FoundTests {
  readonly tests: readonly SkillTest[];
  readonly diagnostics: readonly Diagnostic[];
  /** By path, for excerpts. */
  readonly texts: ReadonlyMap<string, string>;
}

export async function findTests(files: Files, skillFolder: string): Promise<FoundTests> {
  const folder = `${skillFolder}/tests`;
  const tests: SkillTest[] = [];
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, string>();
  for (const { name, kind } of listOrNothing(files, folder, diagnostics)) {
    if (!/\.ya?ml$/.test(name) || kind === 'folder') continue;
    const path = `${folder}/${name}`;
    const report = collectInto(diagnostics, path);
    if (kind !== 'file') {
      report(
        'SCRIPT_SYNTAX',
        null,
        'the test is not a file of the skill itself',
        'replace the link with the file',
      );
      continue;
    }
    const text = await readText(files, path, diagnostics);
    if (text === null) continue;
    texts.set(path, text);
    const parsed = parseTests(text, path);
    append(tests, parsed.tests);
    append(diagnostics, parsed.diagnostics);
  }
  return { tests, diagnostics: diagnostics.sort(compareDiagnostics), texts };
}

function listOrNothing(
  files: Files,
  folder: string,
  diagnostics: Diagnostic[],
): ReturnType<Files['list']> & {} {
  try {
    return files.list(folder) ?? [];
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    // A file called tests is allowed; a folder that cannot be listed is a fault.
    if (error.kind !== 'not-a-folder')
      collectInto(diagnostics, folder)('FILE_UNREADABLE', null, `the tests cannot be read: ${error.message}`);
    return [];
  }
}

async function readText(files: Files, path: string, diagnostics: Diagnostic[]): Promise<string | null> {
  const report = collectInto(diagnostics, path);
  try {
    const read = await files.read(path, yamlLimits.bytes);
    if (read === null) return null;
    const { text, valid } = decodeUtf8(read.bytes);
    if (valid) return text;
    report('SCRIPT_SYNTAX', null, 'the file is not UTF-8 text', 'save it as UTF-8');
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    report(error.kind === 'too-large' ? 'FILE_TOO_LARGE' : 'FILE_UNREADABLE', null, error.message);
  }
  return null;
}
