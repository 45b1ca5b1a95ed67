// x_techne_note of a skill that is executed -> what is wrong with it, and what the plan says about the note.
//
// Its templates see `inputs` and nothing else: the note is named when the result is there, by what the run was given. Without a
// node_type there is no note. Writing it needs the tool Write where the skill names its tools.
import type { Report } from '../base/diagnostic.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { Span } from '../base/span.ts';
import { scopeFault, scopesOf } from '../skill/tools/tool-scope.ts';
import type { SkillHead } from '../skill/types.ts';
import { compileTemplate } from '../template/template.ts';

/** The note that a run makes, as it is shown. */
export interface PlannedNote {
  readonly path: string;
  readonly type: string;
  readonly existing: 'merge' | 'refuse';
}

type NoteHead = Pick<
  SkillHead,
  'note' | 'nodeType' | 'suggestedEdges' | 'allowedTools' | 'disallowedTools' | 'tools'
>;

/** `inputs`: the names that templates can read; null: any. */
export function checkNote(
  head: NoteHead,
  inputs: readonly string[] | null,
  at: Span | null,
  report: Report,
): PlannedNote | null {
  const { note, nodeType, suggestedEdges } = head;
  if (note === null) return null;
  const wrong = (message: string, hint: string): void => report('NOTE_DECLARATION', at, message, hint);
  if (nodeType === null)
    wrong('x_techne_note without node_type: no note would be written', 'write node_type: concept');
  const texts = [
    { label: 'path', text: note.path },
    ...note.properties.map(({ key, template }) => ({
      label: `properties.${key}`,
      text: template ?? `{{ inputs[${JSON.stringify(key)}] | default('') }}`,
    })),
  ];
  for (const { label, text } of texts) {
    const compiled = compileTemplate(text, { path: label });
    if (!compiled.ok) {
      const [fault] = compiled.diagnostics;
      wrong(
        `x_techne_note.${label}: ${fault?.message ?? 'it is not a template'}`,
        fault?.hint ?? 'correct the template',
      );
      continue;
    }
    for (const { name, path } of compiled.template.references) {
      const [key] = path;
      if (name !== 'inputs')
        wrong(
          `x_techne_note.${label} reads "${printableLine(name).slice(0, 60)}", and only inputs can be read there`,
          'write {{ inputs.NAME }}',
        );
      else if (typeof key === 'string' && inputs !== null && !inputs.includes(key)) {
        const near = nearest(key, inputs);
        wrong(
          `x_techne_note.${label} reads inputs.${printableLine(key).slice(0, 60)}, which is not declared`,
          near === null ? 'declare it under inputs' : `did you mean inputs.${near}?`,
        );
      }
    }
  }
  const edges = suggestedEdges.map(({ type }) => type);
  for (const edge of note.dangling)
    if (!edges.includes(edge))
      wrong(
        `x_techne_note.dangling has "${printableLine(edge).slice(0, 60)}", which is not a suggested edge`,
        'add it to suggested_edges',
      );
  for (const key of note.update)
    if (!note.properties.some((one) => one.key === key))
      wrong(
        `x_techne_note.update has "${printableLine(key).slice(0, 60)}", which is not a property`,
        'add it to properties',
      );
  const outside = scopeFault(scopesOf(head), { tool: 'write_file' });
  if (outside !== null) wrong(`writing the note: ${outside}`, 'name Write in allowed-tools (or tools)');
  return nodeType === null ? null : { path: note.path, type: nodeType, existing: note.existing };
}
