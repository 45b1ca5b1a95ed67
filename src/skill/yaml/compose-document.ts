// The text as a document of the library, within the bounds.
//
//   text[start, end) -> lexemes, counted -> the library's tokens -> Composed | Overload
//
// The library recurses once per bracket, per `- ` or `? ` on a line and per `: ` chained on a line, and makes several
// objects (and an error per fault) for each token. So its lexemes are counted on their way to its parser, and the first
// that is too many ends the reading. What the counts refuse is over the limits of nodes or depth: in a valid text a value
// has at most two scalars, its key and itself, and two of each indicator.
import type { CST, Document } from 'yaml';
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import { yamlLimits } from './node.ts';

const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  keepSourceTokens: true,
  prettyErrors: false,
  // 'silent' would also hide that a second document follows.
  logLevel: 'error',
} as const;

/** What is used of the `yaml` package. */
export type YamlLibrary = Pick<
  typeof import('yaml'),
  'Composer' | 'Lexer' | 'Parser' | 'isAlias' | 'isMap' | 'isScalar' | 'isSeq'
>;

/** Brackets or indicators open at one place. The exact depth limit is applied to the tree. */
const maxOpen = 4 * yamlLimits.depth;
const maxOfKind = 2 * yamlLimits.nodes;

export interface SyntaxFault {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

interface Composed {
  readonly root: Document.Parsed['contents'];
  readonly errors: readonly SyntaxFault[];
}

interface Overload {
  readonly code: DiagnosticCode;
  readonly span: Span;
  readonly message: string;
  readonly hint: string;
}

class TooMuch extends Error {
  readonly overload: Overload;

  constructor(reason: Overload) {
    super(reason.message);
    this.overload = reason;
  }
}

export function compose(yaml: YamlLibrary, text: string, start: number, end: number): Composed | Overload {
  if (end - start > yamlLimits.bytes)
    return overload(
      'FRONTMATTER_TOO_LARGE',
      start,
      `the frontmatter has ${end - start} characters; the limit is ${yamlLimits.bytes}`,
    );
  const source = text.slice(start, end);
  try {
    return withoutStacks(() => composeWithin(yaml, source, start));
  } catch (error) {
    if (error instanceof TooMuch) return error.overload;
    // The library ran out of stack, which unclosed brackets over many lines can bring about.
    if (error instanceof RangeError)
      return {
        code: 'YAML_TOO_DEEP',
        span: { start, end: Math.min(end, start + 1) },
        message: 'the frontmatter is nested too deeply to be read',
        hint: 'close every bracket, and flatten deep values',
      };
    throw new Error('the YAML library failed', { cause: error });
  }
}

function composeWithin(yaml: YamlLibrary, source: string, base: number): Composed {
  const parser = new yaml.Parser();
  function* tokens(): Generator<CST.Token, void> {
    const bounds = new Bounds(base);
    for (const lexeme of new yaml.Lexer().lex(source)) {
      bounds.admit(lexeme);
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }
  const [first, second] = new yaml.Composer(options).compose(tokens(), true, source.length);
  if (first === undefined) throw new Error('the YAML library gave no document');
  const errors: SyntaxFault[] = [...first.errors];
  if (second !== undefined)
    errors.push({
      code: 'MULTIPLE_DOCS',
      message: 'a second document',
      pos: [second.range[0], second.range[1]],
    });
  return { root: first.contents as Composed['root'], errors };
}

/** Counts the lexemes of a text. */
class Bounds {
  private at: number;
  private open = 0;
  private chained = 0;
  /** The lexer announces a plain or block scalar with a control character; what follows is its text. */
  private atScalar = false;
  private readonly counts = new Map<string, number>();

  constructor(start: number) {
    this.at = start;
  }

  /** Throws when `lexeme` is too many. */
  admit(lexeme: string): void {
    if (this.atScalar) {
      this.atScalar = false;
      this.at += lexeme.length;
      return;
    }
    const kind = lexeme.charAt(0);
    switch (kind) {
      case '\u0002':
      case '\u0018':
        return;
      case '\n':
      case '\r':
        this.chained = 0;
        break;
      case ' ':
      case '\t':
      case '#':
        break;
      case '\u001f':
        this.atScalar = true;
        this.count(kind);
        return;
      case ',':
        this.chained = 0;
        this.count(kind);
        break;
      case '[':
      case '{':
        this.open += 1;
        this.count(kind);
        break;
      case ']':
      case '}':
        if (this.open > 0) this.open -= 1;
        this.count(kind);
        break;
      case '-':
      case '?':
      case ':':
        this.chained += 1;
        this.count(kind);
        break;
      default:
        this.count(kind);
    }
    if (this.open > maxOpen || this.chained > maxOpen)
      throw new TooMuch(
        overload(
          'YAML_TOO_DEEP',
          this.at,
          `more than ${maxOpen} levels are open here; the limit is ${yamlLimits.depth}`,
        ),
      );
    this.at += lexeme.length;
  }

  private count(kind: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count > maxOfKind)
      throw new TooMuch(
        overload('YAML_TOO_MANY_NODES', this.at, `the frontmatter has more than ${yamlLimits.nodes} values`),
      );
  }
}

function overload(code: DiagnosticCode, at: number, message: string): Overload {
  return { code, span: { start: at, end: at + 1 }, message, hint: 'move data into a file of its own' };
}

/**
 * Runs work with errors that have no stack. On a badly damaged text the library creates thousands that are never thrown, and
 * otherwise spends up to half of its time on their stacks.
 */
function withoutStacks<Result>(work: () => Result): Result {
  const before = (Error as { readonly stackTraceLimit?: unknown }).stackTraceLimit;
  if (typeof before !== 'number') return work();
  // Not an assignment, which would throw where intrinsics are frozen.
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    return work();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', before);
  }
}
