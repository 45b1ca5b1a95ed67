import { describe, expect, it } from 'vitest';
import type { LoadOptions, MemoryLibrary } from '../../../test/support/library.ts';
import { libraryOf, loadFrom, rootAt, skillText } from '../../../test/support/library.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { HeadIndex, IndexSection } from '../cache/head-index.ts';
import type { JudgeForm } from '../types.ts';

/** Whatever has "bad" in it is barred. */
function world(): {
  readonly files: MemoryLibrary;
  readonly index: HeadIndex;
  readonly load: (options?: LoadOptions) => Promise<readonly string[]>;
  readonly settle: () => void;
} {
  const judged: string[] = [];
  const judge: JudgeForm = async ({ name, files: given }) => {
    judged.push(`${name}: ${[...given.keys()].join(' ')}`);
    const isBad = [...given.values()].some((bytes) => decodeUtf8(bytes).text.includes('bad'));
    return isBad ? { code: 'PROGRAM_INVALID', message: 'it is bad' } : null;
  };
  let kept: ReadonlyMap<string, IndexSection> = new Map();
  const index: HeadIndex = { load: () => kept, save: async (sections) => void (kept = sections) };
  const files: MemoryLibrary = libraryOf(['/user/words']);
  files.write('/user/tides/SKILL.md', skillText('tides', 'metaskill: lib/main.star\n'));
  files.write('/user/tides/lib/main.star', 'good');
  files.write(
    '/user/page/SKILL.md',
    skillText('page', 'output: assets/page.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: x}}\n'),
  );
  files.write('/user/page/assets/page.md', 'good');
  const settle = (): void => files.advance(60_000_000_000n);
  settle();
  /** What was judged, and what is barred now; the same with the index and without. */
  const load = async (options: LoadOptions = {}): Promise<readonly string[]> => {
    judged.length = 0;
    const snapshot = await loadFrom(files, { judge, index, ...options });
    const asked = [...judged];
    const bars = ({ skills }: typeof snapshot): readonly string[] =>
      skills.flatMap(({ name, card: { bar } }) =>
        bar === null ? [] : [`${name} is barred: ${bar.message}`],
      );
    expect(bars(snapshot)).toEqual(bars(await loadFrom(files, { judge, ...options, index: null })));
    return [...asked, ...bars(snapshot)];
  };
  return { files, load, settle, index };
}

describe('giveVerdicts', () => {
  it('does not judge what ships with techne, which its tests have judged', async () => {
    expect(await world().load({ roots: [rootAt('/user', 'builtin')] })).toEqual([]);
  });

  it('judges each program and plan once, until a file that it depends on is another', async () => {
    const { files, load, settle } = world();
    expect(await load()).toEqual(['page: SKILL.md assets/page.md', 'tides: lib/main.star']);
    expect(await load()).toEqual([]);
    files.write('/user/tides/lib/main.star', 'bad!');
    settle();
    expect(await load()).toEqual(['tides: lib/main.star', 'tides is barred: it is bad']);
    expect(await load()).toEqual(['tides is barred: it is bad']);
    files.write('/user/page/assets/page-short.md', 'bad');
    settle();
    expect(await load()).toEqual([
      'page: SKILL.md assets/page-short.md assets/page.md',
      'page is barred: it is bad',
      'tides is barred: it is bad',
    ]);
    files.erase('/user/page/assets/page-short.md');
    files.erase('/user/tides/lib/main.star');
    settle();
    expect(await load()).toEqual([
      'page: SKILL.md assets/page.md',
      'tides is barred: the program "lib/main.star" does not exist',
    ]);
    expect(await load()).toEqual(['tides is barred: the program "lib/main.star" does not exist']);
    files.write('/user/tides/lib/main.star', 'good');
    settle();
    expect(await load()).toEqual(['tides: lib/main.star']);
  });

  it('keeps no verdict about what was written in the last moment', async () => {
    const { files, load } = world();
    files.write('/user/tides/lib/main.star', 'late');
    expect(await load()).toEqual(['page: SKILL.md assets/page.md', 'tides: lib/main.star']);
    expect(await load()).toEqual(['tides: lib/main.star']);
  });

  it('judges again each time what lies behind a link', async () => {
    const { files, load, settle } = world();
    files.erase('/user/tides/lib');
    files.write('/user/tides/real/main.star', 'good');
    files.link('/user/tides/lib', 'real');
    settle();
    const barred = 'tides is barred: the program "lib/main.star" is reached through a link';
    expect(await load()).toEqual(['page: SKILL.md assets/page.md', barred]);
    files.erase('/user/tides/real');
    settle();
    expect(await load()).toEqual(['tides is barred: the program "lib/main.star" does not exist']);
  });

  it('judges a row that was recorded without a verdict', async () => {
    const { files, load, index } = world();
    await loadFrom(files, { index });
    files.write('/user/words/notes.md', 'x');
    expect(await load()).toEqual(['page: SKILL.md assets/page.md', 'tides: lib/main.star']);
  });

  it('judges a skill in memory', async () => {
    const snapshot = await loadFrom(libraryOf([]), {
      judge: async () => ({ code: 'PLAN_INVALID', message: 'no' }),
    });
    const added = await snapshot.with({
      name: 'new',
      origin: { kind: 'local', from: null },
      files: new Map([
        ['SKILL.md', new TextEncoder().encode(skillText('new'))],
        ['SKILL.star', new TextEncoder().encode('x')],
      ]),
    });
    const skill = added.get('new');
    expect(added.facts(skill).sound).toEqual({
      ok: false,
      reasons: [{ code: 'PLAN_INVALID', message: 'no', hint: `techne check "${skill.file}"` }],
    });
  });
});
