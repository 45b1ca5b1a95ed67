// Starlark text -> the same program, laid out.
//
//   text -> tokens, comments and blank lines between them -> lines -> text
//
// F1. The tree stays the same: what is made is parsed again and compared, and given up where it differs.
// F2. Every comment stays, at its statement and in its order.
// F3. What is laid out once is not changed again.
// F4. A program with faults is not touched: the result is `null`.
//
// Lines are broken where the author broke them. Blocks are indented by four spaces, and so is the text in brackets over several
// lines, from the line that opens them. A string in single quotes gets double ones where nothing has to be escaped for it.
import { Faults } from '../syntax/cursor.ts';
import { lex } from '../syntax/lex.ts';
import { parseModule } from '../syntax/parse.ts';
import { isSameTree } from './same-tree.ts';
import type { SpacingToken } from './spacing.ts';
import { gapBetween, readSpacing } from './spacing.ts';

const indentUnit = '    ';
const limits = { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false };

/** `null`: the text has faults. A byte order mark and the kind of line ends stay as they are. */
export function formatProgram(source: string): string | null {
  const marked = source.startsWith('\uFEFF');
  const text = marked ? source.slice(1) : source;
  const before = parsed(text);
  if (before === null) return null;
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const made = new Layout(text, lineEnd).run();
  const after = parsed(made);
  // F1
  if (after === null || !isSameTree(before, after)) return null;
  return marked ? `\uFEFF${made}` : made;
}

function parsed(text: string): ReturnType<typeof parseModule> {
  let isSound = true;
  const module = parseModule(text, limits, () => {
    isSound = false;
  });
  return isSound ? module : null;
}

/** A bracket that is open. */
interface Bracket {
  /** Of the line it was opened on. */
  readonly indent: string;
}

/** The text between two tokens. */
interface Gap {
  readonly comments: readonly { readonly text: string; readonly ownLine: boolean; readonly column: number }[];
  /** Blank lines before each comment, and before the token behind them. */
  readonly blanks: readonly number[];
  readonly hasBreak: boolean;
}

class Layout {
  private readonly text: string;
  private readonly lineEnd: string;
  private readonly lines: string[] = [];
  private line = '';
  private isLineOpen = false;
  private level = 0;
  /** Columns of the blocks as they were written, to tell which one a comment belongs to. */
  private readonly columns: number[] = [0];
  private readonly brackets: Bracket[] = [];
  /** The line that was begun last is the header of a block. */
  private afterHeader = true;
  /** A statement at the top that defines something ended here; a blank line follows. */
  private lastTop: 'def' | 'other' | null = null;

  constructor(text: string, lineEnd: string) {
    this.text = text;
    this.lineEnd = lineEnd;
  }

  run(): string {
    const { kinds, starts, ends } = lex(this.text, new Faults());
    const tokens = readSpacing(this.text, kinds, starts, ends);
    let end = 0;
    let previous: SpacingToken | null = null;
    /** The text before the next token is laid out already. */
    let isPlaced = false;
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at] as SpacingToken;
      const gap = this.gap(end, token.start);
      const next = tokens.slice(at).find(({ kind }) => kind !== 'indent' && kind !== 'outdent') ?? token;
      if (token.kind === 'indent' || token.kind === 'outdent') {
        // Comments before a change of the level are put in place with the token behind it.
        const levels = this.levelsBehind(tokens, at);
        this.standing(this.gap(end, next.start), levels.level, next, levels.columns);
        end = next.start;
        this.level = levels.level;
        this.columns.splice(0, this.columns.length, ...levels.columns);
        at += levels.count - 1;
        isPlaced = true;
        continue;
      }
      if (token.kind === 'newline') {
        this.trailing(gap);
        this.flush();
        previous = null;
        end = token.end;
        continue;
      }
      if (token.kind === 'end of file') {
        this.trailing(gap);
        this.flush();
        this.standing(gap, 0, token, [0]);
        break;
      }
      if (previous === null) {
        if (!isPlaced) this.standing(gap, this.level, token, this.columns);
        isPlaced = false;
        this.begin(indentUnit.repeat(this.level));
        this.startStatement(token);
      } else if (this.brackets.length > 0 && (gap.hasBreak || gap.comments.length > 0)) {
        this.continueInBrackets(gap, token);
      } else if (gap.hasBreak) {
        this.line += ' \\';
        this.flush();
        this.begin(indentUnit.repeat(this.level + 1));
      } else this.line += gapBetween(previous, token);
      this.write(token);
      previous = token;
      end = token.end;
    }
    while (this.lines.at(-1) === '') this.lines.pop();
    return this.lines.length === 0 ? '' : this.lines.join(this.lineEnd) + this.lineEnd;
  }

  /** The level behind the indents and outdents that begin at `from`. */
  private levelsBehind(
    tokens: readonly SpacingToken[],
    from: number,
  ): { readonly level: number; readonly columns: readonly number[]; readonly count: number } {
    const columns = [...this.columns];
    let count = 0;
    for (let at = from; at < tokens.length; at += 1) {
      const { kind, column } = tokens[at] as SpacingToken;
      if (kind === 'indent') columns.push(column);
      else if (kind === 'outdent') columns.pop();
      else break;
      count += 1;
    }
    return { level: columns.length - 1, columns, count };
  }

  private startStatement(token: SpacingToken): void {
    if (this.level === 0) this.lastTop = token.kind === 'def' ? 'def' : 'other';
    this.afterHeader = false;
  }

  private write(token: SpacingToken): void {
    const { kind, written } = token;
    this.line += written;
    this.isLineOpen = true;
    if (kind === '(' || kind === '[' || kind === '{') this.brackets.push({ indent: indentOf(this.line) });
    else if (kind === ')' || kind === ']' || kind === '}') this.brackets.pop();
    if (token.endsHeader) this.afterHeader = true;
  }

  private begin(indent: string): void {
    this.line = indent;
    this.isLineOpen = true;
  }

  private flush(): void {
    if (!this.isLineOpen) return;
    this.lines.push(this.line.replace(/[ \t]+$/, ''));
    this.line = '';
    this.isLineOpen = false;
  }

  /** A comment behind the last token of a line. */
  private trailing({ comments }: Gap): void {
    const [first] = comments;
    if (first !== undefined && !first.ownLine && this.isLineOpen) this.line += `  ${first.text}`;
  }

  /** Comments on lines of their own before a statement, and the blank lines around them. */
  private standing(gap: Gap, level: number, next: SpacingToken, columns: readonly number[]): void {
    const own = gap.comments.filter(({ ownLine }) => ownLine);
    const skipped = gap.comments.length - own.length;
    const deepest = Math.max(level, this.columns.length - 1);
    const all = this.columns.length > columns.length ? this.columns : columns;
    let last = deepest;
    let isFirst = true;
    const levels = own.map(({ column }) => {
      let found = level;
      for (let at = level; at <= deepest; at += 1) if (column >= (all[at] ?? 0)) found = at;
      // Of comments before a statement further out, one that is out stays out.
      last = Math.min(last, found);
      return last;
    });
    for (const [at, { text }] of own.entries()) {
      const here = levels[at] as number;
      this.blankLines(gap.blanks[at + skipped] ?? 0, {
        level: here,
        isDef:
          here === 0 &&
          level === 0 &&
          next.kind === 'def' &&
          isFirst &&
          levels.slice(at).every((one) => one === 0),
      });
      if (here === 0 && this.lastTop === 'def') this.lastTop = 'other';
      if (here === 0) isFirst = false;
      this.lines.push(`${indentUnit.repeat(here)}${text}`);
      this.afterHeader = false;
    }
    if (next.kind === 'end of file') return;
    const blanks = gap.blanks.at(-1) ?? 0;
    this.blankLines(blanks, { level, isDef: next.kind === 'def' && level === 0 && own.length === 0 });
  }

  /** At most two at the top, one in a block, none below a header; at least one around a function at the top. */
  private blankLines(
    written: number,
    { level, isDef }: { readonly level: number; readonly isDef: boolean },
  ): void {
    if (this.lines.length === 0 || this.afterHeader) return;
    const least = level === 0 && (isDef || this.lastTop === 'def') ? 1 : 0;
    const count = Math.max(least, Math.min(written, level === 0 ? 2 : 1));
    let there = 0;
    while (there < count && this.lines.at(-1 - there) === '') there += 1;
    for (let at = there; at < count; at += 1) this.lines.push('');
  }

  private continueInBrackets(gap: Gap, token: SpacingToken): void {
    const inner = this.brackets.at(-1) as Bracket;
    const within = inner.indent + indentUnit;
    this.trailing(gap);
    this.flush();
    const own = gap.comments.filter(({ ownLine }) => ownLine);
    const skipped = gap.comments.length - own.length;
    for (const [at, { text }] of own.entries()) {
      if ((gap.blanks[at + skipped] ?? 0) > 0 && !this.endsOpen()) this.lines.push('');
      this.lines.push(`${within}${text}`);
    }
    const isCloser = token.kind === ')' || token.kind === ']' || token.kind === '}';
    if ((gap.blanks.at(-1) ?? 0) > 0 && !isCloser && !this.endsOpen()) this.lines.push('');
    this.begin(isCloser ? inner.indent : within);
  }

  /** The last line opens a bracket: no blank line follows it. */
  private endsOpen(): boolean {
    return /[([{]$/.test(this.lines.at(-1) ?? '');
  }

  private gap(from: number, to: number): Gap {
    const comments: Gap['comments'][number][] = [];
    const blanks: number[] = [];
    let feeds = 0;
    let lineStart = lineStartBefore(this.text, from);
    let sinceLast = 0;
    // The feed that ends a line with something on it makes no blank line.
    let own = lineStart === from ? 0 : 1;
    for (let at = from; at < to; at += 1) {
      const unit = this.text.charAt(at);
      if (unit === '#') {
        let end = at;
        while (end < to && !/[\r\n]/.test(this.text.charAt(end))) end += 1;
        const ownLine = this.text.slice(lineStart, at).trim() === '';
        comments.push({
          text: this.text.slice(at, end).trimEnd(),
          ownLine,
          column: columnOf(this.text, lineStart, at),
        });
        blanks.push(Math.max(0, sinceLast - own));
        sinceLast = 0;
        own = 1;
        at = end - 1;
      } else if (unit === '\n' || (unit === '\r' && this.text.charAt(at + 1) !== '\n')) {
        feeds += 1;
        sinceLast += 1;
        lineStart = at + 1;
      }
    }
    blanks.push(Math.max(0, sinceLast - own));
    return { comments, blanks, hasBreak: feeds > 0 };
  }
}

function lineStartBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function columnOf(text: string, lineStart: number, at: number): number {
  let column = 0;
  for (let i = lineStart; i < at; i += 1) column += text.charAt(i) === '\t' ? 8 - (column % 8) : 1;
  return column;
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
