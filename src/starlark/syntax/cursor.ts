// The place of the parser in its tokens, and what it knows about what is around that place.
//
// A fault that ends a statement is reported once, then `abandonStatement` is thrown, which `guard` catches: it
// continues at the end of the line. `abandonModule` ends the parsing. Neither leaves `parseModule`. `enter` and
// `leave` bound how deep the tree nests, `link` how long its flat chains such as `a + b + c` are, so that neither the
// parser nor a later stage runs out of stack.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { TokenKind, TokenValue, Tokens } from './token.ts';
import { describeKind } from './token.ts';
import { severityOf } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';

const statementAbandoned = new Error('the statement cannot be read');
const moduleAbandoned = new Error('the program cannot be read');

/** However high the option is set: about 20 JavaScript frames are needed for each in the worst case. */
const hardMaxDepth = 500;
const maxLinks = 1_200;

export class Cursor {
  index = 0;
  kind: TokenKind;
  /** The end of the last token that is not layout. */
  lastEnd = 0;
  /** Where the line began that is being read: scars since then explain faults in it. */
  lineStart = 0;
  /** Enclosing functions, and loops within the innermost. */
  functions = 0;
  loops = 0;
  /** Enclosing `if` and `for` statements outside any function. */
  topConditionals = 0;
  topLoops = 0;
  /** Inside a block whose first line could not be read: where statements may be is not known. */
  guesses = 0;
  /** The statement here was most likely meant as the block that is missing before it. */
  missedBlock = false;
  /** See `Module.doubtful`. */
  readonly doubtful = new Set<string>();
  readonly interactive: boolean;

  private depth = 0;
  private links = 0;
  /** Links of `elif` chains around this place. */
  private linksAbove = 0;
  private readonly maxDepth: number;
  private readonly tokens: Tokens;
  private readonly faults: Faults;

  constructor(
    tokens: Tokens,
    faults: Faults,
    options: { readonly maxDepth: number; readonly interactive: boolean },
  ) {
    this.tokens = tokens;
    this.faults = faults;
    this.maxDepth = Math.min(options.maxDepth, hardMaxDepth);
    this.interactive = options.interactive;
    this.kind = tokens.kinds[0] as TokenKind;
  }

  get start(): number {
    return this.tokens.starts[this.index] as number;
  }

  get end(): number {
    return this.tokens.ends[this.index] as number;
  }

  get value(): TokenValue {
    return this.tokens.values[this.index] as TokenValue;
  }

  /** The kind of the token `ahead` places further on, or back. */
  peek(ahead: number): TokenKind {
    return this.tokens.kinds[this.index + ahead] ?? 'end of file';
  }

  /** Whether nothing is between the token before and this one. */
  get touchesPrevious(): boolean {
    return this.index > 0 && this.tokens.ends[this.index - 1] === this.start;
  }

  at(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  advance(): void {
    const { kind } = this;
    if (kind !== 'newline' && kind !== 'indent' && kind !== 'outdent' && kind !== 'end of file')
      this.lastEnd = this.end;
    if (this.index < this.tokens.kinds.length - 1) this.index += 1;
    this.kind = this.tokens.kinds[this.index] as TokenKind;
  }

  accept(kind: TokenKind): boolean {
    if (this.kind !== kind) return false;
    this.advance();
    return true;
  }

  expect(kind: TokenKind, hint?: string): void {
    if (this.kind !== kind) this.failWanting(describeKind(kind), hint);
    this.advance();
  }

  fault(code: DiagnosticCode, start: number, end: number, message: string, hint?: string): void {
    if (this.faults.isScarred(this.lineStart, end)) return;
    this.faults.add(code, start, end, message, hint);
    if (this.faults.isFull) throw moduleAbandoned;
  }

  fail(code: DiagnosticCode, start: number, end: number, message: string, hint?: string): never {
    this.fault(code, start, end, message, hint);
    throw statementAbandoned;
  }

  failWanting(wanted: string, hint?: string, code: DiagnosticCode = 'STAR_SYNTAX'): never {
    return this.fail(
      code,
      this.start,
      this.kind === 'newline' ? this.start : this.end,
      `got ${describeKind(this.kind)}, want ${wanted}`,
      hint,
    );
  }

  /** Begins something nested; what it returns goes to `leave`. */
  enter(): number {
    this.depth += 1;
    if (this.depth > this.maxDepth)
      this.tooDeep(`the program is nested more than ${this.maxDepth} levels deep here`);
    const outer = this.links;
    this.links = 0;
    return outer;
  }

  leave(outer: number): void {
    this.depth -= 1;
    if (outer > this.links) this.links = outer;
  }

  /** Counts a link of a flat chain whose earlier part has been read since `enter`. */
  link(): void {
    this.links += 1;
    if (this.links + this.linksAbove > maxLinks)
      this.tooDeep(`more than ${maxLinks} operations follow one another here`);
  }

  /** Counts a link of a flat chain around what comes next, until `unlink`. */
  linkAbove(): void {
    this.linksAbove += 1;
    if (this.linksAbove > maxLinks) this.tooDeep(`more than ${maxLinks} branches follow one another here`);
  }

  unlinkAbove(count: number): void {
    this.linksAbove -= count;
  }

  private tooDeep(message: string): never {
    this.faults.add(
      'STAR_TOO_DEEP',
      this.start,
      this.end,
      message,
      'split it into smaller functions or statements',
    );
    throw moduleAbandoned;
  }

  /** Runs `parse`; when it abandons the statement, skips to the end of the line and gives null. */
  guard<T>(parse: () => T): T | null {
    const { index, depth, links, linksAbove, functions, loops } = this;
    try {
      return parse();
    } catch (error) {
      if (error !== statementAbandoned) throw error;
      this.depth = depth;
      this.links = links;
      this.linksAbove = linksAbove;
      this.functions = functions;
      this.loops = loops;
      this.skipLine(index);
      return null;
    }
  }

  /** Goes to the next 'newline'; the names since the token `from` become doubtful. */
  skipLine(from = this.index): void {
    while (this.kind !== 'newline' && this.kind !== 'end of file') this.advance();
    for (let i = from; i < this.index; i += 1) {
      if (this.tokens.kinds[i] === 'identifier') this.doubtful.add(this.tokens.values[i] as string);
    }
  }
}

export function isAbandoned(error: unknown): boolean {
  return error === moduleAbandoned;
}

// What is wrong with a program, gathered by the lexer and the parser and reported in the order of the text.
//
// A text fault that garbles what follows it leaves a `scar`; a grammar fault that a scar explains is not reported. At
// most `maxFaults` are reported, of them at most `maxWarnings` warnings, then one STAR_MORE. If there is an error, one
// is reported.

const maxFaults = 50;
/** Fewer, so that they never crowd out what makes a program unusable. */
const maxWarnings = 10;

interface Fault {
  readonly code: DiagnosticCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string | undefined;
}

export class Faults {
  private readonly kept: Fault[] = [];
  private errors = 0;
  private warnings = 0;
  private readonly scars: number[] = [];
  private isSorted = true;

  add(code: DiagnosticCode, start: number, end: number, message: string, hint?: string): void {
    const isError = severityOf(code) === 'error';
    if (isError) this.errors += 1;
    else this.warnings += 1;
    // Twice as many as are reported, so that those of one stage do not crowd out those of the other.
    if (isError ? this.errors <= 2 * maxFaults : this.warnings <= maxWarnings)
      this.kept.push({ code, start, end, message, hint });
  }

  /** The text around `offset` is not to be trusted. */
  scar(offset: number): void {
    // A bracket is found to be unclosed long after it was read.
    if (this.scars.length > 0 && (this.scars[this.scars.length - 1] as number) > offset)
      this.isSorted = false;
    this.scars.push(offset);
  }

  isScarred(start: number, end: number): boolean {
    if (!this.isSorted) this.scars.sort((a, b) => a - b);
    this.isSorted = true;
    let low = 0;
    let high = this.scars.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.scars[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low < this.scars.length && (this.scars[low] as number) <= end;
  }

  /** There is no use in looking for more. */
  get isFull(): boolean {
    return this.errors >= 2 * maxFaults;
  }

  reportTo(report: Report): void {
    this.kept.sort((a, b) => a.start - b.start);
    for (const fault of this.kept.slice(0, maxFaults)) {
      report(fault.code, { start: fault.start, end: fault.end }, fault.message, fault.hint);
    }
    const next = this.kept[maxFaults] ?? this.kept.at(-1);
    if (next === undefined || this.errors + this.warnings <= Math.min(maxFaults, this.kept.length)) return;
    report(
      'STAR_MORE',
      { start: next.start, end: next.end },
      'further faults are not listed',
      'fix those above first',
    );
  }
}
