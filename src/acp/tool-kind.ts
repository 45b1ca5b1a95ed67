// A tool of a conversation -> the kind by which clients choose an icon.
import type { ToolKind } from '@agentclientprotocol/sdk';

const kinds: { readonly [tool: string]: ToolKind } = {
  read_file: 'read',
  list_files: 'search',
  search_files: 'search',
  write_file: 'edit',
  edit_file: 'edit',
  command: 'execute',
  run_metaskill: 'execute',
  skill_search: 'search',
  skill_load: 'read',
  skill_read: 'read',
  graph_query: 'search',
  graph_neighbours: 'search',
  graph_tasks: 'search',
};

export function toolKind(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] as ToolKind) : 'other';
}
