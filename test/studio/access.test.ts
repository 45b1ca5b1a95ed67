// Every page of the client, with each of its tabs, in both themes: axe finds nothing. A page that is added is looked at by itself.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { everyPage, patient, settle } from './every-page.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
}

describe.skipIf(cannotBrowse)('every page of the studio', () => {
  let studio: Studio;
  const stand: { [name: string]: string } = {};
  let asking = '';
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        'work/.techne/skills/broken/SKILL.md': 'no frontmatter\n',
        'work/.techne/skills/form/tests/one.yaml':
          'tests:\n  - name: says it\n    input: {}\n    expect: {asks: 0}\n',
        'work/.techne/skills/form/references/more.md': '# More\n\n[a link](https://example.org)\n',
        'work/notes/A.md': '---\ntype: idea\n---\n\n# A\n\n[[B]]\n',
        'work/notes/B.md': '[[nowhere]]\n',
        'home/.techne/config.json': JSON.stringify({ graph: { vault: 'notes' } }),
      },
    });
    const { scene } = studio;
    const start = (skill: string, input: JsonObject): Promise<JsonObject> =>
      scene.get('/v1/runs?wait=20', { as: 'runner', body: { skill, input } });
    const ended = await start('many', { count: 0 });
    asking = (await start('form', { user_message: 'x' }))['run'] as string;
    await start('touches', {});
    const made = await scene.get('/v1/proposals', {
      as: 'reviewer',
      body: {
        kind: 'edit',
        skill: 'echo',
        why: 'it is to be seen',
        files: [
          {
            path: 'SKILL.md',
            text: '---\nname: echo\ndescription: Does another echo. Use when echo is needed.\nmetaskill: SKILL.star\n---\n\nMore.\n',
          },
        ],
      },
    });
    const id = made['id'] as string;
    await scene.get(`/v1/proposals/${id}/check`, { as: 'reviewer', method: 'POST' });
    Object.assign(stand, {
      name: 'form',
      skill: 'form',
      run: ended['run'] as string,
      id,
      'proposals/:id': id,
    });
  }, 120_000);
  afterAll(() => studio.close());

  it('has no fault of access, in any tab, light and dark', async () => {
    const wrong: string[] = [];
    const context = await patient(studio);
    let looks = 0;
    const look = async (page: Page, where: string): Promise<void> => {
      looks += 1;
      // Rows of a long list are drawn in the frame after they were measured.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      for (const one of await accessFaults(page)) wrong.push(`${where}: ${one}`);
      // The other theme is other colours, and nothing else.
      await inTheme(page, 'dark');
      for (const one of await accessFaults(page, ['color-contrast'])) wrong.push(`${where}, dark: ${one}`);
      await inTheme(page, 'light');
    };
    const more = ['/nothing-here', '/skills/nothing', '/runs?text=nothing', '/skills/broken'].map((path) => ({
      path,
    }));
    const runs = [`/runs/${asking}`, `/compare?a=${asking}&b=${stand['run'] ?? ''}`].map((path) => ({
      path,
    }));
    for (const { path } of [...(await everyPage(stand)), ...runs, ...more]) {
      const page = await studio.page(path, { context });
      await settle(page);
      await look(page, path);
      const tabs = page.locator('main [role="tab"]');
      for (let at = 0; at < (await tabs.count()); at += 1) {
        const tab = tabs.nth(at);
        if ((await tab.getAttribute('aria-selected')) === 'true') continue;
        await tab.click();
        await settle(page);
        await look(page, `${path} ${(await tab.textContent()) ?? ''}`);
      }
      await page.close();
    }
    await context.close();
    expect(wrong).toEqual([]);
    expect(looks).toBeGreaterThan(40);
  }, 300_000);
});
