// What a program of the playground may send to its page.
import { describe, expect, it } from 'vitest';
import { evaluateProgram, mostLines } from '../../site/client/evaluate.ts';

const limits = { maxSteps: 1_000_000, maxMemoryBytes: 64 * 1024 * 1024, maxMs: 60_000 };
function linesOf(source: string): readonly string[] {
  const lines: string[] = [];
  evaluateProgram(
    { kind: 'starlark', source, ...limits },
    (_, text) => lines.push(text),
    () => 0,
  );
  return lines;
}

describe('evaluateProgram', () => {
  it('gives the first lines of a program that prints without end, and says so', () => {
    const lines = linesOf('def f():\n    for i in range(20000):\n        print(i)\nf()\n');
    expect([lines.length, ...lines.slice(-2)]).toEqual([
      mostLines,
      String(mostLines - 2),
      '… more lines are not shown',
    ]);
    expect(linesOf('def f():\n    for i in range(10):\n        print(i)\nf()\n').length).toBe(10);
  });

  it('cuts a line and a value that would fill the page', () => {
    const [line] = linesOf('print("x" * 200000)\n');
    expect([(line as string).length <= 100_000, line]).toEqual([true, expect.stringContaining('left out')]);
    const { ok, text } = evaluateProgram(
      { kind: 'program', source: 'def run(input):\n    return "x" * 200000\n', ...limits },
      () => undefined,
      () => 0,
    );
    expect([ok, text.length <= 100_000]).toEqual([true, true]);
  });
});
