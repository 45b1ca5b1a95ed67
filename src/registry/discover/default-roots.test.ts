import { describe, expect, it } from 'vitest';
import { configWith } from '../../../test/support/library.ts';
import { defaultRoots } from './roots.ts';

const options = { homeFolder: '/home/me', workspace: '/project', packageSkills: '/pkg/skills' };
const shown = (roots: ReturnType<typeof defaultRoots>): string[] =>
  roots.map(({ source, host, path }) => `${source} ${host} ${path}`);

describe('defaultRoots', () => {
  it("gives techne's and the shared folders first, then what is configured, then other hosts' folders", () => {
    const config = configWith({
      roots: { user: ['~/mine', '/abs/../abs/skills'], workspace: ['tools/skills'], plugin: ['~/plugin'] },
    });
    const roots = shown(defaultRoots({ ...options, config }));
    expect(roots.slice(0, 8)).toEqual([
      'builtin techne /pkg/skills',
      'plugin config /home/me/plugin',
      'user techne /home/me/.techne/skills',
      'user agents /home/me/.agents/skills',
      'user config /home/me/mine',
      'user config /abs/skills',
      'user claude /home/me/.claude/skills',
      'user codex /home/me/.codex/skills',
    ]);
    expect(roots.filter((root) => root.startsWith('workspace')).slice(0, 8)).toEqual([
      'workspace techne /project/.techne/skills',
      'workspace agents /project/.agents/skills',
      'workspace config /project/tools/skills',
      'workspace claude /project/.claude/skills',
      'workspace codex /project/.codex/skills',
      'workspace cursor /project/.cursor/skills',
      'workspace gemini /project/.gemini/skills',
      'workspace copilot /project/.github/skills',
    ]);
  });

  it('keeps what a workspace brings inside it, and lets the user name folders anywhere', () => {
    const config = configWith({
      roots: { workspace: ['tools/skills', '/abs/skills', '~/own'], user: ['/abs/mine'] },
    });
    const roots = defaultRoots({ ...options, config });
    const free = roots
      .filter(({ source, within }) => source === 'workspace' && within === undefined)
      .map(({ path }) => path);
    expect(free).toEqual(['/abs/skills', '/home/me/own']);
    expect(roots.filter(({ configuredFor }) => configuredFor === '/project').map(({ path }) => path)).toEqual(
      ['/project/tools/skills', '/abs/skills', '/home/me/own'],
    );
    expect(roots.filter(({ configuredFor }) => configuredFor !== undefined).length).toBe(3);
    expect(new Set(roots.filter(({ source }) => source === 'workspace').map(({ within }) => within))).toEqual(
      new Set(['/project', undefined]),
    );
    expect(roots.filter(({ source, within }) => source !== 'workspace' && within !== undefined)).toEqual([]);
  });

  it('leaves out what is switched off or not there', () => {
    const config = configWith({ roots: { hosts: false, builtin: false } });
    expect(shown(defaultRoots({ ...options, config, workspace: null }))).toEqual([
      'user techne /home/me/.techne/skills',
      'user agents /home/me/.agents/skills',
    ]);
  });

  it('names a folder once when the workspace is the home folder', () => {
    const roots = defaultRoots({ ...options, config: configWith({}), workspace: '/home/me' });
    expect(new Set(roots.map(({ path }) => path)).size).toBe(roots.length);
    expect(roots.find(({ path }) => path === '/home/me/.agents/skills')?.source).toBe('user');
  });
});
