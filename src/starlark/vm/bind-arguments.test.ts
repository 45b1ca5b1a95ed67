import { describe, expect, it } from 'vitest';
import { compile } from '../compile-source.ts';
import { start } from './start.ts';

/** The repr of `result`, or the text of the error with its hint. */
function evaluate(source: string, expression: string): string {
  const compiled = compile(`${source}\n\nprint(repr(${expression}))\n`, { path: 't.star' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map(({ message }) => message).join('\n'));
  let printed = '';
  const state = start(compiled.program, { print: (text) => (printed = text) }).run();
  if (state.kind !== 'failed') return printed;
  const { code, message, hint } = state.failure.diagnostic;
  return `${code}: ${message}${hint === null ? '' : ` (${hint})`}`;
}

function returning(parameters: string, ...names: string[]): string {
  return `def f(${parameters}):\n    return (${names.map((name) => `${name}, `).join('')})`;
}

describe('bindArguments', () => {
  const two = returning('a, b = 2', 'a', 'b');
  const rest = returning('a, *args', 'a', 'args');
  const all = returning('a, b = 2, *args, c, d = 4, **kwargs', 'a', 'b', 'args', 'c', 'd', 'kwargs');
  const only = returning('a, *, k = 1', 'a', 'k');
  const none = 'def f():\n    return 0';

  it.each([
    [two, 'f(1)', '(1, 2)'],
    [two, 'f(1, 3)', '(1, 3)'],
    [two, 'f(b = 3, a = 1)', '(1, 3)'],
    [two, 'f(*[1, 3])', '(1, 3)'],
    [two, 'f(**{"a": 1})', '(1, 2)'],
    [two, 'f(1, **{"b": 5})', '(1, 5)'],
    [rest, 'f(1)', '(1, ())'],
    [rest, 'f(1, 2, *(3, 4))', '(1, (2, 3, 4))'],
    [rest, 'f(a = 1)', '(1, ())'],
    [all, 'f(1, c = 3)', '(1, 2, (), 3, 4, {})'],
    [all, 'f(1, 2, 3, c = 3, z = 5, d = 6)', '(1, 2, (3,), 3, 6, {"z": 5})'],
    [all, 'f(c = 3, e = 1, a = 0, *[], **{"x": 1})', '(0, 2, (), 3, 4, {"e": 1, "x": 1})'],
    [only, 'f(1, k = 2)', '(1, 2)'],
    ['f = lambda x, y = 1: [x, y]', 'f(0)', '[0, 1]'],
    ['f = lambda *a, **k: [a, k]', 'f(1, x = 2)', '[(1,), {"x": 2}]'],
  ])('%s … %s gives %s', (source, call, expected) => {
    expect(evaluate(source, call)).toBe(expected);
  });

  it.each([
    [none, 'f(1)', 'function f accepts no arguments (1 given)'],
    [two, 'f(1, 2, 3)', 'function f accepts at most 2 positional arguments (3 given)'],
    [only, 'f(1, 3)', 'function f accepts 1 positional argument (2 given)'],
    [two, 'f()', 'function f missing 1 argument (a)'],
    [all, 'f()', 'function f missing 2 arguments (a, c)'],
    [two, 'f(b = 1)', 'function f missing 1 argument (a)'],
    [two, 'f(1, a = 2)', 'function f got multiple values for parameter "a"'],
    [two, 'f(a = 1, **{"a": 2})', 'function f got multiple values for parameter "a"'],
    [all, 'f(1, c = 1, z = 1, **{"z": 2})', 'function f got multiple values for parameter "z"'],
    [
      returning('width', 'width'),
      'f(widht = 1)',
      'function f got an unexpected keyword argument "widht" (did you mean width?)',
    ],
    [two, 'f(1, q = 2)', 'function f got an unexpected keyword argument "q"'],
    ['f = lambda x: x', 'f()', 'function lambda missing 1 argument (x)'],
  ])('%s … %s fails', (source, call, message) => {
    expect(evaluate(source, call)).toBe(`EVAL_ARGUMENTS: ${message}`);
  });

  it('refuses what cannot be spread', () => {
    expect(evaluate(two, 'f(*1)')).toBe('EVAL_TYPE: argument after * must be iterable, not int');
    expect(evaluate(two, 'f(*None)')).toBe('EVAL_TYPE: argument after * must be iterable, not NoneType');
    expect(evaluate(two, 'f(**[1])')).toBe('EVAL_TYPE: argument after ** must be a mapping, not list');
    expect(evaluate(two, 'f(**{1: 2})')).toBe('EVAL_TYPE: keywords must be strings, not int');
  });

  it('leaves nothing behind when it fails, for the next call of the same function', () => {
    const source = `${two}\ndef g():\n    return [1 if f(*[], **{"a": 7}) else 0, f(a = 9)]`;
    expect(evaluate(source, 'g()')).toBe('[1, (9, 2)]');
  });

  it('leaves nothing behind when memory runs out while arguments are bound', () => {
    // `catch` of the testing library goes on after a limit: what the first call gave to "b" must not reach the second.
    const source =
      'def f(a, b, *args, **kwargs):\n    return b\nheld = ["x" * 1000, "y" * 1000]\nprint(catch(lambda: f(1, 2, k = 3)))\nheld.clear()\nprint(catch(lambda: f(1, k = 3)))\n';
    const compiled = compile(source, { testing: true });
    if (!compiled.ok) throw new Error('it does not compile');
    const answers = new Set<string>();
    for (let maxMemoryBytes = 2000; maxMemoryBytes < 8000; maxMemoryBytes += 20) {
      const printed: string[] = [];
      const state = start(compiled.program, { maxMemoryBytes, print: (text) => printed.push(text) }).run();
      if (state.kind === 'done') answers.add(printed.join(' | '));
    }
    expect([...answers].filter((text) => text.includes('stopped')).length).toBeGreaterThan(0);
    for (const text of answers) expect(text).toMatch(/\| function f missing 1 argument \(b\)$/);
  });

  it('works for functions of very many parameters', () => {
    const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
    const source = `def f(${names.join(', ')}):\n    return p299`;
    expect(evaluate(source, `f(${names.map((name, index) => `${name} = ${index}`).join(', ')})`)).toBe('299');
    expect(evaluate(source, `f(**{n: 1 for n in ${JSON.stringify(names)}})`)).toBe('1');
  });
});

describe('callNative', () => {
  it.each([
    ['len()', 'len: got 0 arguments, want 1'],
    ['len(1, 2)', 'len: got 2 arguments, want 1'],
    ['len(x = 1)', 'len: unexpected keyword argument "x" (give the arguments by position)'],
    ['sorted([], foo = 1)', 'sorted: unexpected keyword argument "foo"'],
    ['sorted([1], revers = True)', 'sorted: unexpected keyword argument "revers" (did you mean reverse?)'],
    ['dict(a = 1, **{"a": 2})', 'dict: got multiple values for keyword argument "a"'],
  ])('%s fails', (call, message) => {
    expect(evaluate('', call)).toBe(`EVAL_ARGUMENTS: ${message}`);
  });

  it('binds names to the parameters of the library', () => {
    expect(evaluate('', 'sorted([1, 3, 2], reverse = True)')).toBe('[3, 2, 1]');
    expect(evaluate('', '"a-b-c".split("-", 1)')).toBe('["a", "b-c"]');
  });
});

describe('invoke', () => {
  it('refuses to call what is no function', () => {
    expect(evaluate('', '(1)(2)')).toBe('EVAL_TYPE: invalid call of non-function (int): it is not callable');
  });

  it('calls bound methods and functions kept in data', () => {
    expect(
      evaluate('m = [3, 4].index\nfs = {"n": len}', '[m(4), fs["n"]("abc"), "x".join(["a", "b"])]'),
    ).toBe('[1, 3, "axb"]');
  });
});
