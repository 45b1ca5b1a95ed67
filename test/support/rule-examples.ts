// The examples of the rules: test/guard/rules/*.yaml, and what a rule computes itself.
import { readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import type { Rule, RuleExample } from '../../src/guard/rule.ts';

interface Entry {
  readonly rule: string;
  readonly found: readonly (string | RuleExample)[];
  readonly clean: readonly (string | RuleExample)[];
}

const folder = new URL('../guard/rules/', import.meta.url);

export const ruleEntries: readonly Entry[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .sort()
  .flatMap((name) => parse(readFileSync(new URL(name, folder), 'utf8')) as Entry[]);

export interface Examples {
  readonly found: readonly RuleExample[];
  readonly clean: readonly RuleExample[];
}

export function examplesOf(rule: Rule): Examples {
  const entries = ruleEntries.filter((entry) => entry.rule === rule.code);
  const asExample = (one: string | RuleExample): RuleExample =>
    typeof one === 'string' ? { files: one } : one;
  return {
    found: [...(rule.found ?? []), ...entries.flatMap(({ found }) => found.map(asExample))],
    clean: [...(rule.clean ?? []), ...entries.flatMap(({ clean }) => clean.map(asExample))],
  };
}
