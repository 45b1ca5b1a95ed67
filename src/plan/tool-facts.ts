// What tools with known names do: for risk, and for what may reach their arguments.
//
// A tool that is neither known here nor described by the world counts as able to change something. A server chooses
// the names of its tools, so a harmless name such as `read_file` proves nothing; a last word that means a change is
// believed.
import type { JsonObject } from '../base/json.ts';
import type { Sink } from './draft.ts';
import type { Capability } from './capabilities.ts';

export interface ToolFacts {
  /** Changes nothing. */
  readonly readOnly: boolean;
  readonly capabilities: readonly Capability[];
  /** A JSON Schema of its arguments. Default: it takes anything. */
  readonly schema?: JsonObject | null;
}

const groups: readonly (readonly [ToolFacts, readonly string[]])[] = [
  [
    { readOnly: true, capabilities: ['filesystem-read'] },
    [
      'read_file',
      'list_files',
      'list_dir',
      'list_directory',
      'search_files',
      'find_files',
      'grep',
      'glob',
      'read',
      'ls',
      'view',
      'cat',
      'stat',
      'graph_query',
      'graph_neighbours',
      'graph_tasks',
    ],
  ],
  [
    { readOnly: true, capabilities: [] },
    [
      'memory_search',
      'memory_get',
      'emit_text',
      'skill_search',
      'skill_load',
      'skill_read',
      'skill_proposals',
      'use_skill',
      'think',
      'todo_read',
    ],
  ],
  [
    { readOnly: true, capabilities: ['network-read'] },
    ['web_search', 'web_fetch', 'http_get', 'fetch', 'fetch_url', 'websearch', 'webfetch'],
  ],
  [
    { readOnly: false, capabilities: ['filesystem-write'] },
    [
      'write_file',
      'edit_file',
      'apply_patch',
      'create_file',
      'delete_file',
      'move_file',
      'write',
      'edit',
      'multi_edit',
      'skill_propose',
    ],
  ],
  [{ readOnly: false, capabilities: ['memory-write'] }, ['memory_save', 'memory_write', 'memory_delete']],
  [{ readOnly: false, capabilities: ['artifact-write'] }, ['publish_artifact', 'create_artifact']],
  [
    { readOnly: false, capabilities: ['shell'] },
    [
      'exec_command',
      'execute_command',
      'run_command',
      'command',
      'bash',
      'shell',
      'sh',
      'terminal',
      'execute_code',
      'run_code',
      'python',
      'powershell',
      'run_terminal_cmd',
      'exec',
    ],
  ],
  [
    { readOnly: false, capabilities: ['network-write', 'external-side-effect'] },
    ['http_post', 'http_request', 'send_email', 'send_message', 'post_message', 'slack_post'],
  ],
];

const known: ReadonlyMap<string, ToolFacts> = new Map(
  groups.flatMap(([facts, names]) => names.map((name) => [name, facts] as const)),
);

/** For "did you mean". */
export const toolsKnown: readonly string[] = [...known.keys()];

export function factsOfTool(name: string): ToolFacts | null {
  const own = known.get(name.toLowerCase());
  if (own !== undefined) return own;
  const last = known.get((name.split(/__|[.:/]/).pop() ?? name).toLowerCase());
  return last === undefined || last.readOnly ? null : last;
}

const commandKeys: ReadonlySet<string> = new Set([
  'command',
  'cmd',
  'commands',
  'script',
  'code',
  'shell',
  'shell_command',
  'command_line',
  'input',
]);
const argvKeys: ReadonlySet<string> = new Set(['argv', 'args', 'arguments']);

/** What an argument of a tool is read as: a command line must not contain anything from outside. */
export function toolSink(tool: string | null, key: string): Sink {
  const facts = tool === null ? null : factsOfTool(tool);
  if (facts === null || !facts.capabilities.includes('shell')) return 'tool';
  if (commandKeys.has(key)) return 'shell';
  return argvKeys.has(key) ? 'argv' : 'tool';
}
