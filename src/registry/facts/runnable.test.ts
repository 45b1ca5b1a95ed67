import { describe, expect, it } from 'vitest';
import { countListed } from '../../prompt/index-layout.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { defaultConfig } from '../../config/merge-config.ts';
import type { Config } from '../../config/types.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { SkillOrigin } from '../../skill/types.ts';
import { loadSnapshot } from '../snapshot.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import { isRunnable } from './runnable.ts';
import { createTrustStore } from '../trust/trust-store.ts';
import type { Root, SkillTree, Source } from '../types.ts';

const program = (name: string, extra = ''): string =>
  `---\nname: ${name}\ndescription: Use when you need ${name}.\nmetaskill_language: starlark\n${extra}---\nRuns.\n`;
const local: SkillOrigin = { kind: 'local', from: null };

function world() {
  const files = createMemoryFiles({
    '/project/skills/tides/SKILL.md': program('tides'),
    '/project/skills/tides/SKILL.star': 'def main(): pass\n',
    '/project/skills/notes/SKILL.md':
      '---\nname: notes\ndescription: Use when you take notes.\n---\nWrite.\n',
    '/project/skills/barred/SKILL.md': program('barred', 'metaskill: main.lua\n'),
    '/project/skills/unready/SKILL.md': program('unready', 'requires:\n  bins: [nowhere-to-be-found]\n'),
    '/project/skills/unready/SKILL.star': 'def main(): pass\n',
  });
  files.folder('/home/me');
  files.advance(10_000_000_000n);
  const environment = { platform: 'linux', homeFolder: '/home/me', variables: {}, findProgram: () => null };
  const store = createTrustStore({
    file: '/home/me/.techne/trust.json',
    files,
    environment,
    clock: files.clock,
  });
  const runnable = async (
    name: string,
    options: { origin?: SkillOrigin; config?: Config; source?: Source; tree?: SkillTree } = {},
  ) => {
    const root: Root = {
      path: '/project/skills',
      source: options.source ?? 'workspace',
      host: 'option',
      origin: options.origin ?? local,
    };
    const config = options.config ?? defaultConfig();
    files.advance(10_000_000n);
    const loaded = await loadSnapshot({
      roots: [root],
      files,
      environment,
      clock: files.clock,
      sha256: nodeSha256,
      parseFull: nodeParseFull,
      countListed,
      config,
    });
    const snapshot = options.tree === undefined ? loaded : await loaded.with(options.tree);
    const { ok, reasons } = await isRunnable(snapshot, name, store, config);
    return {
      answer: `${ok ? 'yes' : 'no'} ${reasons[0]?.code}`,
      hint: reasons[0]?.hint ?? null,
      snapshot,
      reasons,
    };
  };
  const trust = async (name: string) => {
    const { snapshot } = await runnable(name);
    await store.trustDigest({
      digest: (await snapshot.manifest(name)).digest,
      name,
      folder: snapshot.get(name).folder,
    });
  };
  return { files, store, runnable, trust };
}

const withConfig = (change: Partial<Config>): Config => ({ ...defaultConfig(), ...change });

describe('isRunnable', () => {
  it('says no to what nobody trusted, and which command would change that', async () => {
    const { runnable } = world();
    const { answer, hint } = await runnable('tides');
    expect(answer).toBe('no NOT_TRUSTED');
    expect(hint).toBe('look at "/project/skills/tides", then: techne trust tides');
  });

  it('is off when execution is off, whatever is trusted', async () => {
    const { runnable, store, trust } = world();
    await store.trustFolder('/project');
    await trust('tides');
    const config = withConfig({ execution: { policy: 'off' }, trust: { folders: ['/project'] } });
    for (const kind of ['builtin', 'local', 'installed'] as const) {
      expect((await runnable('tides', { config, origin: { kind, from: null } })).answer).toBe(
        'no EXECUTION_OFF',
      );
    }
  });

  it('has nothing to run in instructions, nor where the form is barred', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/project');
    expect((await runnable('notes')).answer).toBe('no NOT_EXECUTABLE');
    expect((await runnable('barred')).answer).toBe('no NOT_EXECUTABLE');
  });

  it('does not run what is not ready, and says what is missing', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/project');
    const { reasons } = await runnable('unready');
    expect(reasons.map(({ code }) => code)).toEqual(['NOT_READY', 'BIN_MISSING']);
  });

  it('does not run what is switched off', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/project');
    const config = withConfig({ skills: { ...defaultConfig().skills, disabled: ['tides'] } });
    const { answer, hint } = await runnable('tides', { config });
    expect([answer, hint]).toEqual(['no DISABLED', 'remove "tides" from skills.disabled']);
    expect((await runnable('tides', { config, origin: { kind: 'builtin', from: null } })).answer).toBe(
      'no DISABLED',
    );
  });

  describe('looks at what would be executed', () => {
    const cases: readonly [
      string,
      string,
      (files: ReturnType<typeof world>['files'], folder: string) => void,
    ][] = [
      [
        'a program among the caches',
        'metaskill: __pycache__/p.star\n',
        (files, folder) => files.write(`${folder}/__pycache__/p.star`, 'x'),
      ],
      [
        'a program in node_modules',
        'metaskill: node_modules/p.star\n',
        (files, folder) => files.write(`${folder}/node_modules/p.star`, 'x'),
      ],
      [
        'a program that is a backup file',
        'metaskill: p.star~\n',
        (files, folder) => files.write(`${folder}/p.star~`, 'x'),
      ],
      [
        'a program that is a link to an excluded file',
        '',
        (files, folder) => {
          files.write(`${folder}/__pycache__/p.star`, 'x');
          files.link(`${folder}/SKILL.star`, '__pycache__/p.star');
        },
      ],
      [
        'a program that is a link out of the folder',
        '',
        (files, folder) => {
          files.write('/else/p.star', 'x');
          files.link(`${folder}/SKILL.star`, '/else/p.star');
        },
      ],
      [
        'a program in a folder that is a link',
        'metaskill: lib/p.star\n',
        (files, folder) => {
          files.write(`${folder}/v1/p.star`, 'x');
          files.link(`${folder}/lib`, 'v1');
        },
      ],
      [
        'a SKILL.md that is a link',
        '',
        (files, folder) => {
          files.write(`${folder}/SKILL.star`, 'x');
          files.rename(`${folder}/SKILL.md`, `${folder}/text.md`);
          files.link(`${folder}/SKILL.md`, 'text.md');
        },
      ],
      [
        'a program that is missing further down',
        'metaskill: lib/p.star\n',
        (files, folder) => files.write(`${folder}/lib/other`, 'x'),
      ],
      [
        'a program that is a folder further down',
        'metaskill: lib/p.star\n',
        (files, folder) => files.folder(`${folder}/lib/p.star`),
      ],
      [
        'a program that is too large',
        '',
        (files, folder) => files.write(`${folder}/SKILL.star`, '#'.repeat(64 * 1024 + 1)),
      ],
      [
        'a program with frontmatter',
        '',
        (files, folder) => files.write(`${folder}/SKILL.star`, '---\nname: x\n---\n'),
      ],
    ];
    it.each(cases)('refuses %s, whoever trusts it', async (_, fields, make) => {
      const { runnable, store, trust, files } = world();
      files.write('/project/skills/odd/SKILL.md', program('odd', fields));
      make(files, '/project/skills/odd');
      files.advance(10_000_000_000n);
      const { answer, hint } = await runnable('odd');
      expect([answer, hint]).toEqual([
        'no NOT_EXECUTABLE',
        'put the file itself into "/project/skills/odd", then: techne check "/project/skills/odd/SKILL.md"',
      ]);
      await trust('odd');
      expect((await runnable('odd')).answer).toBe('no NOT_EXECUTABLE');
      await store.trustFolder('/project');
      expect((await runnable('odd')).answer).toBe('no NOT_EXECUTABLE');
      expect((await runnable('odd', { origin: { kind: 'builtin', from: null } })).answer).toBe(
        'no NOT_EXECUTABLE',
      );
    });

    it('takes a program below a folder of the skill', async () => {
      const { runnable, trust, files } = world();
      files.write('/project/skills/odd/SKILL.md', program('odd', 'metaskill: lib/p.star\n'));
      files.write('/project/skills/odd/lib/p.star', 'x');
      files.advance(10_000_000_000n);
      await trust('odd');
      expect((await runnable('odd')).answer).toBe('yes TRUSTED_DIGEST');
    });

    it('does not take a digest that leaves out what a link leads to', async () => {
      const { runnable, store, trust, files } = world();
      files.write('/else/lib.star', 'x');
      files.link('/project/skills/tides/lib.star', '/else/lib.star');
      files.advance(10_000_000_000n);
      await trust('tides');
      const { answer, reasons } = await runnable('tides');
      expect([answer, reasons[0]?.message]).toEqual([
        'no NOT_EXECUTABLE',
        '"lib.star" of "tides" is not covered by the digest that was trusted',
      ]);
      await store.trustFolder('/project');
      expect((await runnable('tides')).answer).toBe('yes TRUSTED_FOLDER');
    });
  });

  it('trusts global skills by their content only', async () => {
    const { runnable, store, trust } = world();
    await store.trustFolder('/project');
    expect((await runnable('tides', { source: 'user' })).answer).toBe('no NOT_TRUSTED');
    await trust('tides');
    expect((await runnable('tides', { source: 'user' })).answer).toBe('yes TRUSTED_DIGEST');
  });

  it('does not run what exists only in memory', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/project');
    const tree: SkillTree = {
      name: 'tides',
      origin: local,
      files: new Map([
        ['SKILL.md', encodeUtf8(program('tides'))],
        ['SKILL.star', encodeUtf8('x')],
      ]),
    };
    const { answer, hint } = await runnable('tides', { tree });
    expect([answer, hint]).toEqual([
      'no NOT_TRUSTED',
      'save it into a folder of skills, look at it there, then: techne trust tides',
    ]);
  });

  it('trusts what is part of techne', async () => {
    const { runnable } = world();
    expect((await runnable('tides', { origin: { kind: 'builtin', from: null } })).answer).toBe(
      'yes TRUSTED_BUILTIN',
    );
  });

  it('trusts local work in a trusted folder, from the store or the configuration', async () => {
    const { runnable, store, files } = world();
    expect(
      (await runnable('tides', { config: withConfig({ trust: { folders: ['/project'] } }) })).answer,
    ).toBe('yes TRUSTED_FOLDER');
    expect((await runnable('tides', { config: withConfig({ trust: { folders: ['/wor'] } }) })).answer).toBe(
      'no NOT_TRUSTED',
    );
    await store.trustFolder('/project/skills');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_FOLDER');
    files.write('/project/skills/tides/SKILL.star', 'def main(): return 1\n');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_FOLDER');
  });

  it.each(['installed', 'remote', 'plugin'] as const)(
    'trusts an %s skill by its content only',
    async (kind) => {
      const { runnable, store, trust } = world();
      const origin = { kind, from: null };
      await store.trustFolder('/project');
      expect(
        (await runnable('tides', { origin, config: withConfig({ trust: { folders: ['/project'] } }) }))
          .answer,
      ).toBe('no NOT_TRUSTED');
      await trust('tides');
      expect((await runnable('tides', { origin })).answer).toBe('yes TRUSTED_DIGEST');
    },
  );

  it('revokes by any change in the folder, and by a link put in its place', async () => {
    const { runnable, files, trust } = world();
    await trust('tides');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_DIGEST');
    files.write('/project/skills/tides/scripts/x.py', 'print()');
    expect((await runnable('tides')).answer).toBe('no CHANGED_SINCE_TRUSTED');
    files.erase('/project/skills/tides/scripts');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_DIGEST');
    files.chmod('/project/skills/tides/SKILL.star', 0o755);
    expect((await runnable('tides')).answer).toBe('no CHANGED_SINCE_TRUSTED');
    files.chmod('/project/skills/tides/SKILL.star', 0o644);
    files.rename('/project/skills/tides', '/project/skills/.elsewhere');
    files.link('/project/skills/tides', '.elsewhere');
    expect((await runnable('tides')).answer).toBe('no NOT_TRUSTED');
  });

  it('does not know an unknown skill', async () => {
    const { runnable } = world();
    await expect(runnable('nobody')).rejects.toMatchObject({ code: 'SKILL_UNKNOWN' });
  });
});
