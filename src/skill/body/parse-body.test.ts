import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../code-points.ts';
import { findReferences, parseBody, parseInputKeys, parseSections } from './parse-body.ts';

const none = {
  purpose: null,
  whenToUse: null,
  outputTemplate: null,
  guidelines: null,
  qualityChecklist: null,
  variants: null,
};

describe('parseBody', () => {
  it('reads everything a body says', () => {
    const text =
      '---\nname: a\n---\n\r\n\n# A\n\n## Purpose\n\nTo see.\n\nInput keys:\n- `day`: The day.\n\nRead [this](references/a.md).\n';
    expect(parseBody(text)).toEqual({
      text: text.slice(text.indexOf('# A')),
      sections: {
        ...none,
        purpose: 'To see.\n\nInput keys:\n- `day`: The day.\n\nRead [this](references/a.md).',
      },
      inputKeys: [{ key: 'day', required: true, description: 'The day.', schema: null }],
      estimatedTokens: 21,
      references: ['references/a.md'],
    });
  });

  it('takes a file without frontmatter as body, and an empty one as empty', () => {
    expect(parseBody('\uFEFFHello.').text).toBe('Hello.');
    expect(parseBody('').text).toBe('');
    expect(parseBody('---\nname: a\n---').text).toBe('');
  });

  it('reads lines that end in CR, and gives them as they are', () => {
    const body = parseBody('---\rname: a\r---\r## Purpose\rTo see [a](b.md).\r');
    expect([body.text, body.sections.purpose, body.references]).toEqual([
      '## Purpose\rTo see [a](b.md).\r',
      'To see [a](b.md).',
      ['b.md'],
    ]);
  });

  it('loses nothing of a body behind "..."', () => {
    expect(parseBody('---\nname: a\n...\nOne.\n\n---\n\nTwo.\n').text).toBe('One.\n\n---\n\nTwo.\n');
  });
});

describe('parseSections', () => {
  it('finds sections at any level, in any case, up to the next heading of their level', () => {
    const body =
      '# T\n\n## PURPOSE\np\n\n### When to use:\nw\n#### deeper\nd\n### Other\no\n## Guidelines ##\ng\n## **Quality Checklist**\n- q\n## Output Template\n```\n## Variants\n```\n';
    expect(parseSections(body)).toEqual({
      purpose: 'p\n\n### When to use:\nw\n#### deeper\nd\n### Other\no',
      whenToUse: 'w\n#### deeper\nd',
      outputTemplate: '```\n## Variants\n```',
      guidelines: 'g',
      qualityChecklist: '- q',
      variants: null,
    });
  });

  it('ignores a title of the first level and takes the first of a name', () => {
    expect(parseSections('# Purpose\na\n## Purpose\nb\n## Purpose\nc')).toEqual({ ...none, purpose: 'b' });
    expect(parseSections('## Variants')).toEqual({ ...none, variants: '' });
    expect(parseSections('## Variants: #### \na\n##  Purpose#\nb')).toEqual({ ...none, variants: 'a' });
  });
});

describe('parseInputKeys', () => {
  it.each([
    [
      'Input keys:\n- `a`: The a.\n- `b` (optional): The b\n  goes on.\n* c - C.\n\nMore.\n- `d`: no',
      [
        ['a', true, 'The a.'],
        ['b', false, 'The b goes on.'],
        ['c', true, 'C.'],
      ],
    ],
    [
      '## Input keys\n\n1. **a**: A\n2. `b.c`',
      [
        ['a', true, 'A'],
        ['b.c', true, null],
      ],
    ],
    ['**Input keys:**\n- a: Optional; a word', [['a', false, 'Optional; a word']]],
    ['```\nInput keys:\n- a: b\n```', []],
    [
      'Input keys (all of them) :\n- __a__ (optional) – A\n- b- B\n- `_c`: C',
      [
        ['a__', false, 'A'],
        ['b', true, 'B'],
        ['_c', true, 'C'],
      ],
    ],
    [
      'Input keys:\n- `文本`：要翻译的文字\n- größe_2: Wie groß',
      [
        ['文本', true, '要翻译的文字'],
        ['größe_2', true, 'Wie groß'],
      ],
    ],
    ['The input keys are many.\n- a: b', []],
    ['Input keys:\n\nNothing.\n- a: b', []],
  ])('of %j', (body, keys) => {
    expect(
      parseInputKeys(body).map(({ key, required, description }) => [key, required, description]),
    ).toEqual(keys);
  });
});

describe('findReferences', () => {
  it.each([
    [
      '[a](references/a.md#x) ![b](./assets/b.png "B") [c](<a b.md>)',
      ['references/a.md', 'assets/b.png', 'a b.md'],
    ],
    [
      '`scripts/run.py` and `./references/x.md` and `{baseDir}/assets/l.svg` and `${CLAUDE_SKILL_DIR}/scripts/y`',
      ['scripts/run.py', 'references/x.md', 'assets/l.svg', 'scripts/y'],
    ],
    ['`src/index.ts` `npm run x` `scripts/`', []],
    ['[a](https://x.org/a.md) [b](#x) [c](mailto:a@b.c) [d](//x) [e](references/{name}.md)', []],
    [
      '[a](../other/a.md) [b](/etc/passwd) `../scripts/x.sh`',
      ['../other/a.md', '/etc/passwd', '../scripts/x.sh'],
    ],
    ['```\n[a](a.md)\n```\n`[b](b.md)` [`c`](c.md)', ['c.md']],
    ['[a](a%20b.md) [b](100%.md)', ['a b.md']],
    ['`` `scripts/x` `` `scripts/y` ``` [z](z.md)', ['scripts/y', 'z.md']],
  ])('of %j', (text, paths) => {
    expect(findReferences(text).map((reference) => reference.path)).toEqual(paths);
  });

  it('gives the place of the path', () => {
    const text = 'x\n[a](references/a.md)';
    expect(findReferences(text)[0]?.span).toEqual({ start: 6, end: 21 });
  });
});

describe('estimateTokens', () => {
  it.each([
    ['', 1],
    ['abc', 1],
    ['a'.repeat(8), 2],
    ['🌊'.repeat(8), 2],
    ['a'.repeat(20_003), 5000],
  ])('counts code points by four', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });
});
