// Proposals in the browser: the queue and its filters, the diff, the checks, accepting exactly what was shown, rejecting with a reason,
// editing, rolling back, the kill switch; what a role may not do, and what the second of two reviewers sees.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { Proposals } from '../../src/techne/proposals/proposals.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const textOf = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Tells when the ${name} of the sea come to a harbour.\nmetadata:\n  techne.risk: low\n---\n\n# ${name}\n\n${body}\n`;
const evalsOf = (name: string): string =>
  JSON.stringify({
    skill_name: name,
    triggers: [
      { kind: 'positive', message: `when do the ${name} of the sea come to the harbour`, expected: name },
      { kind: 'neighbouring-domain', message: 'bake a cake', expected: null },
    ],
  });

describe.skipIf(cannotBrowse)('proposals in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  const placeOf = (name: string): string =>
    join(studio.scene.world.workspace, '.techne/skills', name, 'SKILL.md');
  async function proposeNew(name: string, body = 'Look at the moon.'): Promise<string> {
    const { library } = studio.scene.techne;
    const proposals = new Proposals({ library, homeFolder: studio.scene.world.home });
    const { proposal } = await proposals.propose(
      {
        kind: 'create',
        skill: name,
        files: [
          { path: 'SKILL.md', text: textOf(name, body) },
          { path: 'evals/evals.json', text: evalsOf(name) },
        ],
      },
      {
        why: `somebody asked for ${name}`,
        origin: { by: 'agent', surface: 'chat', run: null, conversation: 'chat-7', model: 'small-model' },
      },
    );
    return proposal.id;
  }
  async function proposeEdit(name: string): Promise<string> {
    studio.scene.world.write({ [`work/.techne/skills/${name}/SKILL.md`]: textOf(name, 'Look once.') });
    const made = await studio.scene.get('/v1/proposals', {
      as: 'reviewer',
      body: {
        kind: 'edit',
        skill: name,
        why: 'once is not enough',
        files: [{ path: 'SKILL.md', text: textOf(name, 'Look twice.') }],
      },
    });
    return made['id'] as string;
  }
  const state = async (id: string): Promise<unknown> =>
    ((await studio.scene.get(`/v1/proposals/${id}`))['proposal'] as JsonObject)['state'];
  const lastOf = async (id: string): Promise<JsonObject> =>
    ((await studio.scene.get(`/v1/proposals/${id}`))['history'] as JsonObject[]).at(-1) as JsonObject;
  async function check(page: Page): Promise<void> {
    await page
      .getByRole('button', { name: /^Check/ })
      .first()
      .click();
    await page.getByText('Checked', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
  }
  /** Ticks what failed, which depends on the other skills there are. */
  async function accept(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    const dialog = page.getByRole('dialog');
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  it('are listed as they come, with filters in the address', async () => {
    const page = await studio.page('/proposals');
    await page.getByText('No proposal waits for you').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    const id = await proposeNew('swells');
    await page.getByRole('link', { name: 'Create swells' }).waitFor();
    await page.getByLabel('Kind of change').selectOption('New skills');
    await page.getByLabel('Risk').selectOption('Not checked yet');
    await page.getByLabel('Skill or id').fill('swel');
    await expect.poll(() => new URL(page.url()).search).toBe('?kind=create&risk=unknown&skill=swel');
    await page.reload();
    await page.getByRole('link', { name: 'Create swells' }).waitFor();
    await page.getByLabel('State').selectOption('Rejected');
    await page.getByText('No proposal fits these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Create swells' }).click();
    await page.getByRole('heading', { name: 'Create swells', level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/proposals/${id}`);
    await page.context().close();
  }, 60_000);

  it('show every line, each check with its evidence and each condition, and are accepted as they were shown', async () => {
    const id = await proposeNew('tides');
    const page = await studio.page(`/proposals/${id}`);
    await page.getByText('somebody asked for tides').waitFor();
    await page.getByText('small-model').waitFor();
    await page.getByText('+ Look at the moon.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    const button = page.getByRole('button', { name: 'Accept', exact: true });
    expect(await button.getAttribute('title')).toBe('Check it first');
    await button.click({ force: true });
    expect(await page.getByRole('dialog').count()).toBe(0);
    await check(page);
    await page.getByRole('tab', { name: /^Checks/ }).click();
    await page.getByText('other-triggers').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    // What is not looked at cannot be accepted.
    expect(await button.getAttribute('title')).toBe('Look at the changes first');
    await page.getByRole('tab', { name: 'Auto-enable' }).click();
    await page.getByRole('rowheader', { name: 'switched-on' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(14);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: /^Changes/ }).click();
    // A new file has nothing to stand beside.
    expect(await page.getByRole('button', { name: 'Side by side' }).count()).toBe(0);
    expect(existsSync(placeOf('tides'))).toBe(false);
    await accept(page);
    await page.getByText(/^Accepted by operator/).waitFor();
    expect(await state(id)).toBe('accepted');
    expect(readFileSync(placeOf('tides'), 'utf8')).toBe(textOf('tides', 'Look at the moon.'));
    expect(await lastOf(id)).toMatchObject({ act: 'accepted', by: 'operator me@local' });

    await page.getByRole('button', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('− Look at the moon.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await dialog.getByLabel(/^Reason/).fill('too early');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText(/^Rolled back by operator/).waitFor();
    expect([await state(id), existsSync(placeOf('tides'))]).toEqual(['rolled-back', false]);
    expect(await lastOf(id)).toMatchObject({ act: 'rolled-back', reason: 'too early' });
    await page.context().close();
  }, 60_000);

  it('are rejected only with a reason, which outlives a reload', async () => {
    const id = await proposeNew('waves');
    const page = await studio.page(`/proposals/${id}`);
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Say why').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click({ force: true });
    expect(await state(id)).toBe('pending');
    await dialog.getByLabel('Reason').fill('there is one already');
    await page.reload();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('there is one already');
    await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText(/^Rejected by operator/).waitFor();
    expect(await lastOf(id)).toMatchObject({ act: 'rejected', reason: 'there is one already' });
    await page.context().close();
  });

  it('cannot be accepted when the skill has changed, and start from what is there when they are edited', async () => {
    const id = await proposeEdit('currents');
    const page = await studio.page(`/proposals/${id}`);
    await check(page);
    expect(
      await page.getByRole('button', { name: 'Accept', exact: true }).getAttribute('aria-disabled'),
    ).toBe('false');
    writeFileSync(placeOf('currents'), textOf('currents', 'Ask somebody.'));
    await studio.scene.techne.refresh();
    await page.getByText('The skill has changed since this was proposed.').waitFor();
    expect(
      await page.getByRole('button', { name: 'Accept', exact: true }).getAttribute('aria-disabled'),
    ).toBe('true');
    await page.getByRole('button', { name: 'Unified' }).first().click();
    await page.getByRole('button', { name: 'Side by side' }).first().click();
    await page.getByRole('link', { name: 'Compare it with what is installed now' }).click();
    await page.getByText('− Ask somebody.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const text = page.getByLabel('Text of SKILL.md');
    expect(await text.inputValue()).toBe(textOf('currents', 'Look twice.'));
    await text.fill(textOf('currents', 'Ask twice.'));
    await page.reload();
    expect(await text.inputValue()).toBe(textOf('currents', 'Ask twice.'));
    await page.getByRole('button', { name: 'Differences' }).click();
    await page.getByText('+ Ask twice.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Propose 1 changed file' }).click();
    await page.waitForURL((url) => url.pathname !== `/proposals/${id}/edit`);
    await page.getByText('− Ask somebody.').waitFor();
    await check(page);
    await accept(page);
    await page.getByText(/^Accepted by operator/).waitFor();
    expect(readFileSync(placeOf('currents'), 'utf8')).toBe(textOf('currents', 'Ask twice.'));
    expect(await state(id)).toBe('rejected');
    await page.context().close();
  }, 60_000);

  it('show the second of two reviewers what the first one did', async () => {
    const id = await proposeNew('surges');
    const [first, second] = [await studio.page(`/proposals/${id}`), await studio.page(`/proposals/${id}`)];
    await check(first);
    await second.getByRole('button', { name: 'Check again' }).waitFor();
    await second.getByRole('button', { name: 'Reject', exact: true }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('no');
    await accept(first);
    await second.getByText(/^Accepted by operator/).waitFor();
    const late = await dialog.getByRole('button', { name: 'Reject', exact: true }).getAttribute('title');
    expect(late).toBe('It is accepted already, by operator me@local');
    await first.context().close();
    await second.context().close();
  }, 60_000);

  it('say to a viewer which role decides', async () => {
    const id = await proposeNew('floods');
    const context = await studio.context();
    await context.clearCookies();
    await context.setExtraHTTPHeaders({ authorization: `Bearer ${studio.scene.tokens.viewer}` });
    const page = await studio.page(`/proposals/${id}`, { context });
    await page.getByText('+ Look at the moon.').waitFor();
    for (const name of ['Accept', 'Reject', 'Edit', 'Check'])
      expect([name, await page.getByRole('button', { name, exact: true }).getAttribute('title')]).toEqual([
        name,
        'This takes the role "reviewer"; you are "viewer"',
      ]);
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`${studio.url}/proposals`);
    expect(await page.getByRole('button', { name: 'Freeze' }).getAttribute('title')).toBe(
      'This takes the role "operator"; you are "viewer"',
    );
    await context.close();
  });

  it('are frozen and unfrozen, with who did it and why', async () => {
    const page = await studio.page('/proposals');
    const other = await studio.page('/proposals');
    await page.getByText('Every change waits for a person.').waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByLabel('Reason, for the record').fill('holiday');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
    for (const one of [page, other]) await one.getByText(/By operator me@local.*holiday/).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    expect(await studio.scene.get('/v1/proposals')).toMatchObject({
      frozen: true,
      freeze: { reason: 'holiday' },
    });
    await page.getByRole('button', { name: 'Unfreeze' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unfreeze' }).click();
    await other.getByText('Every change waits for a person.').waitFor();
    expect(await studio.scene.get('/v1/proposals')).toMatchObject({ frozen: false });
    await page.context().close();
    await other.context().close();
  });

  it('are readable in the dark and on a phone', async () => {
    const id = await proposeNew('ebbs');
    for (const path of [
      '/proposals',
      `/proposals/${id}`,
      `/proposals/${id}?tab=history`,
      `/proposals/${id}/edit`,
    ]) {
      const page = await studio.page(path, { theme: 'dark', width: 390, height: 800 });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status').getByText('Loading').waitFor({ state: 'detached' });
      expect([path, await accessFaults(page)]).toEqual([path, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.context().close();
    }
  }, 60_000);
});
