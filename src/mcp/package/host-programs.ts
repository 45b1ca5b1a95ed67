// The commands of a host that install or remove its plugin from a package folder.
import { join } from 'node:path';
import { pluginFolders, pluginName } from './package-files.ts';

export const pluginHosts = ['claude-code', 'codex', 'gemini'] as const;
export type PluginHost = (typeof pluginHosts)[number];

type Argv = readonly [program: string, ...args: string[]];

const full = `${pluginName}@${pluginName}`;

const programs: Record<
  PluginHost,
  {
    readonly title: string;
    readonly install: (folder: string) => readonly Argv[];
    readonly remove: readonly Argv[];
    readonly afterwards: string;
  }
> = {
  'claude-code': {
    title: 'Claude Code',
    install: (folder) => [
      ['claude', 'plugin', 'marketplace', 'add', folder],
      ['claude', 'plugin', 'install', full],
    ],
    remove: [
      ['claude', 'plugin', 'uninstall', full],
      ['claude', 'plugin', 'marketplace', 'remove', pluginName],
    ],
    afterwards: 'Start claude in a project; /mcp shows the server.',
  },
  codex: {
    title: 'Codex',
    install: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', full],
    ],
    remove: [
      ['codex', 'plugin', 'remove', full],
      ['codex', 'plugin', 'marketplace', 'remove', pluginName],
    ],
    afterwards: 'Start codex in a project; /mcp shows the server.',
  },
  gemini: {
    title: 'Gemini CLI',
    // A link shows later versions of the folder at once.
    install: (folder) => [['gemini', 'extensions', 'link', join(folder, pluginFolders.gemini), '--consent']],
    remove: [['gemini', 'extensions', 'uninstall', pluginName]],
    afterwards:
      'Start gemini in a project and trust its folder (/permissions): Gemini CLI starts no servers in a folder without trust.',
  },
};

export function hostPrograms(host: PluginHost): (typeof programs)[PluginHost] {
  return programs[host];
}
