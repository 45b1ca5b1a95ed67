import * as fc from 'fast-check';
import { micromark } from 'micromark';
import { describe, expect, it } from 'vitest';
import { printable, printableLine } from '../base/printable.ts';
import { codeBlock, codeSpan } from './markdown.ts';

const hostile = fc
  .array(
    fc.constantFrom(
      '`',
      '``',
      '```',
      '~~~',
      ' ',
      '\n',
      '[a](b)',
      '<b>',
      '*x*',
      '![i](u)',
      '\\',
      '# h',
      '\u202E',
      'é',
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''));
/** The text of the only element of a page. */
const textOf = (html: string, [before, after]: readonly [string, string]): string => {
  expect([html.startsWith(before), html.endsWith(after)]).toEqual([true, true]);
  const inner = html.slice(before.length, html.length - after.length);
  expect(inner).not.toContain('<');
  return inner
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
};

describe('codeSpan', () => {
  it('shows any text as code and nothing else, as a reader of Markdown sees it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = printableLine(text);
        if (line.trim() === '') return;
        expect(textOf(micromark(codeSpan(text)), ['<p><code>', '</code></p>']).trim()).toBe(line.trim());
      }),
      { numRuns: 500 },
    );
  });
});

describe('codeBlock', () => {
  it('cannot be ended by its text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = micromark(codeBlock(text));
        expect(textOf(html, ['<pre><code>', '</code></pre>']).trimEnd()).toBe(printable(text).trimEnd());
      }),
      { numRuns: 500 },
    );
  });
});

it('takes texts with more runs of backticks than a call has room for', () => {
  const text = 'a`'.repeat(500_000);
  expect(codeBlock(text)).toBe(`\`\`\`\n${text}\n\`\`\``);
  expect(codeSpan(text)).toBe(`\`\` ${text} \`\``);
});
