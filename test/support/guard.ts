// Skills for tests of the scanner.
import { encodeUtf8 } from '../../src/base/utf8.ts';
import type { GuardFile } from '../../src/guard/detector.ts';
import type { Report } from '../../src/guard/report.ts';
import type { GuardOptions } from '../../src/guard/scan.ts';
import { scanSkill } from '../../src/guard/scan.ts';
import { nodeGuardPorts } from '../../src/node/guard-ports.ts';

export type FileContents = { readonly [path: string]: string | Uint8Array };

/** Files of these contents; a text alone is the body of SKILL.md. */
export function guardFiles(contents: string | FileContents): readonly GuardFile[] {
  const byPath =
    typeof contents === 'string'
      ? { 'SKILL.md': `---\nname: sample\ndescription: A sample skill for tests.\n---\n${contents}` }
      : contents;
  return Object.entries(byPath).map(([path, content]) => {
    const bytes = typeof content === 'string' ? encodeUtf8(content) : content;
    return { path, kind: 'file', size: bytes.length, executable: false, bytes };
  });
}

export function scanFiles(contents: string | FileContents, options: Partial<GuardOptions> = {}): Report {
  return scanSkill(guardFiles(contents), nodeGuardPorts, { name: 'sample', ...options });
}
