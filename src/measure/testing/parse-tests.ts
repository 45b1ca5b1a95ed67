// A test file -> its tests, or its faults.
//
//   name, input, answers, commands, tools, inputs, artifacts, notes, limits, now, expect   one test in a file
//   tests: [{name, input, …}]                                                     or several
//
// All faults are reported together, each with its place; a file with a fault gives no test. An unknown key is a fault:
// it could be an expectation that is never checked.
import type { Diagnostic, Report } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { diagnosticCodes } from '../../base/codes.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Span } from '../../base/span.ts';
import { readAnswers, readCommands, readScriptInputs, readTools } from '../../scripted/script-file.ts';
import { entriesOf, integerIn, parseYamlFile, textIn } from '../../scripted/yaml-file.ts';
import { nearest } from '../../base/nearest.ts';
import { failureCodes } from '../../run/failure-codes.ts';
import type { RunLimits } from '../../run/budget/limits.ts';
import { describeValue } from '../../skill/fields/read-value.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../../skill/yaml/node.ts';
import { toJson } from '../../skill/yaml/node.ts';
import type { TestMoment } from './test-clock.ts';
import type { Expectation, Expected, ExpectedError, ExpectedTrace, SkillTest } from './skill-test.ts';

interface ParsedTests {
  readonly tests: readonly SkillTest[];
  readonly diagnostics: readonly Diagnostic[];
}

const testKeys = [
  'name',
  'input',
  'answers',
  'commands',
  'tools',
  'inputs',
  'artifacts',
  'notes',
  'limits',
  'now',
  'expect',
];
const expectKeys = [
  'status',
  'answer',
  'answer_contains',
  'note_contains',
  'result',
  'trace',
  'error',
  'asks',
  'commands',
  'prompts',
];

/** `path` is that of the diagnostics; a test without a name is called after the file. */
export function parseTests(text: string, path: string): ParsedTests {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, path);
  const map = parseYamlFile(
    text,
    report,
    'write "tests:" and below it "- name: …" with input, answers and expect',
  );
  if (map === null) return { tests: [], diagnostics };
  const tests = readTests(map, path, report);
  return { tests: diagnostics.length === 0 ? tests : [], diagnostics };
}

function readTests(map: YamlMap, path: string, report: Report): readonly SkillTest[] {
  const fileName = (path.split('/').at(-1) as string).replace(/\.ya?ml$/, '');
  const list = map.entries.find(({ key }) => key === 'tests');
  if (list === undefined) return [readTest(map, map.span, fileName, path, report)];
  entriesOf('a file with "tests"', map, ['tests'], report);
  if (list.value.kind !== 'seq' || list.value.items.length === 0) {
    report(
      'SCRIPT_VALUE',
      list.value.span,
      `tests must be a list of tests, not ${list.value.kind === 'seq' ? 'an empty list' : describeValue(list.value)}`,
      'write "- name: …" below it',
    );
    return [];
  }
  return list.value.items.flatMap((item, at) => {
    if (item.kind === 'map') return [readTest(item, item.span, `${fileName} ${at + 1}`, path, report)];
    report(
      'SCRIPT_VALUE',
      item.span,
      `a test must be a mapping, not ${describeValue(item)}`,
      'write "- name: …"',
    );
    return [];
  });
}

function readTest(map: YamlMap, at: Span, otherName: string, path: string, report: Report): SkillTest {
  const entries = entriesOf('a test', map, testKeys, report);
  const name = entries.get('name');
  return {
    name: (name === undefined ? null : textIn('name', name.value, report)) ?? otherName,
    path,
    span: { start: at.start, end: Math.min(at.end, at.start + 1) },
    input: readInput(entries.get('input'), report),
    answers: readAnswers(entries.get('answers')?.value ?? null, report),
    commands: readCommands(entries.get('commands')?.value ?? null, report),
    tools: readTools(entries.get('tools')?.value ?? null, report),
    inputs: readScriptInputs(entries.get('inputs')?.value ?? null, report),
    artifacts: readArtifacts(entries.get('artifacts'), report),
    notes: readNotes(entries.get('notes'), report),
    limits: readLimits(entries.get('limits'), report),
    now: readNow(entries.get('now'), report),
    expect: readExpect(entries.get('expect'), report),
  };
}

function readArtifacts(entry: YamlEntry | undefined, report: Report): readonly string[] | null {
  return entry === undefined ? null : textsOrText('artifacts', entry.value, report).map(({ value }) => value);
}

function readNotes(entry: YamlEntry | undefined, report: Report): ReadonlyMap<string, string> {
  const map = entry === undefined ? null : mapOf('notes', entry.value, report);
  return new Map(
    (map?.entries ?? []).flatMap(({ key, value }) => {
      const text = textIn(`notes.${key}`, value, report);
      return text === null ? [] : [[key, text] as const];
    }),
  );
}

/** Lists and texts go through: what the engine makes of them can be tested. */
function readInput(entry: YamlEntry | undefined, report: Report): Json {
  if (entry === undefined) return null;
  reportBigNumbers(entry.value, report);
  return toJson(entry.value);
}

/** A number too large for its digits is text in the tree, and would be something else than was meant. */
function reportBigNumbers(node: YamlNode, report: Report): void {
  if (node.kind === 'seq') for (const item of node.items) reportBigNumbers(item, report);
  else if (node.kind === 'map') for (const { value } of node.entries) reportBigNumbers(value, report);
  else if (node.style === 'plain' && typeof node.value === 'string' && /^[-+]?\d+$/.test(node.raw)) {
    report(
      'SCRIPT_VALUE',
      node.span,
      `the number ${node.raw.slice(0, 40)} is too large to be exact`,
      'quote it, if text will do',
    );
  }
}

const limitNames: {
  readonly [key: string]: { readonly limit: keyof RunLimits; readonly factor: number; readonly min: number };
} = {
  asks: { limit: 'asks', factor: 1, min: 1 },
  commands: { limit: 'commands', factor: 1, min: 0 },
  timeout: { limit: 'wallMs', factor: 1000, min: 1 },
  steps: { limit: 'steps', factor: 1, min: 1000 },
  tokens: { limit: 'tokens', factor: 1, min: 0 },
};

function readLimits(entry: YamlEntry | undefined, report: Report): Partial<RunLimits> {
  const map = entry === undefined ? null : mapOf('limits', entry.value, report);
  if (map === null) return {};
  const limits: { -readonly [name in keyof RunLimits]?: number } = {};
  for (const [key, { value }] of entriesOf('limits', map, Object.keys(limitNames), report)) {
    const { limit, factor, min } = limitNames[key] as (typeof limitNames)[string];
    const given = integerIn(`limits.${key}`, value, { min, max: 1_000_000_000 }, report);
    if (given !== null) limits[limit] = given * factor;
  }
  return limits;
}

const momentText = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A day, or a moment with its offset: `2026-11-18T23:30:00+01:00`. */
function readNow(entry: YamlEntry | undefined, report: Report): TestMoment | null {
  if (entry === undefined) return null;
  const text = textIn('now', entry.value, report);
  if (text === null) return null;
  const atMs = momentText.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs)) {
    report(
      'SCRIPT_VALUE',
      entry.value.span,
      `now must be a day or a time with its offset, not ${describeValue(entry.value)}`,
      'write now: 2026-11-18 or now: "2026-11-18T23:30:00+01:00"',
    );
    return null;
  }
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})$/.exec(text) ?? [];
  const size = Number(hours) * 60 + Number(minutes);
  return { atMs, offsetMinutes: sign === '-' ? -size : size };
}

function mapOf(label: string, node: YamlNode, report: Report): YamlMap | null {
  if (node.kind === 'map') return node;
  if (node.kind === 'scalar' && node.value === null) return null;
  report('SCRIPT_VALUE', node.span, `${label} must be a mapping, not ${describeValue(node)}`);
  return null;
}

function readExpect(entry: YamlEntry | undefined, report: Report): Expectation {
  const map = entry === undefined ? null : mapOf('expect', entry.value, report);
  const entries = map === null ? new Map<string, YamlEntry>() : entriesOf('expect', map, expectKeys, report);
  const read = <T>(key: string, as: (label: string, node: YamlNode) => T | null): Expected<T> | null => {
    const given = entries.get(key);
    const value = given === undefined ? null : as(`expect.${key}`, given.value);
    return given === undefined || value === null
      ? null
      : { value, span: { start: given.keySpan.start, end: given.value.span.end } };
  };
  const text = (label: string, node: YamlNode): string | null => textIn(label, node, report);
  const count = (label: string, node: YamlNode): number | null =>
    integerIn(label, node, { min: 0, max: 1_000_000 }, report);
  return {
    status: read('status', text),
    // An answer that is expected to be empty is written `answer: ""`.
    answer: read('answer', text),
    answerContains: read('answer_contains', (label, node) => textsOrText(label, node, report))?.value ?? [],
    noteContains: read('note_contains', (label, node) => textsOrText(label, node, report))?.value ?? [],
    result: read('result', (label, node) => {
      const fields = mapOf(label, node, report);
      return fields === null ? null : (toJson(fields) as JsonObject);
    }),
    trace: read('trace', (label, node) => readTrace(label, node, report)),
    error: read('error', (label, node) => readError(label, node, report)),
    asks: read('asks', count),
    commands: read('commands', count),
    prompts: read('prompts', (label, node) => readPrompts(label, node, report)),
  };
}

function textsOrText(label: string, node: YamlNode, report: Report): readonly Expected<string>[] {
  const items = node.kind === 'seq' ? node.items : [node];
  return items.flatMap((item) => {
    const value = textIn(node.kind === 'seq' ? `an item of ${label}` : label, item, report);
    return value === null ? [] : [{ value, span: item.span }];
  });
}

function listOf(label: string, node: YamlNode, report: Report): readonly YamlNode[] {
  if (node.kind === 'seq') return node.items;
  report('SCRIPT_VALUE', node.span, `${label} must be a list, not ${describeValue(node)}`);
  return [];
}

function readTrace(label: string, node: YamlNode, report: Report): readonly Expected<ExpectedTrace>[] {
  return listOf(label, node, report).flatMap((item) => {
    if (item.kind !== 'map') {
      const kind = textIn(`an item of ${label}`, item, report);
      return kind === null ? [] : [{ value: { kind, data: null }, span: item.span }];
    }
    const entries = entriesOf(`an item of ${label}`, item, ['kind', 'data'], report);
    const kind = entries.get('kind');
    const data = entries.get('data');
    if (kind === undefined) {
      report(
        'SCRIPT_VALUE',
        { start: item.span.start, end: item.span.start + 1 },
        `an item of ${label} has no "kind"`,
        'write {kind: …, data: {…}}',
      );
      return [];
    }
    const fields = data === undefined ? null : mapOf(`${label}.data`, data.value, report);
    return [
      {
        value: {
          kind: textIn(`${label}.kind`, kind.value, report) ?? '',
          data: fields === null ? null : (toJson(fields) as JsonObject),
        },
        span: item.span,
      },
    ];
  });
}

function readError(label: string, node: YamlNode, report: Report): ExpectedError | null {
  if (node.kind !== 'map') {
    const code = textIn(label, node, report);
    if (code === null || /^[A-Z][A-Z_]*$/.test(code))
      return code === null ? null : { code: knownCode(label, code, node, report), contains: null };
    report(
      'SCRIPT_VALUE',
      node.span,
      `${label} must be a code such as ASK_BUDGET, not ${describeValue(node)}`,
      'for words of the message write {contains: "…"}',
    );
    return null;
  }
  const entries = entriesOf(label, node, ['code', 'contains'], report);
  const text = (key: string): string | null => {
    const entry = entries.get(key);
    return entry === undefined ? null : textIn(`${label}.${key}`, entry.value, report);
  };
  const code = text('code');
  return {
    code: code === null ? null : knownCode(`${label}.code`, code, entries.get('code')?.value ?? node, report),
    contains: text('contains'),
  };
}

const errorNames = [...Object.keys(failureCodes), ...Object.keys(diagnosticCodes)];

/** Unknown codes are accepted, since hosts have their own; likely misspellings are not. */
function knownCode(label: string, code: string, node: YamlNode, report: Report): string {
  const meant = errorNames.includes(code) ? null : nearest(code, errorNames);
  if (meant !== null)
    report(
      'SCRIPT_VALUE',
      node.span,
      `${label} is not the code of a failure: ${code}`,
      `did you mean "${meant}"?`,
    );
  return code;
}

/** Each is a text, several that all must be there, or null for any prompt. */
function readPrompts(
  label: string,
  node: YamlNode,
  report: Report,
): readonly (readonly Expected<string>[])[] {
  return listOf(label, node, report).map((item) =>
    item.kind === 'scalar' && item.value === null ? [] : textsOrText(`an item of ${label}`, item, report),
  );
}
