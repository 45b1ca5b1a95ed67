// Texts of a plan -> compiled once, and evaluated for a step.
//
//   values, when, route, for_each, intro … -> Compiled* -> Json | StepFault
//
// T1. A text that cannot be compiled fails the step that gets to it, with its place; other steps are not touched.
// T2. A lone `{{ expression }}` gives the value itself, any other template a text.
// T3. What a template reads of `outputs` is known beforehand where it names the steps, so only those are handed to it.
import type { Diagnostic } from '../base/diagnostic.ts';
import { emptyObject, isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { placeOf } from '../base/span.ts';
import type { CompiledCondition, CompileOptions, Outcome, Reference, RenderOptions, Template, Variables } from '../template/template.ts';
import { compileExpression, compileTemplate } from '../template/template.ts';
import type { PlanBudget } from './plan-budget.ts';

/** Why a step failed. */
export interface StepFault {
  readonly code: string;
  readonly message: string;
}

export type Evaluated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: StepFault };

/** Names of a step that a template reads: `null` when it may read all of them. */
export type Reads = ReadonlySet<string> | null;

/** What the variables of an evaluation are made from; `reads` are the steps that are looked at. */
export type MakeVariables = (reads: Reads) => Variables;

export interface EvaluationParts {
  /** Who is charged. */
  readonly owner: string;
  readonly budget: PlanBudget;
  readonly variables: MakeVariables;
  readonly startedAtMs: number;
}

export type CompiledText =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'template'; readonly label: string; readonly template: Template; readonly reads: Reads }
  | { readonly kind: 'broken'; readonly label: string; readonly source: string; readonly diagnostic: Diagnostic };

export type CompiledTest =
  | { readonly kind: 'expression'; readonly label: string; readonly expression: CompiledCondition; readonly reads: Reads }
  | { readonly kind: 'broken'; readonly label: string; readonly source: string; readonly diagnostic: Diagnostic };

export type CompiledValue =
  | CompiledText
  /** Nothing in it is a template. */
  | { readonly kind: 'json'; readonly json: Json }
  | { readonly kind: 'list'; readonly items: readonly CompiledValue[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, CompiledValue])[] };

const delimiters = /\{[{%#]/;

/** Filters that the host brings along, by name. */
export type HostFilters = NonNullable<CompileOptions['filters']>;

export function compileText(label: string, source: string, filters: HostFilters): CompiledText {
  // As every template, a text loses one line end at its end.
  if (!delimiters.test(source)) return { kind: 'constant', text: source.replace(/\r?\n$/, '') };
  const compiled = compileTemplate(source, { path: label, filters });
  if (!compiled.ok) return { kind: 'broken', label, source, diagnostic: compiled.diagnostics[0] as Diagnostic };
  return { kind: 'template', label, template: compiled.template, reads: readsOf(compiled.template.references) };
}

export function compileTest(label: string, source: string, filters: HostFilters): CompiledTest {
  const compiled = compileExpression(source, { path: label, filters });
  if (!compiled.ok) return { kind: 'broken', label, source, diagnostic: compiled.diagnostics[0] as Diagnostic };
  return { kind: 'expression', label, expression: compiled.expression, reads: readsOf(compiled.expression.references) };
}

export function compileValue(label: string, json: Json, filters: HostFilters): CompiledValue {
  if (typeof json === 'string') return compileText(label, json, filters);
  if (Array.isArray(json)) {
    const items = (json as readonly Json[]).map((item, index) => compileValue(`${label}[${index}]`, item, filters));
    return items.every(isConstant) ? { kind: 'json', json: items.map(constantOf) } : { kind: 'list', items };
  }
  if (!isJsonObject(json)) return { kind: 'json', json };
  const entries = Object.keys(json).map((key) => [key, compileValue(`${label}.${key}`, json[key] as Json, filters)] as const);
  if (!entries.every(([, value]) => isConstant(value))) return { kind: 'map', entries };
  const made = emptyObject();
  for (const [key, value] of entries) made[key] = constantOf(value);
  return { kind: 'json', json: made };
}

function isConstant({ kind }: CompiledValue): boolean {
  return kind === 'constant' || kind === 'json';
}

function constantOf(value: CompiledValue): Json {
  return value.kind === 'constant' ? value.text : value.kind === 'json' ? value.json : null;
}

/** T3. Names that stand for themselves in workflows count as well. */
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
      return { ok: false, fault: faultOf(value.diagnostic, value.label, value.source) };
    case 'template': {
      const { template, label } = value;
      return told(evaluate(parts, value.reads, (variables, options) => template.evaluate(variables, options)), label, template.source);
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
      const made = emptyObject();
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

/** As text, whatever it is. */
export function renderText(text: CompiledText, parts: EvaluationParts): Evaluated<string> {
  if (text.kind === 'constant') return { ok: true, value: text.text };
  if (text.kind === 'broken') return { ok: false, fault: faultOf(text.diagnostic, text.label, text.source) };
  return told(evaluate(parts, text.reads, (variables, options) => text.template.render(variables, options)), text.label, text.template.source);
}

export function evaluateTest(test: CompiledTest, parts: EvaluationParts): Evaluated<boolean> {
  if (test.kind === 'broken') return { ok: false, fault: faultOf(test.diagnostic, test.label, test.source) };
  return told(evaluate(parts, test.reads, (variables, options) => test.expression.test(variables, options)), test.label, test.expression.source);
}

/** The value of an expression. */
export function evaluateExpression(test: CompiledTest, parts: EvaluationParts): Evaluated<Json> {
  if (test.kind === 'broken') return { ok: false, fault: faultOf(test.diagnostic, test.label, test.source) };
  return told(evaluate(parts, test.reads, (variables, options) => test.expression.evaluate(variables, options)), test.label, test.expression.source);
}

function evaluate<T>({ owner, budget, variables, startedAtMs }: EvaluationParts, reads: Reads, run: (variables: Variables, options: RenderOptions) => Outcome<T>): Outcome<T> {
  return budget.spend(owner, (meter) => run(variables(reads), { meter, startedAtMs }));
}

function told<T>(outcome: Outcome<T>, label: string, source: string): Evaluated<T> {
  return outcome.ok ? outcome : { ok: false, fault: faultOf(outcome.diagnostic, label, source) };
}

/** `with.task:2:14: message (hint)` */
function faultOf({ code, span, message, hint }: Diagnostic, label: string, source: string): StepFault {
  const place = span === null ? null : placeOf(source, span.start);
  return { code, message: `${label}${place === null ? '' : `:${place.line}:${place.column}`}: ${message}${hint === null ? '' : ` (${hint})`}` };
}
