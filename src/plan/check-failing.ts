// Steps that fail whenever they run -> diagnostics, before anything is paid for.
//
// An error if the step is certain to run and nothing provides for its failure; a warning otherwise. A run of such a plan
// is refused by its preflight (run/plan/prepare-plan.ts). A command line that needs a shell is one: exec_command has
// none. What it may be is written as a list, `[sh, -c, "a | b"]`: then people and the policy see that a shell runs, and
// values come after the line, as its arguments, instead of into it (decision 0013).
import type { Report } from '../base/diagnostic.ts';
import { splitCommandLine } from '../base/split-command-line.ts';
import { ownerOf } from './analyse-sites.ts';
import type { Site, StepDraft } from './draft.ts';
import { failingCode } from './draft.ts';
import type { Fix } from '../base/fix.ts';

/** Command lines that need a shell, and how they are corrected. */
export function checkCommandLines(drafts: readonly StepDraft[], report: Report): readonly Fix[] {
  const fixes: Fix[] = [];
  for (const draft of drafts) {
    if (draft.step.tool !== 'exec_command') continue;
    const site = draft.sites.find(({ label }) => label.endsWith('.command'));
    if (site === undefined || site.text.includes('{%')) continue;
    // A value is one word, whatever it is.
    const words = splitCommandLine(site.text.replaceAll(/\{\{[^]*?\}\}/g, 'x'));
    if (typeof words !== 'string') continue;
    const needsShell = words.startsWith('the command needs a shell');
    report(
      failingCode(draft.step),
      site.node.span,
      `${ownerOf(draft)}: ${words}`,
      needsShell
        ? `write command: [sh, -c, "…"], with values behind it: [sh, -c, 'git show "$1" | head', sh, "{{ … }}"]`
        : undefined,
    );
    if (needsShell) fixes.push(...asList(site));
  }
  return fixes;
}

/** Nothing is taken apart: a line with values in it, or over several lines, is left to its author. */
function asList({ node, text, label }: Site): readonly Fix[] {
  const why = `${label}: a command line that needs a shell`;
  const { start, end } = node.span;
  if (text.includes('{{') || text.includes('\n')) return [];
  if (node.style === 'single' || node.style === 'double')
    return [
      { at: start, insert: '[sh, -c, ', why },
      { at: end, insert: ']', why },
    ];
  return node.style === 'plain' && !text.includes("'")
    ? [
        { at: start, insert: "[sh, -c, '", why },
        { at: end, insert: "']", why },
      ]
    : [];
}
