// What the built-in tools are and take, for whoever checks a plan without running it.
import { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { ToolFact } from '../../ports/tool-host.ts';
import { builtInTools } from './built-in-tools.ts';
import { execCommandFact } from './exec-command-tool.ts';

export function builtInFacts(): readonly ToolFact[] {
  const nothing = new ConfinedFiles({ roots: { read: [], write: [], refusal: 'nothing is called here' } });
  return [...builtInTools(nothing).map(({ fact }) => fact), execCommandFact];
}
