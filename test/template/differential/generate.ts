// Random templates and expressions: mostly sensible, some wrong in their types, some not even well formed.
import { chance, pick, type Random } from './random.ts';
import { randomWord, variableNames } from './variables.ts';

type Kind = 'int' | 'float' | 'text' | 'bool' | 'list' | 'dict' | 'any';

const kinds: readonly Kind[] = ['int', 'float', 'text', 'bool', 'list', 'dict', 'any'];

function quoted(random: Random, text: string): string {
  const mark = chance(random, 1, 2) ? "'" : '"';
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\u0000', '\\x00')
    .replaceAll('\u0007', '\\a');
  return mark + body + mark;
}

/** So that what follows belongs to all of it, most of the time. */
function atom(text: string): string {
  return /^[\w.]+$|^(?:'[^'\\]*'|"[^"\\]*")$/.test(text) || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
}

export class TemplateGenerator {
  private readonly random: Random;
  /** Names that the template itself has bound so far. */
  private names: string[] = [];
  private loops = 0;
  private macros: string[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  // Templates

  template(): string {
    const count = 1 + this.random(3);
    let text = '';
    for (let at = 0; at < count; at += 1) text += this.statement(2);
    return chance(this.random, 1, 12) ? this.damaged(text) : text;
  }

  expression(): string {
    const text = this.any(4);
    return chance(this.random, 1, 15) ? this.damaged(text) : text;
  }

  /** With a few characters dropped, doubled or swapped. */
  private damaged(text: string): string {
    const points = Array.from(text);
    for (let times = 1 + this.random(2); times > 0 && points.length > 0; times -= 1) {
      const at = this.random(points.length);
      const kind = this.random(3);
      if (kind === 0) points.splice(at, 1 + this.random(3));
      else if (kind === 1)
        points.splice(
          at,
          0,
          pick(this.random, [
            '{',
            '}',
            '%',
            '(',
            ')',
            '|',
            '.',
            "'",
            ',',
            '#',
            '-',
            '\n',
            ' ',
            '=',
            '~',
            '[',
            'é',
          ]),
        );
      else points.splice(at, 1, points[this.random(points.length)] as string);
    }
    return points.join('');
  }

  private text(): string {
    return pick(this.random, [
      '',
      ' ',
      '\n',
      '  \n  ',
      'text',
      ' and ',
      '{ ',
      '}',
      '%',
      '# ',
      ' - ',
      '\t',
      'é',
      '😀',
      '{ { ',
      '\r\n',
      ': ',
      '. ',
      '<p>',
      "'",
      '\n\n',
      '\u2003',
    ]);
  }

  private tag(open: '{%' | '{{', inside: string): string {
    const r = this.random;
    const sign = (): string => (chance(r, 1, 8) ? '-' : open === '{%' && chance(r, 1, 40) ? '+' : '');
    const pad = pick(r, ['', ' ', ' ', ' ', '\n ']);
    return `${open}${sign()}${pad === '' && /^[-+]/.test(inside) ? ' ' : pad}${inside}${pad === '' && /[}%]$/.test(inside) ? ' ' : pad}${sign()}${open === '{%' ? '%}' : '}}'}`;
  }

  private block(inside: string, body: () => string, end: string): string {
    return this.tag('{%', inside) + body() + this.tag('{%', end);
  }

  private body(depth: number): string {
    const known = [...this.names];
    let text = this.text();
    for (let count = this.random(3); count >= 0; count -= 1) text += this.statement(depth - 1) + this.text();
    this.names = known;
    return text;
  }

  private statement(depth: number): string {
    const r = this.random;
    if (depth <= 0 || chance(r, 4, 9))
      return chance(r, 1, 5) ? this.text() : this.text() + this.tag('{{', this.any(this.loops > 0 ? 2 : 3));
    switch (r(15)) {
      case 0:
      case 1:
        return this.if(depth);
      case 2:
      case 3:
      case 4:
        return this.for(depth);
      case 5:
      case 6:
        return this.set();
      case 7:
        return this.block(
          `set ${this.bind()}${chance(r, 1, 3) ? ` | ${pick(r, ['upper', 'trim', 'length', "replace('a', 'b')", 'title|lower'])}` : ''}`,
          () => this.body(depth),
          'endset',
        );
      case 8:
        return this.with(depth);
      case 9:
        return this.macro(depth);
      case 10:
        return this.call(depth);
      case 11:
        return this.block(
          `filter ${pick(r, ['upper', 'lower|title', 'trim', 'indent(2)', "replace('e', 'E')", 'truncate(5)', 'xml_escape', 'reverse'])}`,
          () => this.body(depth),
          'endfilter',
        );
      case 12:
        return `{%${pick(r, ['', '-', '+', ' '])} raw ${pick(r, ['', '-'])}%} {{ not ${this.text()} code }} {%${pick(r, ['', '-', ' '])} endraw ${pick(r, ['', '-', '+'])}%}`;
      case 13:
        return `{#${pick(r, ['', '-', '+'])} note ${this.text()} ${pick(r, ['', '-', '+'])}#}`;
      default:
        return this.tag('{%', `print ${this.any(2)}${chance(r, 1, 3) ? `, ${this.any(2)}` : ''}`);
    }
  }

  private fresh(): string {
    return pick(this.random, ['v', 'w', 'item', 'x', 'y', 'n', 's', 'xs']);
  }

  private bind(): string {
    const name = this.fresh();
    this.names.push(name);
    return name;
  }

  private set(): string {
    const r = this.random;
    if (chance(r, 1, 6)) {
      const values = `${this.any(2)}, ${this.any(2)}`;
      this.names.push('v', 'w');
      return this.tag('{%', `set v, w = ${values}`);
    }
    const value = this.any(3);
    return this.tag('{%', `set ${this.bind()} = ${value}`);
  }

  private if(depth: number): string {
    const r = this.random;
    let text = this.tag('{%', `if ${this.condition(3)}`) + this.body(depth);
    for (let count = r(3); count > 1; count -= 1)
      text += this.tag('{%', `elif ${this.condition(2)}`) + this.body(depth);
    if (chance(r, 1, 2)) text += this.tag('{%', 'else') + this.body(depth);
    return text + this.tag('{%', 'endif');
  }

  private for(depth: number): string {
    const r = this.random;
    const known = [...this.names];
    const isPairs = chance(r, 1, 5);
    const items = isPairs
      ? pick(r, [
          'd.items()',
          'conf|items',
          'd|dictsort',
          "rows|groupby('tag')",
          '[(1, 2), (3, 4)]',
          'conf.items()',
          '[[1, 2]]',
          'ws',
        ])
      : this.sequence(2);
    const target = isPairs ? `${this.bind()}, ${this.bind()}` : this.bind();
    const test = chance(r, 1, 5) ? ` if ${this.condition(2)}` : '';
    const isRecursive = !isPairs && chance(r, 1, 15);
    this.loops += 1;
    const inner =
      this.body(depth) +
      (isRecursive
        ? this.tag('{{', `loop(${pick(r, ['[]', 'item.children', 'empty', '[1]|select("gt", 1)'])})`)
        : '');
    const last = chance(r, 1, 4) ? this.tag('{%', 'else') : '';
    this.loops -= 1;
    const text =
      this.tag('{%', `for ${target} in ${items}${test}${isRecursive ? ' recursive' : ''}`) +
      inner +
      last +
      (last === '' ? '' : this.body(depth)) +
      this.tag('{%', 'endfor');
    this.names = known;
    return text;
  }

  private with(depth: number): string {
    const r = this.random;
    const known = [...this.names];
    const first = this.any(2);
    const second = this.any(2);
    const head =
      r(4) === 0
        ? 'with'
        : r(2) === 0
          ? `with ${this.bind()} = ${first}`
          : `with ${this.bind()} = ${first}, ${this.bind()} = ${second}`;
    const text = this.block(head, () => this.body(depth), 'endwith');
    this.names = known;
    return text;
  }

  private macro(depth: number): string {
    const r = this.random;
    const name = pick(r, ['mac', 'show', 'box']);
    const known = [...this.names];
    const parameters = ['p', 'q', 'r'].slice(0, r(4));
    const fallbackFrom = r(3);
    const list = parameters
      .map((each, at) => (at >= fallbackFrom ? `${each}=${this.any(1)}` : each))
      .join(', ');
    this.names.push(...parameters);
    const extra = pick(r, [
      '',
      '',
      '',
      '{{ varargs }}',
      '{{ kwargs }}',
      '{{ caller() }}',
      '{{ caller is defined }}',
      '{{ kwargs|length }}{{ varargs|length }}',
    ]);
    const text = this.block(`macro ${name}(${list})`, () => this.body(depth - 1) + extra, 'endmacro');
    this.names = known;
    this.macros.push(name);
    return text + (chance(r, 2, 3) ? this.tag('{{', this.macroCall(name)) : '');
  }

  private macroCall(name: string): string {
    const r = this.random;
    const args = Array.from({ length: r(3) }, () => this.any(1));
    if (chance(r, 1, 5)) args.push(`${pick(r, ['p', 'q', 'r', 'zz'])}=${this.any(1)}`);
    return `${name}(${args.join(', ')})`;
  }

  private call(depth: number): string {
    const name = this.macros.at(-1);
    if (name === undefined) return this.macro(depth);
    return this.block(
      `call${pick(this.random, ['', '', '(a)', '(a, b=1)'])} ${this.macroCall(name)}`,
      () => this.body(depth - 1),
      'endcall',
    );
  }

  // Expressions

  private any(depth: number): string {
    return this.of(pick(this.random, kinds), depth);
  }

  private of(kind: Kind, depth: number): string {
    const r = this.random;
    // Something of another kind now and then, so that operators meet what they cannot handle.
    if (chance(r, 1, 70)) return this.of(pick(r, kinds), depth - 1);
    if (chance(r, 1, 160))
      return pick(r, [
        'missing',
        'd.nope',
        'conf.deep.no',
        'rows[99]',
        'missing.deeper',
        's.nope',
        'xs.foo',
        "d['nope']",
        'nil.x',
        's.__class__',
        'xs.append(1)',
        "conf['__init__']",
      ]);
    if (chance(r, 1, 12) && depth > 0)
      return `(${this.of(kind, depth - 1)} if ${atom(this.condition(depth - 1))}${chance(r, 5, 6) ? ` else ${this.of(kind, depth - 1)}` : ''})`;
    if (chance(r, 1, 20) && depth > 0)
      return `(${atom(this.of(kind, depth - 1))} ${pick(r, ['or', 'and'])} ${atom(this.of(kind, depth - 1))})`;
    if (chance(r, 1, 14) && this.names.length > 0) return pick(r, this.names);
    switch (kind) {
      case 'int':
        return this.int(depth);
      case 'float':
        return this.float(depth);
      case 'text':
        return this.textValue(depth);
      case 'bool':
        return `(${this.condition(depth)})`;
      case 'list':
        return this.list(depth);
      case 'dict':
        return this.dict(depth);
      case 'any':
        return this.mixed(depth);
    }
  }

  private mixed(depth: number): string {
    const r = this.random;
    if (depth <= 0) return pick(r, [...variableNames, 'missing']);
    switch (r(9)) {
      case 0:
        return `${atom(this.sequence(depth - 1))}[${chance(r, 3, 4) ? pick(r, ['0', '1', '-1']) : this.int(depth - 1)}]${chance(r, 1, 2) ? "|default('none')" : ''}`;
      case 1:
        return `${atom(this.dict(depth - 1))}.get(${chance(r, 1, 2) ? pick(r, ["'a'", "'b'", "'name'", "'level'", "'form'", "'first'", '1']) : this.textValue(0)}${chance(r, 1, 2) ? `, ${this.any(depth - 1)}` : ''})`;
      case 2:
        return `${atom(this.any(depth - 1))}|default(${this.any(depth - 1)}${chance(r, 1, 3) ? ', true' : ''})`;
      case 3:
        return `${atom(this.sequence(depth - 1))}|${pick(r, ['first', 'last', 'min', 'max', 'sum', "max(attribute='price')", "min(attribute='name')", "sum(attribute='id')"])}`;
      case 4:
        return pick(r, [
          'conf.deep.er.est',
          'conf.level',
          'conf.list',
          'd.a',
          "d['b']",
          'd.name',
          'd.c',
          "d['two words']",
          'rows[1].name',
          'rows[0]',
          'rows[0].name',
          'rows.0.id',
          'trees[0].children',
          'inputs.user_message',
          "inputs.get('collected', {}).get('form', {}).get('topic', 'none')",
          'outputs.first',
          "outputs['second']",
          'rows[-1].tags[0]',
        ]);
      case 5:
        return `(${this.any(depth - 1)}, ${this.any(depth - 1)})`;
      case 6:
        return `${atom(this.any(depth - 1))}|${pick(r, ['string', 'tojson', 'list', 'length', 'e', 'safe', 'int', 'float', 'upper', 'abs', 'items|list', 'reverse|list', 'count', 'round', 'tojson(indent=2)', 'forceescape', 'capitalize', 'attr("real")', 'batch(2)|list'])}`;
      default:
        return pick(r, [...variableNames]);
    }
  }

  private int(depth: number): string {
    const r = this.random;
    if (depth <= 0)
      return pick(r, [
        '0',
        '1',
        '2',
        '3',
        '-1',
        '10',
        'n',
        'm',
        '255',
        '1_000',
        '0x1F',
        '0b101',
        '0o17',
        'xs|length',
        '12345678901234567890',
        'm',
      ]);
    switch (r(10)) {
      case 0:
      case 1:
        return `(${this.int(depth - 1)} ${pick(r, ['+', '-', '*', '//', '%'])} ${this.int(depth - 1)})`;
      case 2:
        return `${this.int(0)} ** ${r(6)}`;
      case 3:
        return `${atom(this.sequence(depth - 1))}|length`;
      case 4:
        return `${atom(this.any(depth - 1))}|int${chance(r, 1, 3) ? '(7)' : ''}`;
      case 5:
        return `${atom(this.textValue(depth - 1))}.${pick(r, ['count', 'find', 'rfind', 'count', 'find', 'index'])}(${this.textValue(0)}${chance(r, 1, 4) ? `, ${this.int(0)}` : ''})`;
      case 6:
        return this.loops > 0
          ? pick(r, [
              'loop.index',
              'loop.index0',
              'loop.revindex',
              'loop.revindex0',
              'loop.length',
              'loop.depth',
            ])
          : 'm';
      case 7:
        return `${atom(this.list(depth - 1))}.${pick(r, ['count', 'count', 'count', 'index'])}(${this.any(0)})`;
      case 8:
        return `-${atom(this.int(depth - 1))}`;
      default:
        return `${atom(this.int(depth - 1))}|${pick(r, ['abs', 'int', 'round', 'round(-1)'])}`;
    }
  }

  private float(depth: number): string {
    const r = this.random;
    if (depth <= 0)
      return pick(r, ['0.5', '1.0', '2.5', 'f', 'g', '1e3', '1.5e-3', '-0.25', '1_0.5', '3e20']);
    switch (r(6)) {
      case 0:
        return `(${this.float(depth - 1)} ${pick(r, ['+', '-', '*', '/', '//', '%'])} ${chance(r, 1, 2) ? this.int(depth - 1) : this.float(depth - 1)})`;
      case 1:
        return `(${this.int(depth - 1)} / ${this.int(depth - 1)})`;
      case 2:
        return `${atom(this.float(depth - 1))}|round${pick(r, ['', '(1)', '(2)', "(1, 'floor')", "(0, 'ceil')", '(-1)'])}`;
      case 3:
        return `${atom(this.any(depth - 1))}|float${chance(r, 1, 4) ? '(1.5)' : ''}`;
      case 4:
        return `${this.float(0)} ** ${pick(r, ['2', '3', '0.5', '-1', '2.0'])}`;
      default:
        return `-${atom(this.float(depth - 1))}`;
    }
  }

  private textValue(depth: number): string {
    const r = this.random;
    if (depth <= 0)
      return chance(r, 1, 2)
        ? quoted(r, randomWord(r))
        : pick(r, ['s', 't', "'a'", "'b'", 'conf.label', 'inputs.user_message', "'x' 'y'", "''"]);
    const text = (): string => atom(this.textValue(depth - 1));
    switch (r(14)) {
      case 0:
        return `(${atom(this.any(depth - 1))} ~ ${atom(this.any(depth - 1))}${chance(r, 1, 3) ? ` ~ ${text()}` : ''})`;
      case 1:
        return `(${text()} + ${text()})`;
      case 2:
        return `(${text()} * ${r(4)})`;
      case 3:
        return `${text()}[${this.slice()}]`;
      case 4:
        return `${text()}|${this.textFilter(depth - 1)}`;
      case 5:
      case 6:
        return `${text()}.${this.textMethod(depth - 1)}`;
      case 7:
        return `${atom(this.list(depth - 1))}|join${pick(r, ['', "(', ')", "('-')", "(d='/')", "('', attribute='name')", '(1)'])}`;
      case 8:
        return `${atom(this.any(depth - 1))}|tojson`;
      case 9:
        return `${atom(this.any(depth - 1))}|string`;
      case 10:
        return this.formatted(depth - 1);
      case 11:
        return `${atom(this.any(depth - 1))}|${pick(r, ['xml_escape', 'e', 'escape', 'truncate(3)', 'truncate', 'truncate(0)', 'slugify', 'lower', 'upper', 'title', 'capitalize', 'trim', 'urlencode', 'striptags', 'forceescape', 'safe', 'center(9)', 'indent(2)', 'indent(width=3, first=true)', 'wordwrap(5)', 'filesizeformat', 'xmlattr', 'truncate(length=2)'])}`;
      case 12:
        return this.loops > 0 ? "loop.cycle('a', 'b')" : 's';
      default:
        return text();
    }
  }

  private slice(): string {
    const r = this.random;
    const bound = (): string => pick(r, ['', '', '0', '1', '2', '-1', '-2', '5', '100', '-100', 'm', 'none']);
    return `${bound()}:${bound()}${chance(r, 1, 3) ? `:${pick(r, ['', '1', '2', '-1', '-2', '3', '0'])}` : ''}`;
  }

  private textFilter(depth: number): string {
    const r = this.random;
    const text = (): string => this.textValue(Math.min(depth - 1, 0));
    return pick(r, [
      () => 'upper',
      () => 'lower',
      () => 'title',
      () => 'capitalize',
      () => 'trim',
      () => `trim(${text()})`,
      () => 'length',
      () => 'wordcount',
      () => 'reverse',
      () => 'list',
      () => 'first',
      () => 'last',
      () => `replace(${text()}, ${text()})`,
      () => `replace(${text()}, ${text()}, ${r(3)})`,
      () => `truncate(${r(12)})`,
      () => `center(${r(16)})`,
      () => `indent(${r(4)})`,
      () => `indent(2, true, true)`,
      () => `wordwrap(${1 + r(12)})`,
      () => `wordwrap(${1 + r(8)}, false)`,
      () => 'xml_escape',
      () => 'e',
      () => 'slugify',
      () => 'tojson',
      () => 'urlencode',
      () => 'striptags',
      () => 'contains_cjk',
      () => 'int',
      () => 'float',
      () => `default(${text()})`,
      () => `format(${this.any(0)})`,
      () => `slice(${r(4)})|list`,
      () => `slice(${r(3)}, ${r(6)})`,
      () => `batch(${1 + r(3)})|list`,
      () => 'unique|list',
      () => 'sort',
      () => 'map("upper")|join',
      () => 'string',
      () => 'd',
      () => 'count',
    ])();
  }

  private textMethod(depth: number): string {
    const r = this.random;
    const text = (): string => this.textValue(Math.min(depth - 1, 0));
    return pick(r, [
      () => 'upper()',
      () => 'lower()',
      () => 'title()',
      () => 'capitalize()',
      () => 'swapcase()',
      () => 'casefold()',
      () => 'strip()',
      () => `strip(${text()})`,
      () => 'lstrip()',
      () => 'rstrip()',
      () => `lstrip(${text()})`,
      () => 'split()',
      () => `split(${text()})`,
      () => `split(' ', ${r(3)})`,
      () => `split(maxsplit=${r(3)})`,
      () => `rsplit(none, ${r(3)})`,
      () => `rsplit(${text()}, 1)`,
      () => 'splitlines()',
      () => 'splitlines(true)',
      () => `startswith(${text()})`,
      () => `endswith(${text()})`,
      () => `startswith((${text()}, 'a'))`,
      () => `replace(${text()}, ${text()})`,
      () => `replace(${text()}, ${text()}, ${r(3)})`,
      () => `find(${text()})`,
      () => `count(${text()})`,
      () => `center(${r(14)})`,
      () => `center(${r(14)}, '*')`,
      () => `ljust(${r(14)}, '.')`,
      () => `rjust(${r(14)})`,
      () => `zfill(${r(14)})`,
      () => `partition(${text()})`,
      () => `rpartition(${text()})`,
      () => `removeprefix(${text()})`,
      () => `removesuffix(${text()})`,
      () => 'expandtabs(4)',
      () => 'expandtabs()',
      () => `join(${this.list(0)})`,
      () => 'isdigit()',
      () => 'isalpha()',
      () => 'isalnum()',
      () => 'isspace()',
      () => 'isupper()',
      () => 'islower()',
      () => 'istitle()',
      () => 'isnumeric()',
      () => 'isdecimal()',
      () => 'isidentifier()',
      () => 'isprintable()',
      () => 'isascii()',
      () => `format(${this.any(0)})`,
      () => `format(${this.any(0)}, name=${this.any(0)})`,
      () => (chance(r, 1, 4) ? pick(r, ['title', 'nosuch()', 'upper(1)']) : 'title()'),
    ])();
  }

  private formatted(depth: number): string {
    const r = this.random;
    const percent = pick(r, [
      '%s',
      '%r',
      '%d',
      '%5d',
      '%-5d|',
      '%05d',
      '%+d',
      '%x',
      '%#x',
      '%o',
      '%f',
      '%.2f',
      '%8.3f',
      '%e',
      '%.1e',
      '%g',
      '%.3g',
      '%c',
      '%%',
      '%5s',
      '%.2s',
      '%-6s|',
      '%i',
      '%G',
      '%s %s',
      '%(a)s',
      '%a',
      '% d',
      '%E',
    ]);
    const spec = pick(r, [
      '{}',
      '{!r}',
      '{:>8}',
      '{:<8}|',
      '{:^8}',
      '{:*^9}',
      '{:05d}',
      '{:+}',
      '{:,}',
      '{:_}',
      '{:x}',
      '{:#b}',
      '{:.2f}',
      '{:8.3f}',
      '{:e}',
      '{:g}',
      '{:.3}',
      '{:%}',
      '{:.1%}',
      '{0}-{0}',
      '{} {}',
      '{:c}',
      '{:n}',
      '{!s:>5}',
      '{{}}',
      '{0[0]}',
      '{0.real}',
      '{:<{}}',
      '{:010.2f}',
      '{:,.2f}',
      '{!a}',
      '{:-}',
      '{: }',
      '{:=+6}',
    ]);
    const value = pick(r, [
      () => this.int(0),
      () => this.float(0),
      () => this.textValue(0),
      () => this.any(depth),
    ])();
    return pick(r, [
      () => `(${quoted(r, percent)} % ${value})`,
      () => `(${quoted(r, percent)} % (${value},))`,
      () => `(${quoted(r, percent)} % ${value})`,
      () => `${quoted(r, percent)}|format(${value})`,
      () => `${quoted(r, spec)}.format(${value})`,
      () => `${quoted(r, spec)}.format(${value}, ${this.int(0)})`,
    ])();
  }

  private sequence(depth: number): string {
    const r = this.random;
    return chance(r, 1, 8) ? this.textValue(depth) : chance(r, 1, 8) ? this.dict(depth) : this.list(depth);
  }

  private list(depth: number): string {
    const r = this.random;
    if (depth <= 0)
      return pick(r, [
        'xs',
        'fs',
        'ws',
        'rows',
        'mixed',
        'empty',
        '[1, 2, 3]',
        "['b', 'a', 'C']",
        '[]',
        '(1, 2)',
        'conf.list',
        '[none, true]',
        '()',
      ]);
    const list = (): string => atom(this.list(depth - 1));
    switch (r(13)) {
      case 0:
        return `[${Array.from({ length: r(4) }, () => this.any(depth - 1)).join(', ')}]`;
      case 1:
        return `(${list()} + ${list()})`;
      case 2:
        return `(${list()} * ${r(3)})`;
      case 3:
        return `${list()}[${this.slice()}]`;
      case 4:
        return `${list()}|sort${pick(r, ['', '(true)', '(reverse=true)', "(attribute='name')", '(case_sensitive=true)', "(attribute='id,name')", "(attribute='sub.k')"])}`;
      case 5:
        return `${list()}|${pick(r, ['unique', "unique(attribute='tag')", 'reverse', 'unique(true)'])}|list`;
      case 6:
        return `${list()}|map(${pick(r, ["'upper'", "'string'", "'int'", "attribute='name'", "attribute='id'", "attribute='zzz', default=0", "'default', 'x'", "'length'", "'e'", "'tojson'", "'replace', 'a', 'b'", "attribute='sub.v'", "'upper'", chance(r, 1, 8) ? "'nosuch'" : "'string'"])})|list`;
      case 7:
        return `${list()}|${pick(r, ['select', 'reject'])}${pick(r, ['', "('odd')", "('defined')", "('gt', 1)", "('string')", "('in', [1, 2, 'a'])", "('equalto', 1)", "('number')"])}|list`;
      case 8:
        return `rows|${pick(r, ['selectattr', 'rejectattr'])}(${pick(r, ["'id'", "'tag', 'equalto', 'x'", "'price', 'gt', 10", "'zzz', 'defined'", "'sub.k', 'odd'", "'name', 'in', ['a', 'b']"])})|${pick(r, ["map(attribute='name')|list", 'list', 'list|length', "map(attribute='id')|list"])}`;
      case 9:
        return `${list()}|${pick(r, ['batch(2)', "batch(2, '-')", 'slice(2)', "slice(3, 'x')", 'slice(1, 3)', 'batch(3)'])}|list`;
      case 10:
        return `${atom(this.textValue(depth - 1))}.split(${pick(r, ['', "','", "' '"])})`;
      case 11:
        return `${atom(this.dict(depth - 1))}.${pick(r, ['keys()', 'values()', 'items()'])}${chance(r, 2, 3) ? '|list' : ''}`;
      default:
        return pick(r, [
          `${atom(this.dict(depth - 1))}|dictsort`,
          `${atom(this.dict(depth - 1))}|dictsort(by='value')`,
          "rows|groupby('tag')",
          "rows|groupby('tag', case_sensitive=true)",
          "rows|groupby('sub.k')",
          `${atom(this.textValue(depth - 1))}|list`,
          `${atom(this.dict(depth - 1))}|list`,
          `${atom(this.dict(depth - 1))}|items|list`,
        ]);
    }
  }

  private dict(depth: number): string {
    const r = this.random;
    if (depth <= 0 || chance(r, 1, 2))
      return pick(r, ['d', 'conf', 'edict', 'inputs', 'outputs', '{}', "{'a': 1}", 'rows[0]', 'conf.deep']);
    const entries = Array.from(
      { length: r(4) },
      () =>
        `${pick(r, [() => this.textValue(0), () => this.int(0), () => 'none', () => 'true', () => '(1, 2)', () => '1.0', () => this.any(0)])()}: ${this.any(depth - 1)}`,
    );
    return `{${entries.join(', ')}}`;
  }

  private condition(depth: number): string {
    const r = this.random;
    if (depth <= 0)
      return pick(r, [
        'true',
        'false',
        'flag',
        'm',
        's',
        'xs',
        'nil',
        'conf.on',
        'not flag',
        "'KEY: yes' in outputs.second",
      ]);
    switch (r(12)) {
      case 0:
        return `${this.int(depth - 1)} ${pick(r, ['<', '<=', '>', '>=', '==', '!='])} ${chance(r, 1, 3) ? this.float(depth - 1) : this.int(depth - 1)}`;
      case 1:
        return `${atom(this.any(depth - 1))} ${pick(r, ['==', '!='])} ${atom(this.any(depth - 1))}`;
      case 2:
        return `${this.textValue(depth - 1)} ${pick(r, ['in', 'not in', '<', '==', '>='])} ${this.textValue(depth - 1)}`;
      case 3:
        return `${atom(this.any(depth - 1))} ${pick(r, ['in', 'not in'])} ${atom(this.sequence(depth - 1))}`;
      case 4:
        return `not ${atom(this.condition(depth - 1))}`;
      case 5:
        return `(${atom(this.condition(depth - 1))} ${pick(r, ['and', 'or'])} ${atom(this.condition(depth - 1))})`;
      case 6:
      case 7:
        return `${atom(this.any(depth - 1))} is ${chance(r, 1, 3) ? 'not ' : ''}${pick(r, ['defined', 'undefined', 'none', 'string', 'number', 'integer', 'float', 'boolean', 'mapping', 'sequence', 'iterable', 'callable', 'true', 'false', 'lower', 'upper', 'escaped'])}`;
      case 8:
        return `${atom(this.int(depth - 1))} is ${chance(r, 1, 4) ? 'not ' : ''}${pick(r, ['odd', 'even', 'divisibleby(3)', 'divisibleby 2', 'eq(1)', 'gt 2', 'lt(5)', 'in [1, 2, 3]', 'ne 3', 'ge(1)', 'sameas(none)', 'equalto 1', 'lessthan(2)'])}`;
      case 9:
        return `${this.int(depth - 1)} < ${this.int(0)} ${pick(r, ['<', '<=', '!='])} ${this.int(0)}`;
      case 10:
        return this.loops > 0
          ? pick(r, [
              'loop.first',
              'loop.last',
              'loop.previtem is defined',
              'loop.nextitem is defined',
              'loop.changed(m)',
              'loop.nextitem == 1',
              'loop.changed(item)',
            ])
          : 'missing is defined';
      default:
        return `${quoted(r, pick(r, ['upper', 'nosuch', 'tojson', 'odd']))} is ${pick(r, ['filter', 'test'])}`;
    }
  }
}
