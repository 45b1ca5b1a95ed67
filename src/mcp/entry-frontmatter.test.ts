import { describe, expect, it } from 'vitest';
import { libraryOf, loadFrom } from '../../test/support/library.ts';
import { countCodePoints } from '../skill/code-points.ts';
import { entryFrontmatter, isEntryName } from './entry-frontmatter.ts';

async function entryOf(frontmatter: string): Promise<unknown> {
  const files = libraryOf([]);
  files.write('/user/tides/SKILL.md', `---\n${frontmatter}---\n\nLook at the moon.\n`);
  const snapshot = await loadFrom(files);
  return entryFrontmatter(snapshot.get('tides'), await snapshot.readFile('tides', 'SKILL.md'));
}

describe('entryFrontmatter', () => {
  it('is what the file says, where the extension takes it', async () => {
    expect(
      await entryOf('name: tides\ndescription: Use it.\nmetadata: {author: me}\narguments: [a]\n'),
    ).toEqual({ name: 'tides', description: 'Use it.', metadata: { author: 'me' }, arguments: ['a'] });
  });

  it('gives metadata as text', async () => {
    expect(
      await entryOf(
        'name: tides\ndescription: Use it.\nmetadata:\n  version: 2\n  author: me\n  techne: {risk: high, capabilities: [shell]}\n',
      ),
    ).toEqual({
      name: 'tides',
      description: 'Use it.',
      metadata: { version: '2', author: 'me', techne: '{"risk":"high","capabilities":["shell"]}' },
    });
    expect(await entryOf('name: tides\ndescription: Use it.\nmetadata: [a]\n')).toMatchObject({
      metadata: { value: '["a"]' },
    });
  });

  it('is read by techne where the extension cannot read it, under the name that the skill has', async () => {
    expect(await entryOf('name: other\ndescription: "Use\n  it."\n')).toMatchObject({
      name: 'tides',
      description: 'Use it.',
    });
  });

  it('cuts what is too long', async () => {
    const { description, compatibility } = (await entryOf(
      `name: tides\ndescription: ${'🌊'.repeat(1_100)}\ncompatibility: ${'c'.repeat(600)}\n`,
    )) as { description: string; compatibility: string };
    expect([countCodePoints(description), compatibility.length]).toEqual([1_024, 500]);
  });
});

describe('isEntryName', () => {
  it('knows the rule of the extension', () => {
    expect(['tides', 'a-1'].every(isEntryName)).toBe(true);
    expect(['Tides', 'a--b', '-a', 'a_b', '潮', 'a'.repeat(65)].some(isEntryName)).toBe(false);
  });
});
