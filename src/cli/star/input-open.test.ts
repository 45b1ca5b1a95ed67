import { describe, expect, it } from 'vitest';
import { needsMore } from './input-open.ts';

describe('needsMore', () => {
  it.each([
    ['an expression', ['1 + 2'], false],
    ['an open bracket', ['f(1,'], true],
    ['a bracket closed later', ['f(1,', '2)'], false],
    ['a bracket in a string', ['"("'], false],
    ['a bracket in a comment', ['1 # ('], false],
    ['a comment inside a bracket', ['[ # ]'], true],
    ['an open long string', ['x = """a'], true],
    ['a long string closed later', ['x = """a', 'b"""'], false],
    ['quotes inside a long string', ["x = '''a\" '"], true],
    ['a short string that is not closed', ['x = "a'], false],
    ['an escaped quote', ['x = "\\"("'], false],
    ['a backslash at the end', ['1 + \\'], true],
    ['a line after a backslash', ['1 + \\', '2'], false],
    ['a def', ['def f():'], true],
    ['a def with its body', ['def f():', '    return 1'], true],
    ['a def ended by an empty line', ['def f():', '    return 1', ''], false],
    ['a def on one line', ['def f(): pass'], true],
    ['an if', ['if x: pass'], true],
    ['a name that begins like a keyword', ['define = 1'], false],
    ['an empty line inside a bracket of a block', ['def f():', '    return [', ''], true],
    ['too many closing brackets', [')'], false],
    ['an empty line', [''], false],
  ])('sees %s', (_what, lines, more) => {
    expect(needsMore(lines)).toBe(more);
  });
});
