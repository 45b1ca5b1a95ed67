// The site in a real browser: every kind of page for people who cannot see or use a mouse, the search, and the playground, which
// gives what the interpreter gives in Node.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asked, Outcome } from '../../site/client/evaluate.ts';
import { evaluateProgram } from '../../site/client/evaluate.ts';
import { evaluatePlan } from '../../site/client/evaluate-plan.ts';
import { examples } from '../../site/client/examples.ts';
import { chromiumPath, noChromium, openBrowser } from '../support/chromium.ts';
import { skipUnless, skipUnlessTool } from '../support/skip-unless.ts';
import { accessFaults } from '../studio/open-studio.ts';
import { conformanceFiles, isPresent, programsOf } from '../starlark/conformance-programs.ts';
import { buildSite } from './open-site.ts';

const limits = { maxSteps: 10_000_000, maxMemoryBytes: 64 * 1024 * 1024, maxMs: 60_000 };

describe.skipIf(skipUnlessTool(chromiumPath !== null, noChromium ?? ''))('the site in a browser', () => {
  let site: Awaited<ReturnType<typeof buildSite>>;
  let server: { readonly url: string; close(): Promise<void> };
  let browser: Browser;
  /** Refused by the policy of a page, thrown in it, or asked from another host. */
  const faults: string[] = [];

  beforeAll(async () => {
    site = await buildSite();
    server = await site.script.serveSite(site.folder);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    site.remove();
  });

  const open = async (path: string, colorScheme: 'light' | 'dark' = 'light', width = 1280): Promise<Page> => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      bypassCSP: false,
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(`${path}: ${message.text()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) faults.push(`${path}: asks for ${request.url()}`);
    });
    await page.goto(server.url + path);
    return page;
  };
  const close = (page: Page): Promise<void> => page.context().close();

  const kinds = [
    'index.html',
    'guide/plans.html',
    'guide/mcp.html',
    'reference/codes.html',
    'reference/commands/run.html',
    'reference/http/runs.html',
    'reference/library/starlark.html',
    'decisions/index.html',
    'project/changelog.html',
    'playground.html',
  ];

  it.each(kinds)('%s has no faults of accessibility in either theme', async (path) => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await open(path, theme);
      expect(await accessFaults(page)).toEqual([]);
      await close(page);
    }
  });

  it('searches with the keyboard alone, and goes to the place', async () => {
    const page = await open('guide/plans.html');
    // The code of the search comes late, and what is typed meanwhile is not lost.
    await page.route(/search[^/]*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.keyboard.press('/');
    await page.keyboard.type('disable-model-invocation');
    await page.getByRole('dialog').getByRole('link').first().waitFor();
    expect(await page.getByRole('dialog').getByRole('searchbox').inputValue()).toBe(
      'disable-model-invocation',
    );
    expect(await accessFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/invocation|fields|skills|prompt|mcp/);
    await close(page);
  });

  it('has its menu behind a button on a phone', async () => {
    const page = await open('guide/plans.html', 'light', 390);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('#menu').getByRole('link', { name: 'Writing skills' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await close(page);
  });

  it.each(kinds)('%s fits on a phone: no sideways scroll, one line of buttons', async (path) => {
    const page = await open(path, 'light', 390);
    await page.getByRole('button', { name: /^Theme: system$/ }).waitFor();
    const sizes = `[document.documentElement.scrollWidth,
      Math.max(...[...document.querySelectorAll('.playground :is(select, input, textarea)')].map((one) => one.getBoundingClientRect().right), 0) <= 390,
      document.querySelector('header').offsetHeight < 64]`;
    expect(await page.evaluate(sizes)).toEqual([390, true, true]);
    await close(page);
  });

  it('keeps the theme that was chosen', async () => {
    const page = await open('index.html');
    const theme = page.getByRole('button', { name: /^Theme/ });
    await theme.click();
    await theme.click();
    await page.goto(`${server.url}guide/plans.html`);
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await close(page);
  });

  it.each(examples.filter(({ title }) => !title.includes('never ends')))(
    'runs "$title" in the playground as in Node',
    async ({ title, kind, source, input, answers }) => {
      const page = await open('playground.html');
      await page.getByLabel('Example').selectOption({ label: title });
      await page.getByRole('button', { name: /^(?:Run|Check)$/ }).click();
      await page.getByText(/^(?:Done|Not done)\./).waitFor();
      const here: string[] = [];
      const asked: Asked = {
        kind,
        source,
        ...(input === undefined ? {} : { input }),
        ...(answers === undefined ? {} : { answers }),
        ...limits,
      };
      const run = (): Outcome =>
        evaluateProgram(
          asked,
          (_, text) => here.push(`${text}\n`),
          () => 0,
        );
      const outcome = kind === 'plan' ? evaluatePlan(source) : run();
      const shown = [...here, ...outcome.diagnostics.map((one) => `${one}\n\n`), outcome.text].join('');
      expect(await page.locator('.output').textContent()).toBe(shown);
      const bottom = `document.querySelector('.output').getBoundingClientRect().bottom <= innerHeight + 1`;
      await expect.poll(() => page.evaluate(bottom)).toBe(true);
      expect(await accessFaults(page)).toEqual([]);
      await close(page);
    },
  );

  it('stops a program: by its steps, by its time, by the button and by Escape', async () => {
    const page = await open('playground.html');
    const status = page.locator('.status');
    const ended = async (text: RegExp): Promise<string> => {
      await status.filter({ hasText: text }).waitFor();
      return (await status.textContent()) ?? '';
    };
    const run = page.getByRole('button', { name: 'Run' });
    await page
      .getByLabel('Text')
      .fill('def f():\n    for i in range(10 * 1000 * 1000 * 1000):\n        pass\nf()\n');
    await run.click();
    expect(await ended(/^Not done\./)).toMatch(/10,000,00\d steps/);
    await page.getByLabel('Steps at most').fill('1000000000');
    await page.getByLabel('Seconds').fill('1');
    await run.click();
    await page.locator('.output').getByText('stopped after 1000 ms').waitFor();
    expect(await ended(/^Not done\./)).toMatch(/steps/);
    await page.getByLabel('Seconds').fill('60');
    await run.click();
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await ended(/^Stopped\.$/)).toBe('Stopped.');
    await run.click();
    expect(await ended(/^Running/)).toBe('Running…');
    await page.getByLabel('Text').press('Escape');
    expect(await ended(/^Stopped\.$/)).toBe('Stopped.');
    await close(page);
  });

  it.skipIf(skipUnless(isPresent, '../shared/conformance/starlark is absent'))(
    'gives for all programs of the conformance suite what Node gives',
    async () => {
      const asked = conformanceFiles
        .flatMap(programsOf)
        .map(({ source }): Asked => ({ kind: 'starlark', source, ...limits }));
      expect(asked.length).toBe(430);
      const page = await open('playground.html');
      const there: unknown = await page.evaluate(`(async (all) => {
        const worker = new Worker('assets/playground-worker.js', { type: 'module' });
        const outcomes = [];
        await new Promise((done, fail) => {
          worker.onerror = (event) => fail(new Error(event.message));
          worker.onmessage = ({ data }) => {
            if (data.type === 'line') return;
            if (data.type === 'outcome') outcomes.push(data.outcome);
            if (outcomes.length === all.length) done();
            else worker.postMessage(all[outcomes.length]);
          };
        });
        worker.terminate();
        return outcomes;
      })(${JSON.stringify(asked)})`);
      const here = asked.map((one): Outcome =>
        evaluateProgram(
          one,
          () => undefined,
          () => 0,
        ),
      );
      expect(there).toEqual(here);
      // Those with an error that is meant, and those without.
      expect(here.filter(({ ok }) => ok).length).toBeGreaterThan(150);
      expect(here.filter(({ ok }) => !ok).length).toBeGreaterThan(150);
      await close(page);
    },
  );

  it('breaks its own policy nowhere, and asks no other host', () => {
    expect(faults).toEqual([]);
  });
});
