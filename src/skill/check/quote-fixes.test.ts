import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { applyFixes } from '../../base/fix.ts';
import { parseWholeFrontmatter } from '../frontmatter/read-frontmatter.ts';
import { parseFull } from '../yaml/bundled-parser.ts';
import { toJson } from '../yaml/node.ts';
import { quoteFixes } from './quote-fixes.ts';

const read = (text: string): ReturnType<typeof parseWholeFrontmatter> =>
  parseWholeFrontmatter(text, parseFull);
const fix = (text: string): string => applyFixes(text, quoteFixes(read(text), parseFull));
const withFields = (fields: string): string => `---\nname: x\n${fields}\n---\n\nBody: a.\n`;

describe('quoteFixes', () => {
  it.each([
    ['description: Use when: asked', 'description: "Use when: asked"'],
    ["description: Use when: it's asked", 'description: "Use when: it\'s asked"'],
    ['description: Use when: "tides" \\ asked', 'description: \'Use when: "tides" \\ asked\''],
    ['description: Use "it" when: it\'s asked', "description: 'Use \"it\" when: it''s asked'"],
    ['description: @me reads', 'description: "@me reads"'],
    ['description: Use when: asked\n  or: not', 'description: "Use when: asked\n  or: not"'],
    ['description: Use when: asked\nor not', 'description: "Use when: asked\n  or not"'],
    ['metadata:\n  note: a: b\n  more: c: d', 'metadata:\n  note: "a: b"\n  more: "c: d"'],
    ['triggers:\n  - do this: now', 'triggers:\n  - do this: now'],
    ['description: "Use when" asked: now', 'description: "Use when" asked: now'],
    ['description: Reads tides.', 'description: Reads tides.'],
  ])('%j', (written, fixed) => {
    expect(fix(withFields(written))).toBe(withFields(fixed));
  });

  it('changes no value, and leaves nothing that it would quote', () => {
    const word = fc.constantFrom(
      'Use',
      'when:',
      '"a"',
      "it's",
      '\\',
      '#',
      '{x}',
      '- y',
      'b: c',
      '`d`',
      '\n  e:',
      '',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const text = withFields(`description: ${words.join(' ')}`);
        const fixed = fix(text);
        expect(toJson(read(fixed).map)).toEqual(toJson(read(text).map));
        expect(quoteFixes(read(fixed), parseFull)).toEqual([]);
      }),
    );
  });
});
