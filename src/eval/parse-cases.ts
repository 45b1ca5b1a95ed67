// A case file -> its cases, or what is wrong with it.
//
//   .jsonl   one object a line        {"message": …, "expected": name or null, "kind": …}
//   .json    evals/evals.json         {"triggers": [object, …]}; also {"cases": […]} or a list
//   else     YAML                     cases: a list of them
//
// C1. All faults at once, each with its place; a file with a fault gives no case at all.
// C2. `expected` must be written: leaving it out is not the same as expecting nothing.
// C3. Other keys are the author's business; `query` is read as `message`.
import type { Diagnostic, Report } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import type { Json } from '../base/json.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import type { ParseFull } from '../skill/yaml/node.ts';
import { toJson } from '../skill/yaml/node.ts';
import type { CaseKind, EvalCase } from './eval-case.ts';
import { caseKinds } from './eval-case.ts';

export interface ParsedCases {
  readonly cases: readonly EvalCase[];
  readonly diagnostics: readonly Diagnostic[];
}

const shape = 'write {"message": "…", "expected": "skill-name" or null, "kind": "positive"}';

/** `path` is that of the diagnostics, and its ending tells the format. */
export function parseCases(text: string, path: string, parseFull: ParseFull): ParsedCases {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, path);
  const plain = text.replace(/^\uFEFF/, ' ');
  const items = /\.(?:jsonl|ndjson)$/i.test(path) ? readLines(plain, report) : /\.json$/i.test(path) ? readJson(plain, report) : readYaml(plain, report, parseFull);
  const cases = items.flatMap(({ value, span }) => readCase(value, span, report));
  if (diagnostics.length === 0 && cases.length === 0) report('SCRIPT_SYNTAX', null, 'the file has no cases', shape);
  return { cases: diagnostics.length === 0 ? cases : [], diagnostics };
}

interface Item {
  readonly value: Json;
  readonly span: Span | null;
}

function readLines(text: string, report: Report): readonly Item[] {
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
  return items;
}

function readJson(text: string, report: Report): readonly Item[] {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    report('SCRIPT_SYNTAX', null, `the file is not valid JSON: ${(error as Error).message}`, shape);
    return [];
  }
  const list = Array.isArray(value) ? value : isJsonObject(value) ? (value['cases'] ?? value['triggers']) : undefined;
  if (Array.isArray(list)) return list.map((one: Json) => ({ value: one, span: null }));
  report('SCRIPT_SYNTAX', null, 'there is no list "triggers" or "cases" in the file', shape);
  return [];
}

function readYaml(text: string, report: Report, parseFull: ParseFull): readonly Item[] {
  const map = parseFull(text, 0, text.length, (_, at, message) => report('SCRIPT_SYNTAX', at, message.replace('the frontmatter', 'the file'), 'write "cases:" and below it "- message: …"'));
  const list = map?.entries.find(({ key }) => key === 'cases' || key === 'triggers');
  if (list === undefined || list.value.kind !== 'seq') {
    if (map !== null) report('SCRIPT_SYNTAX', null, 'there is no list "cases" in the file', 'write "cases:" and below it "- message: …"');
    return [];
  }
  return list.value.items.map((item) => ({ value: toJson(item), span: item.span }));
}

function readCase(value: Json, span: Span | null, report: Report): readonly EvalCase[] {
  if (!isJsonObject(value)) {
    report('SCRIPT_VALUE', span, 'a case must be a mapping', shape);
    return [];
  }
  const message = value['message'] ?? value['query'];
  const { expected } = value;
  if (typeof message !== 'string' || message.trim() === '') {
    report('SCRIPT_VALUE', span, 'a case needs a message', shape);
    return [];
  }
  const kind = kindOf(value['kind'], expected, span, report);
  const rubric = Array.isArray(value['rubric']) ? value['rubric'].filter((one): one is string => typeof one === 'string') : [];
  if (expected !== null && typeof expected !== 'string') {
    report('SCRIPT_VALUE', span, `the case "${printableLine(message.slice(0, 40))}" does not say which skill is expected`, 'write "expected": the name of a skill, or null for none');
    return [];
  }
  return kind === null ? [] : [{ message, expected, kind, ...(rubric.length === 0 ? {} : { rubric }) }];
}

function kindOf(value: Json | undefined, expected: Json | undefined, span: Span | null, report: Report): CaseKind | null {
  if (value === undefined) return expected === null ? 'neighbouring-domain' : 'positive';
  const kinds: readonly unknown[] = caseKinds;
  if (kinds.includes(value)) return value as CaseKind;
  const meant = typeof value === 'string' ? nearest(value, caseKinds) : null;
  report('SCRIPT_VALUE', span, `${JSON.stringify(value)} is not a kind of case`, meant === null ? `use ${caseKinds.join(', ')}` : `did you mean "${meant}"?`);
  return null;
}
