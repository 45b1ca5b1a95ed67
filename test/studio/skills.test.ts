// The list of skills in the browser: everything that was found with why it is as it is, searched by the real matcher, filtered by the
// address, and of any length.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const hostile = `<img src=x onerror="document.title='owned'"> <script>document.title='owned'</script> [x](javascript:alert(1))`;
const rowOf = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Skills' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name }) });
const shown = (page: Page) => page.getByRole('status', { name: 'How many are shown' });

describe.skipIf(cannotBrowse)('the list of skills', { timeout: 60_000 }, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        'home/.techne/config.json': JSON.stringify({ roots: { builtin: false, plugin: ['~/plugin'] } }),
        'home/plugin/aardvark/SKILL.md': skillText('aardvark'),
        'home/.techne/skills/echo/SKILL.md': skillText('echo', 'An older echo. Use when echo is needed.'),
        'work/.techne/skills/hostile/SKILL.md': skillText('hostile', `'${hostile.replaceAll("'", "''")}'`),
        'work/.techne/skills/films/SKILL.md': skillText(
          'films',
          'Makes a film of a text. Use when a film is wanted.',
          'requires:\n  bins: [a-program-that-is-not-here]\n',
        ),
        'work/.techne/skills/painter/SKILL.md': skillText(
          'painter',
          'Paints lighthouses. Use when a lighthouse is painted.',
        ),
        'work/.techne/skills/no-file/SKILL.md/inside.txt': 'a folder where a file is wanted',
      },
    });
  });
  afterAll(() => studio.close());

  it('shows used, shadowed and broken ones with why and where, and leads to each', async () => {
    const page = await studio.page('/skills');
    await rowOf(page, 'films').getByText('Not ready').waitFor();
    await rowOf(page, 'films').getByText('a-program-that-is-not-here').waitFor();
    await rowOf(page, 'echo').getByText('Shadowed').waitFor();
    await rowOf(page, 'echo').getByText('used instead: .techne/skills/echo/SKILL.md').waitFor();
    await rowOf(page, 'no-file').getByText('Broken').waitFor();
    await rowOf(page, 'no-file')
      .getByText(/\.techne\/skills\/no-file/)
      .waitFor();
    expect(await rowOf(page, 'echo').filter({ hasText: 'Ready' }).getByText('Trusted').count()).toBe(1);
    expect(await accessFaults(page)).toEqual([]);
    const [inventory, list] = [
      await studio.scene.get('/v1/inventory?limit=500'),
      await shown(page).textContent(),
    ];
    const broken = new Set((inventory['broken'] as JsonObject[]).map(({ path }) => path));
    expect(list).toContain(`${Number(inventory['total']) + broken.size} entries`);
    await page.context().close();
  });

  it('shows texts of skills as text', async () => {
    const page = await studio.page('/skills?source=workspace');
    await rowOf(page, 'hostile').getByText('<script>').waitFor();
    expect(await page.title()).toBe('Skills · techne studio');
    expect(await page.locator('img').count()).toBe(0);
    await page.context().close();
  });

  it('asks the matcher as somebody types, and keeps search and filters in the address', async () => {
    const page = await studio.page('/skills');
    await page.keyboard.press('/');
    await page.keyboard.type('paint a lighthouse');
    const { matches } = await studio.scene.get('/v1/match', {
      body: { message: 'paint a lighthouse', limit: 50 },
    });
    const [first] = matches as JsonObject[];
    expect(first).toMatchObject({ skill: 'painter' });
    await rowOf(page, 'painter')
      .getByText(first?.['reason'] as string)
      .waitFor();
    expect(await page.getByRole('table', { name: 'Skills' }).getByRole('row').nth(1).textContent()).toContain(
      'painter',
    );
    await page.getByLabel('Ready', { exact: true }).selectOption('true');
    expect(new URL(page.url()).search).toBe('?text=paint+a+lighthouse&ready=true');
    await page.reload();
    await rowOf(page, 'painter')
      .getByText(first?.['reason'] as string)
      .waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('paint a lighthouse');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(new URL(page.url()).search).toBe('');
    await page.context().close();
  });

  it('filters by each fact as the server has it', async () => {
    const all = (await studio.scene.get('/v1/inventory?limit=500'))['skills'] as JsonObject[];
    const used = all.filter(({ standing }) => standing === 'used');
    const page = await studio.page('/skills');
    const filters: readonly (readonly [string, number])[] = [
      ['executable=true', used.filter(({ executable }) => executable).length],
      ['ready=false', used.filter(({ ready }) => !ready).length],
      ['trusted=true', used.filter(({ trusted }) => trusted).length],
      ['form=composition', all.filter(({ form }) => form === 'composition').length],
      ['source=builtin', all.filter(({ source }) => source === 'builtin').length],
      ['state=shadowed', all.filter(({ standing }) => standing === 'shadowed').length],
    ];
    for (const [query, amount] of filters) {
      await page.goto(`${studio.url}/skills?${query}`);
      await expect
        .poll(async () => [query, Number.parseInt((await shown(page).textContent()) ?? '', 10)], {
          timeout: 8_000,
        })
        .toEqual([query, amount]);
    }
    await page.goto(`${studio.url}/skills?state=refused`);
    await page.getByText('No skill fits').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('has one’s own before those of plugins and of techne, unless another order is chosen', async () => {
    const page = await studio.page('/skills');
    const names = async (): Promise<readonly string[]> =>
      (await page.getByRole('table', { name: 'Skills' }).locator('a').allTextContents()).map(
        (text) => text.split(/\s/, 1)[0] ?? '',
      );
    await expect.poll(async () => (await names()).at(-1)).toMatch(/^aardvark/);
    await page.getByLabel('Order').selectOption('By name');
    await expect.poll(async () => (await names())[0]).toMatch(/^aardvark/);
    // What the matcher finds has an order of its own.
    await page.goto(`${studio.url}/skills?sort=name&text=lighthouse`);
    await page.getByText('best match first').waitFor();
    expect(await page.getByLabel('Order').count()).toBe(0);
    await page.context().close();
  });

  it('is walked with keys, and is readable on a small dark screen', async () => {
    const page = await studio.page('/skills', { width: 390, height: 844, theme: 'dark' });
    await rowOf(page, 'films').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('State', { exact: true }).selectOption('not_ready');
    await page.getByLabel('Skills: rows').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/skills/films');
    await page.context().close();
  });

  it('shows what runs did, and what changes while it is open', async () => {
    const page = await studio.page('/skills?source=workspace');
    const folder = `${studio.scene.world.workspace}/.techne/skills/fresh`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/SKILL.md`, skillText('fresh', 'Comes later. Use when something is fresh.'));
    await studio.scene.techne.skills.refresh();
    await rowOf(page, 'fresh').waitFor();
    await studio.scene.get('/v1/runs?wait=10', { body: { skill: 'echo', input: { word: 'x' } } });
    await page.goto(`${studio.url}/skills?sort=uses`);
    await expect
      .poll(() => page.getByRole('table', { name: 'Skills' }).getByRole('row').nth(1).textContent(), {
        timeout: 8_000,
      })
      .toMatch(/echo.*1$/);
    rmSync(folder, { recursive: true });
    await page.context().close();
  });
});

describe.skipIf(cannotBrowse)('a list of ten thousand skills', () => {
  let studio: Studio;
  beforeAll(async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [
        `work/.techne/skills/skill-${String(n).padStart(5, '0')}/SKILL.md`,
        skillText(
          `skill-${String(n).padStart(5, '0')}`,
          `Does number ${n} of many things. Use when ${n === 7_777 ? 'a lighthouse is painted' : `number ${n} is to be done`}.`,
        ),
      ]),
    );
    studio = await openStudio({ files });
  }, 120_000);
  afterAll(() => studio.close());

  it('loads all of them, draws those in view, and answers a search', async () => {
    const page = await studio.page('/skills');
    // The first page is there before the last.
    await rowOf(page, 'skill-00000').waitFor();
    await expect
      .poll(async () => Number.parseInt(((await shown(page).textContent()) ?? '').replaceAll(',', ''), 10), {
        timeout: 60_000,
      })
      .toBeGreaterThanOrEqual(10_000);
    await page.getByText('loading').waitFor({ state: 'detached' });
    const rows = page.getByRole('table', { name: 'Skills' }).getByRole('row');
    expect(await rows.count()).toBeLessThan(80);
    await page.getByLabel('Skills: rows').focus();
    await page.keyboard.press('End');
    await rowOf(page, 'skill-09999').waitFor();
    expect(await rows.count()).toBeLessThan(80);
    await page.getByRole('searchbox').fill('paint the lighthouse');
    await expect.poll(() => rows.nth(1).textContent(), { timeout: 30_000 }).toContain('skill-07777');
    await page.getByRole('searchbox').fill('skill-0123');
    await rowOf(page, 'skill-01234').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.context().close();
  }, 120_000);
});
