// Whatever a skill says, a page has the elements and attributes of our templates and no others: pages with hostile texts are
// parsed, by the rules of HTML for tags and comments, and compared with pages of plain texts.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { parseSkill } from '../../../skill/parse-skill.ts';
import type { SkillIndex } from '../../source/index-format.ts';
import { indexSchema } from '../../source/index-format.ts';
import { renderIndexPage } from './index-page.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderSkillPage } from './skill-page.ts';

const digest = `sha256:${'a'.repeat(64)}`;

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style><script>1</script>',
  '</code></pre><iframe src=//evil.example>',
  '<!-- --><svg onload=1>',
  '<![CDATA[<b>]]>',
  '&lt;script&gt;&#60;b&#62;',
  'javascript:alert(1)',
  '\u0000<b\u0000>',
  '\u202e<b>evil\u202c\u200b',
  '`<b>`<i>`',
  '**<b>**<i>*<u>*',
  '[x](javascript:alert(1)) ![y](http://evil.example/z.png)',
  '<a href="javascript:alert(1)">x</a>',
  '```\n</code></pre><script>',
  '| <b> | `x` |\n<script>\n',
  '--> <base href=//evil.example>',
];

interface Tag {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
}

/** Start tags of a page, as a browser finds them; the text of `style` and `title` is raw. */
function parseTags(html: string): readonly Tag[] {
  const tags: Tag[] = [];
  let at = 0;
  while ((at = html.indexOf('<', at)) !== -1) {
    if (html.startsWith('<!--', at)) throw new Error('a comment');
    const open =
      /^<([a-zA-Z][^\s/>]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*\/?>/.exec(
        html.slice(at),
      );
    if (open === null) {
      // What is neither an end tag nor the type of the document would be text or a comment that a browser makes up.
      if (!/^<\/[a-z0-9]+>|^<!doctype html>/.test(html.slice(at))) throw new Error(html.slice(at, at + 60));
      at += 2;
      continue;
    }
    const [whole, name = '', rest = ''] = open;
    tags.push({
      name,
      attributes: [...rest.matchAll(/([^\s=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g)].map(
        ([, key = '', a, b, c]) => [key, a ?? b ?? c ?? ''] as const,
      ),
    });
    at += whole.length;
    if (name === 'style' || name === 'title') at = html.indexOf(`</${name}>`, at);
  }
  return tags;
}

function shapeOf(html: string): readonly string[] {
  return parseTags(html).map(({ name, attributes }) => `${name} ${attributes.map(([key]) => key).join(' ')}`);
}

async function pagesWith(text: string, body: string): Promise<readonly string[]> {
  const version = { version: text, url: text, digest, tree: digest, size: 4, publishedAt: text };
  const skill = {
    name: text,
    type: 'archive' as const,
    description: text,
    ...version,
    versions: [version, version],
    license: text,
    triggers: [text],
    page: text,
  };
  const index: SkillIndex = { $schema: indexSchema, title: text, base: text, sequence: 1, skills: [skill] };
  const parsed = await parseSkill('---\nname: a\ndescription: b\n---\nc\n', { folderName: 'a' });
  const head = {
    ...parsed.head,
    allowedTools: [text],
    capabilities: [text],
    triggers: [{ phrase: text, variables: [] }],
  };
  const files = [{ path: text, size: 1, executable: true, sha256: 'x' }];
  return [renderIndexPage(index), renderSkillPage({ skill, head, body, files }, index)];
}

describe('pages', () => {
  it.each(attacks)('have the elements and attributes of the template with %j everywhere', async (attack) => {
    const [plain, hostile] = [await pagesWith('plain', 'plain'), await pagesWith(attack, 'plain')];
    expect(hostile.map(shapeOf)).toEqual(plain.map(shapeOf));
  });

  it('are the same for any text', async () => {
    const plain = (await pagesWith('plain', 'plain')).map(shapeOf);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary' })), { maxLength: 4 }),
        async (parts) => {
          expect((await pagesWith(parts.join(''), 'plain')).map(shapeOf)).toEqual(plain);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('allow one style and nothing else', async () => {
    for (const page of await pagesWith('plain', 'plain')) {
      const tags = parseTags(page);
      const policy = tags.find(({ attributes }) =>
        attributes.some(([key, value]) => key === 'http-equiv' && value === 'Content-Security-Policy'),
      );
      const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
      expect(policy?.attributes.find(([key]) => key === 'content')?.[1]).toBe(
        `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`,
      );
      expect(tags.map(({ name }) => name)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:script|img|iframe|link|object|embed|svg|base)$/)]),
      );
      const addresses = tags.flatMap(({ attributes }) =>
        attributes.filter(([key]) => key === 'href' || key === 'src'),
      );
      expect(addresses.filter(([, value]) => /^[a-z]+:|^\/\//i.test(value))).toEqual([]);
      expect(style).not.toMatch(/url\(|@import/);
    }
  });

  it('show what a reader would not see', async () => {
    const [, page] = await pagesWith('a\u202eb\u200bc', 'd\u2066e');
    expect(page).toContain('a\\u{202E}b\\u{200B}c');
    expect(page).toContain('d\\u{2066}e');
  });
});

describe('Markdown', () => {
  it('becomes a small subset of HTML', () => {
    expect(
      renderMarkdown(
        '# Title #\n\nSome *soft* and **loud** `a<b` text,\non two lines.\n\n- one\n  - two\n1. three\n   more\n\n> said\n\n---\n\n```sh\necho "<b>"\n```\n\n| a | b |\n|---|---|\n',
      ),
    ).toBe(
      [
        '<h3>Title</h3>',
        '<p>Some <em>soft</em> and <strong>loud</strong> <code>a&lt;b</code> text,\non two lines.</p>',
        '<ul>\n<li>one</li>\n<li class="d2">two</li>\n<li>three more</li>\n</ul>',
        '<blockquote><p>said</p></blockquote>',
        '<hr>',
        '<pre><code>echo &quot;&lt;b&gt;&quot;</code></pre>',
        '<pre><code>| a | b |\n|---|---|</code></pre>',
      ].join('\n'),
    );
  });

  it('has no element beyond that, and no attribute but the depth of an item, for any text', () => {
    const allowed = /^(?:h[3-6]|p|ul|blockquote|hr|pre|code|strong|em) $|^li (?:class)?$/;
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...attacks),
            fc.constantFrom(
              '\n',
              '\n\n',
              '- ',
              '  * ',
              '> ',
              '# ',
              '```',
              '~~~',
              '`',
              '**',
              '*',
              '|',
              '    ',
            ),
            fc.string({ unit: 'binary' }),
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          expect(shapeOf(renderMarkdown(parts.join(''))).filter((tag) => !allowed.test(tag))).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is cut where it is very long, and says so', () => {
    const html = renderMarkdown('a '.repeat(150_000));
    expect(html.length).toBeLessThan(210_000);
    expect(html).toContain('The rest is not shown here');
  });
});
