// The tools that a skill declares -> steps that use others.
//
// A run would refuse them (skill/tools/tool-scope.ts). A command or path that is written without templates is compared
// with the limits of the lists as well; the others are decided when the step begins.
import type { Report } from '../base/diagnostic.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { splitCommandLine } from '../base/split-command-line.ts';
import type { ScopedCall, ToolScope } from '../skill/tools/tool-scope.ts';
import { fileCall, scopeFault } from '../skill/tools/tool-scope.ts';
import { ownerOf } from './analyse-sites.ts';
import type { StepDraft } from './draft.ts';
import type { Entrypoint } from './entrypoint.ts';
import type { PlanStep } from './plan.ts';
import type { PlanWorld } from './world.ts';

export function checkScope(
  scopes: readonly ToolScope[],
  drafts: readonly StepDraft[],
  world: PlanWorld,
  report: Report,
): void {
  if (scopes.length === 0) return;
  for (const draft of drafts) {
    const call = callOf(draft.step);
    const fault =
      (call === null ? null : scopeFault(scopes, call)) ??
      filesFault(scopes, draft.step.kind === 'exec' ? entrypointOf(draft.step, world) : null);
    if (fault !== null)
      report(
        'PLAN_SCOPE',
        (draft.tool ?? draft.skill)?.span ?? draft.step.span,
        `${ownerOf(draft)}: ${fault}`,
        'name the tool in allowed-tools (or tools), or leave out the step',
      );
  }
}

/** Why a file that an entry point is certain to write is outside of the boundary. */
export function filesFault(scopes: readonly ToolScope[], entrypoint: Entrypoint | null): string | null {
  for (const { into } of entrypoint?.assemble ?? []) {
    const fault = scopeFault(scopes, isWritten(into) ? fileCall(into.trim()) : { tool: 'write_file' });
    if (fault !== null) return `the entry point writes ${JSON.stringify(into)}, and ${fault}`;
  }
  return null;
}

/** Of the skill that the step is certain to execute. */
function entrypointOf({ skill, route }: PlanStep, world: PlanWorld): Entrypoint | null {
  const facts = skill === null || route.length > 0 || !isWritten(skill) ? null : world.skill(skill);
  return facts === null || facts === 'unknown' ? null : facts.entrypoint;
}

/** What the step is certain to use. */
function callOf({ kind, tool, values }: PlanStep): ScopedCall | null {
  if (kind === 'exec') return { tool: 'command' };
  const given = isJsonObject(values) ? values : {};
  if (kind === 'command') return withArgv('command', given['argv']);
  if (kind !== 'tool' || tool === null || tool.includes('{{')) return null;
  if (tool === 'exec_command') return withArgv(tool, given['command']);
  const { path } = given;
  return typeof path === 'string' && isWritten(path) ? { ...fileCall(path), tool } : { tool };
}

function withArgv(tool: string, words: Json | undefined): ScopedCall {
  const argv = typeof words === 'string' && isWritten(words) ? splitCommandLine(words) : words;
  return Array.isArray(argv) && argv.every((word) => typeof word === 'string' && isWritten(word))
    ? { tool, argv: argv as readonly string[] }
    : { tool };
}

function isWritten(text: string): boolean {
  return !/\{(?:[{%#]|baseDir\}|base_dir\})/.test(text);
}
