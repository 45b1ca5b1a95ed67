// A call of a run, and the result it should have given -> its outcome, in the shape of that kind of call.
//
//   text   an ask: its answer      a command: its output      a tool, an entry point: its text, and its value where it has one
//          a form: a reply to it   a skill: the answer of its envelope
//   JSON   all that the call gave; of a form the values of its fields, of a tool also its value alone
//
// Every part of the outcome shows the edit; no part keeps the old result. An edit that the call could not have given
// is refused by the rules of the call itself: a schema, choices, the fields of a form, the output that an entry point
// promises. The hint shows the shape that is needed. A text makes a failed call succeed. The exit of a command stays
// as it was for a program; for a plan it becomes a success, because a step whose command failed has no output.
import { emptyObject, isJsonObject, jsonIn } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { fillForm, judgeReply, missingFault, missingFields } from '../clarify/clarify.ts';
import type { ClarifyForm } from '../clarify/form.ts';
import { formOf } from '../clarify/form.ts';
import { readPrefill } from '../clarify/prefill.ts';
import { isAsk } from '../effect/effect.ts';
import { decidedCommand } from '../effect/perform-command.ts';
import { readChoice, readStructured } from '../effect/read-answer.ts';
import { execOutcome } from '../plan/exec-outcome.ts';
import { cancelWords } from '../question/question.ts';
import { checkSchema } from '../../base/schema/check-value.ts';
import type { EffectView, RunView } from './inspect.ts';

type OutcomeEdit =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: Json };

export type EditedOutcome =
  | { readonly ok: true; readonly value: Json }
  /** `shape`: JSON that such a call could have given, or null when it gives nothing. */
  | { readonly ok: false; readonly what: string; readonly faults: readonly string[]; readonly shape: Json };

export type EditedCall = Pick<EffectView, 'key' | 'kind' | 'state' | 'request' | 'result' | 'children'>;

export function editOutcome(
  call: EditedCall,
  edit: OutcomeEdit,
  { skill: { form }, limits }: Pick<RunView, 'skill' | 'limits'>,
): EditedOutcome {
  const { kind } = call;
  const request = isJsonObject(call.request) ? call.request : emptyObject();
  const before =
    isJsonObject(call.result) && (call.state === 'ok' || call.state === 'decided')
      ? call.result
      : emptyObject();
  if (isAsk(kind)) return editAsk(request, before, edit);
  switch (kind) {
    case 'command':
      return request['parse'] === undefined
        ? editCommand(before, edit, form !== 'program')
        : editEntrypoint(request['parse'], edit, limits);
    case 'tool':
      return editTool(before, edit, form === 'composition');
    case 'input':
      return editForm(formOfCall(call, request), edit);
    case 'skill':
      return editSkill(before, edit);
    case 'artifact':
      return editArtifact(edit);
    default:
      return refuse(`a "${kind}"`, ['it has no result that could be edited'], null);
  }
}

/** Of a value in a hint. */
const maxShownUnits = 200;

function refuse(what: string, faults: readonly string[], shape: Json): EditedOutcome {
  return { ok: false, what, faults, shape };
}

type Type = 'string' | 'boolean' | 'number';

function typeFaults(
  value: Json,
  needs: { readonly [name: string]: Type },
  optional: { readonly [name: string]: Type } = {},
): readonly string[] {
  const object = isJsonObject(value) ? value : emptyObject();
  const wrong = (name: string, type: Type): boolean => typeof object[name] !== type;
  return [
    ...Object.entries(needs).filter(([name, type]) => wrong(name, type)),
    ...Object.entries(optional).filter(([name, type]) => Object.hasOwn(object, name) && wrong(name, type)),
  ].map(([name, type]) => `"${name}" must be a ${type}`);
}

function strangeFaults(value: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `it has no "${key}"`);
}

function editAsk(
  { schema = null, choices = null }: JsonObject,
  before: JsonObject,
  edit: OutcomeEdit,
): EditedOutcome {
  const what = 'an ask';
  const shape: JsonObject = {
    answer: Array.isArray(choices) ? (choices[0] as Json) : '…',
    ...(schema === null ? {} : { value: '…' }),
  };
  const given = edit.kind === 'text' ? { answer: edit.text } : edit.value;
  const faults = typeFaults(
    given,
    { answer: 'string' },
    { exhausted: 'boolean', turns: 'number', truncated: 'boolean' },
  );
  if (!isJsonObject(given) || faults.length > 0) return refuse(what, faults, shape);
  // An agent that ran out of turns now has an answer.
  const answered = {
    exhausted: false,
    turns: typeof before['turns'] === 'number' ? before['turns'] : 1,
    truncated: false,
    ...given,
  };
  const answer = given['answer'] as string;
  if (Array.isArray(choices)) {
    const read = readChoice(answer, choices as readonly string[]);
    return read.ok
      ? { ok: true, value: { ...answered, answer: read.value } }
      : refuse(what, read.faults, shape);
  }
  if (schema === null) return { ok: true, value: answered };
  if (given['value'] !== undefined) {
    const wrong = checkSchema(schema, given['value'], '"value"');
    return wrong.length === 0 ? { ok: true, value: answered } : refuse(what, wrong, shape);
  }
  const read = readStructured(answer, schema);
  return read.ok ? { ok: true, value: { ...answered, value: read.value } } : refuse(what, read.faults, shape);
}

function editCommand(before: JsonObject, edit: OutcomeEdit, isPlan: boolean): EditedOutcome {
  if (edit.kind === 'text') {
    // A command that was refused, stopped or not started had no output: now it has ended with one.
    const hadEnded =
      typeof before['exit_code'] === 'number' &&
      before['exit_code'] >= 0 &&
      before['denied'] !== true &&
      before['timed_out'] !== true;
    const { ok = true, exit_code: exitCode = 0 } = !isPlan && hadEnded ? before : {};
    return { ok: true, value: { ...decidedCommand(edit.text), ok, exit_code: exitCode } };
  }
  const { value } = edit;
  const faults = typeFaults(
    value,
    { ok: 'boolean', exit_code: 'number', result: 'string' },
    { stdout: 'string', stderr: 'string' },
  );
  if (!isJsonObject(value) || faults.length > 0)
    return refuse('a command', faults, { ok: true, exit_code: 0, result: '…' });
  return { ok: true, value: { ...decidedCommand(value['result'] as string), ...value } };
}

/** What its program would have printed. */
function editEntrypoint(parse: Json, edit: OutcomeEdit, limits: RunView['limits']): EditedOutcome {
  const what = 'an entry point';
  const shape: JsonObject = { text: '…', value: parse === 'text' ? null : parse === 'lines' ? ['…'] : {} };
  if (edit.kind === 'json' && isToolOutcome(edit.value) && edit.value['value'] !== undefined)
    return { ok: true, value: { truncated: false, ...edit.value } };
  const given = edit.kind === 'text' ? edit.text : isToolOutcome(edit.value) ? edit.value['text'] : null;
  if (typeof given !== 'string') return refuse(what, ['"text" must be a string'], shape);
  const printed = execOutcome(
    'it',
    {
      started: true,
      fault: null,
      exitCode: 0,
      signal: null,
      timedOut: false,
      aborted: false,
      stdout: given,
      stderr: '',
      combined: given,
      truncated: false,
      durationMs: 0,
    },
    { timeoutMs: 0 },
    parse,
    limits,
  );
  return printed.ok
    ? { ok: true, value: printed.value }
    : refuse(what, [`"text" must be ${parse as string}`], shape);
}

function isToolOutcome(value: Json): value is JsonObject {
  return (
    isJsonObject(value) &&
    typeof value['text'] === 'string' &&
    strangeFaults(value, ['text', 'value', 'truncated']).length === 0
  );
}

/** Compositions read the text, everything else the value where there is one. */
function editTool(before: JsonObject, edit: OutcomeEdit, isText: boolean): EditedOutcome {
  if (edit.kind === 'json') {
    const { value } = edit;
    if (isToolOutcome(value)) return { ok: true, value: { value: null, truncated: false, ...value } };
    return {
      ok: true,
      value:
        typeof value === 'string'
          ? { text: value, value: null, truncated: false }
          : { text: JSON.stringify(value), value, truncated: false },
    };
  }
  const { text } = edit;
  if ((before['value'] ?? null) === null) return { ok: true, value: { text, value: null, truncated: false } };
  const value = jsonIn(text);
  if (value === undefined && !isText)
    return refuse('this tool', ['it gave a value besides its text, so the text must be JSON'], {
      text: '…',
      value: JSON.stringify(before['value']).length <= maxShownUnits ? (before['value'] as Json) : '…',
    });
  return { ok: true, value: { text, value: value ?? null, truncated: false } };
}

/** The form as it was shown, with the suggestions read from the message of the run (effect/perform-input.ts). */
function formOfCall({ key, children }: EditedCall, request: JsonObject): ClarifyForm {
  const form = formOf(request);
  const read = children.find((part) => part.key === `${key}/0` && part.state === 'ok')?.result ?? null;
  return isJsonObject(read) && typeof read['answer'] === 'string' ? readPrefill(form, read['answer']) : form;
}

function editForm(form: ClarifyForm, edit: OutcomeEdit): EditedOutcome {
  const shape = Object.fromEntries(
    form.fields
      .filter(({ required }, _at, all) => required || all.every((field) => !field.required))
      .map(({ name, type, choices }) => [
        name,
        choices?.[0] ?? (type === 'int' ? 1 : type === 'bool' ? true : '…'),
      ]),
  );
  const refused = (faults: readonly string[]): EditedOutcome => refuse('a reply to this form', faults, shape);
  const given = edit.kind === 'text' ? edit.text : edit.value;
  // As "runs show" has it; the rest of that follows from the values.
  const isWhole =
    isJsonObject(given) &&
    Object.keys(given).length === 1 &&
    isJsonObject(given['values']) &&
    form.fields.every(({ name }) => name !== 'values');
  if (typeof given === 'string' && [...cancelWords, ...form.cancelWords].includes(given.trim().toLowerCase()))
    return refused([`"${given.trim()}" would cancel the run`]);
  const verdict = judgeReply(form, isWhole ? (given['values'] as JsonObject) : given, emptyObject());
  if (verdict.kind === 'refuse') return refused(verdict.faults);
  if (typeof verdict.value === 'string')
    return refused([
      'free words are read by a model when the form is answered, and not here; write "field: value" lines',
    ]);
  const missing = missingFields(form, verdict.value);
  return missing.length === 0
    ? { ok: true, value: { ...fillForm(form, verdict.value) } }
    : refused(missing.map(missingFault));
}

function editSkill(before: JsonObject, edit: OutcomeEdit): EditedOutcome {
  const done = (answer: string, result: JsonObject): EditedOutcome => ({
    ok: true,
    value: { status: 'completed', answer, result: { ...result, answer } },
  });
  if (edit.kind === 'text')
    return done(edit.text, isJsonObject(before['result']) ? before['result'] : emptyObject());
  const { value } = edit;
  const {
    answer = null,
    result = emptyObject(),
    status = 'completed',
  } = isJsonObject(value) ? value : emptyObject();
  const faults = [
    ...typeFaults(value, { answer: 'string' }),
    ...(isJsonObject(value) ? strangeFaults(value, ['status', 'answer', 'result']) : []),
    ...(isJsonObject(result) ? [] : ['"result" must be an object']),
    ...(status === 'completed' ? [] : ['"status" must be "completed": any other has no output']),
    ...(isJsonObject(result) && (result['answer'] ?? answer) !== answer
      ? ['"answer" and the "answer" in "result" must be the same']
      : []),
  ];
  if (typeof answer !== 'string' || !isJsonObject(result) || faults.length > 0)
    return refuse('a skill', faults, { answer: '…', result: {} });
  return done(answer, result);
}

function editArtifact(edit: OutcomeEdit): EditedOutcome {
  const what = 'a look at an artifact';
  const shape = { exists: true, bytes: 1, reason: null };
  if (edit.kind === 'text') return refuse(what, ['it gives no text'], shape);
  const faults = typeFaults(edit.value, { exists: 'boolean' });
  return isJsonObject(edit.value) && faults.length === 0
    ? { ok: true, value: { bytes: null, reason: null, ...edit.value } }
    : refuse(what, faults, shape);
}
