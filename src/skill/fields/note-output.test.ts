import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../../node/yaml.ts';
import { parseHead } from '../parse-head.ts';
import type { NoteOutput } from '../types.ts';

function read(yaml: string): { readonly note: NoteOutput | null; readonly faults: readonly string[] } {
  const text = `---\nname: x\ndescription: X.\n${yaml}\n---\n`;
  const faults: string[] = [];
  const head = parseHead(
    text,
    { folderName: 'x', entries: [], complete: true, fileBytes: text.length, parseFull: nodeParseFull },
    (code, at, message) =>
      faults.push(`${code} ${at === null ? '' : text.slice(at.start, at.end)}: ${message}`),
  );
  if (head === 'more') throw new Error('the text is whole');
  return { note: head.note, faults };
}

describe('x_techne_note', () => {
  it('needs a path only', () => {
    expect(read('x_techne_note: {path: "{{ inputs.title }}.md"}')).toEqual({
      note: { path: '{{ inputs.title }}.md', properties: [], update: [], dangling: [], existing: 'merge' },
      faults: [],
    });
    expect(read('').note).toBeNull();
  });

  it('takes properties as inputs or as templates', () => {
    expect(read('x_techne_note: {path: a.md, properties: [source], existing: refuse}').note).toMatchObject({
      properties: [{ key: 'source', template: null }],
      existing: 'refuse',
    });
    expect(
      read('x_techne_note: {path: a.md, properties: {date: "{{ inputs.day }}"}, update: date}').note,
    ).toMatchObject({
      properties: [{ key: 'date', template: '{{ inputs.day }}' }],
      update: ['date'],
    });
  });

  it('reports what it does not know, and allows no more than was meant', () => {
    expect(read('x_techne_note: {path: a.md, exsting: refuse}').faults).toEqual([
      'FIELD_VALUE exsting: x_techne_note has no key "exsting"',
    ]);
    expect(read('x_techne_note: {path: a.md, existing: overwrite}')).toMatchObject({
      note: { existing: 'refuse' },
      faults: ['FIELD_VALUE overwrite: x_techne_note.existing is "overwrite", not merge or refuse'],
    });
    expect(read('x_techne_note: {properties: [a]}').note).toBeNull();
    expect(read('x_techne_note: {properties: [a]}').faults.join()).toContain('has no path');
    expect(read('x_techne_note: a.md').faults.join()).toContain('must be a mapping');
  });
});
