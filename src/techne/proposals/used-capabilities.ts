// What a candidate can do, as far as its files show it, whatever it declares.
//
//   head, plan and files -> capabilities and risk, each with its reason
//
// A plan is computed by the compiler. A program uses what its calls name. Instructions are followed by a model: tools that they
// claim, scripts that they bring and command lines that they show count as used. What cannot be known counts as high.
import { decodeUtf8 } from '../../base/utf8.ts';
import { printableLine } from '../../base/printable.ts';
import type { PlanRisk } from '../../plan/plan.ts';
import type { Capability } from '../../plan/capabilities.ts';
import { capabilityAllows, capabilityOf, highest, isHigher, riskOf } from '../../plan/capabilities.ts';
import { factsOfTool } from '../../plan/tool-facts.ts';
import type { CandidateTree } from '../../proposals/change-tree.ts';
import type { Risk, SkillHead } from '../../skill/types.ts';

export interface Used {
  readonly risk: Risk;
  readonly capabilities: readonly Capability[];
  /** One line each. */
  readonly reasons: readonly string[];
}

const code = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|ps1|bat|cmd|php|lua|exe)$/i;
const shellBlock = /^[ \t]*(?:```|~~~)[ \t]*(?:sh|bash|zsh|shell|console|terminal|powershell|ps1|cmd)\b/im;
const network = /\b(?:curl|wget|nc|ssh|scp|rsync|Invoke-WebRequest|fetch\()\s*\S/i;
const credentials =
  /\$\{?[A-Z0-9_]*(?:TOKEN|SECRET|PASSWORD|API_?KEY|CREDENTIAL)[A-Z0-9_]*|\.ssh\/|\.aws\/|\.netrc|id_rsa/;

export function usedCapabilities(head: SkillHead, tree: CandidateTree, plan: PlanRisk | null): Used {
  const found: { readonly capability: Capability | null; readonly risk: Risk; readonly reason: string }[] =
    [];
  const use = (capability: Capability, reason: string): void =>
    void found.push({ capability, risk: riskOf(capability), reason });
  for (const capability of plan?.capabilities ?? []) use(capability as Capability, 'a step needs it');
  if (plan !== null)
    found.push(...plan.reasons.map((reason) => ({ capability: null, risk: plan.computed, reason })));
  for (const written of head.allowedTools ?? []) {
    const name = written.replace(/\(.*$/s, '').trim();
    const facts = factsOfTool(name);
    const shown = printableLine(name).slice(0, 60);
    if (facts === null)
      found.push({
        capability: null,
        risk: 'high',
        reason: `it claims the tool "${shown}", which is unknown`,
      });
    else for (const capability of facts.capabilities) use(capability, `it claims the tool "${shown}"`);
  }
  for (const [path, { bytes, executable }] of tree) {
    const shown = printableLine(path);
    const { text, valid } = decodeUtf8(bytes);
    if (path.startsWith('tests/') || path.startsWith('evals/')) continue;
    if (path !== head.program && (executable || code.test(path) || text.startsWith('#!')))
      use('shell', `${shown} is a script`);
    if (!valid) continue;
    if (path === head.program && /\bcommand\b/.test(text)) use('shell', `${shown} calls command`);
    if (path === head.program && /["']tools["']/.test(text))
      use('external-side-effect', `${shown} gives an agent tools`);
    if (shellBlock.test(text)) use('shell', `${shown} shows command lines`);
    if (network.test(text)) use('network-write', `${shown} names a program that reaches the network`);
    if (credentials.test(text)) use('credential-use', `${shown} names credentials`);
  }
  const capabilities = [...new Set(found.flatMap(({ capability }) => capability ?? []))].sort();
  const risk = highest([...found.map((one) => one.risk), plan?.computed ?? 'low']);
  return {
    risk,
    capabilities,
    reasons: [...new Set(found.filter((one) => one.risk !== 'low').map(({ reason }) => reason))],
  };
}

/** What a head declares too little of; empty: it declares all that is used. */
export function understated({ risk, capabilities }: SkillHead, used: Used): readonly string[] {
  const faults: string[] = [];
  if (risk === null && used.risk !== 'low') faults.push(`it declares no risk, but has ${used.risk} risk`);
  if (risk !== null && isHigher(used.risk, risk))
    faults.push(`it declares ${risk} risk, but has ${used.risk} risk`);
  const ceiling = capabilities?.flatMap((word) => capabilityOf(word) ?? []) ?? null;
  for (const one of used.capabilities)
    if (ceiling !== null && riskOf(one) !== 'low' && !capabilityAllows(ceiling, one))
      faults.push(`it uses ${one}, which it does not declare`);
  return faults;
}
