// A studio for tests: a real server in this process, with the built client, and pages of a real Chromium that are logged in.
//
//   const studio = await openStudio({ files });   const page = await studio.page('/runs');   await studio.close();
//
// Open one in `beforeAll` of a file, and a page in each test. Every page notes what it must not do: errors of scripts, violations of the
// content policy, requests to another host, responses with 5xx. `close` fails where there was one.
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openStudioFiles } from '../../src/http/studio-files.ts';
import type { ApiScene, SceneOptions } from '../support/api-scene.ts';
import { openApiScene } from '../support/api-scene.ts';
import { noChromium, openBrowser } from '../support/chromium.ts';
import { skipUnlessTool } from '../support/skip-unless.ts';

/** For `describe.skipIf`. */
export const cannotBrowse = skipUnlessTool(noChromium === null, noChromium ?? '');

export const studioFolder = fileURLToPath(new URL('../../dist/studio', import.meta.url));

export interface Studio {
  readonly scene: ApiScene;
  readonly browser: Browser;
  readonly url: string;
  /** What pages did that they must not; tests of such things empty it. */
  readonly faults: string[];
  /** A tab of the browser that is logged in, at this path, once the stream of events is open. */
  page(path: string, options?: PageOptions): Promise<Page>;
  /** Another browser (cookies, storage) that is logged in. */
  context(options?: PageOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly context?: BrowserContext;
}

export async function openStudio(options: SceneOptions = {}): Promise<Studio> {
  const scene = await openApiScene({ ...options, studio: openStudioFiles(studioFolder) });
  const browser = await openBrowser();
  const { url, link } = scene.serving;
  const faults: string[] = [];
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>> | null = null;

  const note = (context: BrowserContext): void => {
    context.on('page', (page) => {
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.stack ?? error.message}`));
      page.on('console', (message) => {
        // A refused request says so itself: tests look at what the page makes of it.
        if (
          message.type() === 'error' &&
          !/Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE/.test(message.text())
        )
          faults.push(`${page.url()}: ${message.text()}`);
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('blob:'))
          faults.push(`${page.url()} asks for ${request.url()}`);
      });
      page.on('response', (response) => {
        if (response.status() >= 500 && response.status() !== 503)
          faults.push(`${response.url()} gave ${response.status()}`);
      });
    });
  };
  const context: Studio['context'] = async ({ width = 1280, height = 800, theme = 'light' } = {}) => {
    const made = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    // Below the limit of a test, so that a failure says what was waited for.
    made.setDefaultTimeout(8_000);
    note(made);
    if (cookies === null) {
      // The link works once: the other browsers of the test get its cookie.
      const first = await made.newPage();
      await first.goto(link ?? '');
      await first.getByRole('heading', { level: 1 }).waitFor();
      cookies = await made.cookies();
      await first.close();
    } else await made.addCookies(cookies);
    return made;
  };
  return {
    scene,
    browser,
    url,
    faults,
    context,
    async page(path, given = {}) {
      const page = await (given.context ?? (await context(given))).newPage();
      await page.goto(`${url}${path}`);
      await page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
      return page;
    },
    async close() {
      await browser.close();
      await scene.close();
      if (faults.length > 0) throw new Error(`pages did what they must not:\n${faults.join('\n')}`);
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds against WCAG 2.2 AA, one line each; none is wanted. `rules`: only these. */
export async function accessFaults(page: Page, rules = everyRule): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const { axe: runner } = globalThis as unknown as {
      axe: {
        run(
          options: unknown,
        ): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await runner.run({ runOnly });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll('\n', ' ')}`,
      ),
    );
  }, rules);
}
