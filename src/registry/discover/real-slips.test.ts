// What real libraries contain: each is loaded as it was meant, or skipped with the reason.
import { describe, expect, it } from 'vitest';
import { codesOf, loadFrom, namesOf, libraryOf, saidBy, skillText } from '../../../test/support/library.ts';
import type { Snapshot } from '../snapshot.ts';

async function load(text: string | Uint8Array, name = 'x'): Promise<Snapshot> {
  const files = libraryOf([]);
  files.write(`/user/${name}/SKILL.md`, text);
  return loadFrom(files);
}

describe('discover', () => {
  it.each(['../other/SKILL.md', '../../.claude/skills/x/SKILL.md\n', 'AGENTS.md', '/opt/skills/x/SKILL.md'])(
    'skips %j, which is a link that was checked out as text',
    async (text) => {
      const snapshot = await load(text);
      expect([namesOf(snapshot), saidBy(snapshot)]).toEqual([[], ['LINK_AS_TEXT /user/x/SKILL.md']]);
      expect(snapshot.diagnostics[0]?.message).toBe(
        `the file holds nothing but the path "${text.trim()}": it is a link that was checked out as text, so it is not loaded`,
      );
    },
  );

  it.each(['Use it.', 'Read ../other/SKILL.md first.\n', '../a.md\n../b.md\n', '# Tides\n', 'tides\n'])(
    'loads %j, which is more than a path, or none',
    async (text) => {
      expect(namesOf(await load(text))).toEqual(['x']);
    },
  );

  it.each([
    ['U+00A0', '\u00a0'],
    ['U+200B', '\u200b'],
    ['U+3000', '\u3000'],
    ['U+2003', '\u2003'],
    ['U+FEFF', '\ufeff'],
  ])('accepts fences with %s behind them, and says so', async (name, blank) => {
    const fields = 'name: x\ndescription: Reads the tides.\n';
    for (const [open, close, faults] of [
      [`---${blank}`, '---', 1],
      ['---', `---${blank}`, 1],
      [`--- ${blank}`, `---${blank} `, 2],
    ] as const) {
      const { head, diagnostics } = (await load(`${open}\n${fields}${close}\n\n# Body\n\nText.\n`)).get('x');
      expect([head.declaredName, head.description]).toEqual(['x', 'Reads the tides.']);
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual(
        Array.from(
          { length: faults },
          () =>
            `FRONTMATTER_FENCE an invisible character (${name}) follows the fence; the fence was accepted`,
        ),
      );
    }
  });

  it.each([
    ['"Reads tides: use when\nasked for the sea."', 'Reads tides: use when asked for the sea.'],
    ["'Reads tides.\nUse when it''s asked.'", "Reads tides. Use when it's asked."],
    ['"Reads tides.\n\nUse \\"it\\"\n  when asked."', 'Reads tides.\nUse "it" when asked.'],
  ])('says of %j that a line is not indented', async (value, text) => {
    const snapshot = await load(`---\nname: x\ndescription: ${value}\nlicense: MIT\n---\n\nBody.\n`);
    const { head, diagnostics } = snapshot.get('x');
    expect([head.description, head.license]).toEqual([text, 'MIT']);
    expect(diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'YAML_REPAIRED',
        'a further line of the quoted value is not indented; the value was read as text',
        'indent each further line of the value by two spaces',
      ],
    ]);
  });

  it('gives a frontmatter over the limit one verdict, however it is read', async () => {
    const fields = (bytes: number): string =>
      `kind: meta\ncomposition:\n  steps:\n    - id: a\n      kind: llm_chat\n      prompt: ${'x'.repeat(bytes)}\n`;
    const large = await load(skillText('x', fields(262_144)));
    const skill = large.get('x');
    expect([skill.card.form, skill.card.invalid, skill.head.form, skill.description]).toEqual([
      'instructions',
      true,
      'instructions',
      '',
    ]);
    expect(codesOf(skill.diagnostics)).toEqual(['FILE_LARGE', 'FRONTMATTER_TOO_LARGE']);
    expect(large.facts(skill).ready.reasons[0]?.code).toBe('INVALID');
    const fits = await load(skillText('x', fields(261_000)));
    expect([fits.get('x').card.form, fits.get('x').head.form]).toEqual(['composition', 'composition']);
  });

  it('takes no description from a file that is not a text', async () => {
    const garbage = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256);
    const skill = (await load(garbage)).get('x');
    expect([skill.description, codesOf(skill.diagnostics)]).toEqual(['', ['FILE_BINARY']]);
  });
});
