// A plan and its SKILL.md -> the line of every template and expression of its steps, for errors of their evaluation.
//
// Lines are found by the label that the author knows: `with.task`, `when`, `route[0].when`. `""` is the step itself,
// which is used when a label is not found.
import { isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import type { Plan, PlanStep } from '../../plan/plan.ts';
import type { Frontmatter } from '../../skill/frontmatter/read-frontmatter.ts';
import type { YamlNode, YamlScalar } from '../../skill/yaml/node.ts';

export interface TextLine {
  readonly line: number;
  /** Each line of the text is a line of the file. */
  readonly isBlock: boolean;
}

export interface StepLines {
  readonly [label: string]: TextLine;
}

/** By step. */
export function templateLines(
  { form, steps }: Plan,
  { text, map }: Frontmatter,
): { readonly [id: string]: StepLines } {
  const scalars = scalarsIn(map);
  const lineOf = lineCounter(text);
  const placed = ({ span, style }: YamlScalar): TextLine => {
    const isBlock = style === 'literal' || style === 'folded';
    return { line: lineOf(span.start) + (isBlock ? 1 : 0), isBlock: style === 'literal' };
  };
  return Object.fromEntries(
    steps.map((step) => {
      const open = scalars.filter(({ span }) => isWithin(span, step.span));
      const lines: { [label: string]: TextLine } = { '': { line: lineOf(step.span.start), isBlock: false } };
      for (const { label, value } of textsOf(form, step)) {
        const at = open.findIndex(
          (scalar) =>
            scalar.value === value ||
            (typeof scalar.value === 'string' && scalar.value.trim() === value.trim()),
        );
        const [found] = at < 0 ? [] : open.splice(at, 1);
        if (found !== undefined) lines[label] = placed(found);
      }
      return [step.id, lines];
    }),
  );
}

/** What the values of a step are called in its form. */
export function valuesLabel(form: Plan['form'], { kind }: Pick<PlanStep, 'kind'>): string {
  return form === 'workflow'
    ? 'params'
    : form === 'chain'
      ? 'inputs'
      : kind === 'tool'
        ? 'tool_args'
        : 'with';
}

interface LabelledText {
  readonly label: string;
  readonly value: string;
}

/** Labels as compile-bundle.ts gives them. */
function textsOf(form: Plan['form'], step: PlanStep): readonly LabelledText[] {
  const { when, route, forEach, clarify } = step;
  const expressions = [
    ['when', when?.text],
    ...route.map((one, index) => [`route[${index}].when`, one.when.text]),
    ['for_each', forEach?.items?.text],
    ['clarify.skip_if', clarify?.skipIf?.text],
    ['clarify.intro', clarify?.intro],
  ] as const;
  return [
    ...expressions.flatMap(([label, value]) =>
      value === undefined ? [] : [{ label: label as string, value }],
    ),
    ...leavesOf(valuesLabel(form, step), step.values),
    ...leavesOf('for_each', [...(forEach?.list ?? [])]),
  ];
}

function leavesOf(label: string, json: Json): readonly LabelledText[] {
  if (typeof json === 'string') return /\{[{%]/.test(json) ? [{ label, value: json }] : [];
  if (Array.isArray(json))
    return (json as readonly Json[]).flatMap((item, index) => leavesOf(`${label}[${index}]`, item));
  return isJsonObject(json)
    ? Object.keys(json).flatMap((key) => leavesOf(`${label}.${key}`, json[key] as Json))
    : [];
}

/** In the order of the text. */
function scalarsIn(node: YamlNode): readonly YamlScalar[] {
  if (node.kind === 'scalar') return typeof node.value === 'string' ? [node] : [];
  return (node.kind === 'seq' ? node.items : node.entries.map(({ value }) => value)).flatMap(scalarsIn);
}

function isWithin(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function lineCounter(text: string): (offset: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
