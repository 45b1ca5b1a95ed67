// The authoring rules of compositions that `techne check --strict` enforces, besides safe templates and true risk.
//
// A tool call declares which tools it may call, the skill declares its risk, every skill that it names is there, and a
// model may start it: a composition that no model may start is a mistake.
import type { Report } from '../base/diagnostic.ts';
import { printableLine } from '../base/printable.ts';
import type { SkillHead } from '../skill/types.ts';
import type { YamlMap, YamlNode } from '../skill/yaml/node.ts';
import { entryOf } from '../skill/yaml/node.ts';

export function checkComposition(
  { risk, invocation }: Pick<SkillHead, 'risk' | 'invocation'>,
  map: YamlMap,
  report: Report,
): void {
  for (const step of stepsIn(map)) {
    const kind = entryOf(step, 'kind')?.value;
    if (
      kind?.kind !== 'scalar' ||
      kind.value !== 'tool_call' ||
      entryOf(step, 'tool_allowlist') !== undefined
    )
      continue;
    const tool = entryOf(step, 'tool')?.value;
    const name = tool?.kind === 'scalar' ? printableLine(tool.raw).slice(0, 60) : '…';
    report(
      'STRICT_PLAN',
      tool?.span ?? kind.span,
      `a tool_call has no tool_allowlist`,
      `add tool_allowlist: [${name}]`,
    );
  }
  if (risk === null)
    report(
      'STRICT_RISK',
      entryOf(map, 'metadata')?.keySpan ?? null,
      'the composition declares no risk',
      'write metadata: {techne.risk: low}, medium or high',
    );
  if (!invocation.model)
    report(
      'STRICT_PLAN',
      entryOf(map, 'disable-model-invocation')?.keySpan ?? null,
      `a composition is started by a model, which this one keeps away: ${invocation.because.join(', ')}`,
      'remove the field',
    );
}

function stepsIn(map: YamlMap): readonly YamlMap[] {
  const composition = entryOf(map, 'composition')?.value;
  const steps: YamlNode | undefined =
    composition?.kind === 'map' ? entryOf(composition, 'steps')?.value : undefined;
  return steps?.kind === 'seq' ? steps.items.filter((step) => step.kind === 'map') : [];
}
