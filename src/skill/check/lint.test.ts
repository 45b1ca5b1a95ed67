import { describe, expect, it } from 'vitest';
import { faultLine, readHead } from '../../../test/support/skill-texts.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { collectInto } from '../../base/diagnostic.ts';
import { lintSkill, saysWhen } from './lint.ts';
import { parseBody } from '../body/parse-body.ts';

function lint(
  fields: string,
  body = 'Body.\n',
  files: readonly string[] = ['SKILL.md', 'evals/evals.json'],
): readonly string[] {
  const text = `---\nname: tides\n${fields}\n---\n${body}`;
  const found: Diagnostic[] = [];
  const { head, frontmatter } = readHead(text);
  lintSkill(head, parseBody(text), files, frontmatter, collectInto(found, 'SKILL.md'));
  return found.map((fault) => faultLine(text, fault));
}

const good = 'description: Tells tides. Use when asked.';
const composition = 'kind: meta\ncomposition:\n  steps:\n    - id: a\n      skill: b';

describe('lintSkill', () => {
  it.each([
    [good, []],
    ['description: Tells tides.', ['LINT_DESCRIPTION_WHEN 3:1']],
    ['description: Tells tides.\nwhen_to_use: at sea', []],
    [`${good}\nalways: true`, ['LINT_ALWAYS 4:1']],
    [`${good}\ntriggers: [tell the tides]`, ['LINT_TRIGGER_COUNT 4:1']],
    [`${good}\ntriggers: [tell the tides, when is high water]`, []],
    [`${good}\ntriggers: [a b, c d, e f, g h, i j, k l]`, ['LINT_TRIGGER_COUNT 4:1']],
    [`${good}\n${composition}`, ['LINT_TRIGGER_COUNT']],
    [`${good}\ntriggers: [tell the tides, run the internal DAG]`, ['LINT_TRIGGER_WORDING 4:28']],
    [`${good}\ntriggers: [tell the tides, how does this skill work]`, ['LINT_TRIGGER_WORDING 4:28']],
    [`${good}\ntriggers: [tell the tides, "what is it?"]`, ['LINT_TRIGGER_WORDING 4:29']],
    [`${good}\ntriggers: [tell the tides, a b c d e f g h i j k]`, ['LINT_TRIGGER_WORDING 4:28']],
    [`${good}\ntriggers: [tell the tides, meta_invoke tides]`, ['LINT_TRIGGER_WORDING 4:28']],
    [`${good}\ntriggers: [tell the tides, "{anything}"]`, ['LINT_TRIGGER_WORDING 4:29']],
  ])('%j', (fields, faults) => {
    expect(lint(fields)).toEqual(faults);
  });

  it.each([
    ['', ['BODY_EMPTY']],
    ['[a](references/a.md)', []],
    ['[a](references/b.md)', ['LINT_REFERENCE_MISSING 5:5']],
    ['[a](references/deep/c.md) `scripts/`', ['LINT_REFERENCE_DEEP 5:5']],
    ['[a](../x.md)', ['LINT_REFERENCE_ESCAPES 5:5']],
    ['[a](../moon/SKILL.md) `scripts/lib/d.py`', []],
    ['[a](/etc/passwd)', ['LINT_REFERENCE_ESCAPES 5:5']],
    ['[a](references) and [a](references/b.md) and `references/b.md`', ['LINT_REFERENCE_MISSING 5:25']],
  ])('body %j', (body, faults) => {
    expect(
      lint(good, body, ['SKILL.md', 'references/a.md', 'references/deep/c.md', 'scripts/lib/d.py']),
    ).toEqual(faults);
  });

  it('points at the field and the item, wherever else the same text stands', () => {
    expect(
      lint(
        'description: Explains meta_invoke. Use when asked.\ntriggers:\n  - tell the tides\n  - meta_invoke',
      ),
    ).toEqual(['LINT_TRIGGER_WORDING 6:5']);
    expect(lint(`${good}\nmetadata:\n  openclaw:\n    always: true`, 'always: one\n')).toEqual([
      'LINT_ALWAYS 6:5',
    ]);
    expect(lint('license: |\n  description: no\ndescription: Tells tides.')).toEqual([
      'LINT_DESCRIPTION_WHEN 5:1',
    ]);
    expect(lint(`${good}\ntriggers: |\n  tell the tides\n  meta_invoke\n  meta_invoke`)).toEqual([
      'LINT_TRIGGER_WORDING 6:3',
      'LINT_TRIGGER_WORDING 7:3',
    ]);
    expect(lint(`${good}\ntriggers: ["tell the tides", "\\u006deta_invoke"]`)).toEqual([
      'LINT_TRIGGER_WORDING 4:30',
    ]);
  });

  it('lists a hundred faults of references, and says how many more there are', () => {
    const body = Array.from({ length: 250 }, (_, index) => `[a](b${index}.md)\n`).join('');
    const found = lint(good, body);
    expect([found.length, found[99], found[100]]).toEqual([
      101,
      'LINT_REFERENCE_MISSING 104:5',
      'LINT_REFERENCES_MORE',
    ]);
  });

  it('looks for the output template', () => {
    expect(lint(`${good}\noutput: assets/t.md`)).toEqual(['LINT_REFERENCE_MISSING 4:1']);
    expect(lint(`${good}\noutput: assets/t.md`, 'b', ['assets/t.md'])).toEqual([]);
    expect(lint(`${good}\noutput: a Markdown report`)).toEqual([]);
  });

  it('asks executable skills for test prompts', () => {
    expect(lint(`${good}\nchain: [a]`, 'b', ['SKILL.md'])).toEqual(['LINT_TEST_PROMPTS']);
    expect(lint(`${good}\nchain: [a]\neval_prompts:\n  - prompt: x`, 'b', ['SKILL.md'])).toEqual([]);
    expect(lint(good, 'b', ['SKILL.md'])).toEqual([]);
  });
});

describe('saysWhen', () => {
  it.each([
    'Use when the user asks.',
    'Extracts text. Invoke whenever a PDF is attached',
    'Guidance for cuDF.',
    'If the user wants tides, this tells them.',
    'Triggers: tides, ebb',
    'Use this to plan a trip.',
    '潮汐を教えます。',
    'Erklärt Gezeiten und Strömungen mit Karten',
    'Calcula las mareas del puerto con una tabla',
  ])('is content with %j', (text) => {
    expect(saysWhen(text)).toBe(true);
  });
  it.each(['Tells tides.', 'A skill that extracts PDF text and merges files.', 'PDF tools'])(
    'misses it in %j',
    (text) => {
      expect(saysWhen(text)).toBe(false);
    },
  );
});
