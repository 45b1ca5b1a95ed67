import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../node/yaml.ts';
import type { Edge } from './graph.ts';
import { NoteGraph } from './graph.ts';
import { danglingOf, orphansOf, queryNotes, statsOf } from './query-graph.ts';
import { readNote } from './read-note.ts';
import { neighboursOf, pathBetween, typeOf } from './walk-graph.ts';

const options = { parseFull: nodeParseFull, edges: new Set<string>() };

function graphOf(notes: { readonly [path: string]: string }, files: readonly string[] = []): NoteGraph {
  const graph = new NoteGraph();
  for (const file of files) graph.putFile(file);
  for (const [path, text] of Object.entries(notes)) graph.put(path, readNote(path, text, options));
  return graph;
}
const describeEdge = ({ to, type, problem, candidates }: Edge): string =>
  [type ?? '-', to ?? '?', ...(problem === null ? [] : [problem, ...candidates])].join(' ');
const edges = (graph: NoteGraph, path: string): readonly string[] =>
  graph.get(path)?.edges.map(describeEdge) ?? [];

describe('NoteGraph: where links lead', () => {
  it.each([
    ['a name, in any folder', { 'a.md': '[[b]]', 'x/y/b.md': '' }, ['- x/y/b.md']],
    ['a name in another case', { 'a.md': '[[B]]', 'b.md': '' }, ['- b.md']],
    ['a name in another normal form', { 'a.md': '[[Cafe\u0301]]', 'Café.md': '' }, ['- Café.md']],
    ['a path from the root before a name', { 'x/a.md': '[[b]]', 'b.md': '', 'x/b.md': '' }, ['- b.md']],
    ['a path', { 'a.md': '[[x/b]]', 'x/b.md': '', 'b.md': '' }, ['- x/b.md']],
    ['the end of a path', { 'a.md': '[[x/b]]', 'y/x/b.md': '', 'z/b.md': '' }, ['- y/x/b.md']],
    ['a relative path', { 'x/a.md': '[[../b]] [[./c]]', 'b.md': '', 'x/c.md': '' }, ['- b.md', '- x/c.md']],
    [
      'Markdown from the folder of the note',
      { 'x/a.md': '[b](b.md)', 'x/b.md': '', 'b.md': '' },
      ['- x/b.md'],
    ],
    ['Markdown from the root otherwise', { 'x/a.md': '[b](y/b.md)', 'y/b.md': '' }, ['- y/b.md']],
    ['the note itself', { 'a.md': '# H\n[[#H]] [[#No]]' }, ['- a.md', '- a.md heading']],
    ['a heading', { 'a.md': '[[b#One: two]] [[b#No]]', 'b.md': '# One two' }, ['- b.md', '- b.md heading']],
    [
      'headings below each other',
      { 'a.md': '[[b#A#C]] [[b#B#C]]', 'b.md': '# A\n## C\n# B\n' },
      ['- b.md', '- b.md heading'],
    ],
    ['a block', { 'a.md': '[[b#^x]] [[b#^y]]', 'b.md': 'text ^x' }, ['- b.md', '- b.md block']],
    [
      'two notes of one name',
      { 'a.md': '[[b]]', 'x/b.md': '', 'y/b.md': '' },
      ['- ? ambiguous x/b.md y/b.md'],
    ],
    ['two cases of one path', { 'a.md': '[[b]]', 'B.md': '', 'b.md': '' }, ['- b.md']],
    [
      'two other cases of one path',
      { 'a.md': '[[bB]]', 'BB.md': '', 'bb.md': '' },
      ['- ? ambiguous BB.md bb.md'],
    ],
    [
      'an alias',
      { 'a.md': '[[Ent]]', 'Entropy.md': '---\naliases: [Ent]\n---\n' },
      ['- ? missing Entropy.md'],
    ],
    ['out of the vault', { 'a.md': '[[../b]] [x](../../etc/passwd)' }, ['- ? outside', '- ? outside']],
    ['nowhere', { 'a.md': 'up:: [[b]]' }, ['up ? missing']],
    [
      'a day with a note',
      { 'a.md': '---\ndate: 2026-01-02\n---\n', 'daily/2026-01-02.md': '' },
      ['date daily/2026-01-02.md'],
    ],
    ['a day without one', { 'a.md': '---\ndate: 2026-01-02\n---\n' }, []],
    ['a name with dots', { 'a.md': '[[v1.2]]', 'v1.2.md': '' }, ['- v1.2.md']],
  ])('%s', (_, notes, expected) => {
    const path = Object.keys(notes).find((one) => one.endsWith('a.md')) as string;
    expect(edges(graphOf(notes), path)).toEqual(expected);
  });

  it('knows files that are no notes, which need their ending', () => {
    expect(edges(graphOf({ 'a.md': '![[cat.png]] [[cat]]' }, ['img/cat.png']), 'a.md')).toEqual([
      '- ? missing',
    ]);
  });

  it('finds a note by path, name or alias, and gives all that fit', () => {
    const graph = graphOf({ 'x/b.md': '---\naliases: [Bee]\n---\n', 'y/b.md': '', 'c.md': '' });
    const found = (written: string): readonly string[] => graph.find(written).map(({ path }) => path);
    expect([found('c'), found('C.md'), found('b'), found('x/b'), found('bee'), found('no')]).toEqual([
      ['c.md'],
      ['c.md'],
      ['x/b.md', 'y/b.md'],
      ['x/b.md'],
      ['x/b.md'],
      [],
    ]);
  });
});

describe('NoteGraph: changes', () => {
  it('follows a note that comes, goes, is renamed or becomes ambiguous', () => {
    const graph = graphOf({ 'a.md': '[[b]]' });
    const seen = [edges(graph, 'a.md')];
    const put = (path: string, text: string): void => {
      graph.put(path, readNote(path, text, options));
      seen.push(edges(graph, 'a.md'));
    };
    put('x/b.md', '');
    put('y/b.md', '');
    graph.remove('x/b.md');
    seen.push(edges(graph, 'a.md'));
    graph.remove('y/b.md');
    put('z/b.md', '');
    expect(seen).toEqual([
      ['- ? missing'],
      ['- x/b.md'],
      ['- ? ambiguous x/b.md y/b.md'],
      ['- y/b.md'],
      ['- z/b.md'],
    ]);
    expect(graph.edgesTo('z/b.md').map(({ from }) => from)).toEqual(['a.md']);
    expect(graph.edgesTo('y/b.md')).toEqual([]);
  });

  it('follows headings, blocks and aliases', () => {
    const graph = graphOf({ 'a.md': '[[b#H]] [[B2]]', 'b.md': '' });
    graph.put('b.md', readNote('b.md', '---\naliases: [B2]\n---\n# H', options));
    expect(edges(graph, 'a.md')).toEqual(['- b.md', '- ? missing b.md']);
  });

  it('is what a rebuild gives, after any changes', () => {
    const names = ['a.md', 'b.md', 'x/a.md', 'x/b.md', 'y/B.md', 'c.md'];
    const text = fc
      .array(
        fc.constantFrom(
          '[[a]]',
          '[[b]]',
          '[[x/b]]',
          '[[B]]',
          '[[c#H]]',
          '[[A2]]',
          '# H',
          'up:: [[b]]',
          '[x](b.md)',
          '[[../a]]',
        ),
        { maxLength: 5 },
      )
      .chain((parts) =>
        fc.constantFrom('', '---\naliases: [A2]\n---\n').map((head) => head + parts.join('\n')),
      );
    const change = fc.tuple(fc.constantFrom(...names), fc.option(text, { freq: 4 }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        const graph = new NoteGraph();
        const now = new Map<string, string>();
        for (const [path, content] of changes) {
          if (content === null) {
            graph.remove(path);
            now.delete(path);
          } else {
            graph.put(path, readNote(path, content, options));
            now.set(path, content);
          }
        }
        const rebuilt = graphOf(Object.fromEntries(now));
        const all = (one: NoteGraph) =>
          one.nodes().map(({ path }) => [path, edges(one, path), one.edgesTo(path).map(({ from }) => from)]);
        expect(all(graph)).toEqual(all(rebuilt));
      }),
      { numRuns: 300 },
    );
  });
});

describe('ways and questions', () => {
  const vault = {
    'Sets.md': '---\ntype: concept\ntags: [maths]\n---\nleads_to:: [[Maps]]',
    'Maps.md': '---\ntype: concept\nrank: 2\n---\nprerequisite:: [[Sets]]\n[[Gone]]',
    'Today.md': '---\ntype: daily\n---\nread [[Maps]] and [[Today]]',
    'Alone.md': 'nothing here [[Alone]]',
    'Far.md': '[[Far2]]',
    'Far2.md': '',
  };
  const graph = graphOf(vault);
  const textOf = (path: string): string => (vault as { readonly [path: string]: string })[path] ?? '';
  const paths = (query: Parameters<typeof queryNotes>[1]): readonly string[] =>
    queryNotes(graph, query, textOf).map(({ path }) => path);

  it('finds neighbours by depth, type and direction, each once', () => {
    const near = (start: string, more = {}) =>
      neighboursOf(graph, start, { depth: 1, types: null, direction: 'both', limit: 100, ...more }).map(
        ({ path, depth, direction, edge }) => `${depth} ${direction} ${typeOf(edge)} ${path}`,
      );
    expect(near('Sets.md')).toEqual(['1 out leads_to Maps.md']);
    expect(near('Sets.md', { depth: 3 })).toEqual(['1 out leads_to Maps.md', '2 in link Today.md']);
    expect(near('Sets.md', { direction: 'in' })).toEqual(['1 in prerequisite Maps.md']);
    expect(near('Sets.md', { depth: 2, types: new Set(['leads_to']) })).toEqual(['1 out leads_to Maps.md']);
    expect(near('Sets.md', { depth: 3, limit: 1 })).toHaveLength(1);
  });

  it('finds a shortest way, or none', () => {
    expect(pathBetween(graph, 'Today.md', 'Sets.md')?.map(({ path }) => path)).toEqual([
      'Maps.md',
      'Sets.md',
    ]);
    expect(pathBetween(graph, 'Sets.md', 'Sets.md')).toEqual([]);
    expect(pathBetween(graph, 'Sets.md', 'Alone.md')).toBeNull();
  });

  it('asks by type, tag, property, edge, link and words', () => {
    expect(paths({ type: 'Concept' })).toEqual(['Maps.md', 'Sets.md']);
    expect(paths({ tag: '#maths' })).toEqual(['Sets.md']);
    expect(paths({ properties: [{ name: 'Rank', value: '2' }] })).toEqual(['Maps.md']);
    expect(paths({ properties: [{ name: 'rank', value: null }] })).toEqual(['Maps.md']);
    expect(paths({ edge: 'link' })).toEqual(['Alone.md', 'Far.md', 'Maps.md', 'Today.md']);
    expect(paths({ edge: 'prerequisite', to: 'Sets.md' })).toEqual(['Maps.md']);
    expect(paths({ from: 'Today.md' })).toEqual(['Maps.md', 'Today.md']);
    expect(paths({ words: ['NOTHING', 'alone'] })).toEqual(['Alone.md']);
  });

  it('counts, and tells what hangs loose', () => {
    expect(orphansOf(graph).map(({ path }) => path)).toEqual(['Alone.md']);
    expect(danglingOf(graph).map(describeEdge)).toEqual(['- ? missing']);
    expect(statsOf(graph)).toEqual({
      notes: 6,
      edges: 6,
      dangling: 1,
      ambiguous: 0,
      orphans: 1,
      groups: 2,
      types: [
        ['', 3],
        ['concept', 2],
        ['daily', 1],
      ],
      edgeTypes: [
        ['link', 4],
        ['leads_to', 1],
        ['prerequisite', 1],
      ],
      tags: [['maths', 1]],
    });
  });
});
