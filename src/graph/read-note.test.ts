import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../node/yaml.ts';
import type { NoteLink } from './note.ts';
import { readNote } from './read-note.ts';

const read = (text: string, edges: readonly string[] = []) =>
  readNote('/v/note.md', text, { parseFull: nodeParseFull, edges: new Set(edges) });
/** `edge>target#heading^block|shown`, with `!` for embeds. */
const links = (text: string, edges: readonly string[] = []): readonly string[] =>
  read(text, edges).links.map(shown);
const shown = ({ target, heading, block, shown: text, embed, edge }: NoteLink): string =>
  `${edge === null ? '' : `${edge}>`}${embed ? '!' : ''}${target}${heading === null ? '' : `#${heading}`}${block === null ? '' : `^${block}`}${text === null ? '' : `|${text}`}`;

describe('readNote: links', () => {
  it.each([
    ['a name', 'see [[Three laws]].', ['Three laws']],
    ['a name with its ending', '[[Three laws.md]]', ['Three laws.md']],
    ['a path', '[[Physics/Three laws]]', ['Physics/Three laws']],
    ['other words', '[[Three laws|them]]', ['Three laws|them']],
    ['a heading', '[[Three laws#First]]', ['Three laws#First']],
    ['headings below each other', '[[Laws#Newton#First]]', ['Laws#Newton#First']],
    ['a heading of this note', '[[#First]]', ['#First']],
    ['a block', '[[Laws#^a1-b]]', ['Laws^a1-b']],
    ['an embed', '![[Laws#First]]', ['!Laws#First']],
    ['an embed with a size', '![[cat.png|640x480]]', ['!cat.png|640x480']],
    ['a page of a PDF', '![[a.pdf#page=3]]', ['!a.pdf#page=3']],
    ['a bar that a table escapes', '| [[Laws\\|them]] |', ['Laws|them']],
    ['several in a line', '[[A]] and [[B]], [[C]]', ['A', 'B', 'C']],
    ['brackets around it', '([[A]]) [[[B]]]', ['A', 'B']],
    ['a Markdown link', '[them](Three%20laws.md)', ['Three laws.md|them']],
    ['one without ending', '[them](Laws)', ['Laws|them']],
    ['one in angle brackets', '[them](<Three laws.md> "title")', ['Three laws.md|them']],
    ['one to a heading', '[them](Laws.md#First%20law)', ['Laws.md#First law|them']],
    ['an image', '![a](cat.png)', ['!cat.png|a']],
    ['a name with a percent sign', '[a](100%.md)', ['100%.md|a']],
    ['Chinese', '[[熵]]和[[信息论|信息]]', ['熵', '信息论|信息']],
  ])('reads %s', (_, text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it.each([
    ['an address', '[a](https://example.org) [b](mailto:a@b) [c](//x)'],
    ['code', '`[[A]]` and ``[[B]] ` ``'],
    ['a code block', '```\n[[A]]\n```\n~~~js\n[[B]]\n~~~'],
    ['a code block in a list', '- x\n  ```\n  [[A]]\n  ```'],
    ['a code block that is never closed', '```\n[[A]]\n'],
    ['a comment', '%%[[A]]%% and %%\n[[B]]\n%%'],
    ['an HTML comment', '<!-- [[A]]\n[[B]] -->'],
    ['math', '$$\n[[1,2]]\n$$ and $[[1]]$'],
    ['an escaped bracket', '\\[[A]]'],
    ['nothing', '[[]] [[ ]] []() [a]()'],
    ['a link over two lines', '[[A\nB]]'],
  ])('finds no link in %s', (_, text) => {
    expect(links(text)).toEqual([]);
  });

  it('takes prices for text, and a single %% too', () => {
    expect(links('[[A]] costs $5 and [[B]] costs $6; 5 %% of [[C]]')).toEqual(['A', 'B', 'C']);
  });

  it('goes on behind code and comments', () => {
    expect(links('`x` [[A]] %%y%% [[B]] <!-- z --> [[C]]\n```\n[[D]]\n```\n[[E]]')).toEqual([
      'A',
      'B',
      'C',
      'E',
    ]);
  });

  it('tells where a link is', () => {
    const text = '---\nup: "[[Sets]]"\n---\r\nfirst\r\nsee ![[B|b]] now';
    const found = read(text).links.map(({ start, end, line }) => [text.slice(start, end), line]);
    expect(found).toEqual([
      ['[[Sets]]', 2],
      ['![[B|b]]', 5],
    ]);
  });
});

describe('readNote: edges', () => {
  it.each([
    ['a property', '---\nprerequisite: "[[Sets]]"\n---\n', ['prerequisite>Sets']],
    [
      'a list',
      '---\nprerequisite: ["[[Sets]]", "[[Maps|maps]]"]\n---\n',
      ['prerequisite>Sets', 'prerequisite>Maps|maps'],
    ],
    ['a list in lines', '---\nleads-to:\n  - "[[A]]"\n  - "[[B]]"\n---\n', ['leads_to>A', 'leads_to>B']],
    ['a link without quotes', '---\nup: [[Sets]]\n---\n', ['up>Sets']],
    ['a day', '---\ndate: 2026-11-18\n---\n', ['date>2026-11-18']],
    ['a line', 'prerequisite:: [[Sets]], [[Maps]]', ['prerequisite>Sets', 'prerequisite>Maps']],
    ['a list item', '- Leads to:: [[Sets]]', ['leads_to>Sets']],
    ['a bold key', '**similar to**:: [[Sets]]', ['similar_to>Sets']],
    ['brackets', 'It [part_of:: [[Maths]]] and [[Other]]', ['part_of>Maths', 'Other']],
    ['parentheses', 'It (part_of:: [[Maths]]) and [[Other]]', ['part_of>Maths', 'Other']],
    ['a Markdown link', 'based_on:: [it](Sets.md)', ['based_on>Sets.md|it']],
  ])('come from %s', (_, text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it('come from the first word of a list item where the edge is known', () => {
    expect(links('- depends_on [[A]], [[B|b]]', ['depends_on'])).toEqual(['depends_on>A', 'depends_on>B|b']);
    expect(links('- depends_on [[A]]')).toEqual(['A']);
    expect(links('- depends_on [[A]] but not today', ['depends_on'])).toEqual(['A']);
  });

  it('do not come from aliases, tags, the type, lists of lists or embeds', () => {
    expect(
      links('---\naliases: ["[[A]]"]\ntags: [x]\ntype: "[[T]]"\nm: [["a", "b"], ["c"]]\n---\nsee:: ![[B]]'),
    ).toEqual(['!B']);
  });
});

describe('readNote: the rest', () => {
  it('reads type, title, aliases, tags, headings, blocks, tasks and properties', () => {
    const note = read(
      '---\ntype: concept\naliases: [Ent, S]\ntags: [Physics, "#maths/sets"]\nrank: 3\n---\n# Entropy #\n\nText #todo/now and #12 ^abc\n\n## More\n- [ ] open\n  - [x] done 📅 2026-01-01\n1. [-] gone\n`#code`',
    );
    expect(note).toMatchObject({
      type: 'concept',
      title: 'Entropy',
      aliases: ['Ent', 'S'],
      tags: ['physics', 'maths/sets', 'todo/now'],
      blocks: ['abc'],
      properties: { rank: 3 },
    });
    expect(note.headings.map(({ level, text }) => [level, text])).toEqual([
      [1, 'Entropy'],
      [2, 'More'],
    ]);
    expect(note.tasks.map(({ state, text, line }) => [state, text, line])).toEqual([
      [' ', 'open', 12],
      ['x', 'done 📅 2026-01-01', 13],
      ['-', 'gone', 14],
    ]);
  });

  it('takes frontmatter only from the first line, and a fence that is never closed for text', () => {
    expect(read('\n---\ntype: x\n---\n').type).toBeNull();
    expect(read('---\ntype: x\n[[A]]').links.map(({ target }) => target)).toEqual(['A']);
    expect(read('\ufeff---\r\ntype: x\r\n---\r\n').type).toBe('x');
  });

  it('reports broken frontmatter and reads the body', () => {
    const note = read('---\na: "b\n---\n[[A]]');
    expect(note.diagnostics.length).toBeGreaterThan(0);
    expect(note.links.map(({ target }) => target)).toEqual(['A']);
  });

  it.each([
    ['links', '[['.repeat(50_000)],
    ['closed links', '[[a]]'.repeat(20_000)],
    ['brackets', '[a]('.repeat(25_000)],
    ['open brackets', '['.repeat(90_000) + '](a)'],
    ['backticks', '`a ``b '.repeat(15_000)],
    ['fields', '[a:: '.repeat(18_000)],
    ['fields with links', '[a:: [[x]] '.repeat(9000)],
    ['dollars', '$a'.repeat(50_000)],
    ['percent signs', '%%a\n\n'.repeat(20_000)],
    ['comments', '<!--'.repeat(25_000)],
    ['hashes', '#a '.repeat(33_000)],
    ['nested lists', `---\na: ${'['.repeat(5000)}\n---\n`],
  ])('survives a hundred thousand characters of %s', (_, text) => {
    expect(() => read(text)).not.toThrow();
  });
});
