// Real compositions that nobody here wrote, run to the end: with scripted answers, stub tools and stub entry points.
// Skipped where the files are not at hand.
//
// N1. Each is run three times: with answers that say nothing its conditions look for, with answers that say all of it, and
//     so that every step that has a substitute fails. Each run completes, and is replayed to the same bytes.
// N2. After each form another host goes on, as another process would.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { HostFilter } from '../../src/template/template.ts';
import { planOf, readSkillTexts, runWithStubs, withoutEntrypoint } from '../support/composition-stubs.ts';
import type { Manner } from '../support/composition-stubs.ts';
import { headOf } from '../support/plan-texts.ts';
import { statusesOf } from '../support/plan-host.ts';
import { skipUnless } from '../support/skip-unless.ts';

const folder = fileURLToPath(new URL('../../../shared/compat/compositions/', import.meta.url));
const skip = skipUnless(existsSync(folder), 'the compositions at ../shared/compat are not here');
const texts = skip ? {} : readSkillTexts([`${folder}bundled`, `${folder}exp`]);
const names = Object.keys(texts)
  .filter((name) => headOf(texts[name] as string, name).form === 'composition')
  .sort();

/** One of them needs these five, which belong to it alone: a host that runs it brings them along. */
const filters: { readonly [name: string]: HostFilter } = {
  short_drama_section: (value, [name]) => `${name as string}: ${(value as string).slice(0, 40)}`,
  short_drama_reference_context: (value) => (value as string).slice(0, 40),
  short_drama_duration_contract_valid: () => true,
  short_drama_shot_duration: () => 5,
  short_drama_media_cost: () => '1 to 2 USD',
};

const ran = new Set<string>();
const stoodIn = new Set<string>();
const forms = new Set<string>();

describe.skipIf(skip)('the public compositions', () => {
  it('are the 29 that are known', () => expect(names).toHaveLength(29));

  describe.each<Manner>(['plain', 'eager', 'failing'])('with %s answers', (manner) => {
    it.each(names)('%s runs to the end', async (name) => {
      const run = await runWithStubs(name, texts, { manner, filters });
      const { host, result } = run;
      expect([result.status, result.error]).toEqual(['completed', null]);
      const replayed = await host.runner.replay(result.run as string);
      expect([replayed.same, replayed.divergences]).toEqual([true, []]);
      const view = await host.runner.inspect(result.run as string);
      expect(view.effects.filter(({ state }) => state !== 'ok' && state !== 'failed')).toEqual([]);
      for (const [step, status] of Object.entries(statusesOf(result))) {
        if (status === 'ok') ran.add(`${name} ${step}`);
        if (status === 'substituted') stoodIn.add(`${name} ${step}`);
      }
      for (const form of run.forms) forms.add(`${name} ${form}`);
    });
  });

  it('have 319 of their 326 steps run, and every form answered', () => {
    const steps = names.flatMap((name) =>
      planOf(name, texts[name] as string).steps.map((step) => ({ name: `${name} ${step.id}`, ...step })),
    );
    const never = steps.filter(({ name }) => !ran.has(name) && !stoodIn.has(name)).map(({ name }) => name);
    expect([steps.length, steps.filter(({ kind }) => kind === 'input').length]).toEqual([326, 18]);
    // These want a combination of answers that none of the three manners gives.
    expect(never).toEqual([
      'AwesomeWebpageMetaSkill webpage_generation_retry',
      ...[
        'recall_past_projects_fallback',
        'web_research_fallback',
        'weather_check_fallback',
        'deep_research',
        'kid_deck',
      ].map((step) => `meta-kid-project-planner ${step}`),
      'meta-pdf-intelligence inline_excerpt_extract',
    ]);
    expect([stoodIn.size, forms.size]).toEqual([17, 18]);
  });

  it('need from their host what they come without', () => {
    const stubs = Object.fromEntries(
      names
        .map((name) => [name, withoutEntrypoint(planOf(name, texts[name] as string), texts)] as const)
        .filter(([, skills]) => skills.length > 0),
    );
    // Entry points: these compositions execute skills that have none. Without one from the host they are refused before they begin.
    expect(stubs).toEqual({
      'meta-content-publish-pipeline': ['summarize'],
      'meta-kid-project-planner': ['deep-research', 'pptx'],
      'meta-meeting-to-workflow': ['github', 'summarize'],
      'meta-research-to-slide-deck': ['deep-research', 'pptx'],
    });
    expect(
      names.filter((name) => Object.keys(filters).some((filter) => (texts[name] as string).includes(filter))),
    ).toEqual(['meta-short-drama']);
  });
});
