import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipUnless } from '../../../test/support/skip-unless.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { compatRoot, readCompatTexts } from '../../../test/fuzz/compat-texts.ts';
import type { SkillCard } from '../parse-head.ts';
import { cardOf, plainCard, parseHead } from '../parse-head.ts';
import { frontmatterFields } from '../fields/field-table.ts';
import { cardOfGlimpse, glance as glimpseOf } from './glance.ts';
import { parseFull } from '../yaml/bundled-parser.ts';

function glance(text: string): SkillCard | null {
  const glimpse = glimpseOf(text);
  return glimpse === null ? null : cardOfGlimpse(glimpse, parseFull);
}

/** What the parser makes of the same text. */
function parsed(text: string): SkillCard {
  const diagnostics: Diagnostic[] = [];
  const parsedHead = parseHead(
    text,
    { folderName: 'tides', entries: [], complete: true, fileBytes: text.length, parseFull },
    collectInto(diagnostics, 'SKILL.md'),
  );
  if (typeof parsedHead === 'string') throw new Error(parsedHead);
  return cardOf(parsedHead, diagnostics, null);
}

function head(...lines: string[]): string {
  return ['---', ...lines, '---', ''].join('\n');
}

describe('glance', () => {
  it.each([
    ['plain text', ['description: Tides of a harbour, when asked'], 'Tides of a harbour, when asked'],
    ['text in single quotes', ["description: 'It''s: a tide table'"], "It's: a tide table"],
    ['text in double quotes', ['description: "Tides: when asked"'], 'Tides: when asked'],
    [
      'a folded block',
      ['description: >-', '  Tides of', '  a harbour.', '', '  More.'],
      'Tides of a harbour.\nMore.',
    ],
    ['a literal block', ['description: |', '  Tides of', '  a harbour.'], 'Tides of\na harbour.'],
    ['text over several lines', ['description: Tides of', '  a harbour'], 'Tides of a harbour'],
    [
      'quoted text over several lines',
      ['description: "Tides: of', '  a harbour, ', '  when asked"', 'license: MIT'],
      'Tides: of a harbour, when asked',
    ],
    [
      'text in single quotes over several lines',
      ["description: 'Tides #1 of", "    a harbour'"],
      'Tides #1 of a harbour',
    ],
    [
      'other fields around it',
      [
        'name: tides',
        'license: MIT',
        'description: The tides',
        'metadata:',
        '  author: "me"',
        '  tags:',
        '    - sea',
        'always: false',
      ],
      'The tides',
    ],
  ])('reads %s', (_what, lines, description) => {
    expect(glance(head(...lines))).toEqual(plainCard(description));
  });

  it('knows a composition with steps', () => {
    const text = head(
      'description: Sort a request',
      'kind: meta',
      'composition:',
      '  steps:',
      '    - id: a',
      '      kind: llm_chat',
    );
    expect(glance(text)).toEqual({ ...plainCard('Sort a request'), form: 'composition' });
  });

  it('parses only what a skill demands', () => {
    const text = head(
      'description: The tides',
      'metadata:',
      '  openclaw:',
      '    requires:',
      '      bins: [tide]',
      'user-invocable: false',
      'tags: [sea]',
    );
    expect(glance(text)).toEqual(parsed(text));
    expect(glance(text)).toMatchObject({
      requires: { bins: ['tide'] },
      invocation: { user: false, because: ['user-invocable'] },
    });
  });

  it.each([
    ['no description', ['name: tides']],
    ['a description of one word, which may be no text', ['description: 12']],
    ['a repeated key', ['description: The tides', 'license: MIT', 'license: MIT']],
    ['a colon that YAML would trip over', ['description: Use when: asked']],
    ['a comment', ['description: The tides # note']],
    ['a comment to be taken out', ['description: The tides <!-- of -->']],
    ['a program', ['description: The tides', 'metaskill: x.star']],
    ['a CRLF file', ['description: The tides\r']],
    ['no closing fence', ['description: The tides', '----']],
  ])('is in doubt about %s', (_what, lines) => {
    expect(glance(head(...lines).replace(/\n----\n---\n$/, '\n'))).toBeNull();
  });

  it('is in doubt about every field that can change the card', () => {
    const values = [
      'true',
      'false',
      'no',
      'x',
      '[x]',
      'meta',
      'starlark',
      '\n  - x',
      '\n  bins: [x]',
      '\n  steps:\n    - id: a',
    ];
    const wrong = frontmatterFields.flatMap(({ name }) =>
      name === 'description'
        ? []
        : values
            .map((value) => head('description: The tides of', `${name}: ${value}`))
            .filter(
              (text) =>
                glance(text) !== null && JSON.stringify(glance(text)) !== JSON.stringify(parsed(text)),
            ),
    );
    expect(wrong).toEqual([]);
  });

  it('agrees with the parser on quoted text over several lines', () => {
    const piece = fc.constantFrom(
      'tides',
      ' of',
      ' ',
      '  ',
      '\n',
      '\n ',
      '\n  ',
      '\n    ',
      '"',
      "'",
      "''",
      '\\',
      '#',
      ' # ',
      ': ',
      '- ',
      '---',
      '...',
      '[',
      '\nlicense: MIT',
      '<!-- -->',
    );
    const text = fc.record({
      mark: fc.constantFrom('"', "'"),
      pieces: fc.array(piece, { maxLength: 9 }),
      after: fc.constantFrom('', '', '', ' ', ' # x', '\n', '\n- x', '\n  x'),
    });
    let taken = 0;
    const agrees = fc.property(text, ({ mark, pieces, after }) => {
      const written = head(
        `description: ${mark}tides of\n  ${pieces.join('')}${mark}${after}`,
        'name: tides',
      );
      const card = glance(written);
      taken += card === null ? 0 : 1;
      return card === null || JSON.stringify(card) === JSON.stringify(parsed(written));
    });
    const { counterexample } = fc.check(agrees, { numRuns: 20_000, seed: 7 });
    expect(counterexample).toBeNull();
    expect(taken).toBeGreaterThan(1000);
  });

  const real = readCompatTexts(compatRoot).map((text) => text.slice(0, text.indexOf('\n---', 3) + 5));
  it.skipIf(skipUnless(real.length > 0, '../shared/compat is absent'))(
    'agrees with the parser on every real file it takes, and takes most',
    () => {
      const taken = real.filter((text) => glance(text) !== null);
      for (const text of taken) expect(glance(text)).toEqual(parsed(text));
      expect(taken.length / real.length).toBeGreaterThan(0.85);
    },
  );

  it.skipIf(skipUnless(real.length > 0, '../shared/compat is absent'))(
    'agrees with the parser on real files that were damaged',
    () => {
      const scraps = [
        '\n',
        ' ',
        ':',
        ': ',
        '#',
        ' #',
        '"',
        "'",
        '- ',
        '[',
        ']',
        '{',
        '}',
        '&a ',
        '*a',
        '!t ',
        '|',
        '>',
        '---\n',
        '\t',
        '? ',
        '  ',
        'description: x y\n',
        'kind: meta\n',
        'requires:\n  bins: [x]\n',
        ',',
        '\\',
        '%',
        '@',
        '`',
      ];
      const damage = fc.record({
        file: fc.nat(real.length - 1),
        at: fc.integer({ min: 0, max: 9999 }),
        cut: fc.nat(12),
        scrap: fc.constantFrom(...scraps, ''),
      });
      let taken = 0;
      const agrees = fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let text = real[damages[0]?.file ?? 0] as string;
        for (const { at, cut, scrap } of damages) {
          const place = Math.floor((at / 10_000) * text.length);
          text = text.slice(0, place) + scrap + text.slice(place + cut);
        }
        const card = glance(text);
        taken += card === null ? 0 : 1;
        return card === null || JSON.stringify(card) === JSON.stringify(parsed(text));
      });
      const { counterexample } = fc.check(agrees, { numRuns: 20_000, seed: 7 });
      expect(counterexample).toBeNull();
      expect(taken).toBeGreaterThan(2000);
    },
  );
});
