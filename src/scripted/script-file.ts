// Scripted answers, commands, tools and forms as YAML -> data. Also those of a skill's tests.
//
//   answers:  [text | {purpose, contains, answer | error, retries, turns, exhausted, tokens, match}]
//   commands: [{argv, exit_code, stdout, stderr, output, signal, timed_out, denied}]
//   tools:    [{tool, args, result | error | denied, text, timed_out}]
//   inputs:   [text | {step, values | text}], or {STEP: values | text}
//   chat:     [text | {purpose, contains, answer, calls, error, tokens}]       (script-turns.ts)
//
// All faults are reported together, each with its place, and a script with a fault is not used. Either every answer
// has `match: true` or none has, so that each ask has one predictable answer.
import type { Diagnostic, Report } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { wordsFit } from '../base/match-words.ts';
import type { Span } from '../base/span.ts';
import { describeValue } from '../skill/fields/read-value.ts';
import type { YamlEntry, YamlNode } from '../skill/yaml/node.ts';
import type { ScriptedTurn } from './script-turns.ts';
import { readTurns } from './script-turns.ts';
import {
  booleanIn,
  entriesOf,
  integerIn,
  parseYamlFile,
  textIn,
  textOrJsonIn,
  textListIn,
} from './yaml-file.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { toJson } from '../skill/yaml/node.ts';
import { isJsonObject } from '../base/json.ts';

export interface Script {
  readonly answers: readonly ScriptedAnswer[];
  readonly commands: readonly ScriptedCommand[];
  readonly tools: readonly ScriptedTool[];
  readonly inputs: readonly ScriptedInput[];
  /** Turns of `techne chat`; null: the script has no conversation. */
  readonly chat: readonly ScriptedTurn[] | null;
}

/** An answer that a script gives to an ask. */
export interface ScriptedAnswer {
  /** The required purpose of the ask; null is any. */
  readonly purpose: string | null;
  /** Texts that the prompt must contain. */
  readonly contains: readonly string[];
  /** By `purpose` and `contains`, as often as it fits, and not by its place in the list. Those for the same asks take turns. */
  readonly match: boolean;
  /** The answer, or the error that the ask fails with. */
  readonly gives:
    | { readonly kind: 'answer'; readonly text: string }
    | { readonly kind: 'error'; readonly message: string };
  /** The answers to retries, when the one before could not be used; the last one repeats. */
  readonly retries: readonly string[];
  readonly turns: number;
  readonly exhausted: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Where it stands in the file. */
  readonly span: Span;
}

/** The outcome that a script gives to a command. */
export interface ScriptedCommand {
  /** `*` is one argument, a last `...` is any rest. */
  readonly argv: readonly string[];
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both as they came; null: stdout, then stderr. */
  readonly output: string | null;
  /** What ended it; null: it ended by itself. */
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The reason it is refused with; null is allowed. */
  readonly denied: string | null;
  readonly span: Span;
}

type ParsedScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function parseScript(text: string, path: string): ParsedScript {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, path);
  const map = parseYamlFile(text, report);
  if (map === null) return { ok: false, diagnostics };
  const entries = entriesOf('a script', map, ['answers', 'commands', 'tools', 'inputs', 'chat'], report);
  const answers = readAnswers(entries.get('answers')?.value ?? null, report);
  const commands = readCommands(entries.get('commands')?.value ?? null, report);
  const tools = readTools(entries.get('tools')?.value ?? null, report);
  const inputs = readScriptInputs(entries.get('inputs')?.value ?? null, report);
  const chat = readTurns(entries.get('chat')?.value ?? null, report);
  return diagnostics.length === 0
    ? { ok: true, script: { answers, commands, tools, inputs, chat } }
    : { ok: false, diagnostics };
}

/** The value of `answers:`; null and nothing are no answers. */
export function readAnswers(node: YamlNode | null, report: Report): readonly ScriptedAnswer[] {
  const answers = scriptListOf('answers', node, report).flatMap((item) => readAnswer(item, report) ?? []);
  const odd = answers.find(({ match }) => match !== answers[0]?.match);
  if (odd !== undefined)
    report(
      'SCRIPT_VALUE',
      odd.span,
      'some answers have "match: true" and some have not',
      'give it to all of them, or to none: then each ask has one answer that can be foretold',
    );
  return answers;
}

/** The value of `commands:`; null and nothing are no commands. */
export function readCommands(node: YamlNode | null, report: Report): readonly ScriptedCommand[] {
  return scriptListOf('commands', node, report).flatMap((item) => readCommand(item, report) ?? []);
}

function scriptListOf(label: string, node: YamlNode | null, report: Report): readonly YamlNode[] {
  if (node === null || (node.kind === 'scalar' && node.value === null)) return [];
  if (node.kind === 'seq') return node.items;
  report(
    'SCRIPT_VALUE',
    node.span,
    `${label} must be a list, not ${describeValue(node)}`,
    `write ${label}: followed by lines "- …"`,
  );
  return [];
}

const answerKeys = [
  'purpose',
  'contains',
  'match',
  'answer',
  'error',
  'retries',
  'turns',
  'exhausted',
  'tokens',
];

function readAnswer(node: YamlNode, report: Report): ScriptedAnswer | null {
  const plain = {
    purpose: null,
    contains: [],
    match: false,
    retries: [],
    turns: 1,
    exhausted: false,
    inputTokens: 0,
    outputTokens: 0,
    span: node.span,
  };
  if (node.kind === 'seq') {
    report(
      'SCRIPT_VALUE',
      node.span,
      'an answer must be text, not a list',
      'write {answer: […]} for an answer that is data',
    );
    return null;
  }
  if (node.kind !== 'map') {
    const text = textIn('an answer', node, report);
    return text === null ? null : { ...plain, gives: { kind: 'answer', text } };
  }
  const entries = entriesOf('an answer', node, answerKeys, report);
  const given = <T>(
    key: string,
    otherwise: T,
    read: (label: string, node: YamlNode, report: Report) => T | null,
  ): T => {
    const entry = entries.get(key);
    return entry === undefined ? otherwise : (read(key, entry.value, report) ?? otherwise);
  };
  const tokens = readTokens(entries.get('tokens'), report);
  const gives = readGiven(node, entries, report);
  const answer = {
    ...plain,
    ...tokens,
    purpose: given<string | null>('purpose', null, textIn),
    contains: given('contains', [], readContains),
    match: given('match', false, booleanIn),
    retries: given('retries', [], readRetries),
    turns: given('turns', 1, (label, value) => integerIn(label, value, { min: 1, max: 1000 }, report)),
    exhausted: given('exhausted', false, booleanIn),
  };
  return gives === null ? null : { ...answer, gives };
}

function readGiven(
  node: YamlNode,
  entries: ReadonlyMap<string, YamlEntry>,
  report: Report,
): ScriptedAnswer['gives'] | null {
  const answer = entries.get('answer');
  const error = entries.get('error');
  if (answer !== undefined && error !== undefined) {
    report('SCRIPT_VALUE', error.keySpan, '"error" and "answer" contradict each other', 'remove one of them');
    return null;
  }
  if (error !== undefined) {
    const message = textIn('error', error.value, report);
    return message === null ? null : { kind: 'error', message };
  }
  if (answer === undefined) {
    report(
      'SCRIPT_VALUE',
      { start: node.span.start, end: node.span.start + 1 },
      'an answer has neither "answer" nor "error"',
      'write answer: "…"',
    );
    return null;
  }
  const text = textOrJsonIn('answer', answer.value, report);
  return text === null ? null : { kind: 'answer', text };
}

/** One text, or several that all must be there. */
function readContains(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind === 'seq') return textListIn(label, node, report);
  const text = textIn(label, node, report);
  return text === null ? null : [text];
}

function readRetries(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind !== 'seq') return textListIn(label, node, report);
  const texts = node.items.map((item) => textOrJsonIn(`an item of ${label}`, item, report));
  return texts.every((text) => text !== null) ? texts : null;
}

function readTokens(
  entry: YamlEntry | undefined,
  report: Report,
): { readonly inputTokens: number; readonly outputTokens: number } {
  if (entry === undefined) return { inputTokens: 0, outputTokens: 0 };
  const { value } = entry;
  if (value.kind !== 'map') {
    report(
      'SCRIPT_VALUE',
      value.span,
      `tokens must be a mapping, not ${describeValue(value)}`,
      'write tokens: {input: 10, output: 20}',
    );
    return { inputTokens: 0, outputTokens: 0 };
  }
  const counts = entriesOf('tokens', value, ['input', 'output'], report);
  const count = (key: string): number => {
    const given = counts.get(key);
    return given === undefined
      ? 0
      : (integerIn(`tokens.${key}`, given.value, { min: 0, max: 1_000_000_000 }, report) ?? 0);
  };
  return { inputTokens: count('input'), outputTokens: count('output') };
}

const outcomeKeys = ['exit_code', 'stdout', 'stderr', 'output', 'signal', 'timed_out'];
const commandKeys = ['argv', ...outcomeKeys, 'denied'];

function readCommand(node: YamlNode, report: Report): ScriptedCommand | null {
  if (node.kind !== 'map') {
    report(
      'SCRIPT_VALUE',
      node.span,
      `a command must be a mapping, not ${describeValue(node)}`,
      'write {argv: [git, diff], stdout: "…"}',
    );
    return null;
  }
  const entries = entriesOf('a command', node, commandKeys, report);
  const argv = entries.get('argv');
  if (argv === undefined) {
    report(
      'SCRIPT_VALUE',
      { start: node.span.start, end: node.span.start + 1 },
      'a command has no "argv"',
      'write argv: [git, diff]',
    );
    return null;
  }
  const words = textListIn('argv', argv.value, report);
  if (words !== null && words.length === 0)
    report('SCRIPT_VALUE', argv.value.span, 'argv is empty', 'write argv: [git, diff]');
  const denied = entries.get('denied');
  const outcome = outcomeKeys.map((key) => entries.get(key)).find((entry) => entry !== undefined);
  if (denied !== undefined && outcome !== undefined)
    report(
      'SCRIPT_VALUE',
      outcome.keySpan,
      `a command that is denied has no "${outcome.key}"`,
      'remove one of them',
    );
  const text = (key: string): string => {
    const entry = entries.get(key);
    return entry === undefined ? '' : (textIn(key, entry.value, report) ?? '');
  };
  const textOrNone = (key: string): string | null => (entries.has(key) ? text(key) : null);
  const exit = entries.get('exit_code');
  const timedOut = entries.get('timed_out');
  const command = {
    exitCode:
      exit === undefined ? 0 : (integerIn('exit_code', exit.value, { min: -1, max: 255 }, report) ?? 0),
    stdout: text('stdout'),
    stderr: text('stderr'),
    output: textOrNone('output'),
    signal: textOrNone('signal'),
    timedOut: timedOut === undefined ? false : (booleanIn('timed_out', timedOut.value, report) ?? false),
    denied: denied === undefined ? null : textIn('denied', denied.value, report),
    span: node.span,
  };
  return words === null || words.length === 0 ? null : { argv: words, ...command };
}

/** Whether a command is the one that a pattern of a script means. */
export function fitsArgv(pattern: readonly string[], argv: readonly string[]): boolean {
  const openEnded = pattern.at(-1) === '...';
  return wordsFit(
    { words: openEnded ? pattern.slice(0, -1) : pattern, openEnded },
    argv,
    (word, text) => word === '*' || word === text,
  );
}

// `inputs:` of a script -> replies to forms, by the step that asks or in order.
//
//   inputs: {collect: {topic: tides}, confirm: "yes, go on"}
//   inputs: [{step: collect, values: {topic: tides}}, {values: {topic: moon}}, "topic: stars"]

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

// `tools:` of a script -> what calls of tools give.
//
//   - {tool: memory_save, args: {path: memory/a.md}, result: saved}      args: those that must be there, whatever else is
//   - {tool: notes__count, result: {n: 3}, text: three notes}            a structured result, and what it is as text
//   - {tool: web_search, error: "no network", timed_out: true}
//   - {tool: write_file, denied: "not here"}

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
    ['tool', 'args', 'result', 'text', 'error', 'denied', 'timed_out'],
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
  const said = entries.get('text');
  if (said !== undefined && result === undefined)
    report('SCRIPT_VALUE', said.keySpan, '"text" is for a "result"', 'write result: {…} beside it');
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
  const text =
    said === undefined ? textOrJsonIn('result', value, report) : textIn('text', said.value, report);
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
