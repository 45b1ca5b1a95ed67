// One step of a plan while it runs: when, route, items, attempts.
//
//   begin, deliver … -> effects to ask for, then a record
//
// What it asks for follows from earlier steps and from the outcomes of its own effects, in whatever order these
// arrive. Every item of for_each is tried, even after another has failed, so that a resume tries the same ones. A
// failure that would repeat (a failing template, a used-up budget, a tool that is not allowed) is not retried, and
// neither is an effect that may have been performed already.
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { CompiledBundle, CompiledStep } from './compile-bundle.ts';
import type { EffectOutcome, EffectRequest } from '../effect/effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import type { PlanBudget } from './template-budget.ts';
import { attemptKey, itemKey, itemOfKey, waitKey } from './keys.ts';
import { outputOf } from './outputs.ts';
import { stepAnswerText, shownText } from './prompts.ts';
import type { StepEffect } from './requests.ts';
import { stepEffect } from './requests.ts';
import type { LoopItem, StepRecord } from './scope.ts';
import { previousOutput, scopeOf } from './scope.ts';
import type { Evaluated, EvaluationParts, StepFault, Reads } from './templates.ts';
import { evaluateExpression, evaluateObject, evaluateTest, evaluateValue } from './templates.ts';

export interface StepParts {
  readonly compiled: CompiledBundle;
  readonly inputs: JsonObject;
  readonly records: ReadonlyMap<string, StepRecord>;
  readonly limits: RunLimits;
  readonly budget: PlanBudget;
  readonly startedAtMs: number;
  readonly startedOffsetMinutes: number;
}

/** The effects it asks for next, or its record. */
export interface StepTurn {
  readonly effects: readonly EffectRequest[];
  readonly record: StepRecord | null;
}

/** One item, or the step itself. */
interface Unit {
  readonly base: string;
  readonly loop: LoopItem | null;
  effect: StepEffect | null;
  attempt: number;
  /** The key of the effect that it waits for. */
  awaited: string | null;
  /** Undefined while it is under way. */
  output: Json | undefined;
  fault: StepFault | null;
}

const maxItems = 1_000;
const maxBackoffMs = 3_600_000;

/** Failures that are not retried. */
const final = new Set([
  'TOOL_UNCERTAIN',
  'ASK_BUDGET',
  'COMMAND_BUDGET',
  'RUN_BUDGET',
  'TOKEN_BUDGET',
  'COST_BUDGET',
  'CAPABILITY_DENIED',
  'UNFENCED',
  'QUESTION_EXPIRED',
  'COMMAND_DENIED',
  'TOOL_DENIED',
  'TOOL_UNKNOWN',
  'EXEC_DENIED',
  'DECIDED_FAILED',
  'CANCELLED',
  'RUN_DEPTH',
  'EFFECT_UNSUPPORTED',
  'METASKILLS_OFF',
  'PREFLIGHT',
]);

export const emptyRecord: StepRecord = {
  status: 'ok',
  output: '',
  error: null,
  reason: null,
  collected: null,
  notes: '',
  substitutedBy: null,
  attempts: 0,
};

export class StepRun {
  readonly #parts: StepParts;
  readonly #step: CompiledStep;
  #units: Unit[] = [];
  #next = 0;
  #left = 0;
  #underWay = 0;
  #attempts = 0;
  #form: { readonly values: JsonObject; readonly notes: string } | null = null;

  constructor(parts: StepParts, step: CompiledStep) {
    this.#parts = parts;
    this.#step = step;
  }

  /** Tries made so far. */
  get attempts(): number {
    return this.#attempts;
  }

  begin(): StepTurn {
    const { when, skipIf, step } = this.#step;
    if (when !== null) {
      const holds = evaluateTest(when, this.#evaluation(null));
      if (!holds.ok) return this.#failed(holds.fault);
      if (!holds.value) return this.#skipped(`when is not true: ${(step.when?.text ?? '').slice(0, 200)}`);
    }
    // A form whose condition fails is asked: once too often is better than left out.
    if (skipIf !== null) {
      const skips = evaluateTest(skipIf, this.#evaluation(null));
      if (skips.ok && skips.value)
        return this.#skipped(`skip_if is true: ${(step.clarify?.skipIf?.text ?? '').slice(0, 200)}`);
    }
    const items = this.#items();
    if (!items.ok) return this.#failed(items.fault);
    const { forEach } = step;
    const { key } = this.#step;
    if (items.value === null) this.#units = [unit(key, null)];
    else
      this.#units = items.value.map((item, index) =>
        unit(itemKey(key, index), {
          name: forEach?.as ?? 'item',
          item,
          index,
          length: (items.value as readonly Json[]).length,
        }),
      );
    this.#left = this.#units.length;
    return this.#goOn();
  }

  deliver(key: string, outcome: EffectOutcome): StepTurn {
    const one = this.#units[itemOfKey(key)];
    if (one?.awaited !== key) throw new Error(`step ${this.#step.step.id} does not wait for ${key}`);
    one.awaited = null;
    if (key.endsWith('~wait')) {
      if (outcome.ok) return this.#turn([this.#try(one)]);
      return this.#endUnit(one, undefined, one.fault);
    }
    const { kind, request } = one.effect as StepEffect;
    const read: Evaluated<Json> = outcome.ok
      ? outputOf(this.#parts.compiled.plan.form, this.#step.step, kind, request, outcome.value)
      : { ok: false, fault: { code: outcome.code, message: outcome.message } };
    if (read.ok) {
      if (kind === 'input' && outcome.ok) this.#form = formOf(outcome.value);
      return this.#endUnit(one, read.value, null);
    }
    return this.#again(one, read.fault);
  }

  #items(): Evaluated<readonly Json[] | null> {
    const { step, items, list } = this.#step;
    if (step.forEach === null) return { ok: true, value: null };
    const evaluated =
      items === null
        ? list === null
          ? { ok: true as const, value: [] }
          : evaluateValue(list, this.#evaluation(null))
        : evaluateExpression(items, this.#evaluation(null));
    if (!evaluated.ok) return evaluated;
    const { value } = evaluated;
    if (!Array.isArray(value))
      return {
        ok: false,
        fault: {
          code: 'STEP_INVALID',
          message: `for_each must give a list, not ${value === null ? 'nothing' : typeof value === 'object' ? 'a mapping' : `a ${typeof value}`}`,
        },
      };
    if (value.length > maxItems)
      return {
        ok: false,
        fault: { code: 'STEP_INVALID', message: `for_each gives ${value.length} items, over ${maxItems}` },
      };
    return { ok: true, value: value as readonly Json[] };
  }

  /** Starts as many items as may run in parallel. */
  #goOn(): StepTurn {
    const concurrency = this.#step.step.forEach?.concurrency ?? 1;
    const effects: EffectRequest[] = [];
    while (this.#next < this.#units.length && this.#underWay < concurrency) {
      const one = this.#units[this.#next] as Unit;
      this.#next += 1;
      const effect = this.#effectOf(one);
      if (effect.ok) {
        one.effect = effect.value;
        this.#underWay += 1;
        effects.push(this.#try(one));
      } else {
        one.fault = effect.fault;
        this.#left -= 1;
      }
    }
    return this.#turn(effects);
  }

  #effectOf(one: Unit): Evaluated<StepEffect> {
    const { compiled, inputs, records, limits } = this.#parts;
    const { step, routes, values } = this.#step;
    const evaluation = this.#evaluation(one.loop);
    let skill = step.skill;
    for (const { when, to } of routes) {
      const holds = evaluateTest(when, evaluation);
      if (!holds.ok) return holds;
      if (!holds.value) continue;
      skill = to;
      break;
    }
    const rendered = evaluateObject(values, evaluation);
    if (!rendered.ok) return rendered;
    const upstream =
      step.kind === 'input'
        ? this.#step.visible.map((id) => ({ step: id, text: shownText(records.get(id)?.output ?? '') }))
        : [];
    return stepEffect({
      compiled,
      step: this.#step,
      values: rendered.value,
      skill,
      evaluation,
      limits,
      inputs,
      upstream,
      previous: compiled.plan.form === 'chain' ? previousOutput(this.#step.visible, records) : undefined,
    });
  }

  #evaluation(loop: LoopItem | null): EvaluationParts {
    const { budget, startedAtMs, startedOffsetMinutes, records } = this.#parts;
    return {
      owner: this.#step.key,
      budget,
      startedAtMs,
      startedOffsetMinutes,
      variables: scopeOf(this.#parts, this.#step, loop),
      noteOn: (reads) => emptyOutputsNote(records, this.#step.visible, reads),
    };
  }

  #try(one: Unit): EffectRequest {
    one.attempt += 1;
    // Of a step with items: of the one that was tried most often.
    if (one.attempt > this.#attempts) this.#attempts = one.attempt;
    const key = attemptKey(one.base, one.attempt);
    one.awaited = key;
    const { kind, request, repeatable, timeoutMs = null } = one.effect as StepEffect;
    // Spelt out, here and below: a spread takes more than a microsecond.
    return { key, kind, request, repeatable, timeoutMs };
  }

  #again(one: Unit, fault: StepFault): StepTurn {
    const { maxAttempts, backoffMs } = this.#step.step.retry;
    if (one.attempt >= maxAttempts || final.has(fault.code)) return this.#endUnit(one, undefined, fault);
    one.fault = fault;
    if (backoffMs === 0) return this.#turn([this.#try(one)]);
    const key = waitKey(one.base, one.attempt + 1);
    one.awaited = key;
    return this.#turn([
      {
        key,
        kind: 'sleep',
        request: { ms: Math.min(maxBackoffMs, backoffMs * 2 ** (one.attempt - 1)) },
        repeatable: true,
      },
    ]);
  }

  #endUnit(one: Unit, output: Json | undefined, fault: StepFault | null): StepTurn {
    one.output = output;
    one.fault = fault;
    this.#left -= 1;
    this.#underWay -= 1;
    return this.#goOn();
  }

  #turn(effects: readonly EffectRequest[]): StepTurn {
    if (this.#left > 0) return { effects, record: null };
    const index = this.#units.findIndex((one) => one.fault !== null);
    if (index < 0)
      return {
        effects,
        record: {
          status: 'ok',
          output: this.#merged(),
          error: null,
          reason: null,
          collected: this.#form?.values ?? null,
          notes: this.#form?.notes ?? '',
          substitutedBy: null,
          attempts: this.#attempts,
        },
      };
    const fault = this.#units[index]?.fault as StepFault;
    if (this.#step.step.forEach === null) return this.#failed(fault);
    const message = `${this.#units.filter((one) => one.fault !== null).length} of ${this.#units.length} items failed; item ${index + 1}: ${fault.message}`;
    return {
      effects,
      record: {
        ...emptyRecord,
        status: 'failed',
        output: this.#merged(),
        error: { code: fault.code, message },
        attempts: this.#attempts,
      },
    };
  }

  #merged(): Json {
    const { forEach } = this.#step.step;
    if (forEach === null) return this.#units[0]?.output ?? '';
    const outputs = this.#units.map(({ output }) => output ?? null);
    const given = outputs.filter((one) => one !== null && one !== '');
    switch (forEach.merge) {
      case 'list':
        return outputs;
      case 'concat':
        return given.map(stepAnswerText).join('\n\n');
      case 'first':
        return given[0] ?? '';
      case 'last':
        return given.at(-1) ?? '';
    }
  }

  #failed({ code, message }: StepFault): StepTurn {
    return {
      effects: [],
      record: { ...emptyRecord, status: 'failed', error: { code, message }, attempts: this.#attempts },
    };
  }

  #skipped(reason: string): StepTurn {
    return { effects: [], record: skippedRecord(this.#step, reason) };
  }
}

function unit(base: string, loop: LoopItem | null): Unit {
  return { base, loop, effect: null, attempt: 0, awaited: null, output: undefined, fault: null };
}

/** A form that is not shown has its defaults, and nothing else. */
export function skippedRecord({ step }: CompiledStep, reason: string): StepRecord {
  if (step.clarify === null) return { ...emptyRecord, status: 'skipped', reason };
  const collected = emptyObject();
  for (const field of step.clarify.fields) if (field.hasDefault) collected[field.name] = field.default;
  return { ...emptyRecord, status: 'skipped', reason, collected };
}

function formOf(value: Json): { readonly values: JsonObject; readonly notes: string } {
  const { values = null, notes = '' } = isJsonObject(value) ? value : {};
  return {
    values: isJsonObject(values) ? values : emptyObject(),
    notes: typeof notes === 'string' ? notes : '',
  };
}

/** Why a template may have found nothing: `; step "third" was skipped, so its output is empty text`, or nothing. */
function emptyOutputsNote(
  records: ReadonlyMap<string, StepRecord>,
  visible: readonly string[],
  reads: Reads,
): string {
  return visible
    .filter((id) => reads?.has(id) === true)
    .flatMap((id) => {
      const { status, substitutedBy } = records.get(id) ?? { status: 'ok', substitutedBy: null };
      return status === 'ok' || substitutedBy !== null
        ? []
        : [`; step "${id}" ${status === 'skipped' ? 'was skipped' : 'failed'}, so its output is empty text`];
    })
    .join('');
}
