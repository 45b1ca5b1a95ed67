import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../config/merge-config.ts';
import type { Config } from '../config/types.ts';
import { nodeDecodeUtf8, nodeSha256 } from '../host/node-environment.ts';
import { nodeParseFull } from '../host/node-yaml.ts';
import type { SkillOrigin } from '../skill/types.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { createMemoryFiles } from './memory-files.ts';
import { isRunnable } from './runnable.ts';
import { createTrustStore } from './trust-store.ts';
import type { Root } from './types.ts';

const program = (name: string, extra = ''): string => `---\nname: ${name}\ndescription: Use when you need ${name}.\nmetaskill_language: starlark\n${extra}---\nRuns.\n`;
const local: SkillOrigin = { kind: 'local', from: null };

function world() {
  const files = createMemoryFiles({
    '/work/skills/tides/SKILL.md': program('tides'),
    '/work/skills/tides/SKILL.star': 'def main(): pass\n',
    '/work/skills/notes/SKILL.md': '---\nname: notes\ndescription: Use when you take notes.\n---\nWrite.\n',
    '/work/skills/barred/SKILL.md': program('barred', 'metaskill: main.lua\n'),
    '/work/skills/unready/SKILL.md': program('unready', 'requires:\n  bins: [nowhere-to-be-found]\n'),
    '/work/skills/unready/SKILL.star': 'def main(): pass\n',
  });
  files.folder('/home/me');
  files.advance(10_000_000_000n);
  const environment = { platform: 'linux', homeFolder: '/home/me', variables: {}, findProgram: () => null };
  const store = createTrustStore({ file: '/home/me/.techne/trust.json', files, environment, clock: files.clock, decodeUtf8: nodeDecodeUtf8 });
  const runnable = async (name: string, options: { origin?: SkillOrigin; config?: Config } = {}) => {
    const root: Root = { path: '/work/skills', source: 'workspace', host: 'option', origin: options.origin ?? local };
    const config = options.config ?? defaultConfig();
    files.advance(10_000_000n);
    const snapshot = await loadSnapshot({ roots: [root], files, environment, clock: files.clock, sha256: nodeSha256, decodeUtf8: nodeDecodeUtf8, parseFull: nodeParseFull, config });
    const { ok, reasons } = await isRunnable(snapshot, name, store, config);
    return { answer: `${ok ? 'yes' : 'no'} ${reasons[0]?.code}`, hint: reasons[0]?.hint ?? null, snapshot, reasons };
  };
  const trust = async (name: string) => {
    const { snapshot } = await runnable(name);
    await store.trustDigest({ digest: (await snapshot.manifest(name)).digest, name, folder: snapshot.get(name).folder });
  };
  return { files, store, runnable, trust };
}

const withConfig = (change: Partial<Config>): Config => ({ ...defaultConfig(), ...change });

describe('isRunnable', () => {
  it('says no to what nobody trusted, and which command would change that', async () => {
    const { runnable } = world();
    const { answer, hint } = await runnable('tides');
    expect(answer).toBe('no NOT_TRUSTED');
    expect(hint).toBe('look at "/work/skills/tides", then: techne trust tides');
  });

  it('is off when execution is off, whatever is trusted', async () => {
    const { runnable, store, trust } = world();
    await store.trustFolder('/work');
    await trust('tides');
    const config = withConfig({ execution: { policy: 'off' }, trust: { folders: ['/work'] } });
    for (const kind of ['builtin', 'local', 'installed'] as const) {
      expect((await runnable('tides', { config, origin: { kind, from: null } })).answer).toBe('no EXECUTION_OFF');
    }
  });

  it('has nothing to run in instructions, nor where the form is barred', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/work');
    expect((await runnable('notes')).answer).toBe('no NOT_EXECUTABLE');
    expect((await runnable('barred')).answer).toBe('no NOT_EXECUTABLE');
  });

  it('does not run what is not ready, and says what is missing', async () => {
    const { runnable, store } = world();
    await store.trustFolder('/work');
    const { reasons } = await runnable('unready');
    expect(reasons.map(({ code }) => code)).toEqual(['NOT_READY', 'BIN_MISSING']);
  });

  it('trusts what is part of techne', async () => {
    const { runnable } = world();
    expect((await runnable('tides', { origin: { kind: 'builtin', from: null } })).answer).toBe('yes TRUSTED_BUILTIN');
  });

  it('trusts local work in a trusted folder, from the store or the configuration', async () => {
    const { runnable, store, files } = world();
    expect((await runnable('tides', { config: withConfig({ trust: { folders: ['/work'] } }) })).answer).toBe('yes TRUSTED_FOLDER');
    expect((await runnable('tides', { config: withConfig({ trust: { folders: ['/wor'] } }) })).answer).toBe('no NOT_TRUSTED');
    await store.trustFolder('/work/skills');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_FOLDER');
    files.write('/work/skills/tides/SKILL.star', 'def main(): return 1\n');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_FOLDER');
  });

  it.each(['installed', 'remote', 'plugin'] as const)('trusts an %s skill by its content only', async (kind) => {
    const { runnable, store, trust } = world();
    const origin = { kind, from: null };
    await store.trustFolder('/work');
    expect((await runnable('tides', { origin, config: withConfig({ trust: { folders: ['/work'] } }) })).answer).toBe('no NOT_TRUSTED');
    await trust('tides');
    expect((await runnable('tides', { origin })).answer).toBe('yes TRUSTED_DIGEST');
  });

  it('revokes by any change in the folder, and by a link put in its place', async () => {
    const { runnable, files, trust } = world();
    await trust('tides');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_DIGEST');
    files.write('/work/skills/tides/scripts/x.py', 'print()');
    expect((await runnable('tides')).answer).toBe('no CHANGED_SINCE_TRUSTED');
    files.erase('/work/skills/tides/scripts');
    expect((await runnable('tides')).answer).toBe('yes TRUSTED_DIGEST');
    files.chmod('/work/skills/tides/SKILL.star', 0o755);
    expect((await runnable('tides')).answer).toBe('no CHANGED_SINCE_TRUSTED');
    files.chmod('/work/skills/tides/SKILL.star', 0o644);
    files.rename('/work/skills/tides', '/work/skills/.elsewhere');
    files.link('/work/skills/tides', '.elsewhere');
    expect((await runnable('tides')).answer).toBe('no NOT_TRUSTED');
  });

  it('does not know an unknown skill', async () => {
    const { runnable } = world();
    await expect(runnable('nobody')).rejects.toMatchObject({ code: 'SKILL_UNKNOWN' });
  });
});
