// What is drawn of notes, without a browser: a type has one colour and shape, in the picture and in its legend.
import { describe, expect, it } from 'vitest';
import { nodesByType, typeNumbers } from '../../studio/src/pages/graph/note-types.ts';

describe('nodesByType', () => {
  it('gives notes of a type the number of the legend, also where types of the vault are not drawn', () => {
    const graph = {
      nodes: [{ type: 'person' }, { type: 'project' }, { type: 'person' }],
      types: ['decision', 'idea', 'meeting', 'person', 'project'],
    };
    const legend = typeNumbers(graph);
    expect([...legend]).toEqual([
      ['person', 3],
      ['project', 4],
    ]);
    expect([...nodesByType(graph)]).toEqual([
      [legend.get('person'), [0, 2]],
      [legend.get('project'), [1]],
    ]);
  });
});
