// Predeclared names of a program, in addition to those of the language.
import { TechneError } from '../../base/error.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import { defaultProgram } from '../../skill/form.ts';
import { hostFunctionNames } from '../../skill/host-functions.ts';
import { compile } from '../../starlark/compile-source.ts';
import type { CompileResult } from '../../starlark/compile-source.ts';
import type { Arguments } from '../parse-arguments.ts';
import type { SourceFile } from './read-program.ts';

/** --predeclare. Throws USAGE. */
export function givenNames(args: Arguments): readonly string[] {
  const names = args.values('predeclare');
  for (const name of names) {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name))
      throw new TechneError('USAGE', `--predeclare must be a name, not "${printableLine(name)}"`, {
        hint: 'give it again for each further name',
      });
  }
  return names;
}

/** A SKILL.star also has the host functions. */
export function programNames(path: string, given: readonly string[]): readonly string[] {
  const isSkill = path.split(/[\\/]/).at(-1) === defaultProgram;
  return isSkill ? [...new Set([...hostFunctionNames, ...given])] : [...new Set(given)];
}

export function compileFile(
  { path, text, fault }: Pick<SourceFile, 'path' | 'text' | 'fault'>,
  predeclared: readonly string[],
): CompileResult {
  if (fault !== null) return { ok: false, diagnostics: [fault] };
  const compiled = compile(text, { path, predeclared });
  return compiled.ok ? compiled : { ...compiled, diagnostics: compiled.diagnostics.map(withHostHint) };
}

/** Host functions exist only in a run. */
export function withHostHint(diagnostic: Diagnostic): Diagnostic {
  const name =
    diagnostic.code === 'STAR_UNDEFINED' ? /^undefined: (\w+)/.exec(diagnostic.message)?.[1] : undefined;
  return name === undefined || !(hostFunctionNames as readonly string[]).includes(name)
    ? diagnostic
    : {
        ...diagnostic,
        hint: `"${name}" is a function of executable skills: put it into a SKILL.star and start it with techne run`,
      };
}
