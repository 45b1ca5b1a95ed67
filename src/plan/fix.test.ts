import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition } from '../../test/support/plan-texts.ts';
import { applyFixes } from '../base/fix.ts';

function fixed(text: string): string {
  return applyFixes(text, compileSkill(text).fixes);
}

const task = (written: string): string =>
  composition(`${chat('a')}- id: b\n  kind: llm_chat\n  depends_on: [a]\n  with:\n    task: ${written}\n`);

describe('applyFixes', () => {
  it.each([
    ['"{{ inputs.user_message }}"', '"{{ inputs.user_message | xml_escape | truncate(2000) }}"'],
    ['"{{ outputs.a }}"', '"{{ outputs.a | truncate(4000) }}"'],
    ['"{{inputs.user_message|truncate(9)}}"', '"{{inputs.user_message|truncate(9) | xml_escape}}"'],
    ["'it''s {{ outputs.a -}} x'", "'it''s {{ outputs.a | truncate(4000) -}} x'"],
    ['"\\u00e9 \\"{{ outputs.a }}\\""', '"\\u00e9 \\"{{ outputs.a | truncate(4000) }}\\""'],
    ['"{{ outputs.a ~ \'x\' }}"', '"{{ (outputs.a ~ \'x\') | truncate(4000) }}"'],
    ['"{{ outputs.a or \'x\' }}"', '"{{ (outputs.a or \'x\') | truncate(4000) }}"'],
    [
      '"{{ outputs.a if inputs.user_message else \'x\' }}"',
      '"{{ (outputs.a if inputs.user_message else \'x\') | truncate(4000) }}"',
    ],
    ['"{{ outputs.a | truncate(0) }}"', '"{{ outputs.a | truncate(0) | truncate(4000) }}"'],
    ['Sum up {{ outputs.a }} now', 'Sum up {{ outputs.a | truncate(4000) }} now'],
    ['{{ outputs.a | truncate(9) }}', '"{{ outputs.a | truncate(9) }}"'],
    ['{{ outputs.a }}', '"{{ outputs.a | truncate(4000) }}"'],
    ["{{ outputs['a'] }}", '"{{ outputs[\'a\'] | truncate(4000) }}"'],
    ['{{ outputs["a"] }} it\'s', "'{{ outputs[\"a\"] | truncate(4000) }} it''s'"],
    [
      '|\n      One\n\n        {{ outputs.a }}\n      {% for x in [1] %}{{ outputs.a }}{% endfor %}',
      '|\n      One\n\n        {{ outputs.a | truncate(4000) }}\n      {% for x in [1] %}{{ outputs.a | truncate(4000) }}{% endfor %}',
    ],
    [
      '>-\n      One\n      {{ outputs.a }}\n      two',
      '>-\n      One\n      {{ outputs.a | truncate(4000) }}\n      two',
    ],
  ])('%s', (written, expected) => {
    const after = fixed(task(written));
    expect(after).toBe(task(expected));
    expect(compileSkill(after).diagnostics.map(({ code }) => code)).toEqual([]);
  });

  it.each([
    [
      'a command line, which no filter makes safe',
      composition(
        `${chat('a')}- id: b\n  kind: tool_call\n  tool: bash\n  depends_on: [a]\n  tool_args: {command: "{{ outputs.a }}"}\n`,
      ),
    ],
    ['a loop over the characters of a text', task('"{% for c in outputs.a %}{{ c }}{% endfor %}"')],
    [
      'what a macro gives',
      task('"{% macro m(x) %}{{ x }}{% endmacro %}{% call m(outputs.a) %}{% endcall %}"'),
    ],
    ['a template that cannot be read', task('"{{ outputs.a | }}"')],
    [
      'a frontmatter of which something was lost',
      task('"{{ outputs.a }}"').replace('kind: meta', 'kind: meta\nbroken: [\n  x'),
    ],
  ])('leaves alone %s', (_what, text) => {
    expect(fixed(text)).toBe(text);
  });

  it('leaves comments out of what it quotes, whatever else needs quotes', () => {
    const lines = (first: string, second: string): string =>
      task('x').replace(
        '    task: x\n',
        `    task: ${first} # TODO remove\n        more: ${second} # and this\n`,
      );
    const text = lines('{{ outputs.a }}', '{{ outputs.a }} and {{ outputs.a }}');
    expect(compileSkill(text).plan?.steps[1]?.values).toEqual({
      task: '{{ outputs.a }}',
      more: '{{ outputs.a }} and {{ outputs.a }}',
    });
    expect(fixed(text)).toBe(
      lines(
        '"{{ outputs.a | truncate(4000) }}"',
        '"{{ outputs.a | truncate(4000) }} and {{ outputs.a | truncate(4000) }}"',
      ),
    );
    const once = fixed(text);
    expect(compileSkill(once).fixes).toEqual([]);
  });

  it('inserts only, and only once', () => {
    const expression = fc.constantFrom(
      'inputs.user_message',
      'outputs.a',
      "outputs['a']",
      "outputs.get('a', '')",
      'outputs.a ~ outputs.a',
      'outputs.a | lower',
      'outputs.a | truncate(5)',
      'outputs.a or 3',
      '(outputs.a)',
      'outputs.a if 1 else 2',
      "inputs.get('user_message')",
      'outputs.a | length',
      '7',
      '-3',
      'not outputs.a',
    );
    const piece = fc.oneof(
      fc
        .tuple(fc.constantFrom('{{', '{{-', '{{ '), expression, fc.constantFrom('}}', '-}}', ' }}'))
        .map(([open, inside, close]) => `${open} ${inside} ${close}`),
      fc.constantFrom(
        'text ',
        'two words, ',
        'é世 ',
        '# ',
        ': ',
        '{% if outputs.a %}yes{% endif %} ',
        '{# {{ outputs.a }} #} ',
      ),
    );
    const style = fc.constantFrom('double', 'single', 'literal', 'folded', 'plain');
    fc.assert(
      fc.property(
        fc.array(
          fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
          { minLength: 1, maxLength: 3 },
        ),
        style,
        (lines, how) => {
          const value = lines.map((line) => line.trim()).filter((line) => line !== '');
          if (value.length === 0) return;
          const written =
            how === 'double'
              ? JSON.stringify(value.join('\n'))
              : how === 'single'
                ? `'${value.join(' ').replaceAll("'", "''")}'`
                : how === 'plain'
                  ? value.join(' ')
                  : `${how === 'literal' ? '|' : '>'}\n      ${value.join('\n      ')}`;
          const text = task(written);
          const { fixes } = compileSkill(text);
          const after = applyFixes(text, fixes);
          // Every byte is still there, in order.
          let at = 0;
          for (const unit of after) if (at < text.length && text.startsWith(unit, at)) at += unit.length;
          expect(after.length).toBe(text.length + fixes.reduce((sum, { insert }) => sum + insert.length, 0));
          expect(at).toBe(text.length);
          const again = compileSkill(after);
          expect(again.fixes).toEqual([]);
          const before = compileSkill(text).diagnostics.filter(({ severity }) => severity === 'error').length;
          expect(again.diagnostics.filter(({ severity }) => severity === 'error').length).toBeLessThanOrEqual(
            before,
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
