// Without a mouse: every page is reached and left by keys, everything on it that can be pressed gets the focus and shows it, and what
// matters is done with the keyboard alone. At 200 % nothing is cut off; where motion is not wanted, nothing moves.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { everyPage, patient, settle } from './every-page.ts';
import { cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

// What runs in the page.
const nameOf = `const nameOf = (element) => element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60);`;
/** What Tab must reach: inside of a list, tree or table that has one place in the order, arrows move. */
const markReachable = `(() => {
  ${nameOf}
  const wanted = [];
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]');
  for (const [at, element] of [...all].entries()) {
    const closed = element.closest('details:not([open])');
    const isHidden =
      !element.checkVisibility({ checkVisibilityCSS: true }) ||
      element.closest('[inert]') !== null ||
      (closed !== null && element.closest('summary') === null);
    const isPassed =
      element.tabIndex < 0 ||
      element.disabled ||
      (element.type === 'radio' && document.querySelector('input[name="' + CSS.escape(element.name) + '"]:checked') !== element);
    if (isHidden || isPassed) continue;
    element.dataset.walk = String(at);
    wanted.push(at + ' ' + nameOf(element));
  }
  return wanted;
})()`;
const whatHasFocus = `(() => {
  ${nameOf}
  let element = document.activeElement;
  if (element === null || element === document.body) return { walk: null, takesTab: false, fault: null };
  while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const box = element.getBoundingClientRect();
  // An editor shows it around all of its parts.
  const around = [element, element.parentElement, element.closest('.cm-editor')].filter((one) => one !== null);
  const isMarked = around.some((one) => {
    const style = getComputedStyle(one);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  });
  const isIn = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    walk: element.dataset.walk ?? '',
    takesTab: element.isContentEditable,
    fault: !isMarked ? nameOf(element) + ' shows no focus' : !isIn ? nameOf(element) + ' has the focus out of sight' : null,
  };
})()`;
const nameOfFocus = `(() => {
  const element = document.activeElement;
  return ((element?.getAttribute('aria-label') ?? '') + ' ' + (element?.labels?.[0]?.textContent ?? '') + ' ' + (element?.textContent ?? '')).trim();
})()`;
const namesInMain = `(() => {
  return [...document.querySelectorAll('main h1, main h2, main button, main input, main select')]
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }))
    .map((element) => element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent ?? '').trim());
})()`;
const tooWide = `(() => {
  const main = document.querySelector('main');
  return [
    document.documentElement.scrollWidth - document.documentElement.clientWidth,
    main.scrollWidth - main.clientWidth,
  ];
})()`;
const whatMoves = `document.getAnimations()
  .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
  .map(({ effect }) => effect.target?.outerHTML.slice(0, 100))`;

interface Focus {
  readonly walk: string | null;
  /** In an editor Tab indents; Escape and Tab leave it. */
  readonly takesTab: boolean;
  readonly fault: string | null;
}

describe.skipIf(cannotBrowse)('the studio without a mouse', () => {
  let studio: Studio;
  const stand: { [name: string]: string } = {};
  beforeAll(async () => {
    studio = await openStudio();
    const { scene } = studio;
    const run = await scene.get('/v1/runs?wait=20', {
      as: 'runner',
      body: { skill: 'echo', input: { word: 'x' } },
    });
    const made = await scene.get('/v1/proposals', {
      as: 'reviewer',
      body: {
        kind: 'create',
        skill: 'keys',
        why: 'keys are enough',
        files: [
          {
            path: 'SKILL.md',
            text: '---\nname: keys\ndescription: Says which keys there are. Use when keys are needed.\nmetadata:\n  techne.risk: low\n---\n\n# Keys\n\nRead the help.\n',
          },
        ],
      },
    });
    const id = made['id'] as string;
    Object.assign(stand, { name: 'echo', skill: 'echo', run: run['run'] as string, id, 'proposals/:id': id });
  }, 120_000);
  afterAll(() => studio.close());

  const mark = async (page: Page): Promise<readonly string[]> =>
    (await page.evaluate(markReachable)) as readonly string[];
  /** Which element has the focus, and what is wrong with how it shows that. */
  const focused = async (page: Page): Promise<Focus> => {
    // After the last element the browser itself has the focus for a moment.
    for (let tries = 0; ; tries += 1) {
      const found = (await page.evaluate(whatHasFocus)) as Focus;
      if (found.fault === null || tries === 5) return found;
      await page.waitForTimeout(100);
    }
  };

  it('gives the focus to everything that can be pressed on every page, and shows it', async () => {
    const wrong: string[] = [];
    const context = await patient(studio);
    for (const { path } of await everyPage(stand)) {
      const page = await studio.page(path, { context });
      await settle(page);
      const wanted = await mark(page);
      const seen = new Set<string>();
      let takesTab = false;
      for (let presses = 0; presses < wanted.length + 60; presses += 1) {
        if (takesTab) await page.keyboard.press('Escape');
        await page.keyboard.press('Tab');
        const { walk, fault, ...more } = await focused(page);
        ({ takesTab } = more);
        if (fault !== null) wrong.push(`${path}: ${fault}`);
        // Past the last one the browser itself has it, then the first one again.
        if (walk !== null && seen.has(walk) && walk !== '') break;
        if (walk !== null) seen.add(walk);
      }
      for (const one of wanted) {
        const number = one.split(' ', 1)[0] ?? '';
        const isThere = await page.evaluate(`document.querySelector('[data-walk="${number}"]') !== null`);
        if (!seen.has(number) && isThere) wrong.push(`${path}: Tab does not reach ${one}`);
      }
      await page.close();
    }
    await context.close();
    expect([...new Set(wrong)]).toEqual([]);
  }, 300_000);

  it('leads to every page of the rail by g and its letter, and back', async () => {
    const page = await studio.page('/', { context: await patient(studio) });
    const inRail = (await everyPage(stand)).filter(({ letter }) => letter !== null);
    expect(inRail.length).toBeGreaterThanOrEqual(4);
    for (const { letter, path, pattern } of inRail) {
      await page.keyboard.press('g');
      await page.keyboard.press(letter ?? '');
      await expect.poll(() => new URL(page.url()).pathname).toBe(pattern.includes(':') ? path : pattern);
      await settle(page);
    }
    // The first Tab of a page skips what is the same on all of them.
    await page.reload();
    await settle(page);
    await page.keyboard.press('Tab');
    for (let presses = 0; presses < 3; presses += 1)
      if ((await page.evaluate('document.activeElement.textContent')) !== 'Skip to the page')
        await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.context().close();
  }, 120_000);

  /** Presses Tab until what has the focus is called so. */
  async function tabTo(page: Page, name: RegExp): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      const here = (await page.evaluate(nameOfFocus)) as string;
      if (name.test(here)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name.source}`);
  }

  it('starts a run, answers what it asks, and sees it end', async () => {
    const page = await studio.page('/run/asks', { context: await patient(studio) });
    await settle(page);
    await tabTo(page, /^As JSON/);
    await page.keyboard.press('Enter');
    await tabTo(page, /Input as JSON/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"what": "the sea"}');
    await tabTo(page, /^Run$/);
    await page.keyboard.press('Enter');
    await page.getByText('Which colour is the sea?').first().waitFor();
    await tabTo(page, /Your answer/);
    await page.keyboard.type('green');
    await tabTo(page, /^Answer$/);
    await page.keyboard.press('Enter');
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(JSON.stringify((await studio.scene.get(`/v1/runs/${run}`))['envelope'])).toContain('green');
    await page.context().close();
  }, 120_000);

  it('checks, accepts and rolls back a proposal', async () => {
    const page = await studio.page('/proposals', { context: await patient(studio) });
    await page.getByRole('link', { name: 'Create keys' }).waitFor();
    await tabTo(page, /Proposals: rows/);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Create keys', level: 1 }).waitFor();
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (const label of await dialog.locator('fieldset label').allTextContents()) {
      await tabTo(page, new RegExp(`^${label.trim()}$`));
      await page.keyboard.press('Space');
    }
    await tabTo(page, /^Accept$/);
    await page.keyboard.press('Enter');
    await page.getByText(/^Accepted by operator/).waitFor();
    const file = join(studio.scene.world.workspace, '.techne/skills/keys/SKILL.md');
    expect(existsSync(file)).toBe(true);
    await tabTo(page, /^Roll back$/);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await tabTo(page, /^Roll back$/);
    await page.keyboard.press('Enter');
    await page.getByText(/^Rolled back by operator/).waitFor();
    expect(existsSync(file)).toBe(false);
    await page.context().close();
  }, 120_000);

  it('freezes, and leaves a dialog with Escape to where it was', async () => {
    const page = await studio.page('/proposals', { context: await patient(studio) });
    await page.getByText('Every change waits for a person.').waitFor();
    await tabTo(page, /^Freeze$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Freeze');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Reason/);
    await page.keyboard.type('by keys');
    await tabTo(page, /^Freeze$/);
    await page.keyboard.press('Enter');
    await page.getByText(/by keys/).waitFor();
    expect((await studio.scene.get('/v1/proposals'))['freeze'] as JsonObject).toMatchObject({
      reason: 'by keys',
    });
    await page.context().close();
  }, 120_000);

  it('loses nothing at 200 %', async () => {
    const wrong: string[] = [];
    const namesOf = async (page: Page): Promise<readonly string[]> =>
      (await page.evaluate(namesInMain)) as readonly string[];
    /** Parts of a page come later than its heading: what is not there at first is waited for. */
    const missing = async (page: Page, all: readonly string[]): Promise<readonly string[]> => {
      for (let looks = 0; ; looks += 1) {
        const left = await namesOf(page);
        const gone = all.filter((name) => !left.includes(name) && !/\d/.test(name));
        if (gone.length === 0 || looks === 40) return gone;
        await page.waitForTimeout(250);
      }
    };
    const large = await patient(studio);
    // Half the width at twice the size: what a browser does at 200 %.
    const half = await patient(studio, { width: 640, height: 400 });
    for (const { path } of await everyPage(stand)) {
      const wide = await studio.page(path, { context: large });
      await settle(wide);
      const all = await namesOf(wide);
      await wide.close();
      const page = await studio.page(path, { context: half });
      await settle(page);
      for (const name of await missing(page, all)) wrong.push(`${path}: "${name}" is gone`);
      const over = (await page.evaluate(tooWide)) as readonly number[];
      if (over.some((pixels) => pixels > 0)) wrong.push(`${path}: ${over.join(' and ')} pixels too wide`);
      await page.close();
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it('moves nothing where motion is not wanted', async () => {
    const wrong: string[] = [];
    const context = await patient(studio);
    for (const { path } of await everyPage(stand)) {
      const page = await studio.page(path, { context });
      const moving = (await page.evaluate(whatMoves)) as readonly string[];
      for (const one of moving) wrong.push(`${path}: ${one}`);
      await page.close();
    }
    expect(wrong).toEqual([]);
  }, 120_000);
});
