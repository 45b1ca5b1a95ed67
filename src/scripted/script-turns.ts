// `chat:` of a script -> the turns of a model in a conversation, in order.
//
//   chat:
//     - Hello.
//     - {answer: "I look.", calls: [{tool: read_file, args: {path: a.txt}}]}
//     - {contains: "hello", answer: It says hello., tokens: {input: 10, output: 5}}
//     - {purpose: compact, answer: They talked about a.txt.}            outside the order: when a summary is wanted
//     - {error: "the line is down"}
import type { Report } from '../base/diagnostic.ts';
import type { JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { describeValue } from '../skill/fields/read-value.ts';
import type { YamlEntry, YamlNode } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import { entriesOf, integerIn, textIn, textListIn } from './yaml-file.ts';

export interface ScriptedTurn {
  /** null: the next turn of the conversation. */
  readonly purpose: string | null;
  /** Texts that the last message must contain. */
  readonly contains: readonly string[];
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
  /** The error that the turn fails with; null: none. */
  readonly error: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly span: Span;
}

const keys = ['purpose', 'contains', 'answer', 'calls', 'error', 'tokens'];

/** null where the script has no `chat`. */
export function readTurns(node: YamlNode | null, report: Report): readonly ScriptedTurn[] | null {
  if (node === null || (node.kind === 'scalar' && node.value === null)) return null;
  if (node.kind === 'seq') return node.items.flatMap((item) => readTurn(item, report) ?? []);
  report(
    'SCRIPT_VALUE',
    node.span,
    `chat must be a list of turns, not ${describeValue(node)}`,
    'write chat: followed by lines "- …"',
  );
  return [];
}

function readTurn(node: YamlNode, report: Report): ScriptedTurn | null {
  const plain = {
    purpose: null,
    contains: [],
    text: '',
    calls: [],
    error: null,
    inputTokens: 0,
    outputTokens: 0,
    span: node.span,
  };
  if (node.kind !== 'map') {
    const text = textIn('a turn', node, report);
    return text === null ? null : { ...plain, text };
  }
  const entries = entriesOf('a turn', node, keys, report);
  const text = (key: string): string | null => {
    const entry = entries.get(key);
    return entry === undefined ? null : textIn(key, entry.value, report);
  };
  const contains = entries.get('contains');
  const [answer, error] = [text('answer'), text('error')];
  const calls = readCalls(entries.get('calls'), report);
  if (answer === null && error === null && calls.length === 0) {
    report(
      'SCRIPT_VALUE',
      { start: node.span.start, end: node.span.start + 1 },
      'a turn has none of "answer", "calls" and "error"',
      'write answer: "…"',
    );
    return null;
  }
  return {
    ...plain,
    ...readTokens(entries.get('tokens'), report),
    purpose: text('purpose'),
    contains: contains === undefined ? [] : (textsOf(contains, report) ?? []),
    text: answer ?? '',
    calls,
    error,
  };
}

function textsOf({ value }: YamlEntry, report: Report): readonly string[] | null {
  if (value.kind === 'seq') return textListIn('contains', value, report);
  const text = textIn('contains', value, report);
  return text === null ? null : [text];
}

function readCalls(entry: YamlEntry | undefined, report: Report): ScriptedTurn['calls'] {
  if (entry === undefined) return [];
  const { value } = entry;
  if (value.kind !== 'seq') {
    report(
      'SCRIPT_VALUE',
      value.span,
      `calls must be a list, not ${describeValue(value)}`,
      'write calls: [{tool: read_file, args: {path: a.txt}}]',
    );
    return [];
  }
  return value.items.flatMap((item) => {
    if (item.kind !== 'map') {
      report(
        'SCRIPT_VALUE',
        item.span,
        `a call must be a mapping, not ${describeValue(item)}`,
        'write {tool: read_file, args: {path: a.txt}}',
      );
      return [];
    }
    const parts = entriesOf('a call', item, ['tool', 'args'], report);
    const [tool, args] = [parts.get('tool'), parts.get('args')];
    const name = tool === undefined ? null : textIn('tool', tool.value, report);
    const given = args === undefined ? {} : toJson(args.value);
    if (name === null || !isJsonObject(given)) {
      report(
        'SCRIPT_VALUE',
        item.span,
        'a call needs the name of a tool, and its arguments as a mapping',
        'write {tool: read_file, args: {path: a.txt}}',
      );
      return [];
    }
    return [{ tool: name, args: given }];
  });
}

function readTokens(
  entry: YamlEntry | undefined,
  report: Report,
): { readonly inputTokens: number; readonly outputTokens: number } {
  if (entry === undefined || entry.value.kind !== 'map') return { inputTokens: 0, outputTokens: 0 };
  const counts = entriesOf('tokens', entry.value, ['input', 'output'], report);
  const count = (key: string): number => {
    const given = counts.get(key);
    return given === undefined
      ? 0
      : (integerIn(`tokens.${key}`, given.value, { min: 0, max: 1_000_000_000 }, report) ?? 0);
  };
  return { inputTokens: count('input'), outputTokens: count('output') };
}
