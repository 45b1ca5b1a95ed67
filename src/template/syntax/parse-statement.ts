// Tokens -> statements, all faults at once.
//
//   if    = "if" test body { "elif" test body } [ "else" body ] "endif"
//   for   = "for" target "in" values [ "if" test ] [ "recursive" ] body [ "else" body ] "endfor"
//   set   = "set" target "=" values | "set" target { filter } body "endset"
//   with  = "with" [ target "=" value { "," target "=" value } ] body "endwith"
//   macro = "macro" name "(" parameters ")" body "endmacro"
//   call  = "call" [ "(" parameters ")" ] call-expression body "endcall"
//
// P1. A tag with a fault is left at its end, and its block is read on: one fault does not hide the next.
// P2. An end tag that an outer block waits for closes the inner ones, which are reported as unclosed.
import { nearest } from '../../base/nearest.ts';
import type { Expression, Filter, Parameter, Statement, Target } from './ast.ts';
import { type Cursor, SyntaxFault } from './cursor.ts';
import { parseExpression, parseFilter, parseOr, parsePrimary, parseTuple } from './parse-expression.ts';
import { aloneTags, blockTags, knownTags, refusedTags } from './tags.ts';
import type { Token } from './token.ts';

interface Open {
  readonly name: Token;
  readonly ends: readonly string[];
}

/** Stands where nothing could be understood. It never leaves the parser: a fault has been told by then. */
const nothing: Expression = { kind: 'literal', type: 'none', value: null, start: 0, end: 0 };
const nowhere: Target = { kind: 'name-target', name: '', start: 0, end: 0 };

export function parseStatements(c: Cursor): readonly Statement[] {
  return new StatementParser(c).body();
}

class StatementParser {
  private readonly c: Cursor;
  private readonly open: Open[] = [];

  constructor(c: Cursor) {
    this.c = c;
  }

  /** Up to a tag that the innermost open block waits for, whose "{%" is taken and whose name is next. */
  body(): Statement[] {
    const { c } = this;
    const statements: Statement[] = [];
    while (!c.is('end')) {
      const { token } = c;
      if (token.type === 'data') {
        c.take();
        statements.push({ kind: 'text', text: token.text, start: token.start, end: token.end });
      } else if (token.type === 'output-begin') {
        this.output(statements);
      } else if (token.type === 'block-begin') {
        if (this.isAwaited(c.ahead)) {
          if (this.open.at(-1)?.ends.includes(c.ahead.text) === true) c.take();
          return statements;
        }
        this.statement(statements);
      } else {
        // Only behind a fault: what is left of its tag.
        c.take();
      }
    }
    return statements;
  }

  private isAwaited(name: Token): boolean {
    return name.type === 'name' && this.open.some(({ ends }) => ends.includes(name.text));
  }

  private output(into: Statement[]): void {
    const { c } = this;
    const { start, tag } = c.take();
    this.guard(tag, undefined, () => {
      const value = parseTuple(c, parseExpression, null);
      c.expect('output-end', '"}}"');
      into.push({ kind: 'output', value, start, end: c.end });
    });
  }

  /** Parses a part of the tag that begins at `tag`, and leaves the tag when that fails. */
  private guard<T, F>(tag: number, failed: F, parse: () => T): T | F {
    try {
      return parse();
    } catch (fault) {
      if (!(fault instanceof SyntaxFault) || fault.isFinal) throw fault;
      this.c.leaveTag(tag);
      return failed;
    }
  }

  private statement(into: Statement[]): void {
    const { c } = this;
    const { start, tag } = c.take();
    const name = c.token;
    if (name.type !== 'name') {
      this.guard(tag, undefined, () => c.unexpected('the name of a tag'));
      return;
    }
    c.take();
    const parsed = this.guard(tag, [], () => c.deeper(() => this.named(name, start)));
    into.push(...parsed);
  }

  private named(name: Token, start: number): readonly Statement[] {
    switch (name.text) {
      case 'if':
        return [this.ifBlock(name, start)];
      case 'for':
        return [this.forBlock(name, start)];
      case 'set':
        return [this.set(name, start)];
      case 'with':
        return [this.withBlock(name, start)];
      case 'macro':
        return [this.macro(name, start)];
      case 'call':
        return [this.call(name, start)];
      case 'filter':
        return [this.filter(name, start)];
      case 'print':
        return this.print(start);
      default:
        return this.unknown(name);
    }
  }

  private unknown(name: Token): readonly Statement[] {
    const { c } = this;
    const refused = refusedTags.get(name.text);
    const block = blockTags.get(name.text);
    if (refused !== undefined) c.faults.addIn(name.tag, refused.code, name, refused.message, refused.hint);
    else if (block !== undefined) c.faults.addIn(name.tag, 'TEMPLATE_TAG', name, block.message, block.hint);
    else this.misplaced(name);
    c.leaveTag(name.tag);
    if (block === undefined) return [];
    this.inside(name, [block.end], () => this.body());
    if (c.isName(block.end)) c.leaveTag(c.token.tag);
    return [];
  }

  private misplaced(name: Token): void {
    const { faults } = this.c;
    const innermost = this.open.at(-1);
    if (aloneTags.has(name.text)) {
      const hint = innermost === undefined ? undefined : `{% ${innermost.name.text} %} waits for ${innermost.ends.map((end) => `{% ${end} %}`).join(' or ')}`;
      return faults.addIn(name.tag, 'TEMPLATE_NESTING', name, `{% ${name.text} %} belongs to no open block`, hint);
    }
    const close = nearest(name.text, knownTags);
    faults.addIn(name.tag, 'TEMPLATE_TAG', name, `there is no tag "${name.text}"`, close === null ? undefined : `did you mean "${close}"?`);
  }

  /** Reads with `name` as the innermost open block. */
  private inside<T>(name: Token, ends: readonly string[], parse: () => T): T {
    this.open.push({ name, ends });
    try {
      return parse();
    } finally {
      this.open.pop();
    }
  }

  /** The end of the tag that opens a block, and the body behind it. Gives the name of the tag that ends it. */
  private block(name: Token, tag: number, ends: readonly string[]): { body: readonly Statement[]; ended: Token | null } {
    const { c } = this;
    // A tag with a fault is left already.
    if (c.token.tag === tag) {
      this.guard(tag, undefined, () => {
        c.skipSign(':');
        c.expect('block-end', '"%}"');
      });
    }
    const body = this.inside(name, ends, () => this.body());
    if (c.token.type === 'name' && ends.includes(c.token.text)) return { body, ended: c.take() };
    const last = ends.at(-1) as string;
    c.faults.addIn(name.tag, 'TEMPLATE_UNCLOSED', name, `{% ${name.text} %} is never closed`, `close it with {% ${last} %}`);
    return { body, ended: null };
  }

  private endTag(ended: Token | null): void {
    if (ended !== null) this.guard(ended.tag, undefined, () => this.c.expect('block-end', '"%}"'));
  }

  private ifBlock(name: Token, start: number): Statement {
    const { c } = this;
    const branches: { test: Expression; body: readonly Statement[] }[] = [];
    let otherwise: readonly Statement[] = [];
    let head: Token | null = name;
    while (head !== null) {
      const { tag, text } = head;
      if (text === 'else') {
        const last = this.block(name, tag, ['endif']);
        otherwise = last.body;
        this.endTag(last.ended);
        break;
      }
      const test = this.guard(tag, nothing, () => parseTuple(c, parseOr, null));
      const { body, ended } = this.block(name, tag, ['elif', 'else', 'endif']);
      branches.push({ test, body });
      if (ended?.text === 'endif') this.endTag(ended);
      head = ended === null || ended.text === 'endif' ? null : ended;
    }
    return { kind: 'if', branches, otherwise, start, end: c.end };
  }

  private loops = 0;

  private forBlock(name: Token, start: number): Statement {
    const { c } = this;
    this.loops += 1;
    const head = this.guard(name.tag, { target: nowhere, iterable: nothing, test: null, recursive: false }, () => {
      const target = this.target(true);
      c.expectWord('in');
      const iterable = parseTuple(c, parseOr, null);
      const test = c.skipName('if') ? parseExpression(c) : null;
      return { target, iterable, test, recursive: c.skipName('recursive') };
    });
    const { body, ended } = this.block(name, name.tag, ['else', 'endfor']);
    let otherwise: readonly Statement[] = [];
    if (ended?.text === 'else') {
      const last = this.block(name, ended.tag, ['endfor']);
      otherwise = last.body;
      this.endTag(last.ended);
    } else {
      this.endTag(ended);
    }
    this.loops -= 1;
    return { kind: 'for', ...head, body, otherwise, start, end: c.end };
  }

  private set(name: Token, start: number): Statement {
    const { c } = this;
    if (c.ahead.type === 'sign' && c.ahead.text === '.') {
      c.fail('TEMPLATE_TARGET', c.token, 'a part of a value cannot be assigned to', 'values never change here; build a new one and {% set %} a name to it');
    }
    const target = this.target(true);
    if (c.skipSign('=')) {
      const value = parseTuple(c, parseExpression, null);
      c.expect('block-end', '"%}"');
      return { kind: 'assign', target, value, start, end: c.end };
    }
    const filter = this.filterChain(null);
    if (!c.isSign(':') && !c.is('block-end')) c.unexpected('"=" or "%}"');
    const { body, ended } = this.block(name, name.tag, ['endset']);
    this.endTag(ended);
    return { kind: 'assign-block', target, filter, body, start, end: c.end };
  }

  private filterChain(first: Filter | null): Filter | null {
    let filter = first;
    while (this.c.skipSign('|')) filter = parseFilter(this.c, filter);
    return filter;
  }

  private withBlock(name: Token, start: number): Statement {
    const { c } = this;
    const bindings: { target: Target; value: Expression }[] = [];
    this.guard(name.tag, undefined, () => {
      while (!c.is('block-end')) {
        if (bindings.length > 0) c.expectSign(',');
        const target = this.target(false);
        c.expectSign('=');
        bindings.push({ target, value: parseExpression(c) });
      }
    });
    const { body, ended } = this.block(name, name.tag, ['endwith']);
    this.endTag(ended);
    return { kind: 'with', bindings, body, start, end: c.end };
  }

  private macro(name: Token, start: number): Statement {
    const { c } = this;
    const head = this.guard(name.tag, { name: '', parameters: [] }, () => {
      const { text } = this.simpleTarget();
      return { name: text, parameters: this.parameters() };
    });
    const { body, ended } = this.block(name, name.tag, ['endmacro']);
    this.endTag(ended);
    return { kind: 'macro', ...head, body, start, end: c.end };
  }

  private parameters(): readonly Parameter[] {
    const { c } = this;
    const parameters: Parameter[] = [];
    const names = new Set<string>();
    c.expectSign('(');
    while (!c.isSign(')')) {
      if (parameters.length > 0) c.expectSign(',');
      const { text, start, end } = this.simpleTarget();
      if (names.has(text)) c.fail('TEMPLATE_ARGUMENTS', { start, end }, `the parameter "${text}" is named twice`);
      names.add(text);
      const fallback = c.skipSign('=') ? parseExpression(c) : null;
      if (fallback === null && parameters.at(-1)?.fallback) c.fail('TEMPLATE_ARGUMENTS', { start, end }, 'a parameter without a default follows one with a default');
      parameters.push({ name: text, fallback, start, end });
    }
    c.expectSign(')');
    return parameters;
  }

  private call(name: Token, start: number): Statement {
    const { c } = this;
    const empty: Expression = { kind: 'call', callee: nothing, arguments: { positional: [], named: [], spread: null, namedSpread: null }, start: 0, end: 0 };
    const head = this.guard(name.tag, { parameters: [], call: empty }, () => {
      const parameters = c.isSign('(') ? this.parameters() : [];
      const call = parseExpression(c);
      if (call.kind !== 'call') c.fail('TEMPLATE_SYNTAX', call, 'a call must stand here', 'write {% call macro(…) %}');
      return { parameters, call };
    });
    const { body, ended } = this.block(name, name.tag, ['endcall']);
    this.endTag(ended);
    const call = head.call.kind === 'call' ? head.call : empty;
    return { kind: 'call-block', parameters: head.parameters, call, body, start, end: c.end };
  }

  private filter(name: Token, start: number): Statement {
    const { c } = this;
    const none: Filter = { kind: 'filter', input: null, name: '', nameSpan: name, arguments: { positional: [], named: [], spread: null, namedSpread: null }, start: 0, end: 0 };
    const filter = this.guard(name.tag, none, () => this.filterChain(parseFilter(c, null))) ?? none;
    const { body, ended } = this.block(name, name.tag, ['endfilter']);
    this.endTag(ended);
    return { kind: 'filter-block', filter, body, start, end: c.end };
  }

  private print(start: number): readonly Statement[] {
    const { c } = this;
    const values: Expression[] = [];
    while (!c.is('block-end')) {
      if (values.length > 0) c.expectSign(',');
      values.push(parseExpression(c));
    }
    c.take();
    return values.map((value) => ({ kind: 'output', value, start, end: c.end }));
  }

  /** `isStored`: for `set` and `for`, which may not take the name of the loop's own variable inside a loop. */
  private target(isStored: boolean): Target {
    const value = parseTuple(this.c, parsePrimary, null);
    return this.asTarget(value, isStored);
  }

  private asTarget(value: Expression, isStored: boolean): Target {
    const { c } = this;
    const { start, end } = value;
    if (value.kind === 'tuple') return { kind: 'tuple-target', items: value.items.map((item) => this.asTarget(item, isStored)), start, end };
    if (value.kind !== 'name') return c.fail('TEMPLATE_TARGET', value, 'only names, and tuples of names, can be assigned to');
    if (isStored && this.loops > 0 && value.name === 'loop') c.fail('TEMPLATE_TARGET', value, '"loop" is the loop\'s own variable', 'take another name');
    return { kind: 'name-target', name: value.name, start, end };
  }

  private simpleTarget(): Token {
    const token = this.c.expectName('a name');
    if (/^(?:[tT]rue|[fF]alse|[nN]one)$/.test(token.text)) this.c.fail('TEMPLATE_TARGET', token, `"${token.text}" is a constant`);
    return token;
  }
}


