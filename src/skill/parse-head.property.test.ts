// Whatever stands in a frontmatter, every reader of a skill answers: no throw, spans inside the text, plain data.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextOf, entriesOf, readHead, strictFaults } from '../../test/support/skill-texts.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { frontmatterFields } from './fields/field-table.ts';
import { inspectText } from './check/inspect-text.ts';
import { lintSkill } from './check/lint.ts';
import { parseBody } from './body/parse-body.ts';
import { parseHead } from './parse-head.ts';

const key = fc.oneof(
  fc.constantFrom(...frontmatterFields.flatMap((field) => [field.name, ...field.aliases])),
  fc.stringMatching(/^[A-Za-z_-]{1,12}$/),
);
const value = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      '',
      'true',
      'null',
      '~',
      '1.0',
      '[a, b]',
      '"x',
      '{a: {b: [c]}}',
      'a: b',
      '- x',
      '|\n  text',
      '<!-- x -->',
      'step:x',
      '🌊',
      '\u0000',
      '../x',
      'a|required',
      '{v} {v}',
    ),
    fc.string({ maxLength: 12 }),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc
      .tuple(
        fc.constantFrom(
          'requires',
          'os',
          'risk',
          'install',
          'properties',
          'name',
          'steps',
          'openclaw',
          'type',
        ),
        tie('json'),
      )
      .map(([name, inner]) => `{${name}: ${inner as string}}`),
  ),
})).json;
const frontmatter = fc
  .array(fc.tuple(key, value), { maxLength: 8 })
  .map((pairs) => pairs.map(([name, text]) => `${name}: ${text as string}`).join('\n'));
const body = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# T',
        '## Purpose',
        '```',
        '~~~',
        '<!--',
        '-->',
        '[a](../b)',
        '`scripts/x`',
        '| a |',
        'Input keys:',
        '- `a`: b',
        '===',
        '---',
        '> q',
        '',
      ),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 10 },
  )
  .map((lines) => lines.join('\n'));

describe('parseHead, whatever it is given', () => {
  it('answers with a head, and so do body, strict rules, lint and inspection', () => {
    fc.assert(
      fc.property(frontmatter, body, fc.boolean(), (yaml, markdown, star) => {
        const text = `---\n${yaml}\n---\n${markdown}`;
        const context = contextOf(text, { entries: entriesOf('SKILL.md', ...(star ? ['SKILL.star'] : [])) });
        const { head, frontmatter: read, diagnostics } = readHead(text, context);
        expect(head.name).toBe('tides');
        expect(JSON.parse(JSON.stringify(head))).toEqual(head);
        strictFaults(text, context);
        const more: Diagnostic[] = [];
        lintSkill(head, parseBody(text), ['SKILL.md'], read, collectInto(more, 'SKILL.md'));
        inspectText(text, true, collectInto(more, 'SKILL.md'));
        const astray = [...diagnostics, ...more].filter(
          ({ span }) =>
            span !== null && !(span.start >= 0 && span.start <= span.end && span.end <= text.length),
        );
        expect(astray).toEqual([]);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 150, seed: 7 },
    );
  });

  it('gives the same head from the head of a file as from the whole, or asks for more', () => {
    fc.assert(
      fc.property(frontmatter, body, fc.nat(), (yaml, markdown, cut) => {
        const text = `---\nname: tides\ndescription: d\n${yaml}\n---\n${markdown}`;
        const context = contextOf(text);
        const part = parseHead(
          text.slice(0, cut % (text.length + 1)),
          { ...context, complete: false },
          () => undefined,
        );
        const whole = readHead(text, context).head;
        expect(part === 'more' ? whole : part).toEqual(whole);
      }),
      { numRuns: 100, seed: 11 },
    );
  });
});
