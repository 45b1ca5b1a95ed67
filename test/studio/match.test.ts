// The matching lab in a real browser: a message, why skills match, what a model is shown, the confusion matrix.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const skill = (name: string, description: string, more = ''): { readonly [path: string]: string } => ({
  [`work/.techne/skills/${name}/SKILL.md`]: skillText(name, description, more),
});

describe.skipIf(cannotBrowse)('the matching lab', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        ...skill('moon', 'Shows phases of the moon.', 'triggers: ["show the moon phase for {place}"]\n'),
        ...skill('tides', 'Tells the tides of a harbour.'),
        'work/.techne/skills/tides/evals/evals.json': JSON.stringify({
          skill_name: 'tides',
          triggers: [{ kind: 'positive', message: 'show the moon phase for Brest', expected: 'tides' }],
        }),
        ...skill(
          'deploy',
          'Deploys a service.',
          'triggers: ["deploy {service}"]\ndisable-model-invocation: true\n',
        ),
      },
    });
  });
  afterAll(() => studio.close());

  it('shows who matches as one types, with the trigger and its variable marked, and keeps the message', async () => {
    const page = await studio.page('/match');
    await page.getByText('Type a message above').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('show the moon phase for Brest');
    const moon = page.getByRole('listitem', { name: 'moon' });
    await moon.getByText('matches the trigger').waitFor();
    expect(await page.locator('mark.trigger').first().textContent()).toBe('show the moon phase for');
    expect(await page.locator('mark.variable').first().textContent()).toBe('Brest{place}');
    expect(await moon.getByRole('meter').getAttribute('aria-valuetext')).toContain('suggested from 40 % on');
    expect(page.url()).toContain('q=show+the+moon+phase+for+Brest');
    expect(await accessFaults(page)).toEqual([]);
    // The same as the server says to any client.
    const { matches } = await studio.scene.get('/v1/match', {
      body: { message: 'show the moon phase for Brest' },
    });
    expect((matches as JsonObject[])[0]).toMatchObject({ skill: 'moon', variables: { place: 'Brest' } });
    await page.reload();
    await moon.waitFor();
    await page.goto(`${studio.url}/match`);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe(
      'show the moon phase for Brest',
    );
    await page.context().close();
  }, 60_000);

  it('says which guard holds a trigger and which words it takes, and what is not offered', async () => {
    const page = await studio.page('/match?q=do+not+show+the+moon+phase+for+Brest');
    const moon = page.getByRole('listitem', { name: 'moon' });
    await moon.getByText('negation, so the trigger does not count').waitFor();
    await page.getByText('Nothing is suggested.').waitFor();
    expect(await page.locator('mark.kept').first().textContent()).toContain('moon');
    await page.getByRole('textbox', { name: 'Message' }).fill('deploy billing');
    const deploy = page.getByRole('listitem', { name: 'deploy' });
    await deploy.getByText('only you can call it: /deploy').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('/tidse please');
    await page.getByRole('button', { name: 'Ask for “tides”' }).click();
    await page.getByRole('listitem', { name: 'tides' }).getByText('called by name').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('/tides please');
    await page.context().close();
  });

  it('keeps recent messages, and compares two', async () => {
    const fresh = await studio.page('/match');
    const recent = fresh.getByRole('group', { name: 'Recent messages' }).locator('.chip');
    await recent.first().click();
    await expect.poll(() => fresh.getByRole('textbox').inputValue()).not.toBe('');
    expect(await recent.allTextContents()).not.toContain('');
    await fresh.context().close();
    const page = await studio.page('/match?q=tides+of+the+harbour');
    await page.getByRole('listitem', { name: 'tides' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.getByRole('tab', { name: 'Matches' }).focus();
    await page.getByRole('textbox', { name: 'Message' }).fill('');
    await page.getByRole('button', { name: 'tides of the harbour' }).click();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('tides of the harbour');
    await page.getByRole('button', { name: 'Compare two' }).click();
    await page.getByRole('textbox', { name: 'Message B' }).fill('do not tell me the tides');
    const other = page.getByRole('region', { name: 'Matches of message B' });
    await other.getByText('Nothing is suggested.').waitFor();
    await expect.poll(() => page.url()).toContain('b=do+not+tell');
    expect(await accessFaults(page)).toEqual([]);
    await page.reload();
    await other.getByText('Nothing is suggested.').waitFor();
    await page.context().close();
  });

  it('shows what a model would see at a budget', async () => {
    const page = await studio.page('/match?q=show+the+moon+phase+for+Brest&tab=prompt');
    const tier = page
      .getByRole('list', { name: 'How much of each skill is shown' })
      .locator('[aria-current]');
    await expect.poll(() => tier.textContent()).toBe('full');
    await page.getByLabel('Index', { exact: true }).getByText('Tells the tides of a harbour.').waitFor();
    await page.getByLabel('Block of this turn').getByText('moon').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('Budget, exactly').fill('40');
    await page.getByLabel('Budget, exactly').press('Enter');
    await expect.poll(() => tier.textContent()).not.toBe('full');
    expect(page.url()).toContain('tokens=40');
    await page.getByLabel('Budget in tokens').focus();
    await page.keyboard.press('End');
    await expect.poll(() => tier.textContent()).toBe('full');
    await page.context().close();
  });

  it('measures the confusion matrix, leads to the prompts of a cell, and survives a reload', async () => {
    const page = await studio.page('/match?tab=matrix');
    await page.getByText('Nothing is measured yet').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Measure' }).click();
    const cell = page.getByRole('button', { name: '1 of tides found moon' });
    await cell.click();
    expect(await accessFaults(page)).toEqual([]);
    await page.reload();
    await page.getByText('expected tides, found moon').waitFor();
    await page.getByRole('button', { name: 'show the moon phase for Brest' }).click();
    await page.getByRole('listitem', { name: 'moon' }).getByText('matches the trigger').waitFor();
    await page.context().close();
  });

  it('fits a phone in both themes, also with a message without end', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await studio.page('/match?q=show+the+moon+phase+for+Brest', {
        theme,
        width: 390,
        height: 800,
      });
      await page.getByRole('listitem', { name: 'moon' }).waitFor();
      expect(await accessFaults(page)).toEqual([]);
      await page.getByRole('textbox', { name: 'Message' }).fill(`${'x'.repeat(3_000)} tides of a harbour`);
      await page.getByRole('listitem', { name: 'tides' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(page.url()).not.toContain('xxx');
      await page.context().close();
    }
  });
});
