// The folders in which techne looks for skills by default.
//
//   home folder, workspace, configuration -> Root[]
//
// Within a source the earlier root wins: techne's own folder, then the shared `.agents`, then the folders that the
// configuration adds, then other hosts' folders, which are only read. The usual folders of a workspace, and those
// configured relative to it, must really be inside it. A folder named by an absolute path or one below `~` is the
// user's own choice and may be anywhere.
import type { Config } from '../../config/types.ts';
import type { Root, Source } from '../types.ts';

interface DefaultRootsOptions {
  readonly homeFolder: string;
  /** `null`: there is no workspace. */
  readonly workspace: string | null;
  /** The `skills` folder of this package; `null` where there is none. */
  readonly packageSkills: string | null;
  readonly config: Pick<Config, 'roots'>;
}

interface HostFolder {
  readonly host: string;
  readonly user: string | null;
  readonly workspace: string | null;
}

/** Folders of other hosts, as each of them documents. */
export const hostFolders: readonly HostFolder[] = [
  { host: 'claude', user: '.claude/skills', workspace: '.claude/skills' },
  { host: 'codex', user: '.codex/skills', workspace: '.codex/skills' },
  { host: 'cursor', user: '.cursor/skills', workspace: '.cursor/skills' },
  { host: 'gemini', user: '.gemini/skills', workspace: '.gemini/skills' },
  { host: 'copilot', user: '.copilot/skills', workspace: '.github/skills' },
  { host: 'opencode', user: '.config/opencode/skills', workspace: '.opencode/skills' },
  { host: 'goose', user: '.config/goose/skills', workspace: '.goose/skills' },
  { host: 'windsurf', user: '.codeium/windsurf/skills', workspace: '.windsurf/skills' },
  { host: 'openclaw', user: '.openclaw/skills', workspace: null },
  { host: 'hermes', user: '.hermes/skills', workspace: null },
  { host: 'pi', user: '.pi/agent/skills', workspace: '.pi/skills' },
];

export function defaultRoots(options: DefaultRootsOptions): readonly Root[] {
  const { homeFolder, workspace, packageSkills, config } = options;
  const roots: Root[] = [];
  const add = (
    source: Source,
    host: string,
    path: string,
    within: string | null = null,
    configuredFor: string | null = null,
  ): void => {
    const kind = source === 'builtin' ? 'builtin' : source === 'plugin' ? 'plugin' : 'local';
    if (roots.some((root) => root.path === path)) return;
    roots.push({
      source,
      path,
      host,
      origin: { kind, from: kind === 'plugin' ? path : null },
      ...(within === null ? {} : { within }),
      ...(configuredFor === null ? {} : { configuredFor }),
    });
  };
  const inHome = (path: string): string =>
    path === '~'
      ? homeFolder
      : path.startsWith('~/')
        ? under(homeFolder, path.slice(2))
        : under(homeFolder, path);

  if (config.roots.builtin && packageSkills !== null) add('builtin', 'techne', packageSkills);
  for (const path of config.roots.plugin) add('plugin', 'config', inHome(path));
  add('user', 'techne', under(homeFolder, '.techne/skills'));
  add('user', 'agents', under(homeFolder, '.agents/skills'));
  for (const path of config.roots.user) add('user', 'config', inHome(path));
  if (config.roots.hosts) {
    for (const { host, user } of hostFolders) if (user !== null) add('user', host, under(homeFolder, user));
  }
  if (workspace === null) return roots;
  add('workspace', 'techne', under(workspace, '.techne/skills'), workspace);
  add('workspace', 'agents', under(workspace, '.agents/skills'), workspace);
  for (const path of config.roots.workspace) {
    if (path === '~' || path.startsWith('~/')) add('workspace', 'config', inHome(path), null, workspace);
    else add('workspace', 'config', under(workspace, path), isAbsolute(path) ? null : workspace, workspace);
  }
  if (config.roots.hosts) {
    for (const hostFolder of hostFolders)
      if (hostFolder.workspace !== null)
        add('workspace', hostFolder.host, under(workspace, hostFolder.workspace), workspace);
  }
  return roots;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** `path` if it is absolute, else below `folder`; `.` and `..` are resolved as text. */
function under(folder: string, path: string): string {
  const absolute = isAbsolute(path) ? path : `${folder}/${path}`;
  const kept: string[] = [];
  for (const segment of absolute.split('/')) {
    if (segment === '..' && kept.length > 1) kept.pop();
    else if (segment !== '.' && segment !== '..' && (segment !== '' || kept.length === 0)) kept.push(segment);
  }
  return kept.length === 1 ? `${kept[0]}/` : kept.join('/');
}
