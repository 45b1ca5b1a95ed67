// The examples of the guide on plans have a plan, and nothing is told of them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capabilities, capabilityOf } from '../src/plan/capabilities.ts';
import { compositionStepKeys } from '../src/plan/read-composition-step.ts';
import { compileSkill } from './support/plan-texts.ts';

const page = readFileSync(fileURLToPath(new URL('../docs/guide/plans.md', import.meta.url)), 'utf8');
const examples = [...page.matchAll(/```yaml skill\n([\s\S]*?)```/g)].map(([, text]) => [/^name: (.*)$/m.exec(text as string)?.[1] ?? '', text as string] as const);

describe('docs/guide/plans.md', () => {
  it('has an example of each form', () => {
    expect(examples.map(([, text]) => compileSkill(`---\n${text}---\n\nBody.\n`).plan?.form)).toEqual(['composition', 'workflow', 'chain']);
  });

  it.each(examples)('%s is as it should be', (_name, text) => {
    expect(compileSkill(`---\n${text}---\n\nBody.\n`).found).toEqual([]);
  });

  it('names every key of a step and every capability', () => {
    expect(compositionStepKeys.filter((key) => !page.includes(`\`${key}\``) && !['kind', 'skill', 'tool', 'tool_args', 'tool_allowlist', 'side_effect', 'as', 'concurrency', 'merge', 'output_choices', 'clarify'].includes(key))).toEqual([]);
    expect(Object.keys(capabilities).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    for (const [, , words] of page.matchAll(/^\| (`.*?`) \| (?:low|medium|high) \| (.*) \|$/gm)) {
      for (const [, word] of (words as string).matchAll(/`([^`]+)`/g)) expect(capabilityOf(word as string)).not.toBeNull();
    }
  });
});
