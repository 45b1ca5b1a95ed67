// The tree that the parser makes and the resolver completes.
//
//   text -> Module (parse) -> the same Module, names bound (resolve) -> Program (compile)
//
// Every node has the half-open range of offsets it was written at. `binding` and `scope` fields are null after parsing
// and filled in by the resolver; nothing else is ever changed. A tree nests at most as deep as the parse-depth limit
// (500 at most), not counting the links of flat chains such as `a + b + c`, `x.f().g()` and `elif`; a path from the
// root passes at most 1,200 of those. So later stages may recurse over it.
import type { Binding, FunctionScope, ModuleScope } from '../resolve/scope.ts';

interface Node {
  readonly start: number;
  readonly end: number;
}

export interface Module extends Node {
  readonly kind: 'module';
  readonly source: string;
  /** Names in statements that could not be read: they may be bound there, so they are not reported as undefined. */
  readonly doubtful: ReadonlySet<string>;
  readonly body: readonly Statement[];
  scope: ModuleScope | null;
}

export type Statement =
  | AssignStatement
  | AugmentedStatement
  | BreakStatement
  | ContinueStatement
  | DefStatement
  | ExpressionStatement
  | ForStatement
  | IfStatement
  | LoadStatement
  | PassStatement
  | ReturnStatement;

export interface AssignStatement extends Node {
  readonly kind: 'assign';
  readonly target: Expression;
  readonly value: Expression;
}

export interface AugmentedStatement extends Node {
  readonly kind: 'augmented';
  readonly operator: BinaryOperator;
  /** Where the `+=` is: errors of the operation point here. */
  readonly operatorStart: number;
  readonly target: Identifier | IndexExpression | DotExpression;
  readonly value: Expression;
}

interface BreakStatement extends Node {
  readonly kind: 'break';
}

interface ContinueStatement extends Node {
  readonly kind: 'continue';
}

interface PassStatement extends Node {
  readonly kind: 'pass';
}

export interface DefStatement extends Node {
  readonly kind: 'def';
  readonly name: Identifier;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
  /** The text of the string that opens the body, or null. */
  readonly documentation: string | null;
  scope: FunctionScope | null;
}

/** `plain` may have a default; `star` without a name is the bare `*`; parameters after a star are keyword-only. */
export interface Parameter extends Node {
  readonly kind: 'plain' | 'star' | 'double-star';
  readonly name: Identifier | null;
  readonly defaultValue: Expression | null;
}

export interface ExpressionStatement extends Node {
  readonly kind: 'expression';
  readonly expression: Expression;
}

export interface ForStatement extends Node {
  readonly kind: 'for';
  readonly target: Expression;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
}

/** `elif` is an `if` alone in `otherwise`. */
export interface IfStatement extends Node {
  readonly kind: 'if';
  readonly condition: Expression;
  readonly then: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

export interface LoadStatement extends Node {
  readonly kind: 'load';
  readonly module: StringLiteral;
  readonly bindings: readonly LoadBinding[];
}

export interface LoadBinding extends Node {
  readonly local: Identifier;
  /** The name in the loaded module. */
  readonly original: string;
}

export interface ReturnStatement extends Node {
  readonly kind: 'return';
  readonly value: Expression | null;
}

export type Expression =
  | BinaryExpression
  | BytesLiteral
  | CallExpression
  | Comprehension
  | ConditionalExpression
  | DictExpression
  | DotExpression
  | FloatLiteral
  | Identifier
  | IndexExpression
  | IntLiteral
  | LambdaExpression
  | ListExpression
  | LogicalExpression
  | SliceExpression
  | StringLiteral
  | TupleExpression
  | UnaryExpression;

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '=='
  | '!='
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | 'not in';

export interface BinaryExpression extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly operatorStart: number;
  readonly left: Expression;
  readonly right: Expression;
}

export interface LogicalExpression extends Node {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or';
  readonly left: Expression;
  readonly right: Expression;
}

export interface UnaryExpression extends Node {
  readonly kind: 'unary';
  readonly operator: '+' | '-' | '~' | 'not';
  readonly operand: Expression;
}

export interface ConditionalExpression extends Node {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
  binding: Binding | null;
}

interface IntLiteral extends Node {
  readonly kind: 'int';
  /** A number when it is a safe integer, else a bigint: the form the machine uses. */
  readonly value: number | bigint;
}

interface FloatLiteral extends Node {
  readonly kind: 'float';
  readonly value: number;
}

export interface StringLiteral extends Node {
  readonly kind: 'string';
  readonly value: string;
}

interface BytesLiteral extends Node {
  readonly kind: 'bytes';
  readonly value: Uint8Array;
}

interface ListExpression extends Node {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

export interface TupleExpression extends Node {
  readonly kind: 'tuple';
  readonly items: readonly Expression[];
  readonly parenthesised: boolean;
}

export interface DictExpression extends Node {
  readonly kind: 'dict';
  readonly entries: readonly DictEntry[];
}

export interface DictEntry extends Node {
  readonly key: Expression;
  readonly value: Expression;
}

/** `[body for …]` or `{key: body for …}` (then `key` is not null). */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly key: Expression | null;
  readonly body: Expression;
  readonly clauses: readonly Clause[];
}

/** The first clause is always a `for`. */
export type Clause = ForClause | IfClause;

export interface ForClause extends Node {
  readonly kind: 'for';
  readonly target: Expression;
  readonly iterable: Expression;
}

export interface IfClause extends Node {
  readonly kind: 'if';
  readonly condition: Expression;
}

export interface CallExpression extends Node {
  readonly kind: 'call';
  readonly callee: Expression;
  /** In the order written, which the parser has checked: positional, named, `*`, `**`. */
  readonly args: readonly Argument[];
  /** Where the `(` is: errors of the call point here. */
  readonly openStart: number;
}

export interface Argument extends Node {
  readonly kind: 'positional' | 'named' | 'star' | 'double-star';
  /** Only of a named argument. */
  readonly name: string | null;
  readonly value: Expression;
}

interface DotExpression extends Node {
  readonly kind: 'dot';
  readonly object: Expression;
  readonly name: string;
  readonly nameStart: number;
}

interface IndexExpression extends Node {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
  readonly openStart: number;
}

export interface SliceExpression extends Node {
  readonly kind: 'slice';
  readonly object: Expression;
  readonly from: Expression | null;
  readonly to: Expression | null;
  readonly step: Expression | null;
  readonly openStart: number;
}

export interface LambdaExpression extends Node {
  readonly kind: 'lambda';
  readonly parameters: readonly Parameter[];
  readonly body: Expression;
  scope: FunctionScope | null;
}
