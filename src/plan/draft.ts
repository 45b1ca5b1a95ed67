// What the readers make: steps with the nodes they were read from, before the graph is checked.
import type { Span } from '../base/span.ts';
import type { YamlNode, YamlScalar } from '../skill/yaml/node.ts';
import type { PlanStep } from './plan.ts';

export type Writable<T> = { -readonly [key in keyof T]: T[key] };

/** A step name at its place. */
export interface Named {
  readonly name: string;
  readonly span: Span;
}

export interface StepDraft {
  readonly step: Writable<PlanStep>;
  readonly dependsOn: readonly Named[];
  readonly onFailure: Named | null;
  readonly skill: Named | null;
  readonly tool: Named | null;
  readonly routes: readonly Named[];
  /** The keys that a skill or tool is given. Default: none. */
  readonly given?: readonly Named[];
  /** The place of the id, if it was declared. */
  readonly idSpan?: Span | null;
  /** Expressions and templates, with their places. */
  readonly sites: readonly Site[];
}

/** Where the text of a template goes. */
export type Sink =
  | 'prompt'
  | 'person'
  | 'tool'
  | 'data'
  | 'shell'
  | 'program'
  | 'name'
  | 'argv'
  | 'tool-argv'
  | 'exec'
  | 'none';

/** A text of the document that is a template or an expression. */
export interface Site {
  readonly kind: 'template' | 'expression';
  /** Such as `with.task`. */
  readonly label: string;
  readonly node: YamlScalar;
  /** The text to parse: mostly the whole value of the node; `offset` is where it begins in it. */
  readonly text: string;
  readonly offset: number;
  readonly sink: Sink;
  /** Whether the variables of for_each can be seen. */
  readonly inLoop: boolean;
  /** argv: whether something before it keeps it from being read as an option. */
  readonly guarded?: boolean;
  /** The node is a whole file, not a scalar of the frontmatter. */
  readonly isFile?: true;
}

/** Every text below `node`, with its path. */
export function textsIn(
  label: string,
  node: YamlNode,
): readonly { readonly label: string; readonly node: YamlScalar }[] {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'string' ? [{ label, node }] : [];
    case 'seq':
      return node.items.flatMap((item, index) => textsIn(`${label}[${index}]`, item));
    case 'map':
      return node.entries.flatMap(({ key, value }) => textsIn(label === '' ? key : `${label}.${key}`, value));
  }
}

export function templateSite(label: string, node: YamlScalar, sink: Sink, inLoop = true): Site {
  return { kind: 'template', label, node, text: String(node.value), offset: 0, sink, inLoop };
}

/** How a fault is reported that makes the step fail whenever it runs. */
export function failingCode(
  step: Pick<PlanStep, 'when' | 'substituteOf' | 'onFailure' | 'continueOnError' | 'forEach'> | null,
): 'PLAN_STEP_FAILS' | 'PLAN_STEP_MAY_FAIL' {
  const isCertain =
    step !== null &&
    step.when === null &&
    step.substituteOf === null &&
    step.onFailure === null &&
    !step.continueOnError &&
    step.forEach === null;
  return isCertain ? 'PLAN_STEP_FAILS' : 'PLAN_STEP_MAY_FAIL';
}
