// The frontmatter of an executable skill -> the drafts of its steps, and what else it declares for a run.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { isNull } from '../skill/fields/read-value.ts';
import type { YamlMap, YamlNode } from '../skill/yaml/node.ts';
import { entryOf } from '../skill/yaml/node.ts';
import type { Named, StepDraft } from './draft.ts';
import type { PlanForm } from './plan.ts';
import { readCompositionStep } from './read-composition-step.ts';
import { Fields } from './read-fields.ts';
import { readChainStep, readWorkflowStep } from './read-workflow-step.ts';

export function readSteps(form: PlanForm, map: YamlMap, report: Report): readonly StepDraft[] {
  if (form === 'composition') return readComposition(map, report);
  const key = form === 'workflow' ? 'steps' : 'chain';
  const items = itemsOf(key, entryOf(map, key)?.value ?? null, report);
  const drafts: StepDraft[] = [];
  const taken = new Set<string>();
  items.forEach((item, index) => {
    const previous = drafts[drafts.length - 1]?.step.id ?? null;
    const draft =
      form === 'workflow'
        ? readWorkflowStep(item, index, previous, report)
        : readChainStep(item, index, previous, taken, report);
    if (draft === null) return;
    drafts.push(draft);
    taken.add(draft.step.id);
  });
  return drafts;
}

function readComposition(map: YamlMap, report: Report): readonly StepDraft[] {
  const node = entryOf(map, 'composition')?.value;
  if (node?.kind !== 'map') {
    report(
      'PLAN_TYPE',
      node?.span ?? map.span,
      'composition must be a mapping with steps',
      'write composition: and steps: below it',
    );
    return [];
  }
  const steps = new Fields(
    'composition',
    node,
    { known: ['steps', 'parallel'], aliases: parallelAliases },
    report,
  ).list('steps');
  if (steps === null || steps.items.length === 0) {
    report(
      'PLAN_FIELD_MISSING',
      steps?.span ?? node.span,
      'composition.steps must be a list with at least one step',
      'write steps: followed by - id: …',
    );
    return [];
  }
  return steps.items.flatMap((item, index) => readCompositionStep(item, index, report) ?? []);
}

/** `steps:` and `chain:` are a list, or a mapping with the list under `steps`. */
function itemsOf(key: string, node: YamlNode | null, report: Report): readonly YamlNode[] {
  const list =
    node?.kind === 'map' ? new Fields(key, node, { known: ['steps'] }, report).list('steps') : node;
  if (list?.kind === 'seq' && list.items.length > 0) return list.items;
  report(
    'PLAN_FIELD_MISSING',
    list?.span ?? node?.span ?? null,
    `${key} must be a list with at least one step`,
  );
  return [];
}

/** As many as the parallel effects of a host (limits.ts), so that one group commit can hold them all. */
const maxParallel = 100;

const parallelAliases = { max_parallelism: 'parallel', maxParallelism: 'parallel' };

/** `composition.parallel`: how many steps may run in parallel. `readSteps` reported other keys. */
export function readParallel(map: YamlMap, report: Report): number | null {
  const node = entryOf(map, 'composition')?.value;
  if (node?.kind !== 'map') return null;
  return new Fields(
    'composition',
    node,
    { known: ['parallel'], same: parallelAliases, inert: node.entries.map(({ key }) => key) },
    (code, ...told) => {
      if (code === 'PLAN_TYPE' || code === 'PLAN_VALUE') report(code, ...told);
    },
  ).integer('parallel', 1, maxParallel);
}

/** `auto`, `raw` or a step at its place; another word is refused. */
export function readFinalText(
  map: YamlMap,
  steps: readonly string[],
  report: Report,
): 'auto' | 'raw' | Named {
  const entry = entryOf(map, 'final_text_mode') ?? entryOf(map, 'final-text-mode');
  if (entry === undefined || isNull(entry.value)) return 'auto';
  const { value } = entry;
  const word = value.kind === 'scalar' ? value.raw.trim() : '';
  if (word === 'auto' || word === 'raw') return word;
  if (word === 'structured') {
    report(
      'PLAN_ALIAS',
      value.span,
      'final_text_mode: structured is read as raw',
      'write final_text_mode: raw',
    );
    return 'raw';
  }
  const id = word.startsWith('step:') ? word.slice(5).trim() : null;
  if (id !== null && steps.includes(id)) return { name: id, span: value.span };
  if (id !== null) {
    const near = nearest(id, steps);
    report(
      'PLAN_STEP_UNKNOWN',
      value.span,
      `final_text_mode names the step "${id}", which does not exist`,
      near === null ? `the steps are ${steps.slice(0, 8).join(', ')}` : `did you mean "step:${near}"?`,
    );
  } else
    report(
      'PLAN_VALUE',
      value.span,
      'final_text_mode can be auto, raw or step:<id>',
      steps.includes(word) ? `write final_text_mode: "step:${word}"` : undefined,
    );
  return 'auto';
}
