// The identity of a skill.
//
// The folder's name is always the identity, so that a name leads to one folder without reading it. The name in the
// frontmatter is kept; if it differs, one diagnostic reports it. A folder name that could deceive a reader or a path is
// NAME_UNSAFE.
import type { Report } from '../base/diagnostic.ts';
import { hasHiddenCharacters, printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import { countCodePoints, isLongerThan } from './code-points.ts';

export const nameLimit = 64;
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Follows the standard's rules except for the length: a-z, 0-9 and single inner hyphens. */
export function isPlainName(name: string): boolean {
  return plainName.test(name);
}

/** Holds characters that are invisible, control a terminal, or mean something in a path. */
export function isUnsafeName(name: string): boolean {
  if (plainName.test(name)) return false;
  return (
    name === '' || name === '.' || name === '..' || /[/\\\r\n\t]/.test(name) || hasHiddenCharacters(name)
  );
}

export function checkFolderName(folderName: string, report: Report): void {
  if (!isUnsafeName(folderName)) return;
  report(
    'NAME_UNSAFE',
    null,
    `the folder name "${printableLine(folderName)}" holds control, invisible or path characters`,
    'rename the folder: a-z, 0-9 and hyphens',
  );
}

/** `declared` is what `name:` says, `null` when nothing; `at` is the place of its value or of the frontmatter. */
export function checkDeclaredName(
  declared: string | null,
  at: Span,
  folderName: string,
  report: Report,
): void {
  const hint = plainName.test(folderName)
    ? `write name: ${folderName}`
    : 'use lower-case letters, digits and single hyphens for folder and name';
  if (declared === null) {
    report(
      'NAME_MISSING',
      at,
      `no usable name is given; the folder name "${printableLine(folderName)}" is used`,
      hint,
    );
  } else if (isLongerThan(declared, nameLimit)) {
    report(
      'NAME_TOO_LONG',
      at,
      `the name has ${countCodePoints(declared)} characters, over ${nameLimit}; the folder name is used`,
      hint,
    );
  } else if (!plainName.test(declared)) {
    report(
      'NAME_INVALID',
      at,
      `the name "${printableLine(declared)}" is not lower-case letters, digits and single inner hyphens; the folder name is used`,
      hint,
    );
  } else if (declared !== folderName) {
    report(
      'NAME_NOT_FOLDER',
      at,
      `the name "${declared}" differs from the folder "${printableLine(folderName)}"; the folder name is used`,
      hint,
    );
  }
}
