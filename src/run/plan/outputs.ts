// The outcome of an effect of a step -> the output of the step, or why it has none.
//
// An empty answer of a model is a failure. So is a command that did not exit with 0, and a skill that did not
// complete. In compositions outputs are texts, as their templates expect, unless the step has an output_schema. In
// workflows and chains they are what the tool, command or skill gave, structure included. An output that does not fit
// `output_schema` fails the step; a model was asked again before that.
import { emptyObject, isJsonObject, jsonIn } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PlanForm, PlanStep } from '../../plan/plan.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { EffectKind } from '../effect/effect.ts';
import type { Evaluated } from './templates.ts';
import { shownText } from './prompts.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

const maxShownUnits = 500;

export function outputOf(
  form: PlanForm,
  step: PlanStep,
  kind: EffectKind,
  request: JsonObject,
  value: Json,
): Evaluated<Json> {
  switch (kind) {
    case 'ask':
    case 'chat':
    case 'classify':
      return answerOf(step, value);
    case 'tool':
      return held(step, toolOutput(form, step, value));
    case 'command':
      // An entry point gives what a tool gives; one that broke its promise has failed already.
      return request['parse'] === undefined
        ? commandOutput(step, value)
        : held(step, toolOutput(form, step, value));
    case 'skill':
      return held(step, skillOutput(value));
    case 'input':
      return {
        ok: true,
        value: isJsonObject(value) && typeof value['text'] === 'string' ? value['text'] : '',
      };
    case 'now':
    case 'sleep':
    case 'write':
    case 'trace':
    case 'artifact':
      return { ok: true, value };
  }
}

function failure(code: string, message: string): Evaluated<never> {
  return { ok: false, fault: { code, message } };
}

function answerOf(step: PlanStep, value: Json): Evaluated<Json> {
  if (!isJsonObject(value)) return failure('EMPTY_ANSWER', 'the answerer gave no answer');
  if (step.outputSchema !== null && step.kind !== 'classify' && value['value'] !== undefined)
    return { ok: true, value: value['value'] };
  const answer = typeof value['answer'] === 'string' ? value['answer'] : '';
  // A value that a person decided (`techne runs resolve`) must fit as well.
  if (answer.trim() === '')
    return failure(
      'EMPTY_ANSWER',
      value['exhausted'] === true
        ? 'the agent used up its turns without an answer'
        : 'the answerer gave an empty answer',
    );
  if (step.kind === 'classify' && step.choices !== null && !step.choices.includes(answer))
    return failure('ANSWER_INVALID', `"${answer.slice(0, 60)}" is not one of the choices`);
  return { ok: true, value: answer };
}

/** What a tool gave: `{text, value}` of the tool host. */
function toolOutput(form: PlanForm, step: PlanStep, value: Json): Json {
  if (!isJsonObject(value)) return value;
  const { text = '', value: structured = null } = value;
  return structured !== null && (form !== 'composition' || step.outputSchema !== null) ? structured : text;
}

function commandOutput(step: PlanStep, value: Json): Evaluated<Json> {
  if (!isJsonObject(value)) return failure('COMMAND_FAILED', 'the command gave nothing');
  if (value['ok'] !== true) {
    const code =
      value['denied'] === true
        ? 'COMMAND_DENIED'
        : value['timed_out'] === true
          ? 'STEP_TIMEOUT'
          : 'COMMAND_FAILED';
    const printed = [value['stderr'], value['result'], value['stdout']].find(
      (one) => typeof one === 'string' && one.trim() !== '',
    ) as string | undefined;
    const how =
      value['denied'] === true || value['timed_out'] === true
        ? ''
        : `the command exited with ${shownText(value['exit_code'] ?? -1)}`;
    return failure(
      code,
      [how, printed === undefined ? '' : cutMiddle(printed.trim(), maxShownUnits).text]
        .filter((one) => one !== '')
        .join(': '),
    );
  }
  const text = typeof value['stdout'] === 'string' ? value['stdout'] : shownText(value['result'] ?? '');
  return held(step, text.replace(/\s+$/, ''));
}

/** Always a mapping, even if the skill gave only an answer: templates can rely on `.answer` and `.status`. */
function skillOutput(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const {
    trace: _trace,
    steps: _steps,
    ...result
  } = isJsonObject(value['result']) ? value['result'] : emptyObject();
  return Object.assign(
    emptyObject(),
    { status: value['status'] ?? 'completed', answer: value['answer'] ?? '' },
    result,
  );
}

/** The output, if it fits `output_schema`. */
function held({ outputSchema }: PlanStep, output: Json): Evaluated<Json> {
  if (outputSchema === null) return { ok: true, value: output };
  const parsed = typeof output === 'string' && outputSchema['type'] !== 'string' ? jsonIn(output) : output;
  if (parsed === undefined)
    return failure('OUTPUT_INVALID', 'the output is not JSON, as output_schema wants it');
  const faults = checkSchema(outputSchema, parsed, 'the output');
  return faults.length === 0
    ? { ok: true, value: parsed }
    : failure('OUTPUT_INVALID', `the output does not fit output_schema: ${faults.join('; ')}`);
}
