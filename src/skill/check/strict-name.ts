// The naming rules of the standard, each with its own message.
import type { Report } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import type { Span } from '../../base/span.ts';
import { countCodePoints } from '../code-points.ts';
import { nameLimit } from '../name.ts';

/** Reports every rule that `written` breaks as STRICT_NAME. Compared with the folder after NFKC, as the reference does. */
export function checkStrictName(written: string, at: Span, folderName: string, report: Report): void {
  const name = written.trim().normalize('NFKC');
  const shown = printableLine(name);
  const fault = (message: string, hint?: string): void => report('STRICT_NAME', at, message, hint);
  if (name === '') {
    fault('the name is blank', `write name: ${folderName}`);
    return;
  }
  const length = countCodePoints(name);
  if (length > nameLimit)
    fault(`the name has ${length} characters, over ${nameLimit}`, 'shorten it, and the folder with it');
  if (name !== name.toLowerCase())
    fault(`the name "${shown}" must be lower-case`, `write name: ${name.toLowerCase()}`);
  if (name.startsWith('-') || name.endsWith('-'))
    fault(`the name "${shown}" must not start or end with a hyphen`);
  if (name.includes('--')) fault(`the name "${shown}" must not hold two hyphens in a row`);
  // Upper-case ASCII has been told above; it is not a second fault.
  const odd = /[^A-Za-z0-9-]/u.exec(name)?.[0];
  if (odd !== undefined) {
    const wider = /^[\p{L}\p{N}-]+$/u.test(name)
      ? '; the reference validator accepts other letters, the specification does not'
      : '';
    fault(
      `the name "${shown}" holds "${printableLine(odd)}", which is not a-z, 0-9 or a hyphen${wider}`,
      'use lower-case ASCII letters, digits and hyphens',
    );
  }
  if (name !== folderName.normalize('NFKC'))
    fault(
      `the name "${shown}" differs from the folder name "${printableLine(folderName)}"`,
      'rename one of them',
    );
}
