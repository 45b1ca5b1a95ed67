import { describe, expect, it } from 'vitest';
import {
  childrenOf,
  faultLines,
  read,
  showExpression,
  showStatements,
} from '../../../test/support/starlark-tree.ts';
import type { Expression, Statement } from './ast.ts';

function expression(text: string): string {
  const { module, diagnostics } = read(text);
  expect(diagnostics).toEqual([]);
  const [statement] = (module?.body ?? []) as [Statement];
  expect(statement.kind).toBe('expression');
  return showExpression((statement as Statement & { kind: 'expression' }).expression);
}

function statements(text: string, interactive = false): string {
  const { module, diagnostics } = read(text, { interactive });
  expect(diagnostics).toEqual([]);
  return showStatements(module?.body ?? []);
}

describe('parseModule, on expressions', () => {
  it.each([
    [
      'a or b and not c == d | e ^ f & g << h + i * -j',
      '(or a (and b (not (== c (| d (^ e (& f (<< g (+ h (* i (- j)))))))))))',
    ],
    [
      '-a * b + c << d & e ^ f | g == h and i or j',
      '(or (and (== (| (^ (& (<< (+ (* (- a) b) c) d) e) f) g) h) i) j)',
    ],
    ['a - b - c', '(- (- a b) c)'],
    ['a / b // c % d', '(% (// (/ a b) c) d)'],
    ['a or b or c', '(or (or a b) c)'],
    ['(a == b) == c', '(== (== a b) c)'],
    ['a < b and b < c', '(and (< a b) (< b c))'],
    ['a not in b', '(not in a b)'],
    ['not a in b', '(not (in a b))'],
    ['not not a', '(not (not a))'],
    ['a and not b', '(and a (not b))'],
    ['-a.b[c](d)', '(- (call (at (. a b) c) d))'],
    ['- - +~a', '(- (- (+ (~ a))))'],
    ['-1', '(- 1)'],
    ['a - -b', '(- a (- b))'],
    ['a if b else c if d else e', '(if b a (if d c e))'],
    ['(a if b else c) if d else e', '(if d (if b a c) e)'],
    ['a or b if c and d else e', '(if (and c d) (or a b) e)'],
    ['lambda: a if b else c', '(lambda () (if b a c))'],
    ['a if b else lambda: c', '(if b a (lambda () c))'],
    ['lambda a, b=1, *c, d, e=2, **f: a', '(lambda (a b=1 *c d e=2 **f) a)'],
    ['lambda *, a: a', '(lambda (* a) a)'],
    ['lambda a, : a', '(lambda (a) a)'],
    ['()', '(tuple)'],
    ['(a)', 'a'],
    ['(a,)', '(tuple a)'],
    ['(a, b,)', '(tuple a b)'],
    ['a, b', '(bare a b)'],
    ['((a, b))', '(tuple a b)'],
    ['[]', '[]'],
    ['[a]', '[a]'],
    ['[a, b,]', '[a b]'],
    ['{}', '{}'],
    ['{a: b}', '{a:b}'],
    ['{a: b, c: d,}', '{a:b c:d}'],
    ['[a for b in c]', '[a for b in c]'],
    ['[a for b, c in d if e for (f, g) in h if i]', '[a for (bare b c) in d if e for (tuple f g) in h if i]'],
    ['{a: b for c in d}', '[a: b for c in d]'],
    ['[a for a[b] in c]', '[a for (at a b) in c]'],
    ['[a if b else c for d in e]', '[(if b a c) for d in e]'],
    ['[a for b in c or d if lambda: e]', '[a for b in (or c d) if (lambda () e)]'],
    ['[a for b in (lambda: c, d)]', '[a for b in (tuple (lambda () c) d)]'],
    ['f()', '(call f)'],
    ['f(a, b=c, *d, **e)', '(call f a b=c *d **e)'],
    ['f(a,)', '(call f a)'],
    ['f(*a,)', '(call f *a)'],
    ['f(a if b else c)', '(call f (if b a c))'],
    ['f((a))', '(call f a)'],
    ['f(a == b)', '(call f (== a b))'],
    ['f(a)(b).c', '(. (call (call f a) b) c)'],
    ['a[b]', '(at a b)'],
    ['a[b, c]', '(at a (bare b c))'],
    ['a[:]', '(slice a _ _ _)'],
    ['a[b:]', '(slice a b _ _)'],
    ['a[:b]', '(slice a _ b _)'],
    ['a[b:c:d]', '(slice a b c d)'],
    ['a[::]', '(slice a _ _ _)'],
    ['a[::b]', '(slice a _ _ b)'],
    ['a[b::c]', '(slice a b _ c)'],
    ['a[b, c:]', '(slice a (bare b c) _ _)'],
    ['a [ b ] ( c ) . d', '(. (call (at a b) c) d)'],
    ['"a".b', '(. "a" b)'],
    ['1 .a', '(. 1 a)'],
    ['(\n  a\n  +\n  b\n)', '(+ a b)'],
    ['a + \\\n  b', '(+ a b)'],
    ['[assert, assert.eq]', '[assert (. assert eq)]'],
  ])('reads %s', (text, tree) => {
    expect(expression(text)).toBe(tree);
  });
});

describe('parseModule, on statements', () => {
  it.each([
    ['a = b', 'a = b'],
    ['a, b = c, d', '(bare a b) = (bare c d)'],
    ['(a, b,) = c', '(tuple a b) = c'],
    ['[a, (b, c)] = d', '[a (tuple b c)] = d'],
    ['[] = ()', '[] = (tuple)'],
    ['a[b] = c', '(at a b) = c'],
    ['a.b = c', '(. a b) = c'],
    ['a = b if c else d', 'a = (if c b d)'],
    ['(a) += b', 'a += b'],
    ['a += b, c', 'a += (bare b c)'],
    ['a[b] //= c', '(at a b) //= c'],
    ['a.b >>= c', '(. a b) >>= c'],
    ['pass; a = b; c();', 'pass; a = b; (call c)'],
    ['def f(): pass', 'def f() {pass}'],
    ['def f(a, b=1, *args, c, d=2, **kwargs):\n  return', 'def f(a b=1 *args c d=2 **kwargs) {return _}'],
    ['def f(a, *, b): return a, b', 'def f(a * b) {return (bare a b)}'],
    ['def f(*args, ): pass\ndef g(**kwargs, ): pass', 'def f(*args) {pass}; def g(**kwargs) {pass}'],
    ['def f():\n  """doc"""\n  def g():\n    pass\n  return g', 'def f() {"doc"; def g() {pass}; return g}'],
    [
      'def f(x):\n  if x: return 1\n  elif y: return 2\n  elif z:\n    pass\n  else: return 3',
      'def f(x) {if x {return 1} {if y {return 2} {if z {pass} {return 3}}}}',
    ],
    [
      'def f(x):\n  for a, b[0] in 1, 2:\n    if a: break\n    else: continue',
      'def f(x) {for (bare a (at b 0)) in (bare 1 2) {if a {break} {continue}}}',
    ],
    ['def f():\n  for x in lambda: 1, 2: pass', 'def f() {for x in (bare (lambda () 1) 2) {pass}}'],
    ['load("m", "a", b="c",)', 'load "m" a=a b=c'],
    ['load("m", b="c", "a")', 'load "m" b=c a=a'],
    ['load(\n"m",\n"a")\n', 'load "m" a=a'],
    ['load("m", _a="b")', 'load "m" _a=b'],
    ['load("m", "assert")', 'load "m" assert=assert'],
    ['\n\n# c\n', ''],
    ['\uFEFFa', 'a'],
    ['a\r\nb\r\n', 'a; b'],
  ])('reads %j', (text, tree) => {
    expect(statements(text)).toBe(tree);
  });

  it('keeps the text that opens a function as its documentation', () => {
    const { module } = read('def f():\n  "one\\ntwo"\ndef g(): b"x"\ndef h(): pass');
    expect(module?.body.map((s) => (s as Statement & { kind: 'def' }).documentation)).toEqual([
      'one\ntwo',
      null,
      null,
    ]);
  });

  it('allows if and for outside functions in interactive mode', () => {
    expect(statements('for x in y:\n  if x: break\nelse_ = 1\nif a: b\nelse: c', true)).toBe(
      'for x in y {if x {break} {}}; else_ = 1; if a {b} {c}',
    );
  });
});

describe('parseModule, on places', () => {
  function places(text: string): string[] {
    const found: string[] = [];
    const walk = (node: object & { kind?: string; start: number; end: number }): void => {
      found.push(`${node.kind ?? '-'} ${text.slice(node.start, node.end)}`);
      for (const child of childrenOf(node)) walk(child);
    };
    for (const statement of read(text).module?.body ?? []) walk(statement);
    return found;
  }

  it.each([
    [
      'x = (a) + [b]  # c',
      [
        'assign x = (a) + [b]',
        'identifier x',
        'binary (a) + [b]',
        'identifier a',
        'list [b]',
        'identifier b',
      ],
    ],
    [
      'f (a , b = 1, *c)',
      [
        'expression f (a , b = 1, *c)',
        'call f (a , b = 1, *c)',
        'identifier f',
        'positional a',
        'identifier a',
        'named b = 1',
        'int 1',
        'star *c',
        'identifier c',
      ],
    ],
    [
      'def f(a, b=1, *, c): pass ; pass ;',
      [
        'def def f(a, b=1, *, c): pass ; pass ;',
        'identifier f',
        'plain a',
        'identifier a',
        'plain b=1',
        'identifier b',
        'int 1',
        'star *',
        'plain c',
        'identifier c',
        'pass pass',
        'pass pass',
      ],
    ],
    [
      '(x)[1:(2)].y',
      ['expression (x)[1:(2)].y', 'dot (x)[1:(2)].y', 'slice (x)[1:(2)]', 'identifier x', 'int 1', 'int 2'],
    ],
    [
      '{a: (b) for c in d if e}',
      [
        'expression {a: (b) for c in d if e}',
        'comprehension {a: (b) for c in d if e}',
        'identifier a',
        'identifier b',
        'for for c in d',
        'identifier c',
        'identifier d',
        'if if e',
        'identifier e',
      ],
    ],
    [
      'load("m", "a", b="c")',
      ['load load("m", "a", b="c")', 'string "m"', '- "a"', 'identifier "a"', '- b="c"', 'identifier b'],
    ],
  ])('gives each node of %s its range', (text, expected) => {
    expect(places(text)).toEqual(expected);
  });

  it('knows where operators, calls and names stand', () => {
    const [first, second] = (read('a.b (c)\nx  +=  1').module?.body ?? []) as [
      Statement & { kind: 'expression' },
      Statement & { kind: 'augmented' },
    ];
    const call = first.expression as Expression & { kind: 'call' };
    expect([
      call.openStart,
      (call.callee as Expression & { kind: 'dot' }).nameStart,
      second.operatorStart,
    ]).toEqual([4, 2, 11]);
  });

  it('ends an if at the end of its last branch', () => {
    const text = 'def f():\n  if a:\n    b\n  elif c:\n    d\n\n# end\n';
    const def = read(text).module?.body[0] as Statement & { kind: 'def' };
    const outer = def.body[0] as Statement & { kind: 'if' };
    const inner = outer.otherwise[0] as Statement & { kind: 'if' };
    expect([outer, inner].map(({ start, end }) => text.slice(start, end))).toEqual([
      'if a:\n    b\n  elif c:\n    d',
      'elif c:\n    d',
    ]);
  });
});

describe('parseModule, on faults', () => {
  it.each([
    ['x = 1 +\n', '1:8 STAR_SYNTAX got newline, want primary expression'],
    ['x = (1 +)', "1:9 STAR_SYNTAX got ')', want primary expression"],
    ['6burgle', '1:2 STAR_SYNTAX got identifier, want newline'],
    ['a b', '1:3 STAR_SYNTAX got identifier, want newline'],
    ['a = b = c', "1:7 STAR_SYNTAX got '=', want newline"],
    ['a;; b', "1:3 STAR_SYNTAX got ';', want primary expression"],
    ['x = a if b', '1:7 STAR_SYNTAX conditional expression without else clause'],
    ['x = [a for b in c else d]', "1:19 STAR_SYNTAX got else, want ']', for, or if"],
    ['x = [a for b in 1, 2]', "1:18 STAR_SYNTAX got ',', want ']', for, or if"],
    ['x = [a for b in c if 1, 2]', "1:23 STAR_SYNTAX got ',', want ']', for, or if"],
    ['x = [a for b in lambda: c]', '1:17 STAR_SYNTAX got lambda, want primary expression'],
    ['x = [a for b in c if lambda: d if e else f]', "1:37 STAR_SYNTAX got else, want ']', for, or if"],
    ['x = [a b]', "1:8 STAR_SYNTAX got identifier, want ']'"],
    ['x = {a: b, c}', "1:13 STAR_SYNTAX got '}', want ':'"],
    ['x[1, 2,:]', "1:8 STAR_SYNTAX got ':', want primary expression"],
    ['x[]', "1:3 STAR_SYNTAX got ']', want primary expression"],
    ['x = a not b', '1:11 STAR_SYNTAX got identifier, want in'],
    ['x = a == not b', '1:10 STAR_SYNTAX got not, want primary expression'],
    ['x = -not b', '1:6 STAR_SYNTAX got not, want primary expression'],
    ['x = ...', "1:5 STAR_SYNTAX got '.', want primary expression"],
    ['def f : pass', "1:7 STAR_SYNTAX got ':', want '('"],
    ['def f(): if x: pass', '1:10 STAR_SYNTAX got if, want primary expression'],
    ['def f()\n  pass', "1:8 STAR_SYNTAX got newline, want ':'"],
    ['def f():\n  if x = 1:\n    pass', "2:8 STAR_SYNTAX got '=', want ':'"],
    ['def f(a, *-b, c): pass', "1:11 STAR_SYNTAX got '-', want ','"],
    ['elif x:\n  pass', '1:1 STAR_SYNTAX got elif, want a statement'],
    ['let x = 1', '1:5 STAR_SYNTAX got identifier, want newline'],
    ['switch x:\n  case(1)\n  y', '1:8 STAR_SYNTAX got identifier, want newline'],
    ['def f():\n  for x in y: pass\n  else:\n    return', '3:3 STAR_SYNTAX got else, want a statement'],
    ['f(load())', '1:3 STAR_SYNTAX got load, want primary expression'],
    ['load = 1', "1:6 STAR_SYNTAX got '=', want '('"],
    ['  a', '1:3 STAR_INDENT unexpected indent'],
    ['def f():\n  a\n    b\n  c', '3:5 STAR_INDENT unexpected indent'],
    [
      'def f():\nreturn 1',
      "2:1 STAR_INDENT got a line that is not indented, want indent: a block must follow ':'",
    ],
    [
      'def f():\n  if x:\ny',
      "3:1 STAR_INDENT got a line that is indented less, want indent: a block must follow ':'",
    ],
    ['def f():\n', "2:1 STAR_UNFINISHED got end of file, want indent: a block must follow ':'"],
    ['def f():\n  if x:\n', "3:1 STAR_UNFINISHED got end of file, want indent: a block must follow ':'"],
    ['a, b = 1, 2,', '1:12 STAR_TRAILING_COMMA unparenthesized tuple with trailing comma'],
    ['a, = b', '1:2 STAR_TRAILING_COMMA unparenthesized tuple with trailing comma'],
    ['x[1,]', '1:4 STAR_TRAILING_COMMA unparenthesized tuple with trailing comma'],
    ['x = [a for a, in b]', '1:15 STAR_TRAILING_COMMA got in, want primary expression'],
  ])('tells of %j', (text, fault) => {
    expect(faultLines(text, read(text))).toEqual([fault]);
  });

  it.each([
    ['while x:\n  y = 1\n  break\nelse:\n  pass', '1:1 STAR_WHILE while loops are not part of Starlark'],
    [
      'try:\n  x = 1\nexcept E as e:\n  x = 2\nelse:\n  pass\nfinally:\n  x = 3',
      '1:1 STAR_TRY exceptions are not part of Starlark',
    ],
    ['raise E("x")', '1:1 STAR_TRY exceptions are not part of Starlark'],
    ['class A(B):\n  def f(self):\n    return self', '1:1 STAR_CLASS classes are not part of Starlark'],
    ['import a.b as c, d', '1:1 STAR_IMPORT imports are not part of Starlark'],
    ['from a import (\n  b,\n  c)', '1:1 STAR_IMPORT imports are not part of Starlark'],
    ['with open(x) as f:\n  f.read()', '1:1 STAR_WITH with statements are not part of Starlark'],
    ['del x[0], y', '1:1 STAR_DEL del is not part of Starlark'],
    ['global a, b', '1:1 STAR_GLOBAL global and nonlocal are not part of Starlark'],
    ['nonlocal a', '1:1 STAR_GLOBAL global and nonlocal are not part of Starlark'],
    ['assert x, "y"', '1:1 STAR_ASSERT assert statements are not part of Starlark'],
    ['assert(x)', '1:1 STAR_ASSERT assert statements are not part of Starlark'],
    ['def f():\n  yield 1', '2:3 STAR_YIELD yield is not part of Starlark'],
    ['def f():\n  x = yield', '2:7 STAR_YIELD yield is not part of Starlark'],
    ['async def f():\n  pass', '1:1 STAR_ASYNC async and await are not part of Starlark'],
    ['x = await f()', '1:5 STAR_ASYNC async and await are not part of Starlark'],
    ['@a.b(c)\ndef f(): pass', '1:1 STAR_DECORATOR decorators are not part of Starlark'],
    [
      'def f(a: int, b: dict = {}, *c: str) : pass',
      "1:8 STAR_ANNOTATION got ':', want ',' or ')': type annotations are not part of Starlark",
    ],
    [
      'def f() -> list[int]: pass',
      "1:9 STAR_ANNOTATION got '->', want ':': type annotations are not part of Starlark",
    ],
    ['x: int = 1', "1:2 STAR_ANNOTATION got ':', want newline: type annotations are not part of Starlark"],
    ['x: int', "1:2 STAR_ANNOTATION got ':', want newline: type annotations are not part of Starlark"],
    [
      'def f(a, /, b): pass',
      "1:10 STAR_PARAMETERS got '/', want identifier: positional-only parameters are not part of Starlark",
    ],
    ['x = a is b', "1:7 STAR_IS 'is' is not an operator of Starlark"],
    ['x = a is not b', "1:7 STAR_IS 'is not' is not an operator of Starlark"],
    [
      'x = 0 <= a < b',
      '1:12 STAR_CHAINED_COMPARISON <= does not associate with <: comparisons cannot be chained',
    ],
    [
      'x = a in b not in c',
      '1:12 STAR_CHAINED_COMPARISON in does not associate with not in: comparisons cannot be chained',
    ],
    [
      'x = "a" "b"',
      '1:9 STAR_STRING_CONCATENATION got string literal, want an operator: strings side by side are not joined',
    ],
    [
      'f("a"\n  "b")',
      '2:3 STAR_STRING_CONCATENATION got string literal, want an operator: strings side by side are not joined',
    ],
    ['x = 2 ** 3', "1:7 STAR_POWER '**' is not an operator of Starlark"],
    ['x++', "1:2 STAR_INCREMENT '++' is not an operator of Starlark"],
    ['x--', "1:2 STAR_INCREMENT '--' is not an operator of Starlark"],
    ['print "x"', '1:7 STAR_PRINT got string literal, want newline'],
    ['print x, y', '1:7 STAR_PRINT got identifier, want newline'],
    ['def f():\n  if x: pass\n  else if y: pass\n  else: pass', "3:3 STAR_ELSE_IF got if, want ':'"],
    ['x = {1, 2}', "1:7 STAR_SET_DISPLAY got ',', want ':': sets are not written in braces"],
    ['x = {1}', "1:7 STAR_SET_DISPLAY got '}', want ':': sets are not written in braces"],
    ['x = {a for a in b}', "1:8 STAR_SET_DISPLAY got for, want ':': sets are not written in braces"],
    [
      'x = (a for a in b)',
      "1:8 STAR_GENERATOR got for, want ')': generator expressions are not part of Starlark",
    ],
    [
      'any(a for a in b if a)',
      "1:7 STAR_GENERATOR got for, want ')': generator expressions are not part of Starlark",
    ],
    ['x = c ? a : b', "1:7 STAR_TERNARY unexpected character '?'"],
    ['a, *b = c', "1:4 STAR_STARRED got '*', want primary expression"],
    ['x = [*a]', "1:6 STAR_STARRED got '*', want primary expression"],
    ['x = {**a, "b": 1}', "1:6 STAR_STARRED got '**', want primary expression"],
    [
      'x = lambda: return 1',
      '1:13 STAR_LAMBDA got return, want primary expression: the body of a lambda is an expression',
    ],
    ['x = lambda: y = 1', "1:15 STAR_LAMBDA got '=', want newline: a lambda cannot assign"],
    ['f(lambda: y = 1)', '1:3 STAR_LAMBDA keyword argument must have form name=expr: a lambda cannot assign'],
    ['(n := 1)', "1:4 STAR_WALRUS ':=' is not an operator of Starlark"],
    ['def pass(): pass', '1:5 STAR_RESERVED not an identifier: pass is a reserved word'],
    ['def f(class): pass', '1:7 STAR_RESERVED not an identifier: class is a reserved word'],
    ['x.from', '1:3 STAR_RESERVED not an identifier: from is a reserved word'],
    ['f(class=1)', '1:3 STAR_RESERVED not an identifier: class is a reserved word'],
    ['x = import', '1:5 STAR_RESERVED got import, want primary expression'],
    ['as = 1', '1:1 STAR_RESERVED got as, want primary expression'],
  ])('knows what was meant by %j', (text, fault) => {
    const reading = read(text);
    expect(faultLines(text, reading)).toEqual([fault]);
    expect(reading.diagnostics[0]?.hint).not.toBeNull();
  });

  it.each([
    ['"%5d" % x', '%5d has a width, precision or flag, which % does not take'],
    ['"a %(b)-3s" % x', '%(b)-3s has a width, precision or flag, which % does not take'],
    ['"%.2f" % x', '%.2f has a width, precision or flag, which % does not take'],
    ['"{:>5}".format(x)', '{:>5} has a format after the colon, which format does not take'],
    ['"{a:.2f}".format(a=x)', '{a:.2f} has a format after the colon, which format does not take'],
  ])('warns of %s', (text, message) => {
    const { diagnostics } = read(text);
    expect(diagnostics.map(({ code, severity, message: said }) => [code, severity, said])).toEqual([
      ['STAR_FORMAT', 'warning', message],
    ]);
  });

  it.each(['"%d %s %% %(a)x" % x', '"100%%5d" % x', '"{} {a} {{:}}".format(x)', '"%5d" + x'])(
    'does not warn of %s',
    (text) => {
      expect(read(text).diagnostics).toEqual([]);
    },
  );

  it.each([
    ['1 = x', "1:1 STAR_TARGET can't assign to literal"],
    ['a + b = x', "1:1 STAR_TARGET can't assign to binary expression"],
    ['f() = x', "1:1 STAR_TARGET can't assign to call expression"],
    ['a[1:2] = x', "1:1 STAR_TARGET can't assign to slice expression"],
    ['(a, -b) = x', "1:5 STAR_TARGET can't assign to unary expression"],
    ['{} = x', "1:1 STAR_TARGET can't assign to dict expression"],
    ['a, b += x', "1:1 STAR_TARGET can't use tuple expression in augmented assignment"],
    ['[a] += x', "1:1 STAR_TARGET can't use list expression in augmented assignment"],
    ['f() += x', "1:1 STAR_TARGET can't assign to call expression"],
    ['[a for f() in b]', "1:8 STAR_TARGET can't assign to call expression"],
    ['def f():\n  for 1 in b: pass', "2:7 STAR_TARGET can't assign to literal"],
  ])('refuses the target of %j', (text, fault) => {
    expect(faultLines(text, read(text))).toEqual([fault]);
  });

  it.each([
    ['f(a=1, 2)', '1:8 STAR_ARGUMENTS positional argument may not follow named'],
    ['f(*a, 2)', '1:7 STAR_ARGUMENTS positional argument may not follow *args'],
    ['f(**a, 2)', '1:8 STAR_ARGUMENTS positional argument may not follow **kwargs'],
    ['f(*a, b=2)', '1:7 STAR_ARGUMENTS keyword argument may not follow *args'],
    ['f(**a, b=2)', '1:8 STAR_ARGUMENTS keyword argument may not follow **kwargs'],
    ['f(*a, *b)', '1:7 STAR_ARGUMENTS multiple *args not allowed'],
    ['f(**a, *b)', '1:8 STAR_ARGUMENTS *args may not follow **kwargs'],
    ['f(**a, **b)', '1:8 STAR_ARGUMENTS multiple **kwargs not allowed'],
    ['f(a=1, a=2)', '1:8 STAR_ARGUMENTS keyword argument "a" is repeated'],
    ['f(1+2 = 3)', '1:3 STAR_ARGUMENTS keyword argument must have form name=expr'],
    ['f((a)=3)', '1:3 STAR_ARGUMENTS keyword argument must have form name=expr'],
    ['f(a=1, *, b=2)', "1:9 STAR_SYNTAX got ',', want primary expression"],
    ['f(a b)', "1:5 STAR_SYNTAX got identifier, want ','"],
    ['def f(a=1, b): pass', '1:12 STAR_PARAMETERS required parameter may not follow optional'],
    ['def f(**a, b): pass', '1:12 STAR_PARAMETERS parameter may not follow **kwargs'],
    ['def f(**a, *b): pass', '1:12 STAR_PARAMETERS * parameter may not follow **kwargs'],
    ['def f(**a, **b): pass', '1:12 STAR_PARAMETERS multiple ** parameters not allowed'],
    ['def f(*a, *b): pass', '1:11 STAR_PARAMETERS multiple * parameters not allowed'],
    ['def f(*): pass', '1:7 STAR_PARAMETERS bare * must be followed by keyword-only parameters'],
    ['def f(*, **a): pass', '1:7 STAR_PARAMETERS bare * must be followed by keyword-only parameters'],
    ['def f(a, b, a): pass', '1:13 STAR_PARAMETERS duplicate parameter: a'],
    ['x = lambda a, *a: 1', '1:16 STAR_PARAMETERS duplicate parameter: a'],
    ['def f(1): pass', '1:7 STAR_PARAMETERS got int literal, want identifier: not an identifier'],
  ])('checks the order in %j', (text, fault) => {
    expect(faultLines(text, read(text))).toEqual([fault]);
  });

  it.each([
    ['return 1', '1:1 STAR_OUTSIDE_FUNCTION return statement not within a function'],
    [
      'for x in y:\n  for z in x:\n    if z: break',
      '1:1 STAR_OUTSIDE_FUNCTION for loop not within a function',
    ],
    [
      'if x:\n  a\nelif y:\n  if z: b\nelse: c',
      '1:1 STAR_OUTSIDE_FUNCTION if statement not within a function',
    ],
    ['break', '1:1 STAR_OUTSIDE_LOOP break not in a loop'],
    ['def f():\n  continue', '2:3 STAR_OUTSIDE_LOOP continue not in a loop'],
    [
      'def f():\n  for x in y:\n    def g():\n      break\n    break',
      '4:7 STAR_OUTSIDE_LOOP break not in a loop',
    ],
    ['def f():\n  load("a", "b")', '2:3 STAR_LOAD load statement within a function'],
    ['load("a")', '1:5 STAR_LOAD load statement must import at least 1 symbol'],
    ['load(1, "a")', '1:6 STAR_LOAD first operand of load statement must be a string literal'],
    ['load("a", 1)', '1:11 STAR_LOAD load operand must be "name" or localname="name" (got int literal)'],
    ['load("a", x)', '1:11 STAR_LOAD load operand must be "x" or x="originalname"'],
    ['load("a", y=x)', '1:13 STAR_LOAD original name of loaded symbol must be quoted: y="originalname"'],
    ['load("a", "")', '1:11 STAR_LOAD load: empty identifier'],
    ['load("a", b="_c")', '1:13 STAR_LOAD load: names with leading underscores are not exported: _c'],
    ['load("a", "b c")', '1:11 STAR_LOAD load: not an identifier: "b c"'],
    ['load("a", "if")', '1:11 STAR_LOAD load: not an identifier: "if"'],
  ])('checks the place of %j', (text, fault) => {
    expect(faultLines(text, read(text))).toEqual([fault]);
  });

  it('refuses load inside if and for in interactive mode', () => {
    const text = 'if x:\n  load("a", "b")\nfor y in x:\n  load("a", "c")';
    expect(faultLines(text, read(text, { interactive: true }))).toEqual([
      '2:3 STAR_LOAD load statement within a conditional',
      '4:3 STAR_LOAD load statement within a loop',
    ]);
  });

  it.each([
    ['retrun x', 'did you mean return?'],
    ['esle:\n  pass', 'did you mean else?'],
    ['fro x in y:\n  pass', 'did you mean for?'],
    ['foreach x in y:\n  pass', 'write for x in y:'],
    ['const x = 1', 'assign with name = value'],
  ])('guesses the word meant in %j', (text, hint) => {
    expect(read(text).diagnostics.map((d) => d.hint)).toEqual([hint]);
  });

  it('tells the errors also when there are many warnings before them', () => {
    const { diagnostics } = read(`${'x("%5d" % 1)\n'.repeat(200)}y = \n`);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 10 }, () => 'STAR_FORMAT'),
      'STAR_SYNTAX',
      'STAR_MORE',
    ]);
  });

  it('tells all faults at once, in the order of the text', () => {
    const text =
      'x = = 1\nclass A:\n  y = 1_0\n  def f(self) -> int:\n    return f"a"\nz = (1\ndef g(:\n  w = \n  return 3 $ 4\nv = 1 is 2\n';
    expect(faultLines(text, read(text))).toEqual([
      "1:5 STAR_SYNTAX got '=', want primary expression",
      '2:1 STAR_CLASS classes are not part of Starlark',
      '3:7 STAR_NUMBER invalid number literal: underscores are not allowed between digits',
      "4:15 STAR_ANNOTATION got '->', want ':': type annotations are not part of Starlark",
      '5:12 STAR_FSTRING f-strings are not part of Starlark',
      "7:1 STAR_BRACKET got def, want ')'",
      "9:3 STAR_BRACKET got return, want ')'",
      "9:12 STAR_CHARACTER unexpected character '$' (U+0024)",
      "10:7 STAR_IS 'is' is not an operator of Starlark",
    ]);
  });

  it('reads the block under a line that it could not read', () => {
    const text = 'def f(x y):\n  for z in :\n    a = \n    break\n  return 1\ndef g(): pass';
    const reading = read(text);
    expect(faultLines(text, reading)).toEqual([
      "1:9 STAR_SYNTAX got identifier, want ','",
      "2:12 STAR_SYNTAX got ':', want primary expression",
      '3:9 STAR_SYNTAX got newline, want primary expression',
    ]);
    expect([...(reading.module?.doubtful ?? [])].sort()).toEqual(['a', 'f', 'x', 'y', 'z']);
  });
});

describe('parseModule, on limits', () => {
  it('refuses a text over the limit', () => {
    const reading = read('x = 1', { maxSourceUnits: 4 });
    expect(reading).toEqual({
      module: null,
      diagnostics: [
        {
          code: 'STAR_TOO_LARGE',
          severity: 'error',
          path: 'p.star',
          span: null,
          message: 'the program has 5 characters, more than the 4 allowed',
          hint: null,
        },
      ],
    });
  });

  it.each([
    [
      'brackets',
      `x = ${'('.repeat(199)}1${')'.repeat(199)}`,
      `x = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    ],
    ['lists', `x = ${'['.repeat(199)}${']'.repeat(199)}`, `x = ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['unary minus', `x = ${'-'.repeat(199)}1`, `x = ${'-'.repeat(100_000)}1`],
    ['not', `x = ${'not '.repeat(199)}1`, `x = ${'not '.repeat(100_000)}1`],
    ['conditionals', `x = ${'1 if 2 else '.repeat(199)}3`, `x = ${'1 if 2 else '.repeat(80_000)}3`],
    ['lambdas', `x = ${'lambda: '.repeat(199)}3`, `x = ${'lambda: '.repeat(100_000)}3`],
    [
      'calls',
      `x = ${'f('.repeat(199)}${')'.repeat(199)}`,
      `x = ${'f('.repeat(100_000)}${')'.repeat(100_000)}`,
    ],
    ['clauses', `x = [1${' for a in b'.repeat(198)}]`, `x = [1${' for a in b'.repeat(80_000)}]`],
    ['a sum', `x = 1${'+1'.repeat(1_000)}`, `x = 1${'+1'.repeat(100_000)}`],
    ['suffixes', `x = a${'.b'.repeat(1_000)}`, `x = a${'.b'.repeat(100_000)}`],
    [
      'elif',
      `def f(x):\n  if x: pass\n${'  elif x: pass\n'.repeat(1_000)}`,
      `def f(x):\n  if x: pass\n${'  elif x: pass\n'.repeat(50_000)}`,
    ],
    ['blocks', nestedBlocks(190), nestedBlocks(1_000)],
  ])('bounds the depth of %s', (_, good, bad) => {
    expect(read(good).diagnostics).toEqual([]);
    const { module, diagnostics } = read(bad);
    expect(module).toBeNull();
    expect(diagnostics.map(({ code }) => code)).toEqual(['STAR_TOO_DEEP']);
  });

  it('does not count a long flat list as depth', () => {
    expect(read(`x = [${'a + b, '.repeat(50_000)}]`).diagnostics).toEqual([]);
  });

  it('adds up chains that stand inside one another', () => {
    const half = `1${'+1'.repeat(700)}`;
    expect(read(`x = [${half}, ${half}]`).diagnostics).toEqual([]);
    expect(read(`x = (${half})${'+1'.repeat(700)}`).diagnostics.map(({ code }) => code)).toEqual([
      'STAR_TOO_DEEP',
    ]);
  });

  it('never allows more depth than the stack has room for', () => {
    const operators = 'a or b and c == d | e ^ f & g << h + i * (';
    expect(
      read(`x = ${operators.repeat(10_000)}`, { maxDepth: 1e9 }).diagnostics.map(({ code }) => code),
    ).toEqual(['STAR_TOO_DEEP', 'STAR_UNFINISHED']);
  });

  it.each([
    ['bad characters', '$ '.repeat(400_000)],
    ['bad statements', '= \n'.repeat(300_000)],
    ['unclosed strings', 'x = "a\n'.repeat(100_000)],
    ['mismatched brackets', '('.repeat(400_000) + ']'.repeat(400_000)],
  ])('lists 50 faults of many: %s', (_, text) => {
    const { module, diagnostics } = read(text);
    expect(module).toBeNull();
    expect(diagnostics.length).toBe(51);
    expect(diagnostics[50]?.code).toBe('STAR_MORE');
  });

  it.each([
    ['quotes', '"'.repeat(900_001)],
    ['escapes', `x = "${'\\n'.repeat(450_000)}"`],
    ['digits', `x = ${'9'.repeat(900_000)}`],
    ['a format of percents', `x = "${'%0'.repeat(400_000)}" % 1`],
    ['a format of names', `x = "${'%('.repeat(400_000)}" % 1`],
    ['a format of braces', `x = "${'{:'.repeat(400_000)}".format(1)`],
    ['a name', 'x'.repeat(900_000)],
    ['continuations', '\\\n'.repeat(400_000)],
    ['unclosed brackets before statements', '(\npass\n'.repeat(100_000)],
    ['lines', 'x()\n'.repeat(200_000)],
    ['blanks', ' '.repeat(900_000)],
  ])(
    'takes linear time for %s',
    (_, text) => {
      const before = performance.now();
      read(text);
      expect(performance.now() - before).toBeLessThan(10_000);
    },
    20_000,
  );
});

function nestedBlocks(depth: number): string {
  const lines = Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}def f():\n`);
  return `${lines.join('')}${' '.repeat(depth)}pass\n`;
}
