// Diagnostics, errors and failures -> docs/errors.md, and the same page of the site.
import { diagnosticCodes } from '../../../src/base/codes.ts';
import { errorCodes } from '../../../src/base/error.ts';
import { failureCodes } from '../../../src/run/failure-codes.ts';
import { pageOf, table } from './markdown.ts';

export function codesPage(): string {
  return pageOf(
    '# Codes',
    'Made from `src/base/codes.ts`, `src/base/error.ts` and `src/run/failure-codes.ts`. A code keeps its meaning for good.',
    '## Diagnostics: what is wrong in a file',
    'An `error` makes the file unusable as it stands, or breaks the strict rules when they were asked for. A `warning` means it loads, but something was repaired, ignored or is likely wrong. `info` is a fact worth knowing.',
    table(
      ['code', 'severity', 'meaning'],
      Object.entries(diagnosticCodes).map(([code, { severity, meaning }]) => [
        `\`${code}\``,
        severity,
        meaning,
      ]),
    ),
    '## Errors: what could not be done',
    table(
      ['code', 'meaning'],
      Object.entries(errorCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
    '## Failures: why a run failed or was refused',
    'The `error.code` of its result. The codes of Starlark programs (`EVAL_…`, above) and the reasons why a skill is not runnable come besides.',
    table(
      ['code', 'meaning'],
      Object.entries(failureCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  );
}
