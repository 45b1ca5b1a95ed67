// A checked plan and what was found about it -> nodes and edges, for a drawing.
//
// A node carries the marks of its step: taint findings by where they lie, and what of it makes the risk of the plan.
import type { Diagnostic } from '../base/diagnostic.ts';
import { printableLine } from '../base/printable.ts';
import type { Plan, PlanStep } from '../plan/plan.ts';

export interface PlanNode {
  readonly id: string;
  readonly kind: PlanStep['kind'];
  readonly label: string;
  readonly skill: string | null;
  readonly tool: string | null;
  readonly when: string | null;
  readonly onFailure: string | null;
  readonly substituteOf: string | null;
  readonly isLoop: boolean;
  readonly isFinal: boolean;
  readonly sideEffect: string | null;
  readonly idempotent: boolean;
  /** Offsets in SKILL.md. */
  readonly start: number;
  readonly end: number;
  /** Findings inside of it, taint before others. */
  readonly marks: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
  /** Lines of the risk of the plan that name it. */
  readonly risk: readonly string[];
}

export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  /** `implied`: not declared, found in what the step reads. `substitute`: taken when the first one fails. */
  readonly kind: 'declared' | 'implied' | 'substitute';
}

export interface PlanGraph {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
}

/** `diagnostics`: those of SKILL.md. */
export function planGraph(plan: Plan, diagnostics: readonly Diagnostic[]): PlanGraph {
  const final = plan.finalText.mode === 'step' ? plan.finalText.step : null;
  return {
    nodes: plan.steps.map((step) => ({
      id: step.id,
      kind: step.kind,
      label: step.label,
      skill: step.skill,
      tool: step.tool,
      when: step.when?.text ?? null,
      onFailure: step.onFailure,
      substituteOf: step.substituteOf,
      isLoop: step.forEach !== null,
      isFinal: step.id === final,
      sideEffect: step.sideEffect,
      idempotent: step.idempotent,
      start: step.span.start,
      end: step.span.end,
      marks: marksOf(step, diagnostics),
      risk: plan.risk.reasons.filter((reason) => reason.startsWith(`step "${printableLine(step.id)}"`)),
    })),
    edges: plan.steps.flatMap((step) => [
      ...step.dependsOn.map((from): PlanEdge => ({
        from,
        to: step.id,
        kind: step.implied.includes(from) ? 'implied' : 'declared',
      })),
      ...(step.onFailure === null
        ? []
        : [{ from: step.id, to: step.onFailure, kind: 'substitute' as const }]),
    ]),
  };
}

function marksOf({ span: { start, end } }: PlanStep, diagnostics: readonly Diagnostic[]): PlanNode['marks'] {
  const inside = diagnostics.filter(({ span }) => span !== null && span.start >= start && span.end <= end);
  const isTaint = ({ code }: Diagnostic): number => (code.includes('TAINT') ? 0 : 1);
  return inside
    .toSorted((a, b) => isTaint(a) - isTaint(b))
    .map(({ code, severity, message }) => ({ code, severity, message }));
}
