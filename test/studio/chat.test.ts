// Conversations in the browser: a skill comes, a call is approved, a run goes on inline, an answer is stopped, continued and reloaded in its
// middle, and the server is started again meanwhile.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { ModelServer, ServerTurn } from '../support/model-server.ts';
import { createModelServer } from '../support/model-server.ts';
import { skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

describe.skipIf(cannotBrowse)('a conversation in the studio', { timeout: 60_000 }, () => {
  let studio: Studio;
  let model: ModelServer;
  let turns: readonly ServerTurn[] = [];
  let asked = 0;
  const script = (...given: readonly ServerTurn[]): void => {
    [turns, asked] = [given, 0];
  };
  beforeAll(async () => {
    model = await createModelServer({
      turns: () => {
        asked += 1;
        return turns[asked - 1] ?? { text: 'nothing more' };
      },
    });
    studio = await openStudio({
      files: {
        'work/.techne/skills/tides/SKILL.md': skillText(
          'tides',
          'Explains tides. Use when somebody asks about tides.',
          'triggers: [explain the tides]\n',
        ),
        'home/.techne/config.json': JSON.stringify({
          models: { default: { provider: 'openai-compatible', baseUrl: model.url, model: 'm' } },
        }),
      },
    });
  });
  afterAll(async () => {
    await studio.close();
    await model.close();
  });
  const show = (id: string): Promise<JsonObject> => studio.scene.get(`/v1/chats/${id}`);
  const idOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

  it('begins with an example, says why a skill came, and shows Markdown without what could do harm', async () => {
    script({
      text: [
        '**The moon** pulls.\n\n',
        '<img src=x onerror="globalThis.hacked = 1"> [a](javascript:alert(1))\n\n```js\nlet a;\n```\n',
      ],
      usage: { input: 1200, output: 30 },
    });
    const page = await studio.page('/chat');
    await page.getByRole('heading', { name: 'What is to be done?' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await page.getByRole('button', { name: 'Which of your skills could help me here?' }).click();
    expect(await message.inputValue()).toContain('Which of your skills');
    await message.fill('explain the tides');
    await message.press('Shift+Enter');
    await message.pressSequentially('please');
    await message.press('Enter');
    await page.waitForURL((url) => /^\/chat\/\w{26}$/.test(url.pathname));
    await page.locator('.answer strong', { hasText: 'The moon' }).waitFor();
    await page.getByText('1,230 tokens').waitFor();
    await page.locator('summary', { hasText: 'Skills: tides' }).click();
    await page.getByText('matches the trigger "explain the tides"').waitFor();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await page.locator('.answer img, .answer a[href^="javascript"]').count()).toBe(0);
    expect(await accessFaults(page)).toEqual([]);
    // A person is told when it has ended, not of every word.
    await page.getByRole('status').getByText('The answer is here').waitFor({ state: 'attached' });
    expect(((await show(idOf(page.url())))['entries'] as JsonObject[]).length).toBe(4);
    await page.context().close();
  });

  it('asks for an approval, shows exactly what would be done, and folds the call with its result', async () => {
    script(
      { text: 'I touch it.', calls: [{ tool: 'command', input: { argv: ['touch', 'by page.txt'] } }] },
      { text: 'It is there.' },
    );
    const page = await studio.page('/chat');
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await message.fill('touch a file');
    await message.press('Enter');
    const approval = page.getByRole('region', { name: 'Approval' });
    await approval.locator('pre', { hasText: 'touch "by page.txt"' }).waitFor();
    await approval.getByText(studio.scene.world.workspace).first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    expect(existsSync(join(studio.scene.world.workspace, 'by page.txt'))).toBe(false);
    // What waits in a conversation waits on the overview, too.
    const other = await studio.page('/');
    await other.getByRole('link', { name: 'Answer in the chat' }).click();
    await other.getByRole('button', { name: 'Approve once' }).click();
    for (const one of [page, other]) await one.locator('.answer', { hasText: 'It is there.' }).waitFor();
    expect(existsSync(join(studio.scene.world.workspace, 'by page.txt'))).toBe(true);
    await page.getByText(/Approved once by operator/).waitFor();
    await page.locator('summary', { hasText: 'command' }).click();
    await page.getByLabel('Result', { exact: true }).getByText('exit code: 0').waitFor();
    await page.context().close();
    await other.context().close();
  });

  it('completes a skill, runs it inline, and answers what the run waits for', async () => {
    const page = await studio.page('/chat');
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await message.pressSequentially('/touc');
    await page.getByRole('option', { name: /\/touches/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await message.press('Tab');
    expect(await message.inputValue()).toBe('/touches ');
    await message.press('Enter');
    const run = page.getByRole('region', { name: 'Run of touches' });
    await run.getByRole('button', { name: 'Approve once' }).click();
    await run.getByText('Completed').waitFor();
    await run.getByRole('link', { name: 'touches' }).click();
    await page.getByRole('heading', { name: 'touches', level: 1 }).waitFor();
    await page.context().close();
  });

  it('is stopped with Esc, reloaded in the middle, and goes on', async () => {
    script(
      { text: ['It begins ', 'and '], fault: { kind: 'silent', after: 3 } },
      { text: 'Here is the rest.' },
    );
    const page = await studio.page('/chat');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('tell me');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer', { hasText: 'It begins and' }).waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('a draft');
    await page.reload();
    await page.locator('.answer', { hasText: 'It begins and' }).waitFor();
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    expect(await message.inputValue()).toBe('a draft');
    await message.press('Escape');
    await page.getByText('Stopped. What was said so far is kept.').waitFor();
    expect((await show(idOf(page.url())))['chat']).toMatchObject({ status: 'idle' });
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.answer', { hasText: 'Here is the rest.' }).waitFor();
    await page.context().close();
  });

  it('is renamed and deleted, on a phone in the dark', async () => {
    script({ text: 'x' });
    const page = await studio.page('/chat', { width: 390, height: 844, theme: 'dark' });
    const message = page.getByRole('textbox', { name: 'Message', exact: true });
    await message.fill('a'.repeat(300));
    await message.press('Enter');
    await page.waitForURL((url) => /^\/chat\/\w{26}$/.test(url.pathname));
    await page.locator('.answer', { hasText: 'x' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.locator('summary[aria-label="More"]').click();
    await page.getByRole('button', { name: 'Rename…' }).click();
    await page.getByLabel('Title').fill('Tides and <b>more</b>');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('heading', { name: 'Tides and <b>more</b>' }).waitFor();
    const id = idOf(page.url());
    await page.getByRole('button', { name: 'Delete…' }).click();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL((url) => url.pathname === '/chat');
    expect((await studio.scene.send(`/v1/chats/${id}`)).status).toBe(404);
    await page.context().close();
  });
});

describe.skipIf(cannotBrowse)('a studio without a model', { timeout: 60_000 }, () => {
  it('says what to set', async () => {
    const studio = await openStudio();
    try {
      const page = await studio.page('/chat');
      await page.getByRole('heading', { name: 'No model is set up' }).waitFor();
      await page.getByText('ANTHROPIC_API_KEY').first().waitFor();
      expect(await accessFaults(page)).toEqual([]);
      await page.context().close();
    } finally {
      await studio.close();
    }
  });
});
