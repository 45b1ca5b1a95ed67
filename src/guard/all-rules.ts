// All rules of a scan, and their version.
import { detectorsVersion, rules } from './rules/rules.ts';
import type { Rule } from './rule.ts';

export const allRules: readonly Rule[] = rules;

/** Of the rules and of what reads the files: a verdict holds for one version of both. */
export const rulesVersion = `1.${detectorsVersion}`;
