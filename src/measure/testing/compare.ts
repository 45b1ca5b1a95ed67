// The result of a run and the expectations of a test -> all differences, each with its place in the test file.
//
// Only the fields that the test names are compared; lists must have the same length.
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { renderJson } from '../../base/printable.ts';
import type { Span } from '../../base/span.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { SkillTest, TestFault } from './skill-test.ts';

export interface ObservedRun {
  readonly result: RunResult;
  /** What the program traced, also when it failed. */
  readonly trace: RunView['trace'];
  readonly prompts: readonly string[];
  /** Also those that were denied. */
  readonly commands: number;
  /** The text of the note that the run made; null: it made none. */
  readonly note: string | null;
}

export function compareWithExpected(
  { expect, span }: SkillTest,
  { result, trace, prompts, commands, note }: ObservedRun,
): readonly TestFault[] {
  const faults: TestFault[] = [];
  const differ = (what: string, at: Span, expected: Json, got: Json): void => {
    faults.push({ what, message: `${what} is not what was expected`, expected, got, span: at });
  };
  const envelope = result.envelope ?? {};
  const status = typeof envelope['status'] === 'string' ? envelope['status'] : result.status;
  const isError = result.error !== null;

  if (expect.error === null && isError && expect.status?.value !== result.status) {
    const { code, message } = result.error as NonNullable<RunResult['error']>;
    return [
      {
        what: 'error',
        message: `the run ${result.status === 'refused' ? 'was refused' : result.status}: ${code} ${message}`,
        expected: null,
        got: null,
        span,
      },
    ];
  }
  if (expect.error !== null) {
    const { value, span: at } = expect.error;
    if (result.error === null) differ('error', at, value.code ?? value.contains, null);
    else {
      if (value.code !== null && value.code !== result.error.code)
        differ('error', at, value.code, `${result.error.code}: ${result.error.message}`);
      if (value.contains !== null && !result.error.message.includes(value.contains))
        differ('error', at, value.contains, result.error.message);
    }
  }
  if (expect.status !== null && expect.status.value !== status && expect.status.value !== result.status)
    differ('status', expect.status.span, expect.status.value, status);
  // As `techne run` prints it: an answer need not be text.
  const given = envelope['answer'] ?? null;
  const answer = given === null || typeof given === 'string' ? given : renderJson(given, 2);
  if (expect.answer !== null && expect.answer.value !== answer)
    differ('answer', expect.answer.span, expect.answer.value, answer);
  for (const { value, span: at } of expect.answerContains) {
    if (answer === null || !answer.includes(value))
      faults.push({
        what: 'answer_contains',
        message: 'the answer does not contain what was expected',
        expected: value,
        got: answer,
        span: at,
      });
  }
  for (const { value, span: at } of expect.noteContains) {
    if (note === null || !note.includes(value))
      faults.push({
        what: 'note_contains',
        message: note === null ? 'the run made no note' : 'the note does not contain what was expected',
        expected: value,
        got: note,
        span: at,
      });
  }
  if (expect.result !== null) {
    for (const { path, expected, got } of differences(expect.result.value, envelope, 'result'))
      differ(path, expect.result.span, expected, got);
  }
  if (expect.trace !== null) {
    const { value, span: at } = expect.trace;
    const got = trace.filter(({ printed }) => !printed);
    if (value.length !== got.length)
      differ(
        'trace',
        at,
        value.map(({ value: one }) => one.kind),
        got.map(({ kind }) => kind),
      );
    else {
      for (const [index, { value: one, span: entryAt }] of value.entries()) {
        const entry = got[index] as RunView['trace'][number];
        const what = `trace ${index + 1}`;
        if (one.kind !== entry.kind) differ(what, entryAt, one.kind, entry.kind);
        else
          for (const { path, expected, got: other } of differences(
            one.data ?? {},
            entry.data,
            `${what}.data`,
          ))
            differ(path, entryAt, expected, other);
      }
    }
  }
  if (expect.asks !== null && expect.asks.value !== prompts.length)
    differ('asks', expect.asks.span, expect.asks.value, prompts.length);
  if (expect.commands !== null && expect.commands.value !== commands)
    differ('commands', expect.commands.span, expect.commands.value, commands);
  if (expect.prompts !== null) {
    const { value, span: at } = expect.prompts;
    if (value.length !== prompts.length) differ('prompts', at, value.length, prompts.length);
    for (const [index, texts] of value.entries()) {
      const prompt = prompts[index];
      for (const { value: text, span: textAt } of prompt === undefined ? [] : texts) {
        if (!(prompt as string).includes(text))
          faults.push({
            what: `prompts ${index + 1}`,
            message: `prompt ${index + 1} does not contain what was expected`,
            expected: text,
            got: prompt as string,
            span: textAt,
          });
      }
    }
  }
  return faults;
}

interface Difference {
  readonly path: string;
  readonly expected: Json;
  /** null where there is nothing. */
  readonly got: Json;
}

/** Where `got` lacks something of `expected`. */
export function differences(expected: Json, got: Json | undefined, path: string): readonly Difference[] {
  if (isJsonObject(expected) && isJsonObject(got)) {
    return Object.keys(expected).flatMap((key) =>
      differences(
        expected[key] as Json,
        Object.hasOwn(got, key) ? (got as JsonObject)[key] : undefined,
        `${path}.${key}`,
      ),
    );
  }
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return (expected as readonly Json[]).flatMap((item, index) =>
      differences(item, (got as readonly Json[])[index], `${path}[${index}]`),
    );
  }
  return got !== undefined && canonicalJson(expected) === canonicalJson(got)
    ? []
    : [{ path, expected, got: got ?? null }];
}
