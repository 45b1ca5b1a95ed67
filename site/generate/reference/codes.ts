// Diagnostics, errors and failures -> docs/errors.md, and the same page of the site.
import { diagnosticCodes } from '../../../src/base/codes.ts';
import { errorCodes } from '../../../src/base/error.ts';
import { failureCodes } from '../../../src/run/failure-codes.ts';
import { pageOf, table } from './markdown.ts';

export function codesPage(): string {
  return pageOf(
    '# Codes',
    'Made from `src/base/codes.ts`, `src/base/error.ts` and `src/run/failure-codes.ts`. The meaning of a code never changes.',
    '## Diagnostics: what is wrong in a file',
    'An `error` makes the file unusable, or breaks a rule of `--strict`. A `warning` means that the file loads, but something was repaired, ignored or is likely wrong. `info` is a fact worth knowing.',
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
    'The `error.code` of the result of a run. It can also be a code of Starlark programs (`EVAL_…`, above) or a reason why a skill is not runnable.',
    table(
      ['code', 'meaning'],
      Object.entries(failureCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  );
}
