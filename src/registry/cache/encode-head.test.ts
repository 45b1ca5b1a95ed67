import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { libraryOf, loadFrom, skillText } from '../../../test/support/library.ts';
import { decodeHead, encodeHead } from './head-index.ts';

const rich = `version: "1.2"
license: MIT
triggers: [when the tide turns, "tide at {place}"]
inputs: ["place|required", when]
requires:
  bins: [git]
metadata:
  author: me
  openclaw:
    requires: {env: [TOKEN]}
user-invocable: false
always: true
x_techne_note: {deep: [1, 2.5, null, true, {k: v}]}
unknown: "\\u2028 <b>"
`;

describe('encodeHead', () => {
  it('gives back the head it was given, with the keys of the frontmatter in order', async () => {
    const files = libraryOf([]);
    files.write('/user/rich/SKILL.md', skillText('rich', rich));
    files.write('/user/plain/SKILL.md', skillText('plain'));
    files.write('/user/blank/SKILL.md', '');
    files.write('/user/body/SKILL.md', 'A paragraph.\n');
    files.write('/user/comment/SKILL.md', '---\nname: comment\ndescription: "shown <!-- hidden -->"\n---\n');
    for (const { head } of (await loadFrom(files)).skills) {
      const decoded = decodeHead(encodeHead(head), head.name);
      expect(JSON.stringify(decoded)).toBe(JSON.stringify(head));
      expect(Object.keys(decoded.frontmatter)).toEqual(Object.keys(head.frontmatter));
      expect(Object.getPrototypeOf(decoded.frontmatter)).toBe(null);
    }
  });

  it('keeps any frontmatter', async () => {
    const { head } = (await loadFrom(libraryOf(['/user/tides']))).get('tides');
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: false }),
        fc.string(),
        (frontmatter, description) => {
          const given = { ...head, description, frontmatter: frontmatter as typeof head.frontmatter };
          expect(decodeHead(encodeHead(given), given.name)).toEqual(JSON.parse(JSON.stringify(given)));
        },
      ),
    );
  });
});
