// The frame of the studio in a real browser: login, navigation, keys, themes, what is said when the server is gone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

describe.skipIf(cannotBrowse)('the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  it('logs in by the link, once, and removes the code from the address', async () => {
    const page = await studio.page('/');
    expect(await page.title()).toBe('Overview · techne studio');
    expect(page.url()).toBe(`${studio.url}/`);
    const stranger = await (await studio.browser.newContext()).newPage();
    await stranger.goto(studio.scene.serving.link ?? '');
    await stranger.getByText('The link was not accepted').waitFor();
    expect(stranger.url()).not.toContain('login');
    await stranger.getByText('techne studio').first().waitFor();
    await page.context().close();
  });

  it('shows what waits, and answers it there', async () => {
    const page = await studio.page('/');
    await page.getByText('Nothing waits for you').waitFor();
    // Where nothing has run, it says where to begin.
    await page.getByRole('link', { name: 'Make a skill' }).waitFor();
    const run = await studio.scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'form', input: {} },
    });
    const card = page.getByRole('article', { name: 'form of form' });
    await card.waitFor();
    expect(await page.locator('.badge').textContent()).toBe('1');
    expect(await accessFaults(page)).toEqual([]);
    await card.getByLabel('city').fill('Oslo');
    // A draft outlives a reload.
    await page.reload();
    expect(await card.getByLabel('city').inputValue()).toBe('Oslo');
    await card.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Answered').waitFor();
    await card.waitFor({ state: 'detached' });
    // It is said on this page only.
    await page.waitForTimeout(1_100);
    await page.getByRole('navigation').getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Answered').count()).toBe(0);
    const shown = await studio.scene.get(`/v1/runs/${run['run'] as string}?details=true`);
    expect(JSON.stringify(shown['details'])).toContain('Oslo');
    await page.context().close();
  });

  it('names the folder of what runs elsewhere, and not its own', async () => {
    const { run } = await studio.scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'form', input: {} },
    });
    const page = await studio.page('/');
    const card = page.getByRole('article', { name: 'form of form' });
    const row = page.getByRole('region', { name: 'Recent runs' }).getByRole('listitem').first();
    await card.waitFor();
    await row.getByText('form').first().waitFor();
    const folder = studio.scene.world.workspace;
    expect(await page.getByTitle(/^Another folder/).count()).toBe(0);
    // As a studio that was started in another folder.
    await page.route('**/v1/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), workspace: '/other' } });
    });
    await page.reload();
    await card.getByText(`in ${folder}`).waitFor();
    await row.getByTitle(`Another folder than that of this studio: ${folder}`).waitFor();
    await studio.scene.get(`/v1/runs/${run as string}/cancel`, { body: { reason: 'done' } });
    await page.context().close();
  });

  it('lists runs as they come, with filters in the address', async () => {
    const page = await studio.page('/runs?skill=echo');
    await page.getByText('No run fits these filters').waitFor();
    for (const word of ['a', 'b', 'c'])
      await studio.scene.get('/v1/runs?wait=10', { as: 'runner', body: { skill: 'echo', input: { word } } });
    const rows = page.getByRole('row').filter({ hasText: 'Completed' });
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('Status').selectOption('Failed');
    await page.getByText('No run fits these filters').waitFor();
    expect(page.url()).toBe(`${studio.url}/runs?skill=echo&status=failed`);
    await page.reload();
    await page.getByText('No run fits these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(page.url()).toBe(`${studio.url}/runs`);
    await page.context().close();
  });

  it('goes everywhere by keys', async () => {
    const page = await studio.page('/');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, skill, run or action' }).fill('over');
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new skill');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New skill', level: 1 }).waitFor();
    // A run that no page has read yet is found by its id.
    const { run } = await studio.scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'echo', input: { word: 'far away' } },
    });
    await page.reload();
    await page.getByRole('heading', { name: 'New skill', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type((run as string).slice(-8).toLowerCase());
    await page.getByRole('option', { name: run as string }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/runs/${run as string}`);
    await page.context().close();
  });

  it('has both themes without a fault of contrast, and fits a phone', async () => {
    for (const theme of ['light', 'dark'] as const)
      for (const path of ['/', '/runs']) {
        const page = await studio.page(path, { theme, width: 390, height: 800 });
        expect(await accessFaults(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
        await page.context().close();
      }
  });

  it('keeps the theme that somebody chose, in all tabs and over a reload', async () => {
    const page = await studio.page('/runs');
    const theme = (of: typeof page): Promise<string | null> => of.locator('html').getAttribute('data-theme');
    expect(await theme(page)).toBe('light');
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    expect(await theme(page)).toBe('dark');
    await page.reload();
    expect(await theme(page)).toBe('dark');
    const other = await studio.page('/skills', { context: page.context() });
    expect(await theme(other)).toBe('dark');
    await other.context().close();
  });

  it('has one stream for all tabs of a browser', async () => {
    const streams = async (): Promise<number> =>
      Number(
        /^techne_change_streams (\d+)$/m.exec(
          (await studio.scene.send('/metrics', { as: 'viewer' })).text,
        )?.[1],
      );
    await expect.poll(streams, { timeout: 5_000 }).toBe(0);
    const context = await studio.context();
    const tabs = [];
    for (let count = 0; count < 4; count += 1) tabs.push(await studio.page('/runs', { context }));
    expect(await streams()).toBe(1);
    await tabs[0]?.close();
    const ended = await studio.scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'echo', input: { word: 'x' } },
    });
    for (const tab of tabs.slice(1)) await tab.getByText(ended['run'] as string).waitFor();
    await context.close();
  });
});
