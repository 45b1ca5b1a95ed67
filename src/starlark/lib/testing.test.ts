import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import { start } from '../vm/start.ts';

/** What a program for tests prints, or how it fails. */
function outcome(source: string): unknown {
  const compiled = compile(source, { testing: true });
  if (!compiled.ok) return compiled.diagnostics.map(({ message }) => message);
  const printed: string[] = [];
  const state = start(compiled.program, { print: (text) => printed.push(text) }).run();
  return state.kind === 'failed' ? state.failure.diagnostic.message : printed;
}

describe('testing', () => {
  it('is not there unless it is asked for', () => {
    expect(compile('assert.eq(1, 1)\n').ok).toBe(false);
  });

  it('passes what is right', () => {
    expect(
      outcome(
        'assert.eq([1], [1.0])\nassert.ne(1, "1")\nassert.true(1)\nassert.lt(1, 2)\nassert.contains([1], 1)\nassert.fails(lambda: 1 // 0, "by zero")\nassert.fails(lambda: [][0], "index [0-9] out")\n',
      ),
    ).toEqual([]);
  });

  it.each([
    ['assert.eq(1, "1")', '1 != "1"'],
    ['assert.ne(1, 1.0)', '1 == 1.0'],
    ['assert.true(0)', 'assertion failed'],
    ['assert.true([], "none")', 'none'],
    ['assert.lt(2, 1)', '2 is not less than 1'],
    ['assert.contains("abc", "x")', '"abc" does not contain "x"'],
    ['assert.fail("no")', 'no'],
  ])('%s fails', (source, message) => {
    expect(outcome(`${source}\n`)).toBe(message);
  });

  it('has catch, freeze, matches and struct', () => {
    const source =
      'x = freeze([1, [2]])\nprint(catch(lambda: x[1].append(1)) != None, matches("^a+$", "aaa"), struct(b = 1, a = 2).b, struct(a = 1) == struct(a = 1))\n';
    expect(outcome(source)).toEqual(['True True 1 True']);
  });
});
