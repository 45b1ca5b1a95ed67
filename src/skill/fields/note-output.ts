// x_techne_note -> the note that a run of the skill makes.
//
//   { path: "{{ inputs.concept }}.md", properties: [source], update: [status], dangling: [leads_to], existing: merge }
//   properties: { date: "{{ inputs.date | date }}" }     by a template, where the input alone is not it
//
// Only the path is needed. Without a usable path there is no note, and the fault is reported.
import type { Report } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { NoteOutput, NoteProperty } from '../types.ts';
import type { YamlNode } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';
import { describeValue, isNull, readTextList, readTrimmed } from './read-value.ts';

const keys = ['path', 'properties', 'update', 'dangling', 'existing'];

export function readNoteOutput(node: YamlNode, report: Report): NoteOutput | null {
  if (isNull(node)) return null;
  if (node.kind !== 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `x_techne_note must be a mapping, not ${describeValue(node)}`,
      'write x_techne_note: {path: "{{ inputs.title }}.md"}',
    );
    return null;
  }
  for (const { key, keySpan } of node.entries)
    if (!keys.includes(key)) {
      const near = nearest(key, keys);
      report(
        'FIELD_VALUE',
        keySpan,
        `x_techne_note has no key "${printableLine(key).slice(0, 60)}"`,
        near === null ? `it has ${keys.join(', ')}` : `did you mean "${near}"?`,
      );
    }
  const list = (key: string): readonly string[] => {
    const entry = entryOf(node, key);
    return entry === undefined ? [] : (readTextList(`x_techne_note.${key}`, entry.value, report) ?? []);
  };
  const path = entryOf(node, 'path');
  const written = path === undefined ? null : readTrimmed('x_techne_note.path', path.value, report);
  const existing = entryOf(node, 'existing');
  const mode = existing === undefined ? null : readTrimmed('x_techne_note.existing', existing.value, report);
  if (existing !== undefined && mode !== null && mode !== 'merge' && mode !== 'refuse')
    report(
      'FIELD_VALUE',
      existing.value.span,
      `x_techne_note.existing is "${printableLine(mode).slice(0, 60)}", not merge or refuse`,
      'write existing: merge, or leave it out',
    );
  if (written === null || written === '') {
    report(
      'FIELD_VALUE',
      node.span,
      'x_techne_note has no path, so that no note is written',
      'write path: "{{ inputs.title }}.md"',
    );
    return null;
  }
  return {
    path: written,
    properties: readProperties(entryOf(node, 'properties')?.value ?? null, report),
    update: list('update'),
    dangling: list('dangling'),
    // An unknown word must not allow more than the author meant.
    existing: mode === null || mode === 'merge' ? 'merge' : 'refuse',
  };
}

function readProperties(node: YamlNode | null, report: Report): readonly NoteProperty[] {
  if (node === null) return [];
  if (node.kind !== 'map')
    return (readTextList('x_techne_note.properties', node, report) ?? []).map((key) => ({
      key,
      template: null,
    }));
  return node.entries.flatMap(({ key, value }) => {
    const template = readTrimmed(`x_techne_note.properties.${key}`, value, report);
    return template === null ? [] : [{ key, template }];
  });
}
