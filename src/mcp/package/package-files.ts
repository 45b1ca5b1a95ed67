// One source -> the files of a package folder: a marketplace for Claude Code and Codex, and a plugin folder for each host.
//
//   .claude-plugin/marketplace.json  .agents/plugins/marketplace.json
//   plugins/claude-code/  plugins/codex/  plugins/gemini/  plugins/agent-plugin/
//
// The same source gives the same bytes, so a package can be compared with what is on the disk.
import type { JsonObject } from '../../base/json.ts';
import { hosts } from '../install/hosts.ts';
import { guideSkill, guideText } from './guide.ts';
import { pluginReadme, marketplaceReadme } from './readmes.ts';
import type { CommandSkill, SlashCommand } from './slash-commands.ts';
import { claudeCommand, geminiCommand, guideName, slashCommands } from './slash-commands.ts';

/** What all packages are made from. */
export interface PackageSource {
  readonly version: string;
  /** The program that starts techne. */
  readonly program: string;
  /** What goes before `mcp`, if `program` is node. */
  readonly programArgs: readonly string[];
  /** `--workspace` and `--root`. */
  readonly folderArgs: readonly string[];
  readonly skills: readonly CommandSkill[];
}

export interface HostPackage {
  /** By path, in the order of paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly commands: readonly SlashCommand[];
}

/** The name of the plugin, of the marketplace and of the server. */
export const pluginName = 'techne';
export const pluginFolders = {
  'claude-code': 'plugins/claude-code',
  codex: 'plugins/codex',
  gemini: 'plugins/gemini',
  'agent-plugin': 'plugins/agent-plugin',
} as const;

const summary = 'Finds, loads and runs the SKILL.md skills of your machine and of your project.';
const author = { name: 'techne' };
const keywords = ['skills', 'mcp', 'agent', 'workflow'];
const schemas = 'https://agent-plugins.org/schemas/1.0.0';

export function packageFiles(source: PackageSource): HostPackage {
  const { version } = source;
  const commands = slashCommands(source.skills);
  const about = { name: pluginName, version, description: summary };
  const start = (pageUnits?: number): { readonly command: string; readonly args: readonly string[] } => ({
    command: source.program,
    args: [
      ...source.programArgs,
      'mcp',
      '--answer',
      'caller',
      ...source.folderArgs,
      ...(pageUnits === undefined ? [] : ['--page', String(pageUnits)]),
    ],
  });
  const files: readonly (readonly [path: string, content: string | JsonObject])[] = [
    [
      '.claude-plugin/marketplace.json',
      {
        name: pluginName,
        owner: author,
        metadata: { description: summary, version },
        plugins: [
          {
            ...about,
            source: `./${pluginFolders['claude-code']}`,
            author,
            license: 'MIT',
            keywords,
            category: 'productivity',
          },
        ],
      },
    ],
    [
      '.agents/plugins/marketplace.json',
      {
        name: pluginName,
        interface: { displayName: 'techne' },
        plugins: [
          {
            name: pluginName,
            source: { source: 'local', path: `./${pluginFolders.codex}` },
            policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
            category: 'Productivity',
          },
        ],
      },
    ],
    ['plugins/README.md', marketplaceReadme(version)],
    ...under<string | JsonObject>(pluginFolders['claude-code'], [
      [
        '.claude-plugin/plugin.json',
        {
          ...about,
          author,
          license: 'MIT',
          keywords,
          // With alwaysLoad the tools are in the first request, instead of behind a search.
          mcpServers: { [pluginName]: { ...start(), alwaysLoad: true } },
        },
      ],
      ['README.md', pluginReadme('claude-code', commands.length)],
      [`skills/${guideName}/SKILL.md`, guideSkill()],
      ...commands.map((command) => [`commands/${command.stem}.md`, claudeCommand(command)] as const),
    ]),
    ...under<string | JsonObject>(pluginFolders.codex, [
      [
        '.codex-plugin/plugin.json',
        {
          ...about,
          author,
          license: 'MIT',
          keywords,
          skills: './skills/',
          mcpServers: './.mcp.json',
          interface: {
            displayName: 'techne',
            shortDescription: 'Find, load and run skills',
            longDescription: summary,
            developerName: author.name,
            category: 'Productivity',
            capabilities: ['Interactive', 'Write'],
            defaultPrompt: ['Find a skill for this task and run it.'],
          },
        },
      ],
      // Without `required` codex continues without a message if the server does not start.
      ['.mcp.json', { mcpServers: { [pluginName]: { ...start(hosts.codex.pageUnits), required: true } } }],
      ['README.md', pluginReadme('codex', 0)],
      [`skills/${guideName}/SKILL.md`, guideSkill()],
    ]),
    ...under<string | JsonObject>(pluginFolders.gemini, [
      [
        'gemini-extension.json',
        { ...about, contextFileName: 'GEMINI.md', mcpServers: { [pluginName]: start() } },
      ],
      ['GEMINI.md', guideText()],
      ['README.md', pluginReadme('gemini', commands.length)],
      ...commands.map(
        (command) => [`commands/${pluginName}/${command.stem}.toml`, geminiCommand(command)] as const,
      ),
    ]),
    ...under<string | JsonObject>(pluginFolders['agent-plugin'], [
      [
        'plugin.json',
        { $schema: `${schemas}/plugin.schema.json`, ...about, author, license: 'MIT', keywords },
      ],
      [
        'mcp.json',
        {
          $schema: `${schemas}/mcp.schema.json`,
          mcpServers: { [pluginName]: { type: 'stdio', ...start() } },
        },
      ],
      ['README.md', pluginReadme('agent-plugin', 0)],
      [`skills/${guideName}/SKILL.md`, guideSkill()],
    ]),
  ];
  return {
    files: new Map(
      files
        .map(([path, content]): [string, string] => [
          path,
          typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
        ])
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    commands,
  };
}

function under<T>(
  folder: string,
  files: readonly (readonly [path: string, content: T])[],
): readonly (readonly [path: string, content: T])[] {
  return files.map(([path, content]) => [`${folder}/${path}`, content]);
}
