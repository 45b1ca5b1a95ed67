// Tokens -> statements, with tags that open and close blocks; `ParseTag` parses what is inside a tag.
//
// After a faulty tag the parser continues behind it, inside its block: one fault does not hide the next. An end tag that
// an outer block waits for closes the inner ones, which are reported as unclosed.
import { nearest } from '../../base/nearest.ts';
import type { Statement } from './ast.ts';
import { type Cursor, SyntaxFault } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseTuple } from './parse-primary.ts';
import { aloneTags, blockTags, knownTags, refusedTags } from './tags.ts';
import type { Token } from './token.ts';

/** The statements of the tag `name`, behind which the cursor is; `null` when there is no such tag. */
type ParseTag = (blocks: Blocks, name: Token, start: number) => readonly Statement[] | null;

interface Open {
  readonly name: Token;
  readonly ends: readonly string[];
}

export class Blocks {
  readonly c: Cursor;
  /** Loops around this place. */
  loops = 0;
  readonly #parseTag: ParseTag;
  readonly #open: Open[] = [];

  constructor(c: Cursor, parseTag: ParseTag) {
    this.c = c;
    this.#parseTag = parseTag;
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
        this.#output(statements);
      } else if (token.type === 'block-begin') {
        if (this.#isAwaited(c.ahead)) {
          if (this.#open.at(-1)?.ends.includes(c.ahead.text) === true) c.take();
          return statements;
        }
        this.#statement(statements);
      } else {
        // Only after a fault: the rest of its tag.
        c.take();
      }
    }
    return statements;
  }

  #isAwaited(name: Token): boolean {
    return name.type === 'name' && this.#open.some(({ ends }) => ends.includes(name.text));
  }

  #output(into: Statement[]): void {
    const { c } = this;
    const { start, tag } = c.take();
    this.guard(tag, undefined, () => {
      const value = parseTuple(c, parseExpression, null);
      c.expect('output-end', '"}}"');
      into.push({ kind: 'output', value, start, end: c.end });
    });
  }

  #statement(into: Statement[]): void {
    const { c } = this;
    const { start, tag } = c.take();
    const name = c.token;
    if (name.type !== 'name') {
      this.guard(tag, undefined, () => c.unexpected('the name of a tag'));
      return;
    }
    c.take();
    const parsed = this.guard(tag, [], () =>
      c.deeper(() => this.#parseTag(this, name, start) ?? this.#unknown(name)),
    );
    into.push(...parsed);
  }

  #unknown(name: Token): readonly Statement[] {
    const { c } = this;
    const refused = refusedTags.get(name.text);
    const block = blockTags.get(name.text);
    if (refused !== undefined) c.faults.addIn(name.tag, refused.code, name, refused.message, refused.hint);
    else if (block !== undefined) c.faults.addIn(name.tag, 'TEMPLATE_TAG', name, block.message, block.hint);
    else this.#misplaced(name);
    c.leaveTag(name.tag);
    if (block === undefined) return [];
    this.#inside(name, [block.end], () => this.body());
    if (c.isName(block.end)) c.leaveTag(c.token.tag);
    return [];
  }

  #misplaced(name: Token): void {
    const { faults } = this.c;
    const innermost = this.#open.at(-1);
    if (aloneTags.has(name.text)) {
      const hint =
        innermost === undefined
          ? undefined
          : `{% ${innermost.name.text} %} waits for ${innermost.ends.map((end) => `{% ${end} %}`).join(' or ')}`;
      return faults.addIn(
        name.tag,
        'TEMPLATE_NESTING',
        name,
        `{% ${name.text} %} belongs to no open block`,
        hint,
      );
    }
    const close = nearest(name.text, knownTags);
    faults.addIn(
      name.tag,
      'TEMPLATE_TAG',
      name,
      `there is no tag "${name.text}"`,
      close === null ? undefined : `did you mean "${close}"?`,
    );
  }

  /** Reads with `name` as the innermost open block. */
  #inside<T>(name: Token, ends: readonly string[], parse: () => T): T {
    this.#open.push({ name, ends });
    try {
      return parse();
    } finally {
      this.#open.pop();
    }
  }

  /** The end of the tag that opens a block, and the body behind it. Gives the name of the tag that ends it. */
  block(
    name: Token,
    tag: number,
    ends: readonly string[],
  ): { body: readonly Statement[]; ended: Token | null } {
    const { c } = this;
    // The parser is already behind a faulty tag.
    if (c.token.tag === tag) {
      this.guard(tag, undefined, () => {
        c.skipSign(':');
        c.expect('block-end', '"%}"');
      });
    }
    const body = this.#inside(name, ends, () => this.body());
    if (c.token.type === 'name' && ends.includes(c.token.text)) return { body, ended: c.take() };
    const last = ends.at(-1) as string;
    c.faults.addIn(
      name.tag,
      'TEMPLATE_UNCLOSED',
      name,
      `{% ${name.text} %} is never closed`,
      `close it with {% ${last} %}`,
    );
    return { body, ended: null };
  }

  endTag(ended: Token | null): void {
    if (ended !== null) this.guard(ended.tag, undefined, () => this.c.expect('block-end', '"%}"'));
  }

  /** Parses a part of the tag that begins at `tag`, and leaves the tag when that fails. */
  guard<T, F>(tag: number, failed: F, parse: () => T): T | F {
    try {
      return parse();
    } catch (fault) {
      if (!(fault instanceof SyntaxFault) || fault.isFinal) throw fault;
      this.c.leaveTag(tag);
      return failed;
    }
  }
}
