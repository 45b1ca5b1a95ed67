// The reference pages are made from the tables in the source; `npm test -- -u` writes them anew.
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from '../src/base/codes.ts';
import { errorCodes } from '../src/base/error.ts';

describe('docs/errors.md', () => {
  it('has a row for every code', async () => {
    await expect(errorsPage()).toMatchFileSnapshot('../docs/errors.md');
  });
});

function errorsPage(): string {
  const diagnostics = Object.entries(diagnosticCodes).map(([code, { severity, meaning }]) => `| \`${code}\` | ${severity} | ${meaning} |`);
  const errors = Object.entries(errorCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return [
    '# Codes',
    '',
    'Made from `src/base/codes.ts` and `src/base/error.ts`. A code keeps its meaning for good.',
    '',
    '## Diagnostics: what is wrong in a file',
    '',
    'An `error` makes the file unusable as it stands, or breaks the strict rules when they were asked for. A `warning`',
    'means it loads, but something was repaired, ignored or is likely wrong. `info` is a fact worth knowing.',
    '',
    '| code | severity | meaning |',
    '| --- | --- | --- |',
    ...diagnostics,
    '',
    '## Errors: what could not be done',
    '',
    '| code | meaning |',
    '| --- | --- |',
    ...errors,
    '',
  ].join('\n');
}
