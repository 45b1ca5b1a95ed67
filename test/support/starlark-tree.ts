// What the reader of Starlark makes of a text, in a form that tests can compare.
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { placeOf } from '../../src/base/span.ts';
import type { ResolveOptions } from '../../src/starlark/resolve/resolve.ts';
import { resolveModule } from '../../src/starlark/resolve/resolve.ts';
import type { Expression, Module, Statement } from '../../src/starlark/syntax/ast.ts';
import type { ParseOptions } from '../../src/starlark/syntax/parse.ts';
import { parseModule } from '../../src/starlark/syntax/parse.ts';

const parseDefaults: ParseOptions = { maxDepth: 200, maxSourceUnits: 1_000_000, interactive: false };

export interface Reading {
  readonly module: Module | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function read(source: string, options: Partial<ParseOptions> = {}): Reading {
  const diagnostics: Diagnostic[] = [];
  const module = parseModule(source, { ...parseDefaults, ...options }, collectInto(diagnostics, 'p.star'));
  return { module, diagnostics };
}

export function readAndResolve(
  source: string,
  options: Partial<ParseOptions & ResolveOptions> = {},
): Reading {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, 'p.star');
  const module = parseModule(source, { ...parseDefaults, ...options }, report);
  const universal = new Set(['None', 'True', 'False', 'len', 'print', 'range', 'fail']);
  if (module !== null)
    resolveModule(
      module,
      { predeclared: new Set(['host']), universal, interactive: false, ...options },
      report,
    );
  return { module, diagnostics };
}

/** `line:column CODE message`, a line each. */
export function faultLines(source: string, { diagnostics }: Reading): string[] {
  return diagnostics.map(({ span, code, message }) => {
    const { line, column } = placeOf(source, span?.start ?? 0);
    return `${line}:${column} ${code} ${message}`;
  });
}

export interface TreeNode {
  readonly start: number;
  readonly end: number;
}

/** The nodes directly below `node`. */
export function childrenOf(node: object): TreeNode[] {
  const children: TreeNode[] = [];
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (key === 'binding' || key === 'scope') continue;
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof item === 'object' && item !== null && 'start' in item) children.push(item as TreeNode);
    }
  }
  return children;
}

/** Lisp-like. */
export function showExpression(e: Expression | null): string {
  if (e === null) return '_';
  switch (e.kind) {
    case 'identifier':
      return e.name;
    case 'int':
      return String(e.value);
    case 'float':
      return `${e.value}f`;
    case 'string':
      return JSON.stringify(e.value);
    case 'bytes':
      return `b${JSON.stringify([...e.value])}`;
    case 'binary':
    case 'logical':
      return `(${e.operator} ${showExpression(e.left)} ${showExpression(e.right)})`;
    case 'unary':
      return `(${e.operator} ${showExpression(e.operand)})`;
    case 'conditional':
      return `(if ${showExpression(e.condition)} ${showExpression(e.then)} ${showExpression(e.otherwise)})`;
    case 'list':
      return `[${e.items.map(showExpression).join(' ')}]`;
    case 'tuple':
      return `${e.parenthesised ? '(tuple' : '(bare'}${e.items.map((item) => ` ${showExpression(item)}`).join('')})`;
    case 'dict':
      return `{${e.entries.map(({ key, value }) => `${showExpression(key)}:${showExpression(value)}`).join(' ')}}`;
    case 'comprehension': {
      const clauses = e.clauses.map((c) =>
        c.kind === 'for'
          ? ` for ${showExpression(c.target)} in ${showExpression(c.iterable)}`
          : ` if ${showExpression(c.condition)}`,
      );
      return `[${e.key === null ? '' : `${showExpression(e.key)}: `}${showExpression(e.body)}${clauses.join('')}]`;
    }
    case 'call': {
      const stars = { positional: '', named: '', star: '*', 'double-star': '**' };
      return `(call ${showExpression(e.callee)}${e.args.map((a) => ` ${stars[a.kind]}${a.name === null ? '' : `${a.name}=`}${showExpression(a.value)}`).join('')})`;
    }
    case 'dot':
      return `(. ${showExpression(e.object)} ${e.name})`;
    case 'index':
      return `(at ${showExpression(e.object)} ${showExpression(e.index)})`;
    case 'slice':
      return `(slice ${showExpression(e.object)} ${showExpression(e.from)} ${showExpression(e.to)} ${showExpression(e.step)})`;
    case 'lambda':
      return `(lambda (${showParameters(e.parameters)}) ${showExpression(e.body)})`;
  }
}

function showParameters(parameters: (Expression & { kind: 'lambda' })['parameters']): string {
  const stars = { plain: '', star: '*', 'double-star': '**' };
  return parameters
    .map(
      (p) =>
        `${stars[p.kind]}${p.name?.name ?? ''}${p.defaultValue === null ? '' : `=${showExpression(p.defaultValue)}`}`,
    )
    .join(' ');
}

export function showStatements(statements: readonly Statement[]): string {
  return statements.map(showStatement).join('; ');
}

function showStatement(s: Statement): string {
  switch (s.kind) {
    case 'assign':
      return `${showExpression(s.target)} = ${showExpression(s.value)}`;
    case 'augmented':
      return `${showExpression(s.target)} ${s.operator}= ${showExpression(s.value)}`;
    case 'expression':
      return showExpression(s.expression);
    case 'def':
      return `def ${s.name.name}(${showParameters(s.parameters)}) {${showStatements(s.body)}}`;
    case 'for':
      return `for ${showExpression(s.target)} in ${showExpression(s.iterable)} {${showStatements(s.body)}}`;
    case 'if':
      return `if ${showExpression(s.condition)} {${showStatements(s.then)}} {${showStatements(s.otherwise)}}`;
    case 'load':
      return `load ${JSON.stringify(s.module.value)} ${s.bindings.map((b) => `${b.local.name}=${b.original}`).join(' ')}`;
    case 'return':
      return `return ${showExpression(s.value)}`;
    case 'break':
    case 'continue':
    case 'pass':
      return s.kind;
  }
}
