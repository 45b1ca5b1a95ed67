// Rules about what a skill is and brings: its name, its description, its declared tools, servers, hooks and packages.
import type { Rule } from '../rule.ts';

export const packageRules: readonly Rule[] = [
  {
    code: 'LOOKALIKE_NAME',
    severity: 'medium',
    category: 'identity',
    title: 'A name that is easily taken for another',
    message: 'The name differs from a known one by a letter or by a letter that looks the same.',
    hint: 'Check that this is the skill you meant.',
  },
  {
    code: 'BAIT_DESCRIPTION',
    severity: 'medium',
    category: 'identity',
    title: 'A description that wants to be chosen for everything',
    message: 'The description or a trigger asks to be used for every message or before every other skill.',
    hint: 'Restrict the skill to what it is for.',
  },
  {
    code: 'UNDECLARED_TOOL',
    severity: 'low',
    category: 'capabilities',
    title: 'Uses more than it declares',
    message: 'The skill declares tools that only read, and its scripts reach the network or run commands.',
    hint: 'Compare allowed-tools with what the scripts do.',
  },
  {
    code: 'BROAD_TOOLS',
    severity: 'low',
    category: 'capabilities',
    title: 'Asks for every command of the shell',
    message: 'The skill wants every command of the shell to be allowed without asking.',
    hint: 'Name the commands that it needs: `Bash(git diff *)`.',
  },
  {
    code: 'PLUGIN_HOOK',
    severity: 'low',
    category: 'capabilities',
    title: 'Brings hooks that run commands by themselves',
    message: 'A hook of the agent runs a command at every start or tool call, without being asked for.',
    hint: 'Read the command before you enable the hook.',
  },
  {
    code: 'PLUGIN_SERVER',
    severity: 'low',
    category: 'capabilities',
    title: 'Brings an MCP server',
    message: 'The server is a program or a remote host that gets what the agent sends to its tools.',
    hint: 'Read what it starts or connects to before you enable it.',
  },
  {
    code: 'INSTALL_SCRIPT',
    severity: 'medium',
    category: 'remote-code',
    title: 'A package runs code when it is installed',
    message: 'A lifecycle script of a package fetches or hides what it runs.',
    hint: 'Install with scripts switched off, and read the script.',
  },
];
