// The tools that a skill declares -> steps that use others.
//
// A run would refuse them (skill/tools/tool-scope.ts). A command or path that is written without templates is compared
// with the limits of the lists as well; the others are decided when the step begins.
import type { Report } from '../base/diagnostic.ts';
import { isJsonObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { splitCommandLine } from '../base/split-command-line.ts';
import type { ScopedCall, ToolScope } from '../skill/tools/tool-scope.ts';
import { scopeFault } from '../skill/tools/tool-scope.ts';
import { ownerOf } from './analyse-sites.ts';
import type { StepDraft } from './draft.ts';
import type { PlanStep } from './plan.ts';

export function checkScope(scopes: readonly ToolScope[], drafts: readonly StepDraft[], report: Report): void {
  if (scopes.length === 0) return;
  for (const draft of drafts) {
    const call = callOf(draft.step);
    const fault = call === null ? null : scopeFault(scopes, call);
    if (fault !== null)
      report(
        'PLAN_SCOPE',
        (draft.tool ?? draft.skill)?.span ?? draft.step.span,
        `${ownerOf(draft)}: ${fault}`,
        'name the tool in allowed-tools (or tools), or leave out the step',
      );
  }
}

/** What the step is certain to use. */
function callOf({ kind, tool, values }: PlanStep): ScopedCall | null {
  if (kind === 'exec') return { tool: 'command' };
  const given = isJsonObject(values) ? values : {};
  if (kind === 'command') return withArgv('command', given['argv']);
  if (kind !== 'tool' || tool === null || tool.includes('{{')) return null;
  if (tool === 'exec_command') return withArgv(tool, given['command']);
  const { path } = given;
  // A path that leaves the folder is decided by its tool.
  return typeof path === 'string' && isWritten(path) && !/^[/~]|(?:^|\/)\.\.?(?:\/|$)/.test(path)
    ? { tool, path }
    : { tool };
}

function withArgv(tool: string, words: Json | undefined): ScopedCall {
  const argv = typeof words === 'string' && isWritten(words) ? splitCommandLine(words) : words;
  return Array.isArray(argv) && argv.every((word) => typeof word === 'string' && isWritten(word))
    ? { tool, argv: argv as readonly string[] }
    : { tool };
}

function isWritten(text: string): boolean {
  return !/\{[{%#]/.test(text);
}
