// The tree of a template: what the parser makes, and what static analysis walks.
//
// Every node has the place it was read from: offsets into the source as it was given, before line ends are made one. A
// chain of `and` or of `or` is one node, as is a chain of `~` and a chain of comparisons; other chains lean left. The
// tree is plain data, and never holds something that was not understood: then there are only diagnostics.
import type { Span } from '../../base/span.ts';

export type Expression =
  | Literal
  | Name
  | Sequence
  | DictDisplay
  | Attribute
  | Item
  | Slice
  | Call
  | Filter
  | Test
  | Unary
  | Binary
  | Logic
  | Comparison
  | Concat
  | Conditional;

/** `none`, `true`, `12`, `1.5`, `'text'`. An int that a JavaScript number cannot hold exactly is a bigint. */
export interface Literal extends Span {
  readonly kind: 'literal';
  readonly type: 'none' | 'boolean' | 'int' | 'float' | 'string';
  readonly value: null | boolean | number | bigint | string;
}

export interface Name extends Span {
  readonly kind: 'name';
  readonly name: string;
}

/** `[a, b]` and `(a, b)`. */
export interface Sequence extends Span {
  readonly kind: 'list' | 'tuple';
  readonly items: readonly Expression[];
}

interface DictDisplay extends Span {
  readonly kind: 'dict';
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

/** `object.name` */
interface Attribute extends Span {
  readonly kind: 'attribute';
  readonly object: Expression;
  readonly name: string;
}

/** `object[index]`, and `object.0` */
export interface Item extends Span {
  readonly kind: 'item';
  readonly object: Expression;
  readonly index: Expression;
}

/** `object[lower:upper:step]` */
export interface Slice extends Span {
  readonly kind: 'slice';
  readonly object: Expression;
  readonly lower: Expression | null;
  readonly upper: Expression | null;
  readonly step: Expression | null;
}

export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly value: Expression }[];
  /** `*spread` */
  readonly spread: Expression | null;
  /** `**namedSpread` */
  readonly namedSpread: Expression | null;
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: Arguments;
}

/** `input | name(arguments)`. `input` is null at the head of a chain that is applied to a block. */
export interface Filter extends Span {
  readonly kind: 'filter';
  readonly input: Expression | null;
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: Arguments;
}

/** `input is name(arguments)`; `is not` is a `not` around it. */
export interface Test extends Span {
  readonly kind: 'test';
  readonly input: Expression;
  readonly name: string;
  readonly nameSpan: Span;
  readonly arguments: Arguments;
}

export interface Unary extends Span {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | 'not';
  readonly operand: Expression;
}

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

export interface Binary extends Span {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

interface Logic extends Span {
  readonly kind: 'logic';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
}

export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** `first < a <= b`: each operand is compared with the one before it. */
export interface Comparison extends Span {
  readonly kind: 'comparison';
  readonly first: Expression;
  readonly rest: readonly { readonly operator: ComparisonOperator; readonly operand: Expression }[];
}

/** `a ~ b ~ c` */
interface Concat extends Span {
  readonly kind: 'concat';
  readonly parts: readonly Expression[];
}

/** `value if test else otherwise` */
interface Conditional extends Span {
  readonly kind: 'conditional';
  readonly test: Expression;
  readonly value: Expression;
  readonly otherwise: Expression | null;
}

export type Statement =
  | Text
  | Output
  | If
  | For
  | Assign
  | AssignBlock
  | With
  | Macro
  | CallBlock
  | FilterBlock;

export interface Text extends Span {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{ value }}` and `{% print value %}` */
export interface Output extends Span {
  readonly kind: 'output';
  readonly value: Expression;
}

export interface If extends Span {
  readonly kind: 'if';
  /** `if` and every `elif`. */
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}

export interface For extends Span {
  readonly kind: 'for';
  readonly target: Target;
  readonly iterable: Expression;
  /** `for … in … if test` */
  readonly test: Expression | null;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

/** `{% set target = value %}` */
export interface Assign extends Span {
  readonly kind: 'assign';
  readonly target: Target;
  readonly value: Expression;
}

/** `{% set target | filter %}body{% endset %}` */
export interface AssignBlock extends Span {
  readonly kind: 'assign-block';
  readonly target: Target;
  readonly filter: Filter | null;
  readonly body: readonly Statement[];
}

export interface With extends Span {
  readonly kind: 'with';
  readonly bindings: readonly { readonly target: Target; readonly value: Expression }[];
  readonly body: readonly Statement[];
}

export interface Parameter extends Span {
  readonly name: string;
  readonly fallback: Expression | null;
}

export interface Macro extends Span {
  readonly kind: 'macro';
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** `{% call(parameters) macro(…) %}body{% endcall %}` */
export interface CallBlock extends Span {
  readonly kind: 'call-block';
  readonly parameters: readonly Parameter[];
  readonly call: Call;
  readonly body: readonly Statement[];
}

export interface FilterBlock extends Span {
  readonly kind: 'filter-block';
  readonly filter: Filter;
  readonly body: readonly Statement[];
}

export type Target = NameTarget | TupleTarget;

interface NameTarget extends Span {
  readonly kind: 'name-target';
  readonly name: string;
}

interface TupleTarget extends Span {
  readonly kind: 'tuple-target';
  readonly items: readonly Target[];
}

export interface TemplateTree {
  readonly kind: 'template';
  readonly body: readonly Statement[];
}
