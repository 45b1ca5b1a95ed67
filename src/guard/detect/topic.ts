// What a skill says it is about. A skill about security quotes attacks; that it quotes them is no attack.
import type { ScannedSkill } from '../detector.ts';
import type { Severity } from '../report.ts';
import { rules } from '../rules/rules.ts';

const topics = new WeakMap<ScannedSkill, boolean>();
const words =
  /\b(?:security|secure coding|vulnerabilit|pentest|penetration test|red[- ]?team|prompt injection|injection|malware|threat|forensic|jailbreak|guardrail|owasp|exploit|ctf|incident response|hardening|attack|adversarial|phishing|secrets? (?:scan|detect|manage))/i;

/** A download with a password is no example of anything. */
export const neverQuoted: ReadonlySet<string> = new Set(['FAKE_PREREQUISITE']);

const grave: ReadonlySet<string> = new Set(
  rules.filter(({ severity }) => severity === 'critical' || severity === 'high').map(({ code }) => code),
);

/** What is only shown counts one step less, and what is grave is never clean: whoever writes the skill decides how it looks. */
export function shownAs(rule: string): Severity {
  return grave.has(rule) ? 'medium' : 'low';
}

export function isAboutSecurity(skill: ScannedSkill): boolean {
  const known = topics.get(skill);
  if (known !== undefined) return known;
  const about = words.test(
    `${skill.head?.declaredName ?? ''} ${skill.head?.description ?? ''}`.slice(0, 4_000),
  );
  topics.set(skill, about);
  return about;
}
