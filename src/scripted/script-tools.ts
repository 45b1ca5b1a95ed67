// `tools:` of a script -> what calls of tools give.
//
//   - {tool: memory_save, args: {path: memory/a.md}, result: saved}      args: those that must be there, whatever else is
//   - {tool: notes__count, result: {n: 3}}                               a structured result
//   - {tool: web_search, error: "no network", timed_out: true}
//   - {tool: write_file, denied: "not here"}
import type { Report } from '../base/diagnostic.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { describeValue } from '../skill/fields/read-value.ts';
import type { YamlNode } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import { booleanIn, entriesOf, textIn, textOrJsonIn } from './yaml-file.ts';

/** The outcome that a script gives to a tool call. */
export interface ScriptedTool {
  readonly tool: string;
  /** Required arguments. */
  readonly args: JsonObject;
  readonly gives:
    | { readonly kind: 'result'; readonly text: string; readonly value: Json }
    | { readonly kind: 'error'; readonly message: string; readonly timedOut: boolean }
    | { readonly kind: 'denied'; readonly reason: string };
  readonly span: Span;
}

/** The value of `tools:`; null and nothing are no tools. */
export function readTools(node: YamlNode | null, report: Report): readonly ScriptedTool[] {
  if (node === null || (node.kind === 'scalar' && node.value === null)) return [];
  if (node.kind === 'seq') return node.items.flatMap((item) => readTool(item, report) ?? []);
  report(
    'SCRIPT_VALUE',
    node.span,
    `tools must be a list, not ${describeValue(node)}`,
    'write tools: followed by lines "- {tool: …, result: …}"',
  );
  return [];
}

function readTool(node: YamlNode, report: Report): ScriptedTool | null {
  if (node.kind !== 'map') {
    report(
      'SCRIPT_VALUE',
      node.span,
      `a tool must be a mapping, not ${describeValue(node)}`,
      'write {tool: memory_save, result: "…"}',
    );
    return null;
  }
  const entries = entriesOf(
    'a tool',
    node,
    ['tool', 'args', 'result', 'error', 'denied', 'timed_out'],
    report,
  );
  const tool = entries.get('tool');
  const start = { start: node.span.start, end: node.span.start + 1 };
  if (tool === undefined) {
    report('SCRIPT_VALUE', start, 'a tool has no "tool"', 'write tool: memory_save');
    return null;
  }
  const name = textIn('tool', tool.value, report);
  const args = readArgs(entries.get('args')?.value ?? null, report);
  const [result, error, denied] = [entries.get('result'), entries.get('error'), entries.get('denied')];
  if ([result, error, denied].filter((entry) => entry !== undefined).length !== 1) {
    report('SCRIPT_VALUE', start, 'a tool needs one of "result", "error" and "denied"', 'write result: "…"');
    return null;
  }
  const late = entries.get('timed_out');
  const timedOut = late === undefined ? false : (booleanIn('timed_out', late.value, report) ?? false);
  if (late !== undefined && error === undefined)
    report('SCRIPT_VALUE', late.keySpan, '"timed_out" is for an "error"', 'write error: "it took too long"');
  if (name === null) return null;
  const base = { tool: name, args, span: node.span };
  if (denied !== undefined)
    return { ...base, gives: { kind: 'denied', reason: textIn('denied', denied.value, report) ?? '' } };
  if (error !== undefined)
    return {
      ...base,
      gives: { kind: 'error', message: textIn('error', error.value, report) ?? '', timedOut },
    };
  const { value } = result as NonNullable<typeof result>;
  const text = textOrJsonIn('result', value, report);
  return text === null
    ? null
    : { ...base, gives: { kind: 'result', text, value: value.kind === 'scalar' ? null : toJson(value) } };
}

function readArgs(node: YamlNode | null, report: Report): JsonObject {
  if (node === null) return {};
  const json = toJson(node);
  if (isJsonObject(json)) return json;
  report(
    'SCRIPT_VALUE',
    node.span,
    `args must be a mapping, not ${describeValue(node)}`,
    'write args: {path: memory/a.md}',
  );
  return {};
}
