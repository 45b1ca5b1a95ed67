// The conformance suite that the Go, Java and Rust implementations share, with asserts that fail.
//
// C1. A file is split at lines `---`; each part is a program of its own.
// C2. `### pattern` expects the program to end in an error that holds the pattern, as text or as a regular expression,
//     whatever the case. Where in the program is not checked.
// C3. `### go: pattern` is the wording of one implementation, and an implementation without a pattern ends well. So an
//     error must happen where all three have one, and none where one of them has none.
// C4. Our wording is that of one of them, but for those listed.
import { describe, expect, it } from 'vitest';
import { compile, start } from '../../src/starlark.ts';
import { skipUnless } from '../support/skip-unless.ts';
import type { Conforming } from './conformance-programs.ts';
import { conformanceFiles as files, isPresent, programsOf } from './conformance-programs.ts';

/** Programs, by file and first line, that end otherwise here, and why. */
const divergences: { readonly [program: string]: string } = {};

/** Programs that fail as they should, in words of our own, and why. */
const ownWords: { readonly [program: string]: string } = {
  'go/builtins.star:64':
    'sorted(1): the others begin every error of a builtin with "Error in sorted", which a backtrace shows better',
};

/** The messages the program ends with, or null. */
function errorOf(program: Conforming): string | null {
  const compiled = compile(program.source, { path: program.name });
  if (!compiled.ok) return compiled.diagnostics.map((fault) => fault.message).join('\n');
  const state = start(compiled.program).run();
  if (state.kind === 'done') return null;
  return state.kind === 'failed' ? state.failure.diagnostic.message : state.kind;
}

function matches(message: string, pattern: string): boolean {
  return message.toLowerCase().includes(pattern.toLowerCase()) || new RegExp(pattern, 'i').test(message);
}

describe.skipIf(skipUnless(isPresent, '../shared/conformance/starlark is absent'))(
  'the shared conformance suite (skipped where ../shared/conformance/starlark is absent)',
  () => {
    const programs = files.flatMap(programsOf);

    it('is all there', () => {
      expect([files.length, programs.length]).toEqual([39, 430]);
    });

    it.each(files)('%s ends as it should', (file) => {
      const wrong = programs
        .filter((program) => program.name.startsWith(`${file}:`) && !(program.name in divergences))
        .flatMap((program) => {
          const message = errorOf(program);
          const fails = program.neutral.length > 0 || program.tagged.size === 3;
          if (!fails) return message === null ? [] : [`${program.name}: ${message}`];
          if (message === null)
            return [
              `${program.name}: no error, but one of ${[...program.neutral, ...program.tagged.values()].join(' or ')}`,
            ];
          return program.neutral
            .filter((pattern) => !matches(message, pattern))
            .map((pattern) => `${program.name}: ${message}, but not ${pattern}`);
        });
      expect(wrong).toEqual([]);
    });

    it('tells of errors in the words of one of the others', () => {
      const own = programs.filter((program) => {
        const message = errorOf(program);
        return (
          message !== null &&
          program.tagged.size === 3 &&
          ![...program.tagged.values()].some((pattern) => matches(message, pattern))
        );
      });
      expect(own.map((program) => program.name)).toEqual(Object.keys(ownWords));
    });

    it('has each program that is listed here', () => {
      const names = new Set(programs.map((program) => program.name));
      expect(
        [...Object.keys(divergences), ...Object.keys(ownWords)].filter((name) => !names.has(name)),
      ).toEqual([]);
    });
  },
);
