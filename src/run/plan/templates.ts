// Texts of a plan -> compiled once, and evaluated for a step.
//
//   values, when, route, for_each, intro … -> Compiled* -> Json | StepFault
//
// A text that cannot be compiled fails the step that needs it, with its place; other steps are not affected. A lone
// `{{ expression }}` gives the value itself, any other template a text. Where a template names the steps whose outputs
// it reads, only those outputs are passed to it.
import type { Diagnostic } from '../../base/diagnostic.ts';
import { isJsonObject, shapedObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { placeOf } from '../../base/span.ts';
import type {
  CompiledCondition,
  CompileOptions,
  Outcome,
  Reference,
  TemplateOptions,
  Template,
  Variables,
} from '../../template/template.ts';
import { compileExpression, compileTemplate } from '../../template/template.ts';
import type { PlanBudget } from './template-budget.ts';
import type { StepLines, TextLine } from './template-lines.ts';

/** Why a step failed. */
export interface StepFault {
  readonly code: string;
  readonly message: string;
}

export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: StepFault };

/** Names of a step that a template reads: `null` when it may read all of them. */
export type Reads = ReadonlySet<string> | null;

/** What the variables of an evaluation are made from; `reads` are the steps that are looked at. */
type MakeVariables = (reads: Reads) => Variables;

export interface EvaluationParts {
  /** Who is charged. */
  readonly owner: string;
  readonly budget: PlanBudget;
  readonly variables: MakeVariables;
  readonly startedAtMs: number;
  readonly startedOffsetMinutes: number;
  /** A note for the failure of a template that reads these steps. */
  readonly noteOn?: (reads: Reads) => string;
}

/** The label of a text, and its place in SKILL.md; null: unknown. */
interface TextPlace {
  readonly label: string;
  readonly at: TextLine | null;
}

export type CompiledText =
  | { readonly kind: 'constant'; readonly text: string }
  | {
      readonly kind: 'template';
      readonly place: TextPlace;
      readonly template: Template;
      readonly reads: Reads;
    }
  | {
      readonly kind: 'broken';
      readonly place: TextPlace;
      readonly source: string;
      readonly diagnostic: Diagnostic;
    };

export type CompiledTest =
  | {
      readonly kind: 'expression';
      readonly place: TextPlace;
      readonly expression: CompiledCondition;
      readonly reads: Reads;
    }
  | {
      readonly kind: 'broken';
      readonly place: TextPlace;
      readonly source: string;
      readonly diagnostic: Diagnostic;
    };

export type CompiledValue =
  | CompiledText
  /** Nothing in it is a template. */
  | { readonly kind: 'json'; readonly json: Json }
  | { readonly kind: 'list'; readonly items: readonly CompiledValue[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, CompiledValue])[] };

const delimiters = /\{[{%#]/;

/** Filters of the host, by name. */
export type HostFilters = NonNullable<CompileOptions['filters']>;

const noLines: StepLines = {};

function placeIn(lines: StepLines, label: string): TextPlace {
  return { label, at: lines[label] ?? lines[''] ?? null };
}

/** `lines`: the places of the texts of its step. Default: unknown. */
export function compileText(
  label: string,
  source: string,
  filters: HostFilters,
  lines: StepLines = noLines,
): CompiledText {
  // As every template, a text loses one line end at its end.
  if (!delimiters.test(source)) return { kind: 'constant', text: source.replace(/\r?\n$/, '') };
  const compiled = compileTemplate(source, { path: label, filters });
  if (!compiled.ok)
    return {
      kind: 'broken',
      place: placeIn(lines, label),
      source,
      diagnostic: compiled.diagnostics[0] as Diagnostic,
    };
  return {
    kind: 'template',
    place: placeIn(lines, label),
    template: compiled.template,
    reads: readsOf(compiled.template.references),
  };
}

export function compileTest(
  label: string,
  source: string,
  filters: HostFilters,
  lines: StepLines = noLines,
): CompiledTest {
  const compiled = compileExpression(source, { path: label, filters });
  if (!compiled.ok)
    return {
      kind: 'broken',
      place: placeIn(lines, label),
      source,
      diagnostic: compiled.diagnostics[0] as Diagnostic,
    };
  return {
    kind: 'expression',
    place: placeIn(lines, label),
    expression: compiled.expression,
    reads: readsOf(compiled.expression.references),
  };
}

export function compileValue(
  label: string,
  json: Json,
  filters: HostFilters,
  lines: StepLines = noLines,
): CompiledValue {
  if (typeof json === 'string') return compileText(label, json, filters, lines);
  if (Array.isArray(json)) {
    const items = (json as readonly Json[]).map((item, index) =>
      compileValue(`${label}[${index}]`, item, filters, lines),
    );
    return items.every(isConstant) ? { kind: 'json', json: items.map(constantOf) } : { kind: 'list', items };
  }
  if (!isJsonObject(json)) return { kind: 'json', json };
  const entries = Object.keys(json).map(
    (key) => [key, compileValue(`${label}.${key}`, json[key] as Json, filters, lines)] as const,
  );
  if (!entries.every(([, value]) => isConstant(value))) return { kind: 'map', entries };
  const made = shapedObject();
  for (const [key, value] of entries) made[key] = constantOf(value);
  return { kind: 'json', json: made };
}

function isConstant({ kind }: CompiledValue): boolean {
  return kind === 'constant' || kind === 'json';
}

function constantOf(value: CompiledValue): Json {
  return value.kind === 'constant' ? value.text : value.kind === 'json' ? value.json : null;
}

/** The outputs that are read; in workflows a step can also be read by its own name. */
function readsOf(references: readonly Reference[]): Reads {
  const reads = new Set<string>();
  for (const { name, path } of references) {
    if (name !== 'outputs') reads.add(name);
    else if (typeof path[0] === 'string') reads.add(path[0]);
    else return null;
  }
  return reads;
}

export function evaluateValue(value: CompiledValue, parts: EvaluationParts): Evaluated<Json> {
  switch (value.kind) {
    case 'constant':
      return { ok: true, value: value.text };
    case 'json':
      return { ok: true, value: value.json };
    case 'broken':
      return { ok: false, fault: faultOf(value.diagnostic, value.place, value.source) };
    case 'template': {
      const { template } = value;
      return evaluate(template.source, value, parts, (variables, options) =>
        template.evaluate(variables, options),
      );
    }
    case 'list': {
      const items: Json[] = [];
      for (const item of value.items) {
        const evaluated = evaluateValue(item, parts);
        if (!evaluated.ok) return evaluated;
        items.push(evaluated.value);
      }
      return { ok: true, value: items };
    }
    case 'map': {
      const made = shapedObject();
      for (const [key, item] of value.entries) {
        const evaluated = evaluateValue(item, parts);
        if (!evaluated.ok) return evaluated;
        made[key] = evaluated.value;
      }
      return { ok: true, value: made };
    }
  }
}

export function evaluateObject(value: CompiledValue, parts: EvaluationParts): Evaluated<JsonObject> {
  return evaluateValue(value, parts) as Evaluated<JsonObject>;
}

/** Always as text. */
export function renderText(text: CompiledText, parts: EvaluationParts): Evaluated<string> {
  if (text.kind === 'constant') return { ok: true, value: text.text };
  if (text.kind === 'broken') return { ok: false, fault: faultOf(text.diagnostic, text.place, text.source) };
  return evaluate(text.template.source, text, parts, (variables, options) =>
    text.template.render(variables, options),
  );
}

export function evaluateTest(test: CompiledTest, parts: EvaluationParts): Evaluated<boolean> {
  if (test.kind === 'broken') return { ok: false, fault: faultOf(test.diagnostic, test.place, test.source) };
  return evaluate(test.expression.source, test, parts, (variables, options) =>
    test.expression.test(variables, options),
  );
}

/** The value of an expression. */
export function evaluateExpression(test: CompiledTest, parts: EvaluationParts): Evaluated<Json> {
  if (test.kind === 'broken') return { ok: false, fault: faultOf(test.diagnostic, test.place, test.source) };
  return evaluate(test.expression.source, test, parts, (variables, options) =>
    test.expression.evaluate(variables, options),
  );
}

/** Charged to the budget of the owner; a fault has its place. */
function evaluate<T>(
  source: string,
  { place, reads }: { readonly place: TextPlace; readonly reads: Reads },
  { owner, budget, variables, startedAtMs, startedOffsetMinutes, noteOn }: EvaluationParts,
  run: (variables: Variables, options: TemplateOptions) => Outcome<T>,
): Evaluated<T> {
  const outcome = budget.spend(owner, (meter) =>
    run(variables(reads), { meter, startedAtMs, startedOffsetMinutes }),
  );
  if (outcome.ok) return outcome;
  const { code, message } = faultOf(outcome.diagnostic, place, source);
  return { ok: false, fault: { code, message: `${message}${noteOn?.(reads) ?? ''}` } };
}

/** `SKILL.md:14: with.task: message (hint)`; without a place in the file, `with.task:2:14: message (hint)`. */
function faultOf(
  { code, span, message, hint }: Diagnostic,
  { label, at }: TextPlace,
  source: string,
): StepFault {
  const within = span === null ? null : placeOf(source, span.start);
  return { code, message: `${placed(label, at, within)}: ${message}${hint === null ? '' : ` (${hint})`}` };
}

function placed(
  label: string,
  at: TextLine | null,
  within: { readonly line: number; readonly column: number } | null,
): string {
  if (at === null) return `${label}${within === null ? '' : `:${within.line}:${within.column}`}`;
  const further = (within?.line ?? 1) - 1;
  return `SKILL.md:${at.line + (at.isBlock ? further : 0)}: ${label}${at.isBlock || further === 0 ? '' : `, line ${further + 1}`}`;
}
