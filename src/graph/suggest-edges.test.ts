import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../node/yaml.ts';
import { checkGraph } from './check-graph.ts';
import type { GraphNode } from './graph.ts';
import { NoteGraph } from './graph.ts';
import { NoteKinds } from './note-kinds.ts';
import { readNote } from './read-note.ts';
import { renderGraph } from './render-graph.ts';
import { suggestEdges } from './suggest-edges.ts';

const kinds = new NoteKinds([
  {
    name: 'concept-note',
    nodeType: 'concept',
    suggestedEdges: [
      { type: 'prerequisite', target: 'concept' },
      { type: 'Leads to', target: null },
    ],
  },
  { name: 'plain', nodeType: null, suggestedEdges: [] },
]);

function vaultOf(notes: { readonly [path: string]: string }) {
  const graph = new NoteGraph();
  for (const [path, text] of Object.entries(notes))
    graph.put(path, readNote(path, text, { parseFull: nodeParseFull, edges: kinds.edges() }));
  return {
    graph,
    textOf: (path: string) => notes[path] ?? '',
    node: (path: string) => graph.get(path) as GraphNode,
  };
}
const typed = (type: string, text: string): string => `---\ntype: ${type}\n---\n${text}`;

describe('suggestEdges', () => {
  it('names the edges that a skill declares and the note lacks, with candidates and reasons', () => {
    const { graph, textOf, node } = vaultOf({
      'Entropy.md': typed('concept', 'Entropy counts states; see probability.\nleads_to:: [[Arrow of time]]'),
      'Probability.md': typed('concept', 'Chance of states.'),
      'Arrow of time.md': typed('concept', ''),
      'Bread.md': typed('recipe', 'Flour and water.'),
    });
    const [first, ...more] = suggestEdges(node('Entropy.md'), { graph, kinds, textOf, limit: 5 });
    expect([first?.edge, first?.because, more]).toEqual([
      'prerequisite',
      'the skill "concept-note" suggests it for notes of type concept',
      [],
    ]);
    expect(first?.candidates[0]).toMatchObject({ path: 'Probability.md' });
    expect(first?.candidates[0]?.reasons).toContain('its name "Probability" is in the text');
    expect(first?.candidates.map(({ path }) => path)).not.toContain('Entropy.md');
  });

  it('learns the usual edges of a type from other notes', () => {
    const notes = Object.fromEntries(
      ['A', 'B', 'C', 'D'].map((name) => [
        `${name}.md`,
        typed('meeting', `attended_by:: [[Ann]] about ${name}`),
      ]),
    );
    const { graph, textOf, node } = vaultOf({
      ...notes,
      'Ann.md': typed('person', ''),
      'New.md': typed('meeting', 'with Ann'),
    });
    const [found] = suggestEdges(node('New.md'), { graph, kinds, textOf, limit: 3 });
    expect([found?.edge, found?.because, found?.candidates[0]?.path]).toEqual([
      'attended_by',
      '4 of 4 other notes of type meeting have it',
      'Ann.md',
    ]);
  });

  it('tells of links without a type and of shared neighbours', () => {
    const { graph, textOf, node } = vaultOf({
      'A.md': typed('concept', '[[B]] and [[Hub]]'),
      'B.md': typed('concept', ''),
      'C.md': typed('concept', '[[Hub]]'),
      'Hub.md': '',
    });
    const candidates = suggestEdges(node('A.md'), { graph, kinds, textOf, limit: 5 })[0]?.candidates ?? [];
    expect(Object.fromEntries(candidates.map(({ path, reasons }) => [path, reasons[0]]))).toMatchObject({
      'B.md': 'is linked in line 4 without a type',
      'C.md': 'also linked with "Hub"',
    });
  });

  it('leaves out what is linked with a type, and words that everything shares', () => {
    const { graph, textOf, node } = vaultOf({
      'A.md': typed('concept', 'See the other note, please. based_on:: none\nbased_on:: [[Boltzmann 1877]]'),
      'Boltzmann 1877.md': typed('reading', 'Boltzmann in 1877'),
      'B.md': typed('concept', 'See the other note, please.'),
    });
    const candidates = suggestEdges(node('A.md'), { graph, kinds, textOf, limit: 5 }).flatMap(
      (one) => one.candidates,
    );
    expect(candidates.map(({ path }) => path)).not.toContain('Boltzmann 1877.md');
    expect(candidates.flatMap(({ reasons }) => reasons).join()).not.toMatch(/"See"|"please"/i);
  });

  it('suggests nothing for a note without a type', () => {
    const { graph, textOf, node } = vaultOf({ 'A.md': '[[B]]', 'B.md': '' });
    expect(suggestEdges(node('A.md'), { graph, kinds, textOf, limit: 5 })).toEqual([]);
  });
});

describe('checkGraph', () => {
  it('tells each fact once, with place and hint', () => {
    const { graph } = vaultOf({
      'A.md': typed(
        'concept',
        'prerequisite:: [[M]]\n[[Gone]] [[x]] [[B#No]] [[../up]] [[Bee]]\nodd:: [[B]]',
      ),
      'B.md': '---\ntype: strange\naliases: [Bee]\n---\n',
      'M.md': typed('meeting', ''),
      'p/x.md': '',
      'q/x.md': '',
    });
    expect(checkGraph(graph, kinds).map(({ code, path, line }) => `${path}:${line ?? ''} ${code}`)).toEqual([
      'A.md:4 NOTE_EDGE_TARGET',
      'A.md:5 NOTE_LINK_MISSING',
      'A.md:5 NOTE_LINK_AMBIGUOUS',
      'A.md:5 NOTE_LINK_PLACE',
      'A.md:5 NOTE_LINK_OUTSIDE',
      'A.md:5 NOTE_LINK_MISSING',
      'A.md:6 NOTE_EDGE_UNKNOWN',
      'B.md: NOTE_TYPE_UNKNOWN',
      'M.md: NOTE_TYPE_UNKNOWN',
    ]);
    expect(checkGraph(graph, kinds)[5]?.hint).toBe('it is an alias of "B": write [[B|Bee]]');
  });
});

describe('renderGraph', () => {
  const { graph } = vaultOf({
    'A"<b>.md': typed('con"cept', 'leads_to:: [[B]] [[B]] [[B]]'),
    'B.md': '</script> [[A"<b>]]',
    'Long name that goes on and on and on and on.md': '',
  });
  const part = { centre: 'B.md', nodes: graph.nodes(), edges: graph.nodes().flatMap(({ edges }) => edges) };

  it('quotes what notes say, and draws an edge once', () => {
    expect(renderGraph(part, 'mermaid')).toMatchInlineSnapshot(`
      "flowchart LR
        n0["A#34;#60;b#62; #40;con#34;cept#41;"]
        n1["B"]
        n2["Long name that goes on and on and on and…"]
        n0 -->|"leads_to"| n1
        n1 --> n0
        style n1 stroke-width:3px
      "
    `);
    expect(renderGraph(part, 'dot')).toMatchInlineSnapshot(`
      "digraph notes {
        node [shape=box, style=rounded];
        n0 [label="A\\"<b> (con\\"cept)"];
        n1 [label="B", penwidth=3];
        n2 [label="Long name that goes on and on and on and…"];
        n0 -> n1 [label="leads_to"];
        n1 -> n0;
      }
      "
    `);
  });

  it('shows control characters and marks of direction as escapes', () => {
    const { graph: other } = vaultOf({ 'B\u001b[31m.md': typed('x\u202ey', 'e\u0007:: [[C]]'), 'C.md': '' });
    const hostile = {
      centre: null,
      nodes: other.nodes(),
      edges: other.nodes().flatMap(({ edges }) => edges),
    };
    for (const format of ['mermaid', 'dot', 'svg'] as const)
      // eslint-disable-next-line no-control-regex
      expect(renderGraph(hostile, format)).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
      );
  });

  it('draws an SVG without foreign elements', () => {
    const svg = renderGraph(part, 'svg');
    expect(
      svg
        .match(/<(\w+)/g)
        ?.filter(
          (one) =>
            !['<svg', '<defs', '<marker', '<path', '<line', '<text', '<g', '<title', '<circle'].includes(one),
        ),
    ).toEqual([]);
    expect(svg.match(/<line /g)).toHaveLength(2);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });
});
