// The examples of the guide on plans have a plan, nothing is told of them, and they do what the guide says.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { capabilities, capabilityOf } from '../src/plan/capabilities.ts';
import { checkEntrypoint } from '../src/plan/compile-plan.ts';
import { compositionStepKeys } from '../src/plan/read-composition-step.ts';
import { emptyWorld } from '../src/plan/world.ts';
import { nodeFrontmatter } from '../src/node/yaml.ts';
import { schemaDefinitions } from '../src/skill/fields/schema-definitions.ts';
import { parseTests } from '../src/measure/testing/parse-tests.ts';
import { runSkillTest } from '../src/measure/testing/run-test.ts';
import type { SkillTest } from '../src/measure/testing/skill-test.ts';
import type { PlanTexts } from './support/plan-host.ts';
import { planSkills } from './support/plan-host.ts';
import { chat, compileSkill, composition, headOf } from './support/plan-texts.ts';

const page = readFileSync(fileURLToPath(new URL('../docs/guide/plans.md', import.meta.url)), 'utf8');
const examples = [...page.matchAll(/```yaml skill\n([\s\S]*?)```/g)].map(
  ([, text]) => [/^name: (.*)$/m.exec(text as string)?.[1] ?? '', text as string] as const,
);

const tests = [...page.matchAll(/```yaml test (\S+)\n([\s\S]*?)```/g)].map(
  ([, skill, text]) =>
    [skill as string, /^name: (.*)$/m.exec(text as string)?.[1] ?? '', text as string] as const,
);

/** The examples, and those of our own that they name. */
const skills: PlanTexts = Object.fromEntries(
  examples.map(([name, text]) => [name, `---\n${text}---\n\nBody.\n`]),
);
for (const name of ['changelog', 'require-heading']) {
  const read = (file: string): string =>
    readFileSync(fileURLToPath(new URL(`../skills/${name}/${file}`, import.meta.url)), 'utf8');
  skills[name] = { text: read('SKILL.md'), files: { 'SKILL.star': read('SKILL.star') } };
}

describe('docs/guide/plans.md', () => {
  it('has an example of each form', () => {
    expect(examples.map(([, text]) => compileSkill(`---\n${text}---\n\nBody.\n`).plan?.form)).toEqual([
      'composition',
      'workflow',
      'chain',
    ]);
  });

  it.each(examples)('%s is as it should be', (_name, text) => {
    expect(compileSkill(`---\n${text}---\n\nBody.\n`).found).toEqual([]);
  });

  it.each(tests)('%s: %s', async (skill, _name, test) => {
    const { tests: parsed, diagnostics } = parseTests(test, 'docs/guide/plans.md');
    expect(diagnostics).toEqual([]);
    const { faults } = await runSkillTest(skill, planSkills(skills), parsed[0] as SkillTest);
    expect(faults).toEqual([]);
  });

  it('shows an entry point, a request_template and an output_contract that are right, with every key', () => {
    const block = (key: string): string =>
      new RegExp(`\`\`\`yaml\\n(${key}:[\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
    const around = composition(chat('sort'), block('request_template'));
    expect(compileSkill(around).found.filter((one) => !one.startsWith('TAINT'))).toEqual([]);
    const text = `---\nname: sample\ndescription: Renders. Use when needed.\n${block('entrypoint')}---\n\nBody.\n`;
    const found: string[] = [];
    checkEntrypoint(
      { head: headOf(text), frontmatter: nodeFrontmatter(text), world: emptyWorld },
      (code, _at, message) => found.push(`${code} ${message}`),
    );
    expect(found).toEqual([]);
    const shown = (name: string): readonly string[] =>
      Object.keys((schemaDefinitions[name] as { properties: object }).properties);
    expect(shown('entrypoint').filter((key) => !block('entrypoint').includes(`${key}:`))).toEqual([]);
    expect(
      [...shown('requestTemplate'), ...shown('outputContract')].filter(
        (key) => !block('request_template').includes(`${key}:`),
      ),
    ).toEqual(['preflight_required', 'requires_confirmation']);
  });

  it('names every key of a step and every capability', () => {
    expect(
      compositionStepKeys.filter(
        (key) =>
          !page.includes(`\`${key}\``) &&
          ![
            'kind',
            'skill',
            'tool',
            'tool_args',
            'tool_allowlist',
            'side_effect',
            'as',
            'concurrency',
            'merge',
            'output_choices',
            'clarify',
          ].includes(key),
      ),
    ).toEqual([]);
    expect(Object.keys(capabilities).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    for (const [, , words] of page.matchAll(/^\| (`.*?`) \| (?:low|medium|high) \| (.*) \|$/gm)) {
      for (const [, word] of (words as string).matchAll(/`([^`]+)`/g))
        expect(capabilityOf(word as string)).not.toBeNull();
    }
  });
});
