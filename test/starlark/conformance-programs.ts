// The conformance suite that the Go, Java and Rust implementations share -> its programs.
//
// A file is split at lines `---`; each part is a program of its own. `### pattern` expects it to end in an error, `### go: pattern`
// in the words of one implementation.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../../shared/conformance/starlark');

export const isPresent = existsSync(folder);

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

export interface Conforming {
  readonly name: string;
  readonly source: string;
  readonly neutral: readonly string[];
  /** In the words of one implementation each. */
  readonly tagged: ReadonlyMap<string, string>;
}

export const conformanceFiles: readonly string[] = isPresent
  ? ['go', 'java', 'rust'].flatMap((part) =>
      readdirSync(join(folder, part))
        .filter((name) => name.endsWith('.star'))
        .map((name) => `${part}/${name}`),
    )
  : [];

export function programsOf(file: string): readonly Conforming[] {
  const programs: Conforming[] = [];
  let code: string[] = [];
  let neutral: string[] = [];
  let tagged = new Map<string, string>();
  let first = 1;
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  for (const [at, line] of [...lines, '---'].entries()) {
    if (line.trimEnd() === '---') {
      programs.push({ name: `${file}:${first}`, source: `${prelude}${code.join('\n')}\n`, neutral, tagged });
      [code, neutral, tagged, first] = [[], [], new Map(), at + 2];
      continue;
    }
    const match = /^(.*?) *### *(?:(go|java|rust):)? *(.*)$/.exec(line);
    code.push(match === null ? line : (match[1] as string));
    if (match === null) continue;
    const [, , implementation, pattern] = match as unknown as [string, string, string | undefined, string];
    if (implementation === undefined) neutral.push(pattern.trimEnd());
    else tagged.set(implementation, pattern.trimEnd());
  }
  return programs;
}
