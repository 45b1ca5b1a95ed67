// A case file -> its cases, or its faults.
//
//   .jsonl   one object a line        {"message": …, "expected": name or null, "kind": …}
//   .json    evals/evals.json         {"triggers": [object, …], "rubric": […]}; also {"cases": […]} or a list
//   else     YAML                     cases: a list of them, rubric: a list of sentences
//
// All faults are reported together, each with its place and in the order of the file; a file with a fault gives no
// case. `expected` is required: leaving it out is not the same as expecting nothing. `query` is read as `message`, and
// unknown keys are ignored. A case of kind `rubric` needs a rubric, its own or that of the file, and its `input` must
// be an object; `input` of other kinds is ignored.
import type { Diagnostic, Report } from '../../base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../base/diagnostic.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { Span } from '../../base/span.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import { entryOf, toJson } from '../../skill/yaml/node.ts';
import type { CaseKind, EvalCase } from './eval-case.ts';
import { caseKinds } from './eval-case.ts';
import { jsonItemSpans } from './json-items.ts';
import { rubricOf } from './output-case.ts';

export interface ParsedCases {
  readonly cases: readonly EvalCase[];
  /** Where each of them stands. */
  readonly spans: readonly (Span | null)[];
  /** What every good result shows: of the file as a whole. */
  readonly rubric: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const shape = 'write {"message": "…", "expected": "skill-name" or null, "kind": "positive"}';

/** `path` is that of the diagnostics, and its ending decides the format. */
export function parseCases(text: string, path: string, parseFull: ParseFull): ParsedCases {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, path);
  const plain = text.replace(/^\uFEFF/, ' ');
  const { items, rubric: given } = /\.(?:jsonl|ndjson)$/i.test(path)
    ? readLines(plain, report)
    : /\.json$/i.test(path)
      ? readJson(plain, report)
      : readYaml(plain, report, parseFull);
  const rubric = rubricOf(given);
  if (rubric === null)
    report(
      'SCRIPT_VALUE',
      null,
      'the rubric of the file must be a list of sentences',
      'write "rubric": ["Names a hotel."]',
    );
  const read = items.flatMap((item) =>
    readCase(item, rubric ?? [], report).map((one) => ({ one, span: item.span })),
  );
  const cases = read.map(({ one }) => one);
  if (diagnostics.length === 0 && cases.length === 0)
    report('SCRIPT_SYNTAX', null, 'the file has no cases', shape);
  return diagnostics.length === 0
    ? { cases, spans: read.map(({ span }) => span), rubric: rubric ?? [], diagnostics }
    : { cases: [], spans: [], rubric: [], diagnostics: diagnostics.sort(compareDiagnostics) };
}

interface Items {
  readonly items: readonly Item[];
  /** As it is written. */
  readonly rubric: Json | undefined;
}

const nothing: Items = { items: [], rubric: undefined };

interface Item {
  readonly value: Json;
  readonly span: Span | null;
  /** Where the value of a key is; `undefined` where that is not known. */
  readonly at?: (key: string) => Span | undefined;
}

function readLines(text: string, report: Report): Items {
  const items: Item[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const span = { start, end: start + line.length };
    start += line.length + 1;
    if (line.trim() === '') continue;
    try {
      items.push({ value: parseJson(line), span });
    } catch (error) {
      report('SCRIPT_SYNTAX', span, `the line is not valid JSON: ${(error as Error).message}`, shape);
    }
  }
  return { items, rubric: undefined };
}

function readJson(text: string, report: Report): Items {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    report('SCRIPT_SYNTAX', null, `the file is not valid JSON: ${(error as Error).message}`, shape);
    return nothing;
  }
  const list = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? (value['cases'] ?? value['triggers'])
      : undefined;
  const spans = Array.isArray(list) ? jsonItemSpans(text, ['cases', 'triggers']) : [];
  if (Array.isArray(list))
    return {
      items: list.map((one: Json, at) => ({ value: one, span: spans[at] ?? null })),
      rubric: isJsonObject(value) ? value['rubric'] : undefined,
    };
  report('SCRIPT_SYNTAX', null, 'there is no list "triggers" or "cases" in the file', shape);
  return nothing;
}

function readYaml(text: string, report: Report, parseFull: ParseFull): Items {
  const map = parseFull(text, 0, text.length, (_, at, message) =>
    report(
      'SCRIPT_SYNTAX',
      at,
      message.replace('the frontmatter', 'the file'),
      'write "cases:" and below it "- message: …"',
    ),
  );
  const list = map?.entries.find(({ key }) => key === 'cases' || key === 'triggers');
  if (list === undefined || list.value.kind !== 'seq') {
    if (map !== null)
      report(
        'SCRIPT_SYNTAX',
        null,
        'there is no list "cases" in the file',
        'write "cases:" and below it "- message: …"',
      );
    return nothing;
  }
  const rubric = map?.entries.find(({ key }) => key === 'rubric');
  return {
    items: list.value.items.map((item) => ({
      value: toJson(item),
      span: item.span,
      at: (key) => (item.kind === 'map' ? entryOf(item, key)?.value.span : undefined),
    })),
    rubric: rubric === undefined ? undefined : toJson(rubric.value),
  };
}

function readCase(
  { value, span, at = () => undefined }: Item,
  ofFile: readonly string[],
  report: Report,
): readonly EvalCase[] {
  if (!isJsonObject(value)) {
    report('SCRIPT_VALUE', span, 'a case must be a mapping', shape);
    return [];
  }
  const message = value['message'] ?? value['query'];
  const { expected } = value;
  if (typeof message !== 'string' || message.trim() === '') {
    const meant =
      message === undefined
        ? Object.keys(value).find((key) => nearest(key, ['message', 'query']) !== null)
        : undefined;
    report(
      'SCRIPT_VALUE',
      at('message') ?? at('query') ?? span,
      meant === undefined
        ? 'a case needs a message'
        : `a case needs a message, and this one has "${printableLine(meant)}"`,
      meant === undefined ? shape : 'did you mean "message"?',
    );
    return [];
  }
  const kind = kindOf(value['kind'], expected, at('kind') ?? span, report);
  const own = rubricOf(value['rubric']);
  if (own === null && kind === 'rubric')
    report(
      'SCRIPT_VALUE',
      at('rubric') ?? span,
      'the rubric of a case must be a list of sentences',
      'write "rubric": ["Names a hotel."]',
    );
  const rubric = own === null || own.length > 0 || kind !== 'rubric' ? (own ?? []) : ofFile;
  if (kind === 'rubric' && own !== null && rubric.length === 0)
    report(
      'SCRIPT_VALUE',
      span,
      'a case of kind rubric needs a rubric',
      'write "rubric": ["Names a hotel."], in the case or for the whole file',
    );
  const { input } = value;
  if (kind === 'rubric' && input !== undefined && !isJsonObject(input))
    report(
      'SCRIPT_VALUE',
      at('input') ?? span,
      'the input of a case must be a mapping',
      'write "input": {"task": "…"}, with the inputs of the skill',
    );
  if (expected !== null && typeof expected !== 'string') {
    report(
      'SCRIPT_VALUE',
      at('expected') ?? span,
      `the case "${printableLine(message.slice(0, 40))}" ${expected === undefined ? 'does not name the expected skill' : `expects ${JSON.stringify(expected).slice(0, 40)}, which is not the name of a skill`}`,
      'write "expected": the name of a skill, or null for none',
    );
    return [];
  }
  return kind === null
    ? []
    : [{ message, expected, kind, ...(rubric.length === 0 ? {} : { rubric }), ...inputOf(input) }];
}

/** Apart, for exact types. */
function inputOf(input: Json | undefined): { readonly input?: JsonObject } {
  return isJsonObject(input) ? { input } : {};
}

function kindOf(
  value: Json | undefined,
  expected: Json | undefined,
  span: Span | null,
  report: Report,
): CaseKind | null {
  if (value === undefined) return expected === null ? 'neighbouring-domain' : 'positive';
  const kinds: readonly unknown[] = caseKinds;
  if (kinds.includes(value)) return value as CaseKind;
  const meant = typeof value === 'string' ? nearest(value, caseKinds) : null;
  report(
    'SCRIPT_VALUE',
    span,
    `${JSON.stringify(value)} is not a kind of case`,
    meant === null ? `use ${caseKinds.join(', ')}` : `did you mean "${meant}"?`,
  );
  return null;
}
