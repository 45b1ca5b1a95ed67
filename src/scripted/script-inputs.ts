// `inputs:` of a script -> replies to forms, by the step that asks or in order.
//
//   inputs: {collect: {topic: tides}, confirm: "yes, go on"}
//   inputs: [{step: collect, values: {topic: tides}}, {values: {topic: moon}}, "topic: stars"]
import type { Report } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { describeValue } from '../skill/fields/read-value.ts';
import type { YamlNode } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import { entriesOf, textIn } from './yaml-file.ts';

/** A reply that a script gives to a form. */
export interface ScriptedInput {
  /** null: the next form that has none of its own. */
  readonly step: string | null;
  /** Values by field, or a reply as text. */
  readonly value: Json;
  readonly span: Span;
}

/** The value of `inputs:`; null and nothing are no replies. */
export function readScriptInputs(node: YamlNode | null, report: Report): readonly ScriptedInput[] {
  if (node === null || (node.kind === 'scalar' && node.value === null)) return [];
  if (node.kind === 'map') {
    return node.entries.flatMap(({ key, value }) => {
      const given = valueOf(`the reply to ${key}`, value, report);
      return given === null ? [] : [{ step: key, value: given, span: value.span }];
    });
  }
  if (node.kind === 'seq') return node.items.flatMap((item) => readInput(item, report) ?? []);
  report(
    'SCRIPT_VALUE',
    node.span,
    `inputs must be a mapping of steps or a list, not ${describeValue(node)}`,
    'write inputs: {STEP: {FIELD: value}}',
  );
  return [];
}

function readInput(node: YamlNode, report: Report): ScriptedInput | null {
  if (node.kind !== 'map') {
    const text = textIn('a reply', node, report);
    return text === null ? null : { step: null, value: text, span: node.span };
  }
  const entries = entriesOf('a reply', node, ['step', 'values', 'text'], report);
  const [step, values, text] = [entries.get('step'), entries.get('values'), entries.get('text')];
  if ((values === undefined) === (text === undefined)) {
    report(
      'SCRIPT_VALUE',
      { start: node.span.start, end: node.span.start + 1 },
      'a reply needs either "values" or "text"',
      'write {step: STEP, values: {FIELD: value}}',
    );
    return null;
  }
  const given =
    values === undefined
      ? textIn('text', (text as NonNullable<typeof text>).value, report)
      : valueOf('values', values.value, report);
  const name = step === undefined ? null : textIn('step', step.value, report);
  return given === null ? null : { step: name, value: given, span: node.span };
}

function valueOf(label: string, node: YamlNode, report: Report): Json {
  if (node.kind === 'map') return toJson(node);
  return textIn(label, node, report);
}
