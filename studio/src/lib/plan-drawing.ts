// A checked plan -> the nodes and edges of its picture: kinds, what a step uses, taint and risk.
import type { OperationOutput } from '../../../src/api/operation.ts';
import type { Operations } from '../../../src/api/operations.ts';
import type { Tone } from './status.ts';

export type PlanGraph = NonNullable<OperationOutput<Operations['skillGraph']>['graph']>;
type PlanNode = PlanGraph['nodes'][number];

/** Paths in 12 × 12. */
const marks: { readonly [kind: string]: string } = {
  input: 'M2 9.5l1-3 4.5-4.5 2 2L5 8.5z',
  chat: 'M1.5 2.5h9v6h-5l-2.5 2v-2h-1.5z',
  agent: 'M6 1.5v2M2.5 3.5h7v5h-7zM4.5 6v.1M7.5 6v.1',
  classify: 'M1.5 6h3l2-3h4M4.5 6l2 3h4',
  tool: 'M7.5 2a2.5 2.5 0 0 0-2.3 3.4L2 8.6 3.4 10l3.2-3.2A2.5 2.5 0 0 0 10 4.5L8.4 5 7 3.6z',
  skill: 'M2.5 1.5h5l2 2v7h-7z',
};
const plainMark = 'M3 3h6v6H3z';

export const isTaint = ({ code }: PlanNode['marks'][number]): boolean => code.includes('TAINT');
export const noteOf = (node: PlanNode): string =>
  [node.kind, node.tool ?? node.skill ?? '', node.isLoop ? 'for each' : ''].filter(Boolean).join(' · ');
const toneOf = ({ marks: found, risk }: PlanNode): Tone =>
  found.some(({ severity }) => severity === 'error')
    ? 'bad'
    : found.length > 0 || risk.length > 0
      ? 'warn'
      : 'quiet';

export const nodesOfPlan = ({ nodes }: PlanGraph) =>
  nodes.map((node) => {
    const taint = node.marks.filter(isTaint).length;
    const others = node.marks.length - taint;
    return {
      id: node.id,
      label: node.label || node.id,
      note: noteOf(node),
      tone: toneOf(node),
      mark: marks[node.kind] ?? plainMark,
      badges: [
        ...(taint === 0 ? [] : [{ text: 'taint', tone: 'bad' as const }]),
        ...(node.risk.length === 0 ? [] : [{ text: 'risk', tone: 'warn' as const }]),
        ...(others === 0 ? [] : [{ text: `${others} found`, tone: 'warn' as const }]),
      ],
    };
  });

export const edgesOfPlan = ({ edges }: PlanGraph) =>
  edges.map(({ from, to, kind }) => ({
    from,
    to,
    kind:
      kind === 'substitute'
        ? ('warn' as const)
        : kind === 'implied'
          ? ('dashed' as const)
          : ('plain' as const),
  }));
