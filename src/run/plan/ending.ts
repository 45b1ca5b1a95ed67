// The outputs of the steps -> the result of the run.
//
//   final text (raw, of a step, or one chat) | output template (and refine) -> artifacts -> contract -> trace -> result
//
// `completed`: every failure was provided for, and the contract is kept. `partial`: otherwise, if there is a
// deliverable: the step of `step:<id>` succeeded, or a step that no other waits for gave something. Otherwise
// `failed`. `raw` is the last step of the document that gave something and is not a substitute; a chat that fails, or
// has no budget left, falls back to it. The effects follow one after the other, so that a resume asks for the same.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { CompiledBundle } from './compile-bundle.ts';
import { cutText } from '../../base/cut-text.ts';
import type { EffectOutcome, EffectRequest } from '../effect/effect.ts';
import { contractFaults, contractText } from './contract.ts';
import type { FoundArtifact } from './contract.ts';
import { planRunKeys } from './keys.ts';
import { stepAnswerText, defaultSystem, refinePrompt, shownText, summaryPrompt } from './prompts.ts';
import type { StepRecord } from './scope.ts';
import { scopeOf } from './scope.ts';
import type { StepParts } from './step.ts';
import type { CompiledText, EvaluationParts, StepFault } from './templates.ts';
import { renderText } from './templates.ts';
import { shownSteps, viewSteps } from './view.ts';
import type { StepView } from './view.ts';

type PlanResult =
  | { readonly kind: 'done'; readonly value: JsonObject; readonly error: StepFault | null }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string; readonly detail: null };

/** Steps that are named in a sentence; for more, only their number is given. */
const maxNames = 8;

const noSteps: ReadonlyMap<string, number> = new Map();

export class PlanEnding {
  readonly #parts: StepParts;
  readonly #compiled: CompiledBundle;
  readonly #isTolerated: (id: string) => boolean;
  readonly #failures: readonly StepFault[];
  /** The tasks, the next one first; each may ask for an effect and continue with its outcome. */
  readonly #work: ((outcome: EffectOutcome | null) => EffectRequest | null)[];
  readonly #artifacts: FoundArtifact[] = [];
  #outcome: EffectOutcome | null = null;
  #text = '';
  #output: Json = null;
  #error: StepFault | null = null;

  constructor(parts: StepParts, isTolerated: (id: string) => boolean) {
    this.#parts = parts;
    this.#compiled = parts.compiled;
    this.#isTolerated = isTolerated;
    this.#failures = this.#findFailures();
    const [first] = this.#failures;
    if (first !== undefined)
      this.#error = { code: first.code, message: this.#failures.map(({ message }) => message).join('; ') };
    const { plan, artifacts } = this.#compiled;
    this.#work = [];
    if (first === undefined || this.#hasDeliverable()) {
      this.#work.push((outcome) =>
        plan.output === null ? this.#finalText(outcome) : this.#template(outcome),
      );
      artifacts.forEach((path, index) => this.#work.push((outcome) => this.#artifact(path, index, outcome)));
      this.#work.push(() => this.#contract());
    }
    this.#traces().forEach((request, index) =>
      this.#work.push((outcome) =>
        outcome === null ? { key: `$trace[${index}]`, kind: 'trace', request, repeatable: true } : null,
      ),
    );
  }

  /** The next effect, or the result. */
  next(): EffectRequest | PlanResult {
    for (let work = this.#work[0]; work !== undefined; work = this.#work[0]) {
      const effect = work(this.#outcome);
      this.#outcome = null;
      if (effect !== null) return effect;
      this.#work.shift();
    }
    return this.#result();
  }

  deliver(outcome: EffectOutcome): void {
    this.#outcome = outcome;
  }

  #findFailures(): readonly StepFault[] {
    return this.#compiled.steps.flatMap(({ step: { id } }) => {
      const { status, error } = this.#record(id);
      return status === 'failed' && error !== null && !this.#isTolerated(id)
        ? [{ code: error.code, message: `step "${id}" failed: ${error.message}` }]
        : [];
    });
  }

  #record(id: string): StepRecord {
    return this.#parts.records.get(id) as StepRecord;
  }

  #gave(id: string): boolean {
    const { status, output, substitutedBy } = this.#record(id);
    return (status === 'ok' || substitutedBy !== null) && !isBlank(output);
  }

  #given(id: string): Json {
    return this.#gave(id) ? this.#record(id).output : '';
  }

  /** Whether a partial result has something to deliver. */
  #hasDeliverable(): boolean {
    const { plan, steps } = this.#compiled;
    if (plan.finalText.mode === 'step') return this.#gave(plan.finalText.step);
    const waitedFor = new Set(steps.flatMap(({ step: { dependsOn } }) => dependsOn));
    return steps.some(
      ({ step: { id, substituteOf } }) => substituteOf === null && !waitedFor.has(id) && this.#gave(id),
    );
  }

  /** The output of the last step that gave something and is not a substitute. */
  #raw(): Json {
    const last = this.#compiled.steps.findLast(
      ({ step: { id, substituteOf } }) => substituteOf === null && this.#gave(id),
    );
    return last === undefined ? '' : this.#record(last.step.id).output;
  }

  #finalText(outcome: EffectOutcome | null): EffectRequest | null {
    const { plan } = this.#compiled;
    const { finalText } = plan;
    // A step that was skipped gave nothing, and nothing else takes its place.
    const chosen = finalText.mode === 'step' ? this.#given(finalText.step) : this.#raw();
    const asks = finalText.mode === 'auto' && plan.form === 'composition' && !isBlank(chosen);
    if (asks && outcome === null) return this.#chat(planRunKeys.final, this.#summary());
    const answer = outcome === null ? '' : answerIn(outcome);
    this.#text = answer === '' ? stepAnswerText(chosen) : answer;
    if (answer === '' && typeof chosen !== 'string') this.#output = chosen;
    return null;
  }

  #summary(): string {
    const { plan, steps } = this.#compiled;
    const { user_message: message = '' } = this.#parts.inputs;
    const outputs = steps
      .filter(({ step: { id, substituteOf } }) => substituteOf === null && this.#gave(id))
      .map(({ step: { id } }) => ({ label: id, text: stepAnswerText(this.#record(id).output) }));
    return summaryPrompt(
      plan.name,
      shownText(message),
      outputs,
      this.#failures.map((one) => one.message),
    );
  }

  #chat(key: string, prompt: string): EffectRequest {
    return {
      key,
      kind: 'chat',
      request: {
        prompt,
        system: defaultSystem,
        max_turns: 1,
        purpose: key === planRunKeys.final ? 'final answer' : 'refine',
      },
      repeatable: false,
    };
  }

  #template(outcome: EffectOutcome | null): EffectRequest | null {
    const { plan, outputs, bundle } = this.#compiled;
    const { path, variants, refine } = plan.output as NonNullable<typeof plan.output>;
    if (outcome === null) {
      const { variant } = this.#parts.inputs;
      const chosen =
        typeof variant === 'string' && Object.hasOwn(variants, variant)
          ? (variants[variant] as string)
          : path;
      const template = outputs.get(chosen);
      const rendered = template === undefined ? null : renderText(template, this.#evaluation());
      if (rendered === null || !rendered.ok) {
        this.#error ??=
          rendered === null
            ? { code: 'FILE_MISSING', message: `the output template "${chosen}" is missing` }
            : { code: rendered.fault.code, message: `the output template: ${rendered.fault.message}` };
        this.#text = stepAnswerText(this.#raw());
        return null;
      }
      this.#text = rendered.value;
      return refine && this.#text.trim() !== ''
        ? this.#chat(
            planRunKeys.refine,
            refinePrompt(plan.name, this.#text, bundle.self.guidelines, bundle.self.checklist),
          )
        : null;
    }
    const refined = answerIn(outcome);
    if (refined === '')
      this.#error ??= {
        code: outcome.ok ? 'EMPTY_ANSWER' : outcome.code,
        message: `the result could not be refined: ${outcome.ok ? 'the answer was empty' : outcome.message}`,
      };
    else this.#text = refined;
    return null;
  }

  #evaluation(): EvaluationParts {
    const { budget, startedAtMs, startedOffsetMinutes } = this.#parts;
    const variables = scopeOf(this.#parts, null, null);
    return { owner: '$', budget, startedAtMs, startedOffsetMinutes, variables };
  }

  #artifact(path: CompiledText | null, index: number, outcome: EffectOutcome | null): EffectRequest | null {
    const { name, required } = (this.#compiled.plan.outputContract?.artifacts ?? [])[index] as {
      readonly name: string;
      readonly required: boolean;
    };
    const found = { name, required, path: null, exists: null, bytes: null, reason: null };
    if (path === null) {
      this.#artifacts.push(found);
      return null;
    }
    const rendered = renderText(path, this.#evaluation());
    if (!rendered.ok) {
      this.#artifacts.push({
        ...found,
        exists: false,
        reason: `has a path that cannot be rendered: ${rendered.fault.message}`,
      });
      return null;
    }
    if (outcome === null)
      return {
        key: planRunKeys.artifact(index),
        kind: 'artifact',
        request: { path: rendered.value },
        repeatable: true,
      };
    const {
      exists = false,
      bytes = null,
      reason = null,
    } = outcome.ok && isJsonObject(outcome.value)
      ? outcome.value
      : { reason: `could not be looked at: ${outcome.ok ? '' : outcome.message}` };
    this.#artifacts.push({
      ...found,
      path: rendered.value,
      exists: exists === true,
      bytes: typeof bytes === 'number' ? bytes : null,
      reason: typeof reason === 'string' ? reason : null,
    });
    return null;
  }

  #contract(): null {
    const { outputContract, finalText } = this.#compiled.plan;
    // Without the step that delivers there is no result that the contract could be about.
    const isSkipped = finalText.mode === 'step' && this.#record(finalText.step).status === 'skipped';
    if (outputContract === null || isSkipped) return null;
    const faults = contractFaults(outputContract, this.#text, this.#artifacts);
    if (faults.length > 0)
      this.#error ??= {
        code: 'OUTPUT_CONTRACT',
        message: `the output contract is not kept: ${faults.join('; ')}`,
      };
    if (outputContract.appendToFinalText) this.#text += contractText(outputContract, this.#artifacts);
    return null;
  }

  /** Steps without effects, in the order of the document. */
  #traces(): readonly JsonObject[] {
    return this.#compiled.steps.flatMap(({ step: { id } }): readonly JsonObject[] => {
      const { status, reason, error, substitutedBy } = this.#record(id);
      if (status === 'skipped' || status === 'blocked')
        return [{ kind: `step.${status}`, data: { step: id, reason } }];
      if (status !== 'failed' || error === null) return [];
      const data = { step: id, code: error.code, message: cutText(error.message, 1_000).text };
      return [
        substitutedBy === null
          ? { kind: 'step.failed', data }
          : { kind: 'step.substituted', data: { ...data, by: substitutedBy } },
      ];
    });
  }

  /** A substitute of what was blocked would not have run anyway. */
  #isBlocked({ id, status }: StepView): boolean {
    return status === 'blocked' && this.#compiled.byId.get(id)?.step.substituteOf === null;
  }

  #named(word: string, views: readonly StepView[]): readonly string[] {
    if (views.length === 0) return [];
    return [
      `${word}: ${views.length > maxNames ? `${views.length} of ${this.#compiled.steps.length} steps` : views.map(({ id }) => id).join(', ')}`,
    ];
  }

  #result(): PlanResult {
    const {
      plan,
      bundle: { self },
    } = this.#compiled;
    const views = viewSteps(this.#compiled, this.#parts.records, noSteps);
    const [first] = this.#failures;
    if (first !== undefined && !this.#hasDeliverable()) {
      const rest = [
        ...this.#named(
          'done',
          views.filter(({ status }) => status === 'ok'),
        ),
        ...this.#named(
          'blocked',
          views.filter((view) => this.#isBlocked(view)),
        ),
      ];
      return {
        kind: 'failed',
        code: first.code,
        message: [...this.#failures.map(({ message }) => message), ...rest].join('; '),
        detail: null,
      };
    }
    const value: { [key: string]: Json } = Object.assign(emptyObject(), {
      status: this.#error === null ? 'ok' : 'partial',
      answer: this.#text,
    });
    if (this.#output !== null) value['output'] = this.#output;
    if (this.#error !== null) value['error'] = { ...this.#error };
    if (this.#artifacts.length > 0) value['artifacts'] = this.#artifacts.map((one) => ({ ...one }));
    if (plan.form !== 'composition' && self.nodeType !== null) value['node_type'] = self.nodeType;
    if (plan.form !== 'composition' && self.suggestedEdges.length > 0)
      value['suggested_edges'] = self.suggestedEdges.map((edge) => ({ ...edge }));
    value['steps'] = shownSteps(views);
    return { kind: 'done', value, error: this.#error };
  }
}

function isBlank(output: Json): boolean {
  if (typeof output === 'string' || (isJsonObject(output) && typeof output['answer'] === 'string'))
    return stepAnswerText(output).trim() === '';
  return output === null || (Array.isArray(output) && output.length === 0);
}

function answerIn(outcome: EffectOutcome): string {
  if (!outcome.ok || !isJsonObject(outcome.value)) return '';
  const { answer } = outcome.value;
  return typeof answer === 'string' && answer.trim() !== '' ? answer : '';
}
