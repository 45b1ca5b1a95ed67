// Faults of a server that can be found without starting it: unset variables, a missing program.
import type { McpServer } from '../../config/types.ts';
import { commandEnvironment } from '../../node/commands/environment.ts';
import { findProgram } from '../../node/shell/program.ts';
import { expandVariables } from './expand-variables.ts';

/** Why it cannot be started, or null: then only starting it can tell. */
export function findServerFault(
  { command, args, env, url, headers = {} }: McpServer,
  cwd: string,
  variables: { readonly [name: string]: string | undefined },
): string | null {
  for (const text of [command ?? '', url ?? '', ...args, ...Object.values(env), ...Object.values(headers)]) {
    const expanded = expandVariables(text, variables);
    if (!expanded.ok) return `it needs the variable ${expanded.variable}, which is not set`;
  }
  const expanded = command === null ? null : expandVariables(command, variables);
  if (expanded === null || !expanded.ok) return null;
  const program = findProgram(expanded.text, cwd, env['PATH'] ?? commandEnvironment(variables, [])['PATH']);
  return program.ok ? null : program.fault;
}
