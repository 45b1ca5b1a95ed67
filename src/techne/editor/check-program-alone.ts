// A Starlark program that no skill has -> its faults, as `techne star` reports them before it runs.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { compile } from '../../starlark/compile-source.ts';
import { hostFunctionNames } from '../../skill/host-functions.ts';

export function checkProgramAlone(text: string, path: string): readonly Diagnostic[] {
  const skipped = text.startsWith('\uFEFF') ? 1 : 0;
  return compile(text.slice(skipped), { path, predeclared: hostFunctionNames }).diagnostics.map((found) =>
    found.span === null
      ? found
      : { ...found, span: { start: found.span.start + skipped, end: found.span.end + skipped } },
  );
}
