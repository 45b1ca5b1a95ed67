// Settings in the browser: the checks of doctor, values with where they come from and no secret, a shared store with its schedules and
// webhooks, tokens; what a role may not see.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { addSchedule } from '../../src/techne/schedules.ts';
import { createDatabase, noPostgres } from '../support/postgres.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { settle } from './every-page.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

describe.skipIf(cannotBrowse)('settings in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        'home/.techne/config.json':
          '{\n  "guard": { "onRun": "refuse" },\n  "mcpServers": { "notes": { "command": "no-such-program", "args": ["--token=s3cr3t"], "env": { "A": "s3cr3t" } } }\n}\n',
        'work/.techne/skills/broken/SKILL.md':
          '---\nname: broken\ndescription: 7\nmetaskill: gone.star\n---\n',
      },
    });
  });
  afterAll(() => studio.close());

  it('say what is wrong with the machine, who answers, where skills are, and which of them cannot be used', async () => {
    const page = await studio.page('/settings');
    await page
      .getByRole('list', { name: 'Checks of this machine' })
      .getByText('node', { exact: true })
      .waitFor();
    await page.getByRole('list', { name: 'Answerers' }).getByText('→ will be used').waitFor();
    await page
      .getByRole('list', { name: 'Folders of skills' })
      .getByText('.techne/skills', { exact: true })
      .waitFor();
    await page
      .getByRole('list', { name: 'Skills that somebody cannot use' })
      .getByRole('link', { name: 'broken' })
      .waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start them and list their tools' }).click();
    await page.getByRole('list', { name: 'MCP servers' }).getByText('✕ fails').waitFor();
    await page.getByRole('button', { name: 'Also those that do not exist' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?all=true');
    await page.context().close();
  }, 60_000);

  it('show each value with the file and line that it comes from, and no secret', async () => {
    const page = await studio.page('/settings?text=guard.onRun');
    const values = page.getByRole('list', { name: 'Values' });
    await values.getByText('~/.techne/config.json:2').waitFor();
    expect(await values.getByRole('listitem').count()).toBe(1);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('Key or description').fill('mcpServers');
    await values.getByText('Show the value').click();
    await values.getByText('"--token=(hidden)"').waitFor();
    expect(await page.content()).not.toContain('s3cr3t');
    await page.getByLabel('Key or description').fill('');
    await page.getByLabel('Comes from').selectOption('Your own file');
    await expect.poll(() => values.getByRole('listitem').count()).toBe(2);
    await page.reload();
    await expect.poll(() => values.getByRole('listitem').count()).toBe(2);
    await page.context().close();
  }, 60_000);

  it('name the tokens and their roles, to operators', async () => {
    const page = await studio.page('/settings?tab=tokens');
    await page.getByRole('rowheader', { name: /^reviewer-/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    for (const text of Object.values(studio.scene.tokens)) expect(await page.content()).not.toContain(text);
    await page.getByRole('tab', { name: 'Store and workers' }).click();
    await page.getByText('Runs are kept in files of this machine').waitFor();
    const context = await studio.context();
    await context.clearCookies();
    await context.setExtraHTTPHeaders({ authorization: `Bearer ${studio.scene.tokens.reviewer}` });
    const other = await studio.page('/settings?tab=tokens', { context });
    await other.getByText('Tokens are for operators').waitFor();
    await other.getByRole('tab', { name: 'Checks' }).click();
    await other.getByRole('list', { name: 'Answerers' }).waitFor();
    expect(
      await other.getByRole('button', { name: 'Start them and list their tools' }).getAttribute('title'),
    ).toBe('This takes the role "operator"; you are "reviewer"');
    await context.close();
    await page.context().close();
  }, 60_000);

  it('are readable in the dark and on a phone', async () => {
    for (const tab of ['checks', 'values', 'team', 'tokens']) {
      const page = await studio.page(`/settings?tab=${tab}`, { theme: 'dark', width: 390, height: 800 });
      await settle(page);
      expect([tab, await accessFaults(page)]).toEqual([tab, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.context().close();
    }
  }, 60_000);
});

describe.skipIf(cannotBrowse || noPostgres)('settings of a shared store in the studio', () => {
  let database: TestDatabase;
  let studio: Studio;
  beforeAll(async () => {
    database = await createDatabase();
    studio = await openStudio({ store: database.url });
    await studio.scene.techne.withRuns(async ({ serving }) => {
      if (serving === null) throw new Error('there is no shared store');
      await addSchedule(serving, {
        name: 'nightly',
        skill: 'echo',
        input: { word: 'x' },
        cron: '0 3 * * *',
        timezone: 'UTC',
        missed: 'latest',
        queue: 'default',
        priority: 0,
      });
    });
    await studio.scene.get('/v1/webhooks', {
      body: { name: 'ci', url: 'https://ci.example/hook', events: ['run.ended'] },
    });
  }, 60_000);
  afterAll(async () => {
    await studio.close();
    await database.drop();
  });

  it('show its checks and workers, and let an operator pause and remove schedules and webhooks', async () => {
    const page = await studio.page('/settings?tab=team');
    await page
      .getByRole('list', { name: 'Checks of the store' })
      .getByText('server', { exact: true })
      .waitFor();
    await page.getByRole('heading', { name: 'Processes that use it' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pause nightly' }).click();
    await page.getByRole('button', { name: 'Resume nightly' }).waitFor();
    const schedules = async (): Promise<readonly JsonObject[]> =>
      (await studio.scene.get('/v1/schedules'))['schedules'] as JsonObject[];
    expect(await schedules()).toMatchObject([{ name: 'nightly', isPaused: true }]);
    await page.getByRole('button', { name: 'Resume nightly' }).click();
    await page.getByRole('button', { name: 'Pause nightly' }).waitFor();
    await page.getByRole('button', { name: 'Remove nightly' }).click();
    await page.getByRole('button', { name: 'Remove the schedule' }).click();
    await page.getByText('techne schedule add').waitFor();
    expect(await schedules()).toEqual([]);
    await page.getByRole('button', { name: 'Pause ci' }).click();
    await page.getByRole('button', { name: 'Resume ci' }).waitFor();
    expect(await studio.scene.get('/v1/webhooks')).toMatchObject({
      webhooks: [{ name: 'ci', state: 'paused' }],
    });
    await page.getByRole('button', { name: 'Remove ci' }).click();
    await page.getByRole('button', { name: 'Remove the webhook' }).click();
    await page.getByText('techne webhook add').waitFor();
    expect(await studio.scene.get('/v1/webhooks')).toEqual({ webhooks: [] });
    await page.context().close();
  }, 60_000);
});
