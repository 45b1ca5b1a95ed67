// The conformance suite that the Go, Java and Rust implementations share, with asserts that fail.
//
// C1. A file is split at lines `---`; each part is a program of its own.
// C2. `### pattern` expects the program to end in an error that holds the pattern, as text or as a regular expression,
//     whatever the case. Where in the program is not checked.
// C3. `### go: pattern` is the wording of one implementation. Where all of a program's patterns are such wordings, an
//     error must happen; ours need not match one, but those that match none are counted below.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile, start } from '../../src/starlark.ts';
import { skipUnless } from '../support/skip-unless.ts';

const folder = resolve(import.meta.dirname, '../../../shared/conformance/starlark');
const present = existsSync(folder);

const prelude = `
def assert_eq(x, y):
    if x != y:
        fail("%r != %r" % (x, y))

def assert_ne(x, y):
    if x == y:
        fail("%r == %r" % (x, y))

def assert_(cond, msg = "assertion failed"):
    if not cond:
        fail(msg)
`;

/** Programs, by file and first line, that end otherwise here, and why. */
const divergences: { readonly [program: string]: string } = {};

interface Conforming {
  readonly name: string;
  readonly source: string;
  readonly neutral: readonly string[];
  readonly tagged: readonly string[];
}

function programsOf(file: string): readonly Conforming[] {
  const programs: Conforming[] = [];
  let code: string[] = [];
  let neutral: string[] = [];
  let tagged: string[] = [];
  let first = 1;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  for (const [at, line] of [...lines, '---'].entries()) {
    if (line.trimEnd() === '---') {
      programs.push({ name: `${file}:${first}`, source: `${prelude}${code.join('\n')}\n`, neutral, tagged });
      [code, neutral, tagged, first] = [[], [], [], at + 2];
      continue;
    }
    const match = /^(.*?) *### *(?:(go|java|rust):)? *(.*)$/.exec(line);
    if (match !== null) (match[2] === undefined ? neutral : tagged).push((match[3] as string).trimEnd());
    code.push(match === null ? line : (match[1] as string));
  }
  return programs;
}

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

describe.skipIf(skipUnless(present, '../shared/conformance/starlark is absent'))('the shared conformance suite (skipped where ../shared/conformance/starlark is absent)', () => {
  const files = present ? ['go', 'java', 'rust'].flatMap((part) => readdirSync(join(folder, part)).filter((name) => name.endsWith('.star')).map((name) => `${part}/${name}`)) : [];
  const programs = files.flatMap(programsOf);

  it('is all there', () => {
    expect([files.length, programs.length]).toEqual([39, 430]);
  });

  it.each(files)('%s ends as it should', (file) => {
    const wrong = programs
      .filter((program) => program.name.startsWith(`${file}:`) && !(program.name in divergences))
      .flatMap((program) => {
        const message = errorOf(program);
        if (program.neutral.length + program.tagged.length === 0) return message === null ? [] : [`${program.name}: ${message}`];
        if (message === null) return [`${program.name}: no error, but one of ${[...program.neutral, ...program.tagged].join(' or ')}`];
        return program.neutral.filter((pattern) => !matches(message, pattern)).map((pattern) => `${program.name}: ${message}, but not ${pattern}`);
      });
    expect(wrong).toEqual([]);
  });

  it('tells of errors in the words of one of the others, nearly always', () => {
    const own = programs.flatMap((program) => {
      if (program.tagged.length === 0) return [];
      const message = errorOf(program) ?? '';
      return program.tagged.some((pattern) => matches(message, pattern)) ? [] : [`${program.name}: ${message}; others: ${program.tagged.join(' | ')}`];
    });
    expect(own).toEqual([]);
  });

  it('still needs each divergence', () => {
    const names = new Set(programs.map((program) => program.name));
    expect(Object.keys(divergences).filter((name) => !names.has(name))).toEqual([]);
  });
});
