// Questions -> Jinja's answers, through a Python process.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OracleAnswer, Question } from './compare.ts';
import { encode } from './variables.ts';

const script = fileURLToPath(new URL('./oracle.py', import.meta.url));

/** Pythons that may have Jinja2; Debian's is the one that its package is for. */
const pythons = ['/usr/bin/python3', 'python3'];

let found: string | null | undefined;

/** The Python that has Jinja2 3.1, or null. */
export function pythonWithJinja(): string | null {
  found ??=
    pythons.find(
      (python) =>
        spawnSync(python, ['-c', 'import jinja2; assert jinja2.__version__.startswith("3.1")']).status === 0,
    ) ?? null;
  return found;
}

export function line(question: Question): string {
  return JSON.stringify({ ...question, variables: encode(question.variables) });
}

export function askOracle(
  python: string,
  questions: readonly Question[],
  oracle = script,
): readonly OracleAnswer[] {
  const asked = spawnSync(python, [oracle], {
    input: `${questions.map(line).join('\n')}\n`,
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  });
  if (asked.status !== 0) throw new Error(`the oracle failed: ${asked.stderr}`);
  return asked.stdout
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each) as OracleAnswer);
}
