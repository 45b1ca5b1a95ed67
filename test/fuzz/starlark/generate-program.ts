// Random programs that mostly make sense.
//
//   random numbers -> program text
//
// G1. Every statement, operator, builtin and method of the language can come out.
// G2. An expression is asked for by type and names are used where they are bound, so that most programs run for a
//     while before they fail; one in forty expressions has another type on purpose.
//     In most programs what may fail is inside catch(), which is predeclared for tests: the rest then runs.
// G3. Loops are short and values small: the limits of the run do the rest.

export type Random = (below: number) => number;

type Type =
  | 'int'
  | 'float'
  | 'str'
  | 'bytes'
  | 'bool'
  | 'list'
  | 'tuple'
  | 'dict'
  | 'set'
  | 'range'
  | 'none'
  | 'func';

const types: readonly Type[] = [
  'int',
  'int',
  'float',
  'str',
  'str',
  'bytes',
  'bool',
  'list',
  'list',
  'tuple',
  'dict',
  'dict',
  'set',
  'range',
  'none',
  'func',
];

const ints = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '7',
  '10',
  '0xff',
  '0o17',
  '255',
  '1000',
  '2147483647',
  '-2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '123456789012345678901234567890',
];
const floats = [
  '0.0',
  '-0.0',
  '1.0',
  '0.5',
  '-2.5',
  '1e10',
  '1e-7',
  '1e308',
  '.5',
  '3.',
  '123456789.125',
  'float("nan")',
  'float("inf")',
  'float("-inf")',
];
const strings = [
  '""',
  '"a"',
  '"b"',
  '"abc"',
  "'x y z'",
  '"a,b,,c"',
  '"Hello World"',
  '"%s-%d"',
  '"{} {x}"',
  '"{0}{1}"',
  '"\\n\\t"',
  '"é😀"',
  '"\\u00e9"',
  'r"\\d"',
  '"""m\nn"""',
  '"0x1F"',
  '"12"',
  '"-7"',
  '"1.5"',
  '"[1, {\\"a\\": null}]"',
  '" pad "',
  '"aaaa"',
  '"__proto__"',
  '"constructor"',
  '"ǆ"',
  '"ß"',
  '"\\0"',
];
const byteStrings = ['b""', 'b"a"', 'b"abc"', 'b"\\xff\\x00"', 'rb"\\x"', 'bytes("é")', 'bytes([1, 2, 255])'];
const compareOperators = ['==', '!=', '<', '>', '<=', '>='];

interface Named {
  readonly name: string;
  readonly type: Type;
}

interface Callable {
  readonly name: string;
  readonly required: number;
  readonly optional: readonly string[];
  readonly rest: boolean;
  readonly keywords: boolean;
}

class Generator {
  private readonly random: Random;
  private variables: Named[] = [];
  private functions: Callable[] = [];
  private counter = 0;
  private inFunction = false;
  private loops = 0;
  private budget: number;
  private readonly careful: boolean;

  constructor(random: Random) {
    this.random = random;
    this.budget = 10 + random(30);
    this.careful = random(4) !== 0;
  }

  program(): string {
    let text = '';
    const parts = 1 + this.random(6);
    for (let part = 0; part < parts; part += 1) {
      if (this.random(3) === 0) text += this.definition('');
      else text += this.topStatement();
    }
    // Something has to happen: a function that is called.
    text += this.definition('');
    for (const callable of this.functions.slice(-2))
      text += `${this.fresh()} = catch(lambda: ${this.callOf(callable, 2)})\n`;
    for (const { name } of this.variables.slice(-3)) text += this.random(2) === 0 ? `print(${name})\n` : '';
    return text;
  }

  private chance(oneIn: number): boolean {
    return this.random(oneIn) === 0;
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.random(from.length)] as T;
  }

  private fresh(): string {
    this.counter += 1;
    return this.chance(12)
      ? this.pick(['x', 'y', 'len', 'str', 'list', '_', '__proto__', 'constructor'])
      : `v${this.counter}`;
  }

  private bind(type: Type): string {
    const name = this.fresh();
    this.variables.push({ name, type });
    return name;
  }

  private named(type: Type): string | null {
    const found = this.variables.filter((variable) => variable.type === type);
    return found.length === 0 ? null : this.pick(found).name;
  }

  // Statements

  private topStatement(): string {
    switch (this.random(8)) {
      case 0:
        return `${this.expression(this.pick(types), 3)}\n`;
      case 1:
        return `print(${this.expression(this.pick(types), 3)})\n`;
      case 2: {
        const [a, b] = [this.expression('int', 2), this.expression('str', 2)];
        return `${this.bind('int')}, ${this.bind('str')} = ${a}, ${b}\n`;
      }
      case 3: {
        const value = this.comprehension('list', 3);
        return `${this.bind('list')} = ${value}\n`;
      }
      default: {
        const type = this.pick(types);
        const value = this.expression(type, 3);
        return `${this.bind(type)} = ${value}\n`;
      }
    }
  }

  private definition(indent: string): string {
    this.counter += 1;
    const name = `f${this.counter}`;
    const [outer, outerFunctions, wasInFunction, outerLoops] = [
      this.variables,
      this.functions,
      this.inFunction,
      this.loops,
    ];
    const parameters: string[] = [];
    const required = this.random(3);
    const optional: string[] = [];
    const inner: Named[] = [];
    for (let at = 0; at < required; at += 1) {
      parameters.push(`p${at}`);
      inner.push({ name: `p${at}`, type: this.pick(types) });
    }
    if (this.chance(3)) {
      const type = this.pick(types);
      parameters.push(`q = ${this.expression(type, 2)}`);
      optional.push('q');
      inner.push({ name: 'q', type });
    }
    const rest = this.chance(4);
    if (rest) {
      parameters.push('*args');
      inner.push({ name: 'args', type: 'tuple' });
      if (this.chance(2)) {
        parameters.push('k = 1');
        optional.push('k');
        inner.push({ name: 'k', type: 'int' });
      }
    }
    const keywords = this.chance(4);
    if (keywords) {
      parameters.push('**kwargs');
      inner.push({ name: 'kwargs', type: 'dict' });
    }
    this.variables = [...outer, ...inner];
    this.functions = [...outerFunctions];
    this.inFunction = true;
    this.loops = 0;
    let body = this.block(`${indent}    `, 1 + this.random(5));
    if (this.chance(2)) body += `${indent}    return ${this.expression(this.pick(types), 2)}\n`;
    this.variables = outer;
    this.functions = [...outerFunctions, { name, required, optional, rest, keywords }];
    this.inFunction = wasInFunction;
    this.loops = outerLoops;
    this.variables.push({ name, type: 'func' });
    return `${indent}def ${name}(${parameters.join(', ')}):\n${body}`;
  }

  private block(indent: string, count: number): string {
    const [variables, functions] = [this.variables.length, this.functions.length];
    let text = '';
    for (let at = 0; at < count; at += 1) text += this.statement(indent);
    // Names bound in a branch may be unbound after it; now and then they are used all the same.
    if (!this.chance(4)) {
      this.variables = this.variables.slice(0, variables);
      this.functions = this.functions.slice(0, functions);
    }
    return text;
  }

  private statement(indent: string): string {
    this.budget -= 1;
    if (this.budget < 0) return `${indent}pass\n`;
    const deeper = `${indent}    `;
    switch (this.random(17)) {
      case 0:
      case 1: {
        const [before, target] = [
          this.pick([
            `range(${this.random(6)})`,
            this.expression('list', 2),
            this.expression('range', 2),
            this.expression('dict', 2),
            this.expression('set', 2),
          ]),
          this.bind('int'),
        ];
        this.loops += 1;
        const body = this.block(deeper, 1 + this.random(3));
        this.loops -= 1;
        return `${indent}for ${target} in ${before}:\n${body}`;
      }
      case 2: {
        const [value, name] = [this.expression('dict', 2), [this.bind('str'), this.bind('int')]];
        this.loops += 1;
        const body = this.block(deeper, 1 + this.random(3));
        this.loops -= 1;
        return `${indent}for ${name.join(', ')} in ${value}.items():\n${body}`;
      }
      case 3:
      case 4: {
        let text = `${indent}if ${this.expression('bool', 2)}:\n${this.block(deeper, 1 + this.random(2))}`;
        if (this.chance(3))
          text += `${indent}elif ${this.expression(this.pick(types), 2)}:\n${this.block(deeper, 1)}`;
        if (this.chance(2)) text += `${indent}else:\n${this.block(deeper, 1)}`;
        return text;
      }
      case 5:
        return this.loops > 0 ? `${indent}${this.pick(['break', 'continue', 'pass'])}\n` : `${indent}pass\n`;
      case 6:
        return this.careful
          ? `${indent}catch(lambda: ${this.mutation().replace(/ = .*| \+= .*/, '')})\n`
          : `${indent}${this.mutation()}\n`;
      case 7:
      case 8: {
        const name = this.named(this.pick(['int', 'list', 'str', 'dict', 'set', 'tuple', 'float']));
        if (name === null || !/^[vpqk]/.test(name)) return `${indent}pass\n`;
        const type = this.variables.find((variable) => variable.name === name)?.type ?? 'int';
        return `${indent}${name} ${this.augmented(type)} ${this.expression(type, 2)}\n`;
      }
      case 9:
        return this.inFunction && indent.length < 20 ? this.definition(indent) : `${indent}pass\n`;
      case 10:
        return `${indent}print(${this.expression(this.pick(types), 2)}, ${this.expression(this.pick(types), 1)})\n`;
      case 11:
        return this.asked(indent);
      case 12:
        return `${indent}return ${this.expression(this.pick(types), 2)}\n`;
      case 13: {
        const list = this.expression('list', 1);
        return `${indent}${this.pick(['[a, b]', '(a, b)', 'a, (b, c)'])} = ${this.chance(2) ? list : '(1, (2, 3))'}\n`;
      }
      default: {
        const type = this.pick(types);
        const value = this.expression(type, 3);
        return `${indent}${this.bind(type)} = ${value}\n`;
      }
    }
  }

  /** The host answers with a value of the type it is asked for. */
  private asked(indent: string): string {
    const type = this.pick(types);
    const more = this.expression(this.pick(types), 2);
    return `${indent}${this.bind(type)} = ask("${type}", ${more})\n`;
  }

  private augmented(type: Type): string {
    if (type === 'int')
      return this.pick(['+=', '-=', '*=', '//=', '%=', '&=', '|=', '^=', '<<=', '>>=', '/=']);
    if (type === 'float') return this.pick(['+=', '-=', '*=', '/=', '//=', '%=']);
    if (type === 'dict') return '|=';
    if (type === 'set') return this.pick(['|=', '&=', '-=', '^=']);
    return this.pick(['+=', '+=', '+=', '*=']);
  }

  private mutation(): string {
    const list = this.named('list') ?? '[1]';
    const dict = this.named('dict') ?? '{}';
    const set = this.named('set') ?? 'set()';
    const any = () => this.expression(this.pick(types), 1);
    const int = () => this.expression('int', 1);
    return this.pick([
      () => `${list}.append(${any()})`,
      () => `${list}.extend(${this.expression('list', 1)})`,
      () => `${list}.insert(${int()}, ${any()})`,
      () => `${list}.pop(${this.chance(2) ? '' : int()})`,
      () => `${list}.remove(${any()})`,
      () => `${list}.clear()`,
      () => `${list}[${int()}] = ${any()}`,
      () => `${list}[0] += 1`,
      () => `${list}.append(${list})`,
      () => `${dict}[${this.expression('str', 1)}] = ${any()}`,
      () => `${dict}.update(${this.chance(2) ? this.expression('dict', 1) : '[(1, 2)]'}, z = ${any()})`,
      () => `${dict}.setdefault(${any()}, ${any()})`,
      () => `${dict}.pop(${any()}, ${any()})`,
      () => `${dict}.popitem()`,
      () => `${dict}.clear()`,
      () => `${dict}["self"] = ${dict}`,
      () => `${set}.add(${this.expression(this.pick(['int', 'str', 'tuple', 'float']), 1)})`,
      () => `${set}.${this.pick(['discard', 'remove'])}(${int()})`,
      () => `${set}.pop()`,
      () => `${set}.update(${this.expression('list', 1)}, ${this.expression('set', 1)})`,
      () =>
        `${set}.${this.pick(['difference_update', 'intersection_update', 'symmetric_difference_update'])}(${this.expression('set', 1)})`,
    ])();
  }

  // Expressions

  private expression(wanted: Type, depth: number): string {
    const text = this.bare(wanted, depth);
    return this.careful && depth >= 2 && !this.chance(6) && /[(.[%/]/.test(text)
      ? `catch(lambda: ${text})`
      : text;
  }

  private bare(wanted: Type, depth: number): string {
    const type = this.chance(40) ? this.pick(types) : wanted;
    if (this.chance(2)) {
      const name = this.named(type);
      if (name !== null) return name;
    }
    if (depth <= 0) return this.literal(type);
    if (this.chance(14))
      return `(${this.expression(type, depth - 1)} if ${this.expression('bool', depth - 1)} else ${this.expression(type, depth - 1)})`;
    if (this.chance(20))
      return `ask("${type}"${this.chance(2) ? '' : `, ${this.expression(type, depth - 1)}`})`;
    if (this.chance(16) && this.functions.length > 0)
      return this.callOf(this.pick(this.functions), depth - 1);
    return this.composite(type, depth - 1);
  }

  private literal(type: Type): string {
    switch (type) {
      case 'int':
        return this.pick(ints);
      case 'float':
        return this.pick(floats);
      case 'str':
        return this.pick(strings);
      case 'bytes':
        return this.pick(byteStrings);
      case 'bool':
        return this.pick(['True', 'False']);
      case 'list':
        return this.pick([
          '[]',
          '[1, 2, 3]',
          '["a", "b"]',
          '[[1], [2]]',
          '[(1, "x"), (2, "y")]',
          'list("abc".elems())',
          'input["rows"]',
        ]);
      case 'tuple':
        return this.pick(['()', '(1,)', '(1, 2)', '("a", 1.5, None)', '((1, 2), (3,))']);
      case 'dict':
        return this.pick([
          '{}',
          '{"a": 1}',
          '{1: 2, "b": [1]}',
          '{(1, 2): 3, 1.0: "f"}',
          'dict(a = 1, b = 2)',
          'dict([("x", 1)])',
          'input',
        ]);
      case 'set':
        return this.pick(['set()', 'set([1, 2, 3])', 'set("abc".elems())', 'set([(1,), 2.0, None])']);
      case 'range':
        return this.pick([
          'range(3)',
          'range(10, 0, -3)',
          'range(0)',
          'range(-5, 5, 2)',
          'range(1000000000000)',
        ]);
      case 'none':
        return 'None';
      case 'func':
        return this.pick([
          'len',
          'str',
          'lambda x: x',
          'lambda *a: len(a)',
          'lambda x, y = 2: (x, y)',
          'sorted',
          '[].append',
          '"".join',
          'ask',
          'json.encode',
          'lambda: 1',
        ]);
    }
  }

  private composite(type: Type, depth: number): string {
    const of = (wanted: Type): string => this.expression(wanted, depth);
    const any = (): string => this.expression(this.pick(types), depth);
    const alternatives: readonly (() => string)[] = ((): readonly (() => string)[] => {
      switch (type) {
        case 'int':
          return [
            () => `(${of('int')} ${this.pick(['+', '-', '*', '//', '%', '&', '|', '^'])} ${of('int')})`,
            () => `(${of('int')} ${this.pick(['<<', '>>'])} ${this.random(80)})`,
            () => `${this.pick(['-', '+', '~'])}${of('int')}`,
            () => `len(${of(this.pick(['list', 'str', 'dict', 'set', 'tuple', 'range', 'bytes']))})`,
            () =>
              `int(${this.pick([of('float'), of('str'), of('bool'), '"ff", 16', '"0b101", 0', `${of('str')}, ${this.random(40)}`])})`,
            () => `abs(${of('int')})`,
            () => `hash(${of('str')})`,
            () => `${this.pick(['min', 'max'])}(${of('int')}, ${of('int')})`,
            () => `${this.pick(['min', 'max'])}(${of('list')}, key = ${of('func')})`,
            () =>
              `${of('str')}.${this.pick(['find', 'rfind', 'count', 'index', 'rindex'])}(${of('str')}${this.chance(3) ? `, ${of('int')}` : ''})`,
            () => `${of('list')}.index(${any()})`,
            () => `${of('range')}[${of('int')}]`,
            () => `${of('bytes')}[${of('int')}]`,
          ];
        case 'float':
          return [
            () =>
              `(${of('float')} ${this.pick(['+', '-', '*', '/', '//', '%'])} ${of(this.pick(['float', 'int']))})`,
            () => `(${of('int')} / ${of('int')})`,
            () => `float(${of(this.pick(['int', 'str', 'bool']))})`,
            () => `-${of('float')}`,
            () => `abs(${of('float')})`,
          ];
        case 'str':
          return [
            () => `(${of('str')} + ${of('str')})`,
            () => `(${of('str')} * ${this.random(6)})`,
            () => `${this.pick(['str', 'repr', 'type'])}(${any()})`,
            () =>
              `(${of('str')} % ${this.pick([of('tuple'), of('str'), of('dict'), `(${any()}, ${any()})`])})`,
            () =>
              `"${this.pick(['%s', '%r', '%d', '%x', '%X', '%o', '%e', '%g', '%f', '%c', '%%', '%(a)s', '%q'])}|" % (${any()},)`,
            () => `${of('str')}.format(${any()}, x = ${any()})`,
            () => `${of('str')}.join(${this.pick([`[str(v) for v in ${of('list')}]`, of('list')])})`,
            () => `${of('str')}.${this.pick(['upper', 'lower', 'title', 'capitalize'])}()`,
            () =>
              `${of('str')}.${this.pick(['strip', 'lstrip', 'rstrip'])}(${this.chance(2) ? '' : of('str')})`,
            () => `${of('str')}.replace(${of('str')}, ${of('str')}${this.chance(3) ? `, ${of('int')}` : ''})`,
            () => `${of('str')}.${this.pick(['removeprefix', 'removesuffix'])}(${of('str')})`,
            () => `${of('str')}[${of('int')}]`,
            () => `${of('str')}[${this.slice(depth)}]`,
            () => `json.${this.pick(['encode', 'encode_indent', 'indent'])}(${any()})`,
            () => `str(${of('bytes')})`,
          ];
        case 'bytes':
          return [
            () => `(${of('bytes')} + ${of('bytes')})`,
            () => `(${of('bytes')} * ${this.random(5)})`,
            () => `${of('bytes')}[${this.slice(depth)}]`,
            () => `bytes(${of(this.pick(['str', 'list', 'bytes']))})`,
          ];
        case 'bool':
          return [
            () => `(${this.same(depth)})`,
            () => `(${any()} ${this.pick(['==', '!='])} ${any()})`,
            () =>
              `(${any()} ${this.pick(['in', 'not in'])} ${of(this.pick(['list', 'dict', 'set', 'tuple', 'range']))})`,
            () => `(${of('str')} ${this.pick(['in', 'not in'])} ${of('str')})`,
            () => `not ${any()}`,
            () => `(${of('bool')} ${this.pick(['and', 'or'])} ${of('bool')})`,
            () => `bool(${any()})`,
            () => `${this.pick(['any', 'all'])}(${of(this.pick(['list', 'tuple', 'set']))})`,
            () =>
              `${of('str')}.${this.pick(['startswith', 'endswith'])}(${this.pick([of('str'), of('tuple')])})`,
            () =>
              `${of('str')}.${this.pick(['isalnum', 'isalpha', 'isdigit', 'islower', 'isspace', 'istitle', 'isupper'])}()`,
            () => `hasattr(${any()}, ${of('str')})`,
            () => `${of('set')}.${this.pick(['issubset', 'issuperset', 'isdisjoint'])}(${of('set')})`,
          ];
        case 'list':
          return [
            () => `[${Array.from({ length: this.random(4) }, any).join(', ')}]`,
            () => this.comprehension('list', depth),
            () => `(${of('list')} + ${of('list')})`,
            () => `(${of('list')} * ${this.random(4)})`,
            () => `${of('list')}[${this.slice(depth)}]`,
            () => `list(${of(this.pick(['range', 'tuple', 'dict', 'set', 'list']))})`,
            () =>
              `sorted(${of(this.pick(['list', 'set', 'tuple', 'dict']))}${this.pick(['', ', reverse = True', `, key = ${of('func')}`, ', key = str', ', key = lambda x: ask(x)', ', key = lambda x: str(x), reverse = True'])})`,
            () => `reversed(${of(this.pick(['list', 'tuple', 'range']))})`,
            () => `enumerate(${of('list')}${this.chance(3) ? ', 5' : ''})`,
            () => `zip(${of('list')}, ${of(this.pick(['list', 'range', 'tuple']))})`,
            () =>
              `${of('str')}.${this.pick(['split', 'rsplit'])}(${this.pick(['', of('str'), `${of('str')}, ${of('int')}`])})`,
            () => `${of('str')}.splitlines(${this.pick(['', 'True'])})`,
            () => `${of('dict')}.${this.pick(['keys', 'values', 'items'])}()`,
            () => `dir(${any()})`,
            () => `json.decode(${of('str')}, default = [])`,
            () => `list(${of(this.pick(['str', 'bytes']))}.elems())`,
            () => `(${of('list')} or ${of('list')})`,
          ];
        case 'tuple':
          return [
            () => `(${any()}, ${any()})`,
            () => `(${of('tuple')} + ${of('tuple')})`,
            () => `tuple(${of(this.pick(['list', 'range', 'set', 'dict']))})`,
            () => `${of('str')}.${this.pick(['partition', 'rpartition'])}(${of('str')})`,
            () => `${of('tuple')}[${this.slice(depth)}]`,
            () => `(${of('tuple')} * ${this.random(3)})`,
          ];
        case 'dict':
          return [
            () =>
              `{${this.pick(['"k"', '1', '(1, 2)', 'None', of('str'), of('int')])}: ${any()}, "m": ${any()}}`,
            () => this.comprehension('dict', depth),
            () => `(${of('dict')} | ${of('dict')})`,
            () => `dict(${of('dict')}, n = ${any()})`,
            () => `dict(zip(${of('list')}, ${of('range')}))`,
            () => `json.decode(json.encode(${of('dict')}), default = {})`,
          ];
        case 'set':
          return [
            () => `(${of('set')} ${this.pick(['|', '&', '-', '^'])} ${of('set')})`,
            () => `set(${of(this.pick(['list', 'range', 'tuple', 'dict']))})`,
            () =>
              `${of('set')}.${this.pick(['union', 'intersection', 'difference', 'symmetric_difference'])}(${of('list')})`,
          ];
        case 'range':
          return [
            () => `range(${of('int')} % 20)`,
            () =>
              `range(${of('int')} % 9, ${of('int')} % 30, ${this.pick(['1', '2', '-1', '7', of('int')])})`,
            () => `${of('range')}[${this.slice(depth)}]`,
          ];
        case 'none':
          return [
            () => `${of('dict')}.get(${any()})`,
            () => `print(${any()})`,
            () => `${of('list')}.append(${any()})`,
            () => `getattr(${any()}, ${of('str')}, None)`,
            () => `note(${any()}, name = ${any()})`,
          ];
        case 'func':
          return [
            () => `(lambda x: ${this.inside({ name: 'x', type: 'int' }, () => any())})`,
            () => `(lambda *args, **kwargs: ${any()})`,
            () =>
              `${this.pick([of('str'), of('list'), of('dict'), of('set')])}.${this.pick(['upper', 'append', 'get', 'add', 'format', 'pop', 'nothing'])}`,
            () => `getattr(${of('str')}, "upper")`,
          ];
      }
    })();
    return this.pick(alternatives)();
  }

  private same(depth: number): string {
    const type = this.pick(types);
    return `${this.expression(type, depth)} ${this.pick(compareOperators)} ${this.expression(type, depth)}`;
  }

  private slice(depth: number): string {
    const part = (): string =>
      this.chance(3) ? '' : this.chance(3) ? this.expression('int', depth) : String(this.random(9) - 4);
    return `${part()}:${part()}${this.chance(3) ? `:${part()}` : ''}`;
  }

  private inside<T>(variable: Named, work: () => T): T {
    const outer = this.variables;
    this.variables = [...outer, variable];
    const result = work();
    this.variables = outer;
    return result;
  }

  private comprehension(kind: 'list' | 'dict', depth: number): string {
    const over = this.pick([
      `range(${this.random(7)})`,
      this.expression('list', depth - 1),
      this.expression('range', depth - 1),
    ]);
    this.counter += 1;
    const name = `c${this.counter}`;
    return this.inside({ name, type: 'int' }, () => {
      const clause = this.pick([
        '',
        '',
        ` if ${this.expression('bool', depth - 1)}`,
        ` for d in ${this.expression('list', depth - 1)}`,
        ` for d in range(3) if d != ${name}`,
      ]);
      const value = this.expression(this.pick(types), depth - 1);
      return kind === 'list'
        ? `[${value} for ${name} in ${over}${clause}]`
        : `{${this.pick([name, `str(${name})`, `(${name}, 1)`])}: ${value} for ${name} in ${over}${clause}}`;
    });
  }

  private callOf(callable: Callable, depth: number): string {
    const args: string[] = [];
    const named: string[] = [];
    const any = (): string => this.expression(this.pick(types), depth);
    for (let at = 0; at < callable.required; at += 1) {
      if (this.chance(6)) named.push(`p${at} = ${any()}`);
      else if (named.length === 0) args.push(any());
    }
    for (const name of callable.optional) if (this.chance(2)) named.push(`${name} = ${any()}`);
    if (callable.rest && this.chance(2)) args.push(any());
    if (callable.keywords && this.chance(2)) named.push(`extra = ${any()}`);
    const stars = this.chance(10) ? [`*${this.expression('list', depth)}`] : [];
    const doubles = this.chance(10)
      ? [`**${this.pick(['{"q": 1}', '{"z": 2}', this.expression('dict', depth)])}`]
      : [];
    return `${callable.name}(${[...args, ...named, ...stars, ...doubles].join(', ')})`;
  }
}

export function generateProgram(random: Random): string {
  return new Generator(random).program();
}
