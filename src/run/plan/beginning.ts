// What has to be asked before the first step: missing inputs, and whether to start at all.
//
// Where the skill wants a confirmation, nothing is spent before a person has given it. A workflow asks for inputs that
// it needs and was not given; an answer that does not fit is asked for again.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Plan } from '../../plan/plan.ts';
import type { FormField } from '../clarify/form.ts';
import { fieldOfInput, formToJson } from '../clarify/form.ts';
import type { EffectOutcome, EffectRequest } from '../effect/effect.ts';
import { missingInputs } from './inputs.ts';
import { planRunKeys } from './keys.ts';
import { checkSchema } from '../../base/schema/check-value.ts';

const maxShown = 500;

type Begun =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly code: string; readonly message: string };

export class PlanBeginning {
  readonly #plan: Plan;
  #inputs: JsonObject;
  readonly #open: ('confirm' | 'inputs')[] = [];
  #fault: Extract<Begun, { ok: false }> | null = null;

  constructor(plan: Plan, inputs: JsonObject) {
    this.#plan = plan;
    this.#inputs = inputs;
    if (plan.preflight?.confirm === true) this.#open.push('confirm');
    if (plan.form !== 'composition' && missingInputs(plan, inputs).length > 0) this.#open.push('inputs');
  }

  /** The next question, or what the steps begin with. */
  next(): EffectRequest | Begun {
    if (this.#fault !== null) return this.#fault;
    const [what] = this.#open;
    if (what === undefined) return { ok: true, inputs: this.#inputs };
    if (what === 'confirm')
      return { key: planRunKeys.confirm, kind: 'input', request: this.#confirmation(), repeatable: true };
    return {
      key: planRunKeys.inputs,
      kind: 'input',
      request: formToJson(
        form(
          'inputs',
          `"${this.#plan.name}" needs to know more before it can begin.`,
          missingInputs(this.#plan, this.#inputs).map(fieldOfInput),
        ),
      ),
      repeatable: true,
    };
  }

  deliver(outcome: EffectOutcome): void {
    const what = this.#open.shift();
    if (!outcome.ok) {
      this.#fault = { ok: false, code: outcome.code, message: outcome.message };
      return;
    }
    const values =
      isJsonObject(outcome.value) && isJsonObject(outcome.value['values']) ? outcome.value['values'] : {};
    if (what === 'confirm') {
      const { confirm, ...preflight } = values;
      if (confirm !== true)
        this.#fault = { ok: false, code: 'DECLINED', message: 'it was not confirmed, so nothing was done' };
      else this.#inputs = { ...this.#inputs, preflight };
      return;
    }
    this.#inputs = { ...this.#inputs, ...values };
    const faults = this.#plan.inputs.flatMap(({ key, schema }) =>
      schema === null || !Object.hasOwn(values, key)
        ? []
        : checkSchema(schema, values[key] as Json, `"${key}"`),
    );
    if (faults.length > 0)
      this.#fault = { ok: false, code: 'INPUT_INVALID', message: `the input is wrong: ${faults.join('; ')}` };
  }

  /** The person who is asked has to know what would start, also where the skill declares nothing. */
  #whatBegins(): readonly string[] {
    const { user_message: message } = this.#inputs;
    const request = typeof message === 'string' ? message.trim() : '';
    return [
      `"${this.#plan.name}" is about to begin.`,
      ...(request === ''
        ? []
        : [`Request: ${request.length > maxShown ? `${request.slice(0, maxShown)} …` : request}`]),
    ];
  }

  #confirmation(): JsonObject {
    const {
      title = null,
      outcome = null,
      deliverable = null,
      intro = null,
      assumptions = [],
      fields = [],
    } = this.#plan.preflight ?? {};
    const lines = [
      title,
      intro,
      outcome === null ? null : `Outcome: ${outcome}`,
      deliverable === null ? null : `Deliverable: ${deliverable}`,
      ...assumptions.map((one) => `Assumption: ${one}`),
    ].filter((line) => line !== null);
    const asked = fields.map(({ name, label, required, default: otherwise }): FormField =>
      text(name, label, required && otherwise === null, otherwise === null ? undefined : otherwise),
    );
    return formToJson(
      form('confirm', (lines.length === 0 ? this.#whatBegins() : lines).join('\n'), [
        ...asked,
        { ...text('confirm', 'Begin?', true, undefined), type: 'bool' },
      ]),
    );
  }
}

function text(name: string, prompt: string, required: boolean, otherwise: Json | undefined): FormField {
  return {
    name,
    type: 'string',
    required,
    prompt,
    choices: null,
    min: null,
    max: null,
    minChars: null,
    maxChars: null,
    default: otherwise,
    suggested: null,
  };
}

function form(step: string, intro: string, fields: readonly FormField[]): Parameters<typeof formToJson>[0] {
  return { step, mode: 'form', intro, fields, cancelWords: [], expiresMs: null, extract: false, model: null };
}
