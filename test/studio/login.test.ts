// People of a team log in with a token: a wrong one, one of each role, logout, a token that is revoked under an open page, a server that is
// started anew. The server is the real one, over plain HTTP on this machine.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserContext, Page } from 'playwright-core';
import { openStudioFiles } from '../../src/http/studio-files.ts';
import { hasRole, roles } from '../../src/api/role.ts';
import type { Role } from '../../src/api/role.ts';
import { serveApi } from '../../src/http/serve-api.ts';
import type { Studio } from './open-studio.ts';
import { accessFaults, cannotBrowse, openStudio, studioFolder } from './open-studio.ts';

describe.skipIf(cannotBrowse)('the login of the studio', () => {
  let studio: Studio;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    studio = await openStudio();
  }, 60_000);
  afterAll(() => studio?.close());
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  /** A browser that nobody has logged in. */
  const open = async (path: string, given: Parameters<Studio['context']>[0] = {}): Promise<Page> => {
    const context = await studio.context(given);
    await context.clearCookies();
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(`${studio.url}${path}`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    return page;
  };
  const logIn = async (page: Page, token: string): Promise<void> => {
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
  };
  const who = (page: Page): Promise<string | null> => page.locator('.who p').textContent();
  /** Everything that this browser keeps for pages, and where it has been. */
  const keptIn = (page: Page): Promise<string> =>
    page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie])',
    );
  const hasFocus = (page: Page): Promise<boolean> => page.evaluate("document.activeElement?.id === 'token'");

  it('refuses a wrong token and says why, with the keyboard alone', async () => {
    const page = await open('/');
    const field = page.getByLabel('Token');
    await expect.poll(() => hasFocus(page)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Paste a token first.').waitFor();
    await page.keyboard.type('techne_guess');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The token is wrong, has expired, or was revoked.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await hasFocus(page)).toBe(true);
    // What is wrong is selected, so that the right one takes its place.
    await page.keyboard.insertText(` ${studio.scene.tokens.viewer} `);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await who(page)).toContain('viewer');
  });

  it.each(['light', 'dark'] as const)('is accessible, and fits a phone: %s', async (theme) => {
    const page = await open('/', { width: 390, height: 700, theme });
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').getByText('Paste a token first.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('takes no token over a connection that others can read', async () => {
    const context = await studio.context();
    contexts.push(context);
    // As at http://a-name-of-the-network.
    await context.addInitScript("Object.defineProperty(globalThis, 'isSecureContext', { value: false })");
    const page = await context.newPage();
    await page.goto(studio.url);
    await page.getByRole('heading', { name: 'This connection is not encrypted' }).waitFor();
    expect(await page.getByLabel('Token').count()).toBe(0);
    expect(await accessFaults(page)).toEqual([]);
  });

  it.each(roles)('gives a %s what that role may do, at the address that was asked for', async (role) => {
    const started = await studio.scene.get('/v1/runs', {
      body: { skill: 'form', input: {} },
      headers: { 'idempotency-key': `login-${role}` },
    });
    const run = started['run'] as string;
    const page = await open(`/runs/${run}`);
    const token = studio.scene.tokens[role];
    await logIn(page, token);
    expect(new URL(page.url()).pathname).toBe(`/runs/${run}`);
    expect(await who(page)).toMatch(new RegExp(`^${role}-\\d+ · ${role}$`));
    const cancel = page.getByRole('button', { name: /^Cancel/ }).first();
    await cancel.waitFor();
    const whyNot = (least: Role): string | null =>
      hasRole(role, least) ? null : `This takes the role "${least}"; you are "${role}"`;
    expect([await cancel.getAttribute('aria-disabled'), await cancel.getAttribute('title')]).toEqual([
      String(whyNot('runner') !== null),
      whyNot('runner'),
    ]);
    await page.goto(`${studio.url}/runs`);
    const prune = page.getByRole('button', { name: 'Prune…' });
    await prune.waitFor();
    expect([await prune.getAttribute('aria-disabled'), await prune.getAttribute('title')]).toEqual([
      String(whyNot('operator') !== null),
      whyNot('operator'),
    ]);
    // Neither the token nor the cookie is where a script could read it.
    expect(await keptIn(page)).not.toMatch(/techne_[\w-]{20}|techne_session/);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', secure: false });
    expect(cookie?.name).toBe(`techne_session_${studio.scene.serving.port}`);
  });

  it('writes the name of the token into the journal with each decision', async () => {
    const token = await studio.scene.tokenFile.create('bea', 'reviewer', null);
    const started = await studio.scene.get('/v1/runs?wait=20', { body: { skill: 'form', input: {} } });
    const run = started['run'] as string;
    const page = await open(`/runs/${run}`);
    await logIn(page, token);
    await page.getByLabel(/city/i).first().fill('Oslo');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await expect
      .poll(async () => JSON.stringify(await studio.scene.get(`/v1/runs/${run}/journal?limit=500&from=0`)))
      .toContain('"bea"');
  });

  it('logs out here, in other tabs and on the server', async () => {
    const page = await open('/runs');
    await logIn(page, studio.scene.tokens.runner);
    const other = await page.context().newPage();
    await other.goto(`${studio.url}/skills`);
    await other.getByRole('heading', { name: 'Skills' }).waitFor();
    const [cookie] = await page.context().cookies();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await other.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    const again = await studio.scene.send('/v1/session', {
      as: null,
      headers: { cookie: `${cookie?.name}=${cookie?.value}` },
    });
    expect(again.status).toBe(401);
    // Another tab that logs in brings this one back to where it was.
    await logIn(page, studio.scene.tokens.operator);
    await other.getByRole('heading', { name: 'Skills' }).waitFor();
    expect(await who(other)).toContain('operator');
  });

  it('also ends the session of a link', async () => {
    const page = await studio.page('/');
    contexts.push(page.context());
    const [cookie] = await page.context().cookies();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    const again = await studio.scene.send('/v1/session', {
      as: null,
      headers: { cookie: `${cookie?.name}=${cookie?.value}` },
    });
    expect(again.status).toBe(401);
  });

  it('ends an open page when its token is revoked, and keeps its place for the next login', async () => {
    const token = await studio.scene.tokenFile.create('leaver', 'operator', null);
    const page = await open('/runs?status=failed');
    await logIn(page, token);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await studio.scene.tokenFile.revoke('leaver');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('was revoked').waitFor();
    await logIn(page, studio.scene.tokens.viewer);
    expect(page.url()).toBe(`${studio.url}/runs?status=failed`);
  });

  it('keeps the session over a restart of the server, and its end', async () => {
    const { scene } = studio;
    const serve = (port: number) =>
      serveApi({
        techne: scene.techne,
        tokens: scene.tokenFile,
        workspace: scene.world.workspace,
        homeFolder: scene.world.home,
        variables: {},
        person: 'me@local',
        port,
        studio: openStudioFiles(studioFolder),
        onBug: (error) => void scene.bugs.push(error),
      });
    const first = await serve(0);
    const context = await studio.browser.newContext();
    contexts.push(context);
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${first.url}/skills`);
    await logIn(page, scene.tokens.runner);
    await first.close();
    await page.getByText('Disconnected').waitFor({ state: 'attached' });
    const second = await serve(first.port);
    await page.getByRole('status').getByText('Live').waitFor({ state: 'attached' });
    expect(await who(page)).toContain('runner');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await second.close();
  });
});
