// Why a call gave nothing, in S2's words, and what to try instead.
import type { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import { quoted } from './quoted.ts';
import type { Surface } from './invocation.ts';
import type { SessionParts } from './session-parts.ts';
import { skillsOn } from './session-parts.ts';
import type { SkillToolResult } from './skill-tools.ts';

export function refuse(text: string, hint: string | null = null): SkillToolResult {
  return { ok: false, text, hint, metadata: {} };
}

export function refuseUnknown(parts: SessionParts, surface: Surface, name: string): SkillToolResult {
  const meant = nearest(
    name,
    skillsOn(parts, surface).map((skill) => skill.name),
  );
  return refuse(
    `no skill registered with name ${quoted(name)}`,
    meant === null ? 'Find skills with skill_search(query).' : `Did you mean ${quoted(meant)}?`,
  );
}

export function refuseFault({ message, hint, code }: TechneError): SkillToolResult {
  return { ok: false, text: message, hint, metadata: { code } };
}
