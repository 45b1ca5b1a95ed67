// Programs that would take a machine down if nothing stopped them, and the code each must end with.
//
//   name -> { source, code, …}    or { work, code }: what an embedder does, given the doors of the interpreter
//
// All at the default limits, unless `options` says otherwise. `code` may be a list: any of them is right.
const def = (...lines) => `def run():\n${lines.map((line) => `    ${line}\n`).join('')}\nrun()\n`;

/** What `run` of `work` gives: the typed reason. */
function codeOf(doors, source, { compile: compileOptions = {}, ...runOptions } = {}) {
  const compiled = doors.compile(source, compileOptions);
  if (!compiled.ok) return compiled.diagnostics[0].code;
  const state = doors.start(compiled.program, runOptions).run();
  return state.kind === 'failed' ? state.failure.diagnostic.code : state.kind;
}

/** The code of a program that keeps what the host answers. */
function answered(doors, answer, times = 10_000) {
  const { program } = doors.compile('def run(n):\n    a = []\n    for i in range(n): a.append(ask())\n', {
    predeclared: ['ask'],
  });
  const run = doors.start(program, { entry: 'run', args: [times] });
  let state = run.run();
  for (let at = 0; state.kind === 'host-call'; at += 1) {
    run.resume(answer(at));
    state = run.run();
  }
  return state.failure?.diagnostic.code ?? state.kind;
}

/** Always the same text, never the same string. */
const equalText = () => 'x'.repeat(500_000);
const limit = ['STEP_LIMIT', 'MEMORY_LIMIT'];

export const bombs = {
  // Time
  'endless counting': { source: def('for i in range(1000000000000): pass'), code: 'STEP_LIMIT' },
  'nested counting': {
    source: def(
      'for a in range(100000):',
      '    for b in range(100000):',
      '        for c in range(100000): pass',
    ),
    code: 'STEP_LIMIT',
  },
  'counting at the top': {
    source: '[None for a in range(100000) for b in range(100000) if False]',
    code: 'STEP_LIMIT',
  },
  'calls without end': {
    source: `def f(x): return x\n${def('for i in range(1000000000): f(i)')}`,
    code: 'STEP_LIMIT',
  },
  'calls by name without end': {
    source: `def f(*a, **k): return k\n${def('for i in range(1000000000): f(1, 2, x = i, y = i)')}`,
    code: 'STEP_LIMIT',
  },
  'doubling calls': {
    source: `def f0(): pass\n${Array.from({ length: 60 }, (_, i) => `def f${i + 1}():\n    f${i}()\n    f${i}()\n`).join('')}f60()\n`,
    code: 'STEP_LIMIT',
  },
  'membership in a long list': {
    source: def('a = list(range(100000))', 'for i in range(100000000): -1 in a'),
    code: 'STEP_LIMIT',
  },
  'membership in a long string': {
    source: def('a = "a" * 5000000', 'for i in range(100000000): "b" in a'),
    code: 'STEP_LIMIT',
  },
  'find that nearly matches': {
    source: def('a = "a" * 1000000', 'b = "a" * 50000 + "b"', 'for i in range(100000000): a.find(b)'),
    code: 'STEP_LIMIT',
  },
  'index from the end': {
    source: def('a = list(range(100000))', 'for i in range(100000000): a.index(99999)'),
    code: 'STEP_LIMIT',
  },
  'insert at the front': { source: def('a = []', 'for i in range(100000000): a.insert(0, i)'), code: limit },
  'pop at the front': {
    source: def('a = list(range(1000000))', 'for i in range(100000000):', '    a.pop(0)', '    a.append(i)'),
    code: 'STEP_LIMIT',
  },
  'remove from a long list': {
    source: def('a = list(range(300000))', 'for i in range(300000): a.remove(299999 - i)'),
    code: 'STEP_LIMIT',
  },
  'slices in a loop': {
    source: def('a = list(range(300000))', 'for i in range(100000000): a[1:]'),
    code: 'STEP_LIMIT',
  },
  'string slices in a loop': {
    source: def('a = "abc" * 1000000', 'for i in range(100000000): a[::2]'),
    code: 'STEP_LIMIT',
  },
  'any over a long range': {
    source: 'any(range(0, 1000000000000, 0 or 1)) or all(range(1, 1000000000000))',
    code: limit,
  },
  'max of a huge range': { source: 'max(range(1000000000000))', code: limit },
  'sorting the same again': {
    source: def('a = list(range(300000))', 'for i in range(100000): a = sorted(a, reverse = i % 2 == 0)'),
    code: 'STEP_LIMIT',
  },
  'sorting long equal strings': {
    source: def(
      'a = [("x" * 200000) + str(i % 10) for i in range(100)]',
      'for i in range(100000): a = sorted(a, reverse = i % 2 == 0)',
    ),
    code: 'STEP_LIMIT',
  },
  'sorting deep equal lists': {
    source: def('a = [list(range(3000)) for i in range(300)]', 'for i in range(100000): sorted(a)'),
    code: 'STEP_LIMIT',
  },
  'sorting by a costly key': {
    source: def(
      'a = list(range(1000))',
      'for i in range(1000000): sorted(a, key = lambda x: len(str(x) * 1000))',
    ),
    code: 'STEP_LIMIT',
  },
  'comparing long equal lists': {
    source: def('a = list(range(300000))', 'b = list(range(300000))', 'for i in range(1000000): a == b'),
    code: 'STEP_LIMIT',
  },
  'comparing long equal strings': {
    source: def('a = "x" * 4000000 + "a"', 'b = "x" * 4000000 + "a"', 'for i in range(100000000): a == b'),
    code: 'STEP_LIMIT',
  },
  'hashing a long tuple': {
    source: def('a = tuple(range(100000))', 'for i in range(100000000): hash(str(i)) or {a + (i,): 1}'),
    code: limit,
  },
  'hash of a long string': {
    source: def('a = "x" * 8000000', 'for i in range(100000000): hash(a)'),
    code: 'STEP_LIMIT',
  },
  'dict reading with long keys': {
    source: def('d = {}', 'for i in range(100000000): d["x" * 1000000 + str(i % 2)] = i'),
    code: limit,
  },
  'counting text': {
    source: def('a = "ab" * 2000000', 'for i in range(100000000): a.count("ab")'),
    code: 'STEP_LIMIT',
  },
  'case of long text': {
    source: def('a = "aB" * 2000000', 'for i in range(100000000): a.title().upper().isalnum()'),
    code: 'STEP_LIMIT',
  },
  'stripping long text': {
    source: def('a = " " * 5000000 + "x"', 'for i in range(100000000): a.strip()'),
    code: 'STEP_LIMIT',
  },
  'printing long text': { source: def('for i in range(100000000): print("x" * 1000)'), code: 'OUTPUT_LIMIT' },
  'printing nothing': {
    source: def('for i in range(100000000): print()'),
    code: ['OUTPUT_LIMIT', 'STEP_LIMIT'],
  },
  'failing with long text': {
    source: 'fail("x" * 20000000, "y" * 20000000)',
    code: ['EVAL_FAIL', 'MEMORY_LIMIT'],
  },

  // Memory
  'string doubling': { source: def('s = "ab"', 'for i in range(64): s = s + s'), code: 'MEMORY_LIMIT' },
  'string doubling in place': { source: def('s = "ab"', 'for i in range(64): s += s'), code: 'MEMORY_LIMIT' },
  'string repeat': { source: '"ab" * (1 << 40)', code: 'MEMORY_LIMIT' },
  'string repeat by a huge int': {
    source: '"ab" * (1 << 200)',
    code: ['MEMORY_LIMIT', 'EVAL_VALUE', 'INT_LIMIT'],
  },
  'nothing repeated hugely': {
    source: 'len("" * (1 << 50)) == 0 and [] * (1 << 50) == [] and "ab" * (1 << 40)',
    code: 'MEMORY_LIMIT',
  },
  'bytes repeat': { source: 'b"ab" * (1 << 40)', code: 'MEMORY_LIMIT' },
  'list repeat': { source: '[0] * (1 << 31)', code: 'MEMORY_LIMIT' },
  'tuple repeat': { source: '(1, 2) * 100000000', code: 'MEMORY_LIMIT' },
  'list repeat in place': { source: def('a = [1]', 'for i in range(64): a *= 2'), code: 'MEMORY_LIMIT' },
  'list doubling': { source: def('a = [1]', 'for i in range(64): a = a + a'), code: 'MEMORY_LIMIT' },
  'list extended by itself': {
    source: def('a = [1, 2]', 'for i in range(64): a.extend(a)'),
    code: 'MEMORY_LIMIT',
  },
  'appending without end': {
    source: def('a = []', 'for i in range(1000000000): a.append("%d" % i)'),
    code: 'MEMORY_LIMIT',
  },
  'lists in lists': { source: def('a = []', 'for i in range(1000000000): a = [a, [a]]'), code: limit },
  'tuple chain': { source: def('a = ()', 'for i in range(1000000000): a = (a,)'), code: limit },
  'dict growth': { source: def('d = {}', 'for i in range(1000000000): d[i] = i'), code: 'MEMORY_LIMIT' },
  'dict growth by text': {
    source: def('d = {}', 'for i in range(1000000000): d["key %d" % i] = [i]'),
    code: 'MEMORY_LIMIT',
  },
  'dict filled and emptied': {
    source: def('d = {}', 'for i in range(1000000000):', '    d[i] = i', '    d.pop(i)'),
    code: 'STEP_LIMIT',
  },
  // Multiples of 2^32, and numbers whose product with the golden ratio is small: what common tables put into one place.
  'dict keys with equal low bits': {
    source: def('d = {}', 'for i in range(1000000000): d[i << 32] = i'),
    code: 'MEMORY_LIMIT',
  },
  'dict keys chosen to collide': {
    source: def('d = {}', 'for i in range(1000000000): d[i * 244002641 % 4294967296] = i'),
    code: 'MEMORY_LIMIT',
  },
  'dict reading of colliding keys': {
    source: def(
      'd = {i * 244002641 % 4294967296: i for i in range(200)}',
      'for i in range(1000000000): i * 244002641 % 4294967296 in d',
    ),
    code: 'STEP_LIMIT',
  },
  'dict union': { source: def('d = {}', 'for i in range(1000000000): d = d | {i: i}'), code: limit },
  'set growth': {
    source: def('s = set()', 'for i in range(1000000000): s.add((i, i))'),
    code: 'MEMORY_LIMIT',
  },
  'set algebra': {
    source: def('s = set(range(1000))', 'for i in range(1000000): s = s | set([x + len(s) for x in s])'),
    code: limit,
  },
  'set algebra in a loop': {
    source: def('s = set(range(100000))', 'for i in range(1000000): (s ^ s) | (s & s) - s'),
    code: 'STEP_LIMIT',
  },
  'huge range to list': { source: 'list(range(1000000000000))', code: 'MEMORY_LIMIT' },
  'huge range to tuple': { source: 'tuple(range(1000000000))', code: 'MEMORY_LIMIT' },
  'huge range to set': { source: 'set(range(1000000000))', code: limit },
  'huge range sorted': { source: 'sorted(range(1000000000))', code: 'MEMORY_LIMIT' },
  'huge range reversed': { source: 'reversed(range(1000000000))', code: 'MEMORY_LIMIT' },
  'huge range enumerated': { source: 'enumerate(range(1000000000))', code: limit },
  'huge ranges zipped': { source: 'zip(range(1000000000), range(1000000000))', code: limit },
  'huge range as arguments': {
    source: 'def f(*args): return len(args)\nf(*range(1000000000))',
    code: 'MEMORY_LIMIT',
  },
  'huge range extended': { source: '[].extend(range(1000000000))', code: 'MEMORY_LIMIT' },
  'huge range unpacked': { source: 'a, b = range(1000000000)', code: ['EVAL_VALUE', 'MEMORY_LIMIT'] },
  'huge range joined': { source: '",".join([str(i) for i in range(1000000000)])', code: 'MEMORY_LIMIT' },
  'huge range in bytes': { source: 'bytes([65 for i in range(1000000000)])', code: 'MEMORY_LIMIT' },
  comprehension: { source: '[(a, b) for a in range(100000) for b in range(100000)]', code: 'MEMORY_LIMIT' },
  'dict comprehension': {
    source: '{(a, b): [] for a in range(100000) for b in range(100000)}',
    code: 'MEMORY_LIMIT',
  },
  'many arguments by name': {
    source: def('d = {"k%d" % i: i for i in range(200000)}', 'for i in range(100000): dict(**d)'),
    code: limit,
  },
  'arguments doubled': {
    source: `def f(*args): return args\n${def('a = (1, 2)', 'for i in range(64): a = f(*(a + a))')}`,
    code: 'MEMORY_LIMIT',
  },
  'elements of long text': { source: 'list(("abc" * 10000000).elems())', code: 'MEMORY_LIMIT' },
  'replace that grows': {
    source: def('s = "aa"', 'for i in range(64): s = s.replace("a", "aa")'),
    code: 'MEMORY_LIMIT',
  },
  'replace of nothing': { source: '("x" * 1000000).replace("", "y" * 1000)', code: 'MEMORY_LIMIT' },
  'join with a long separator': { source: '("x" * 1000000).join(["a"] * 1000)', code: 'MEMORY_LIMIT' },
  'format that repeats': { source: '("{0}" * 100000).format("x" * 10000)', code: 'MEMORY_LIMIT' },
  'format of shared data': {
    source: def('a = ["x" * 100]', 'for i in range(40): a = [a, a]', '"{} {!r}".format(a, a)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'interpolation that repeats': {
    source: '("%s" * 1000) % tuple(["x" * 100000] * 1000)',
    code: 'MEMORY_LIMIT',
  },
  'interpolation of shared data': {
    source: def('a = ["x" * 100]', 'for i in range(40): a = [a, a]', '"%r" % (a,)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'split into millions': { source: '("a," * 8000000).split(",")', code: 'MEMORY_LIMIT' },
  'lines by the million': { source: '("\\n" * 16000000).splitlines()', code: 'MEMORY_LIMIT' },
  'short slices of a long text kept': {
    source: def('a = []', 'for i in range(100000): a.append(("x" * 1000000)[:20])'),
    code: limit,
  },
  'dropped strings': { source: def('for i in range(100000000): "x" * 1000000'), code: limit },
  'concatenation never read': {
    source: def(
      'a = []',
      's = "x" * 100',
      'for i in range(100000000):',
      '    s = s + "y"',
      '    a.append(s)',
    ),
    code: 'MEMORY_LIMIT',
  },
  closures: {
    source: def('a = []', 'for i in range(1000000000): a.append(lambda: a)'),
    code: 'MEMORY_LIMIT',
  },
  'closures chained': {
    source: 'def wrap(f): return lambda: f\n' + def('f = None', 'for i in range(1000000000): f = wrap(f)'),
    code: limit,
  },
  'bound methods': {
    source: def('a = []', 'for i in range(1000000000): a.append(a.append)'),
    code: 'MEMORY_LIMIT',
  },
  floats: { source: def('a = []', 'for i in range(1000000000): a.append(i * 0.5)'), code: 'MEMORY_LIMIT' },
  ranges: { source: def('a = []', 'for i in range(1000000000): a.append(range(i))'), code: 'MEMORY_LIMIT' },

  // Big ints
  'repeated squaring': { source: def('x = 3', 'for i in range(64): x = x * x'), code: 'INT_LIMIT' },
  'shift left': { source: '1 << 1000000000', code: ['INT_LIMIT', 'EVAL_VALUE'] },
  'shift left by a huge int': { source: '1 << (1 << 100)', code: ['INT_LIMIT', 'EVAL_VALUE'] },
  'adding up large ints': {
    source: def('x = 1 << 65000', 'for i in range(10000): x = x + x'),
    code: 'INT_LIMIT',
  },
  'multiplying at the limit': {
    source: def('x = (1 << 32000) + 1', 'for i in range(100000000): x * x'),
    code: 'STEP_LIMIT',
  },
  'dividing at the limit': {
    source: def('x = (1 << 65000) + 1', 'y = (1 << 32000) + 3', 'for i in range(100000000): x % y + x // y'),
    code: 'STEP_LIMIT',
  },
  'printing large ints': {
    source: def('x = (1 << 65000) + 1', 'for i in range(100000000): str(x)'),
    code: 'STEP_LIMIT',
  },
  'formatting large ints': {
    source: def('x = (1 << 65000) + 1', 'for i in range(100000000): "%d %x" % (x, x)'),
    code: 'STEP_LIMIT',
  },
  'reading large ints': {
    source: def('s = "7" * 19000', 'for i in range(100000000): int(s)'),
    code: 'STEP_LIMIT',
  },
  'reading a huge int': { source: 'int("7" * 10000000)', code: ['INT_LIMIT', 'EVAL_VALUE'] },
  'reading a huge int in base 36': { source: 'int("z" * 10000000, 36)', code: ['INT_LIMIT', 'EVAL_VALUE'] },
  'large ints kept': {
    source: def('a = []', 'for i in range(100000000): a.append((1 << 60000) + i)'),
    code: limit,
  },
  'large ints compared to floats': {
    source: def('x = (1 << 65000) + 1', 'for i in range(100000000): x == 1.5 or x < 2.5'),
    code: 'STEP_LIMIT',
  },
  'equal large ints compared': {
    source: def(
      'x = (1 << 65000) + 1',
      'y = (1 << 65000) + 1',
      'for i in range(100000000): x == y and x <= y',
    ),
    code: 'STEP_LIMIT',
  },
  'large ints changed a little': {
    source: def('x = (1 << 65000) + 1', 'for i in range(100000000): (x + 1) & ~x', '(x >> 1) ^ -x'),
    code: 'STEP_LIMIT',
  },
  'equal large ints sought': {
    source: def(
      'a = [(1 << 65000) + i for i in range(500)]',
      'y = (1 << 65000) + 499',
      'for i in range(100000000): y in a',
    ),
    code: 'STEP_LIMIT',
  },
  'large ints as keys': {
    source: def('d = {}', 'for i in range(100000000): d[(1 << 60000) + i % 3] = 1'),
    code: 'STEP_LIMIT',
  },
  'large int to float': { source: 'float(1 << 65000)', code: 'EVAL_VALUE' },
  'a long int literal': {
    source: `x = ${'7'.repeat(900_000)}`,
    code: ['INT_LIMIT', 'STAR_NUMBER', 'STAR_INT', 'STAR_SYNTAX'],
    anyStatic: true,
  },
  'a long hex literal': { source: `x = 0x${'f'.repeat(900_000)}`, code: ['INT_LIMIT'], anyStatic: true },

  // Work that a step must not be cheap for
  'repr of a text of escapes': { source: 'repr("\\n" * 5000000)', code: 'done' },
  'repr of a text of escapes at the limit': { source: 'repr("\\x00" * 30000000)', code: 'MEMORY_LIMIT' },
  'repr of escapes in a loop': {
    source: def('s = "\\u200b\\"" * 500000', 'for i in range(1000000): repr(s)'),
    code: limit,
  },
  'text of a list of escapes': {
    source: def('s = "\\x01" * 2000000', 'a = [s, s]', 'for i in range(1000000): str(a)'),
    code: limit,
  },
  'interpolated escapes': {
    source: def('s = "\\n" * 2000000', 'for i in range(1000000): "%r" % s'),
    code: limit,
  },
  'repr of halves of pairs': {
    source: def('s = "🌍"[:1] * 3000000', 'for i in range(1000000): repr(s)'),
    code: limit,
  },
  'repr of bytes': {
    source: def('b = b"\\xff\\x00" * 400000', 'for i in range(1000000): repr(b)'),
    code: limit,
  },
  'json of a text of escapes': {
    source: def('s = "\\x01\\n" * 1000000', 'for i in range(1000000): json.encode(s)'),
    code: limit,
  },
  'keys of bytes': {
    source: def('d = {}', 'b = b"x" * 100000', 'for i in range(100000000): b in d'),
    code: 'STEP_LIMIT',
  },
  'keys of short bytes': {
    source: def('d = {b"ab": 1}', 'b = b"abc"', 'for i in range(1000000000): b in d'),
    code: 'STEP_LIMIT',
  },
  'keys of fresh tuples': {
    source: def('d = {}', 'for i in range(1000000000): (i, "a", i) in d'),
    code: 'STEP_LIMIT',
  },
  'keys of fresh long tuples': {
    source: def('d = {}', 't = tuple(range(1000))', 'for i in range(1000000000): t + (i,) in d'),
    code: 'STEP_LIMIT',
  },
  'keys of tuples of floats': {
    source: def('d = {}', 'for i in range(1000000000): (i * 0.1, i * 0.7) in d'),
    code: 'STEP_LIMIT',
  },
  'keys of tuples of functions': {
    source: def('d = {}', 'for i in range(1000000000): (len, i, None) in d'),
    code: 'STEP_LIMIT',
  },
  'keys of nested tuples': {
    source: def('d = {}', 'for i in range(1000000000): ((i, (i, "x")), (i,)) in d'),
    code: 'STEP_LIMIT',
  },
  'keys of floats': {
    source: def('d = {i * 0.1: i for i in range(1000)}', 'for i in range(1000000000): i * 0.3 in d'),
    code: 'STEP_LIMIT',
  },
  'keys of large floats': {
    source: def('d = {}', 'f = 1e300', 'for i in range(1000000000): f in d'),
    code: 'STEP_LIMIT',
  },
  'keys of bigints': {
    source: def('d = {}', 'n = 1 << 64', 'for i in range(1000000000): n in d'),
    code: 'STEP_LIMIT',
  },
  'many parameters given by name': {
    source: `def f(${Array.from({ length: 20_000 }, (_, i) => `p${i} = 0`).join(', ')}): pass\n${def('d = {"p%d" % i: i for i in range(20000)}', 'for i in range(1000000): f(**d)')}`,
    code: 'STEP_LIMIT',
  },
  'many parameters with defaults': {
    source: `def f(${Array.from({ length: 20_000 }, (_, i) => `p${i} = 0`).join(', ')}): pass\n${def('for i in range(10000000): f()')}`,
    code: 'STEP_LIMIT',
  },
  'many names for a dict of the rest': {
    source: `def f(**k): pass\n${def('d = {"p%d" % i: i for i in range(20000)}', 'for i in range(1000000): f(**d)')}`,
    code: limit,
  },
  'startswith of near matches': {
    source: def(
      's = "a" * 20000 + "c"',
      't = tuple(["a" * 20000 + "b"] * 1000)',
      'for i in range(1000000): s.startswith(t)',
    ),
    code: 'STEP_LIMIT',
  },
  'startswith of many short prefixes': {
    source: def('t = tuple(["ab"] * 100000)', 'for i in range(1000000): "ac".startswith(t)'),
    code: 'STEP_LIMIT',
  },
  'endswith of near matches': {
    source: def(
      's = "c" + "a" * 20000',
      't = tuple(["b" + "a" * 20000] * 1000)',
      'for i in range(1000000): s.endswith(t)',
    ),
    code: 'STEP_LIMIT',
  },
  'removing a long prefix': {
    source: def('s = "a" * 1000000', 't = s + ""', 'for i in range(10000000): s.removeprefix(t)'),
    code: limit,
  },
  'bytes in bytes': {
    source: def('b = b"a" * 1000000', 'c = b"a" * 1000 + b"b"', 'for i in range(1000000): c in b'),
    code: limit,
  },
  'int in bytes': {
    source: def('b = b"a" * 1000000', 'for i in range(10000000): 98 in b'),
    code: 'STEP_LIMIT',
  },
  'short bytes in bytes': {
    source: def('b = b"a" * 1000', 'c = b"ab"', 'for i in range(100000000): c in b'),
    code: 'STEP_LIMIT',
  },
  'dir again and again': { source: def('for i in range(100000000): dir("")'), code: 'STEP_LIMIT' },
  'attributes that are not there': {
    source: def('for i in range(100000000): hasattr("", "x") or getattr([], "appendd", None)'),
    code: 'STEP_LIMIT',
  },
  'sorting by a key of text': {
    source: def('a = list(range(200000))', 'for i in range(1000000): sorted(a, key = str)'),
    code: limit,
  },
  'sorting by a key of tuples': {
    source: def(
      'a = [(i * 7919 % 100003, str(i)) for i in range(50000)]',
      'for i in range(1000000): sorted(a, key = lambda p: (p[0], p[1]))',
    ),
    code: limit,
  },
  'sorting by a key of floats': {
    source: def(
      'a = [i * 7919 % 100003 for i in range(100000)]',
      'for i in range(1000000): sorted(a, key = lambda x: x * 0.5)',
    ),
    code: limit,
  },
  'sorting by a built-in key': {
    source: def('a = ["x"] * 300000', 'for i in range(1000000): sorted(a, key = len)'),
    code: limit,
  },
  'sorting by bytes': {
    source: def(
      'a = [bytes(str(i * 7919 % 100003)) for i in range(50000)]',
      'for i in range(1000000): sorted(a)',
    ),
    code: limit,
  },
  'sorting bigints': {
    source: def(
      'a = [(1 << 70) - i * 7919 % 100003 for i in range(50000)]',
      'for i in range(1000000): sorted(a)',
    ),
    code: limit,
  },
  'largest by a key': {
    source: def('a = list(range(300000))', 'for i in range(1000000): max(a, key = abs)'),
    code: limit,
  },
  'rounds over a large set': {
    source: def(
      's = set([i * 7919 % 1000003 for i in range(200000)])',
      'for i in range(1000000):',
      '    for x in s: pass',
    ),
    code: 'STEP_LIMIT',
  },
  'rounds over a large dict': {
    source: def(
      'd = {str(i * 7919 % 1000003): i for i in range(100000)}',
      'for i in range(1000000):',
      '    for k in d: pass',
    ),
    code: 'STEP_LIMIT',
  },
  'looking up all of a large dict': {
    source: def(
      'd = {i * 7919 % 1000003: i for i in range(200000)}',
      'for i in range(1000000):',
      '    for k in d: d[k]',
    ),
    code: 'STEP_LIMIT',
  },
  'looking up text in a large dict': {
    source: def(
      'd = {"key %d" % (i * 7919 % 1000003): i for i in range(100000)}',
      'for i in range(1000000):',
      '    for k in d: d[k]',
    ),
    code: 'STEP_LIMIT',
  },
  'membership in a large set': {
    source: def(
      's = set([i * 7919 % 1000003 for i in range(200000)])',
      'for i in range(1000000000): i * 31 % 1000003 in s',
    ),
    code: 'STEP_LIMIT',
  },
  'a ring of a large set': {
    source: def('s = set(range(200000))', 'for i in range(1000000000):', '    x = s.pop()', '    s.add(x)'),
    code: 'STEP_LIMIT',
  },
  'a ring of a large dict': {
    source: def(
      'd = {i: i for i in range(200000)}',
      'for i in range(1000000000):',
      '    k, v = d.popitem()',
      '    d[k] = v',
    ),
    code: 'STEP_LIMIT',
  },
  'a ring of a large dict of text': {
    source: def(
      'd = {"key %d" % i: i for i in range(100000)}',
      'for i in range(1000000000):',
      '    k, v = d.popitem()',
      '    d[k] = v',
    ),
    code: 'STEP_LIMIT',
  },
  'a ring of a small set': {
    source: def('s = set(range(10))', 'for i in range(1000000000):', '    x = s.pop()', '    s.add(x)'),
    code: 'STEP_LIMIT',
  },
  // Shared and cyclic structures
  'repr of shared lists': {
    source: def('a = [1]', 'for i in range(60): a = [a, a]', 'repr(a)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'repr of shared tuples': {
    source: def('a = (1,)', 'for i in range(60): a = (a, a)', 'str(a)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'repr of shared dicts': {
    source: def('a = {}', 'for i in range(60): a = {1: a, 2: a}', 'print(a)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'repr of a deep list': {
    source: def('a = []', 'for i in range(100000): a = [a]', 'repr(a)'),
    code: 'DEPTH_LIMIT',
  },
  'repr of cycles that share': {
    source: def(
      'a = []',
      'for i in range(30): a.append(a)',
      'b = [a] * 1000',
      'for i in range(40): b = [b, b]',
      'repr(b)',
    ),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'many cycles within each other': {
    source: def('a = [[] for i in range(12)]', 'for x in a:', '    for y in a: x.append(y)', 'repr(a)'),
    code: [...limit, 'DEPTH_LIMIT', 'OUTPUT_LIMIT'],
  },
  'equality of shared lists': {
    source: def('a = [1]', 'b = [1]', 'for i in range(60):', '    a = [a, a]', '    b = [b, b]', 'a == b'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'equality of cycles': {
    source: def('a = []', 'a.append(a)', 'b = []', 'b.append(b)', 'a == b'),
    code: [...limit, 'DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'equality of deep lists': {
    source: def('a = []', 'b = []', 'for i in range(100000):', '    a = [a]', '    b = [b]', 'a == b'),
    code: 'DEPTH_LIMIT',
  },
  'equality of shared dicts': {
    source: def(
      'a = {}',
      'b = {}',
      'for i in range(60):',
      '    a = {1: a, 2: a}',
      '    b = {1: b, 2: b}',
      'a == b',
    ),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'order of shared tuples': {
    source: def('a = (1,)', 'b = (1,)', 'for i in range(60):', '    a = (a, a)', '    b = (b, b)', 'a < b'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'order of deep lists': {
    source: def(
      'a = []',
      'b = []',
      'for i in range(100000):',
      '    a = [a]',
      '    b = [b]',
      'sorted([a, b])',
    ),
    code: 'DEPTH_LIMIT',
  },
  'membership in shared data': {
    source: def('a = [1]', 'b = [1]', 'for i in range(60):', '    a = [a, a]', '    b = [b, b]', 'a in [b]'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'hash of shared tuples': {
    source: def('a = (1,)', 'for i in range(60): a = (a, a)', '{a: 1}'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'hash of a deep tuple': {
    source: def('a = ()', 'for i in range(100000): a = (a,)', 'set([a])'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'json of shared lists': {
    source: def('a = [1]', 'for i in range(60): a = [a, a]', 'json.encode(a)'),
    code: [...limit, 'DEPTH_LIMIT'],
  },
  'json of a cycle': {
    source: def('a = []', 'a.append(a)', 'json.encode(a)'),
    code: ['EVAL_VALUE', 'DEPTH_LIMIT'],
  },
  'json of a deep list': {
    source: def('a = []', 'for i in range(100000): a = [a]', 'json.encode(a)'),
    code: 'DEPTH_LIMIT',
  },
  'json with a long indent': {
    source: 'json.encode_indent([[[[1] * 1000] * 100]], indent = " " * 100000)',
    code: limit,
  },
  'json read deeply': { source: 'json.decode("[" * 1000000)', code: ['DEPTH_LIMIT', 'EVAL_VALUE'] },
  'json read deeply and closed': {
    source: 'json.decode("[" * 100000 + "]" * 100000)',
    code: ['DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'json objects read deeply': {
    source: 'json.decode("{\\"a\\":" * 100000)',
    code: ['DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'json read at length': { source: 'json.decode("[" + "0," * 10000000 + "0]")', code: 'MEMORY_LIMIT' },
  'json read again and again': {
    source: def('s = json.encode(list(range(100000)))', 'for i in range(1000000): json.decode(s)'),
    code: 'STEP_LIMIT',
  },
  'json of a huge int': { source: 'json.decode("7" * 10000000)', code: ['INT_LIMIT', 'EVAL_VALUE'] },
  'json indented deeply': {
    source: 'json.indent("[" * 1000000 + "]" * 1000000)',
    code: [...limit, 'DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'freezing a deep list': {
    source: `${def('pass')}def make():\n    a = []\n    for i in range(300000): a = [a]\n    return a\ndeep = make()\nrepr(deep)\n`,
    code: 'DEPTH_LIMIT',
  },

  // Calls
  recursion: { source: 'def f(n): return f(n + 1)\nf(0)', code: 'EVAL_RECURSION' },
  'mutual recursion': {
    source: 'def f(n): return g(n)\ndef g(n): return f(n)\nf(0)',
    code: 'EVAL_RECURSION',
  },
  'calls nested deeply': {
    source: `def f0(): return 0\n${Array.from({ length: 3000 }, (_, i) => `def f${i + 1}(): return f${i}()\n`).join('')}f3000()\n`,
    code: 'DEPTH_LIMIT',
  },
  'closures called in a chain': {
    source:
      'def wrap(f): return lambda: f()\n' + def('f = lambda: 1', 'for i in range(5000): f = wrap(f)', 'f()'),
    code: ['DEPTH_LIMIT', 'EVAL_RECURSION'],
  },
  'sort keys within sort keys': {
    source: `def k0(x): return x\n${Array.from({ length: 2000 }, (_, i) => `def k${i + 1}(x): return sorted([x], key = k${i})[0]\n`).join('')}k2000(1)\n`,
    code: 'DEPTH_LIMIT',
  },

  // Source
  'source of deep brackets': { source: '['.repeat(400_000), code: [], anyStatic: true },
  'source of deep closed brackets': {
    source: `x = ${'('.repeat(200_000)}1${')'.repeat(200_000)}`,
    code: [],
    anyStatic: true,
  },
  'source of deep operators': { source: `x = ${'-'.repeat(900_000)}1`, code: [], anyStatic: true },
  'source of deep not': { source: `x = ${'not '.repeat(200_000)}1`, code: [], anyStatic: true },
  'source of a long sum': {
    source: `x = ${'1+'.repeat(400_000)}"a"`,
    code: ['EVAL_TYPE', 'DEPTH_LIMIT'],
    anyStatic: true,
  },
  'source of a long chain of dots': {
    source: `x = "a"${'.b'.repeat(400_000)}`,
    code: ['EVAL_ATTRIBUTE'],
    anyStatic: true,
  },
  'source of a long chain of calls': {
    source: `x = len${'()'.repeat(400_000)}`,
    code: ['EVAL_ARGUMENTS'],
    anyStatic: true,
  },
  'source of a long chain of indices': {
    source: `x = 1${'[0]'.repeat(300_000)}`,
    code: ['EVAL_TYPE'],
    anyStatic: true,
  },
  'source of a long chain of ifs': {
    source: `x = ${'1 if 0 else '.repeat(80_000)}""[1]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of a long and': {
    source: `x = ${'1 and '.repeat(160_000)}""[1]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of deep lambdas': { source: `x = ${'lambda: '.repeat(120_000)}1`, code: [], anyStatic: true },
  'source of deep blocks': {
    source: Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i)}def f():\n`).join(''),
    code: [],
    anyStatic: true,
  },
  'source of deep elifs': {
    source: `def f(x):\n    if x: pass\n${'    elif x: pass\n'.repeat(50_000)}\nf(""[1])\n`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of deep comprehensions': {
    source: `x = ${'[1 for a in '.repeat(80_000)}`,
    code: [],
    anyStatic: true,
  },
  'source of many for clauses': {
    source: `x = [1${' for a in range(2)'.repeat(50_000)}]`,
    code: ['STEP_LIMIT', 'DEPTH_LIMIT'],
    anyStatic: true,
  },
  'source of many errors': { source: '$ '.repeat(450_000), code: [], anyStatic: true },
  'source of many bad lines': { source: 'x = = 1\n'.repeat(110_000), code: [], anyStatic: true },
  'source of many unknown names': {
    source: Array.from({ length: 110_000 }, (_, i) => `a${i}\n`).join(''),
    code: [],
    anyStatic: true,
  },
  'source of many bound twice': { source: 'xyzzy = 1\n'.repeat(90_000), code: [], anyStatic: true },
  'source of many functions': {
    source: `${Array.from({ length: 40_000 }, (_, i) => `def f${i}(): pass\n`).join('')}f0(1)\n`,
    code: ['EVAL_ARGUMENTS'],
    anyStatic: true,
  },
  'source of many parameters': {
    source: `def f(${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(', ')}): pass\nf()\n`,
    code: ['EVAL_ARGUMENTS'],
    anyStatic: true,
  },
  'source of many repeated parameters': {
    source: `def f(${'a, '.repeat(100_000)}b): pass\n`,
    code: [],
    anyStatic: true,
  },
  'source of many arguments': {
    source: `def f(*a): return a[-1]\nf(${'1, '.repeat(250_000)}"x") + 1\n`,
    code: ['EVAL_TYPE'],
    anyStatic: true,
  },
  'source of many names given twice': {
    source: `dict(${'a = 1, '.repeat(120_000)})`,
    code: [],
    anyStatic: true,
  },
  'source of a long list': {
    source: `x = [${'1, '.repeat(300_000)}][1000000]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of a long dict': {
    source: `x = {${Array.from({ length: 90_000 }, (_, i) => `${i}: 0, `).join('')}}[-1]`,
    code: ['EVAL_KEY'],
    anyStatic: true,
  },
  'source of a long target': {
    source: `${'a, '.repeat(200_000)}a = 1`,
    code: ['EVAL_TYPE'],
    anyStatic: true,
  },
  'source of a long name': { source: `${'x'.repeat(900_000)} + 1`, code: [], anyStatic: true },
  'source of a long string': {
    source: `x = "${'a'.repeat(900_000)}"[1000000]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of a long string of escapes': {
    source: `x = "${'\\n'.repeat(450_000)}"[1000000]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },
  'source of bad escapes': { source: `x = "${'\\q'.repeat(450_000)}"`, code: [], anyStatic: true },
  'source of a string never closed': { source: `x = """${'a"'.repeat(450_000)}`, code: [], anyStatic: true },
  'source of strings never closed': { source: '"\n'.repeat(300_000), code: [], anyStatic: true },
  'source of one line of a megabyte': { source: 'x = 1; '.repeat(142_000), code: [], anyStatic: true },
  'source of blanks': { source: `${' '.repeat(990_000)}x`, code: [], anyStatic: true },
  'source of blank lines': { source: `${'\n'.repeat(990_000)}x`, code: [], anyStatic: true },
  'source of growing indentation': {
    source: `def f():\n${Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i + 1)}x = 1\n`).join('')}`,
    code: [],
    anyStatic: true,
  },
  'source over the size limit': { source: 'x\n'.repeat(4_000_000), code: [], anyStatic: true },
  'source of line joins': {
    source: `x = 1 ${'\\\n'.repeat(450_000)} + ""`,
    code: ['EVAL_TYPE'],
    anyStatic: true,
  },
  'source of control characters': { source: '\u0000\u001b\u2028'.repeat(300_000), code: [], anyStatic: true },
  'source of half surrogates': {
    source: `x = "${'\ud800'.repeat(400_000)}"; y = ""[1]`,
    code: ['EVAL_INDEX'],
    anyStatic: true,
  },

  // The boundary
  'deep data handed in': {
    code: ['DEPTH_LIMIT', 'EVAL_VALUE'],
    work: (doors) => {
      let data = [];
      for (let at = 0; at < 100_000; at += 1) data = [data];
      return codeOf(doors, 'def run(x): return 1', { entry: 'run', args: [data] });
    },
  },
  'shared data handed in': {
    code: [...limit, 'DEPTH_LIMIT', 'EVAL_VALUE'],
    work: (doors) => {
      let data = [1];
      for (let at = 0; at < 60; at += 1) data = [data, data];
      return codeOf(doors, 'def run(x): return 1', { entry: 'run', args: [data] });
    },
  },
  'cyclic data handed in': {
    code: ['EVAL_VALUE', 'DEPTH_LIMIT'],
    work: (doors) => {
      const data = [];
      data.push(data);
      return codeOf(doors, 'def run(x): return 1', { entry: 'run', args: [data] });
    },
  },
  'large data handed in': {
    code: 'MEMORY_LIMIT',
    work: (doors) => codeOf(doors, 'def run(x): return 1', { entry: 'run', args: ['x'.repeat(60_000_000)] }),
  },
  'shared data handed out': {
    source: def('a = [1]', 'for i in range(60): a = [a, a]', 'return a').replace(/\nrun\(\)\n$/, '\n'),
    options: { entry: 'run' },
    code: [...limit, 'DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'deep data handed out': {
    source: def('a = [1]', 'for i in range(100000): a = [a]', 'return a').replace(/\nrun\(\)\n$/, '\n'),
    options: { entry: 'run' },
    code: ['DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'shared data to a host function': {
    source: def('a = [1]', 'for i in range(60): a = [a, a]', 'ask(a)'),
    compile: { predeclared: ['ask'] },
    code: [...limit, 'DEPTH_LIMIT', 'EVAL_VALUE'],
  },
  'large answers of the host': {
    code: 'MEMORY_LIMIT',
    work: (doors) => answered(doors, (at) => String(at).padEnd(1_000_000, 'x')),
  },
  // This one ends well: equal texts are held once, or it would hold half a gigabyte.
  'equal large answers of the host': { code: 'done', work: (doors) => answered(doors, equalText, 1000) },
  'snapshot of a large state': {
    code: ['MEMORY_LIMIT', 'STEP_LIMIT'],
    work: (doors) => {
      const { program } = doors.compile(
        'def run():\n    a = [[i] for i in range(60000)]\n    ask()\n    b = []\n    for i in range(100000000): b.append(str(i))\n    return a\nrun()\n',
        { predeclared: ['ask'] },
      );
      const run = doors.start(program);
      run.run();
      const again = doors.restore(program, JSON.parse(JSON.stringify(run.snapshot())));
      again.resume(null);
      return again.run().failure?.diagnostic.code;
    },
  },
  'snapshot of a deep state': {
    code: 'DEPTH_LIMIT',
    work: (doors) => {
      const { program } = doors.compile(
        'def run():\n    a = []\n    for i in range(100000): a = [a]\n    ask()\n    repr(a)\nrun()\n',
        { predeclared: ['ask'] },
      );
      const run = doors.start(program);
      run.run();
      const again = doors.restore(program, JSON.parse(JSON.stringify(run.snapshot())));
      again.resume(null);
      return again.run().failure?.diagnostic.code;
    },
  },
  'many host calls': {
    code: ['STEP_LIMIT', 'MEMORY_LIMIT'],
    work: (doors) => {
      const { program } = doors.compile(
        'def run():\n    for i in range(1000000000): ask("x" * 1000000)\nrun()\n',
        { predeclared: ['ask'] },
      );
      const run = doors.start(program);
      let state = run.run();
      for (; state.kind === 'host-call'; state = run.run()) run.resume(null);
      return state.failure?.diagnostic.code;
    },
  },
};

/**
 * Runs one bomb with the doors of the interpreter: the code it ended with, and whether that is a right one.
 * `maxSteps` is for those that only a step limit ends: they end in the same way with a lower one, sooner.
 */
export function explode(bomb, doors, maxSteps) {
  const steps = maxSteps === undefined || bomb.code !== 'STEP_LIMIT' ? {} : { maxSteps };
  const code =
    bomb.work === undefined
      ? codeOf(doors, bomb.source, { compile: bomb.compile ?? {}, ...steps, ...bomb.options })
      : bomb.work(doors);
  const right =
    [bomb.code].flat().includes(code) ||
    (bomb.anyStatic === true && typeof code === 'string' && code.startsWith('STAR_'));
  return { code, right };
}
