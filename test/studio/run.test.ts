// A run in the browser: started by a form, watched by two browsers, answered, cancelled, run again from a call, compared, replayed; and a
// server that dies in the middle of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

describe.skipIf(cannotBrowse)('a run in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());
  const start = async (skill: string, input: JsonObject): Promise<string> =>
    (await studio.scene.get('/v1/runs?wait=10', { as: 'runner', body: { skill, input } }))['run'] as string;

  it('starts from the form of its skill, is answered there, and ends before the eyes of two browsers', async () => {
    const page = await studio.page('/run/asks');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Input as JSON').fill('{"what": "the sea"}');
    // The server was started for callers; in the studio it is who starts the run.
    const answers = page.getByLabel('Who answers what it asks');
    await expect.poll(() => answers.inputValue()).toBe('person');
    await page.getByText('A program that only may start runs cannot answer it.').waitFor();
    await answers.selectOption('caller');
    await page.getByText('for the program that follows it over the API').waitFor();
    await answers.selectOption('person');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'asks', level: 1, exact: true }).waitFor();
    const other = await studio.page(new URL(page.url()).pathname);
    await page.getByText('Which colour is the sea?').first().waitFor();
    await other.getByText('Which colour is the sea?').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('Your answer').fill('green');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    for (const one of [page, other]) {
      await one.locator('header .chip', { hasText: 'Completed' }).waitFor();
      await one.locator('pre', { hasText: 'green' }).first().waitFor();
    }
    await page.context().close();
    await other.context().close();
  });

  it('shows every call with its request and result, the timeline and the journal', async () => {
    const run = await start('asks', { what: 'grass' });
    const page = await studio.page(`/runs/${run}`);
    await page.getByRole('button', { name: /ask Which colour/ }).click();
    await page.getByLabel('Request').getByText('Which colour is grass?').waitFor();
    expect(page.url()).toContain('call=');
    await page.getByRole('tab', { name: /Timeline/ }).click();
    await page.getByRole('list', { name: 'Calls over time' }).getByRole('button').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('tab', { name: /Journal/ }).click();
    const rows = page.getByRole('table', { name: 'Entries, newest first' }).getByRole('row');
    const { lastSeq } = await studio.scene.get(`/v1/runs/${run}`);
    await expect.poll(() => rows.count()).toBe(Number(lastSeq) + 2);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.locator('header .chip', { hasText: 'Cancelled' }).waitFor();
    await page.context().close();
  });

  it('shows the exact command of an approval, and denies it', async () => {
    const run = await start('touches', {});
    const page = await studio.page(`/runs/${run}`);
    await page.getByText('touch made.txt').first().waitFor();
    // Where it would run, and what it may change there.
    const terms = page.locator('dt', { hasText: 'How it runs' }).locator('+ dd');
    expect(await terms.textContent()).toContain(`in "${studio.scene.world.workspace}"`);
    expect(await terms.textContent()).toMatch(/sandbox/);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Denied', { exact: true }).waitFor();
    await expect.poll(async () => (await studio.scene.get(`/v1/runs/${run}`))['endedAt']).not.toBeNull();
    await page.context().close();
  });

  it('shows what was used of its limits, a long input in parts, an entry as it is, and how long it waited', async () => {
    const run = await start('asks', { what: `${'long '.repeat(8_000)}the end` });
    const page = await studio.page(`/runs/${run}`);
    const asks = page.getByRole('meter', { name: 'Asks' });
    await expect.poll(() => asks.getAttribute('aria-valuetext')).toMatch(/^1 of \d/);
    const input = page.getByRole('figure').filter({ hasText: /^Input/ });
    await input.getByText('The first 32 KB are shown.').waitFor();
    expect(await input.locator('pre').textContent()).not.toContain('the end');
    await input.getByRole('button', { name: 'Show all 39 KB' }).click();
    expect(await input.locator('pre').textContent()).toContain('the end');
    const saved = page.waitForEvent('download');
    await input.getByRole('button', { name: 'Download' }).click();
    expect((await saved).suggestedFilename()).toBe(`${run}-input.json`);
    await page.getByLabel('Your answer').fill('blue');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    await page.getByRole('tab', { name: /Timeline/ }).click();
    await page
      .getByRole('list', { name: 'Calls over time' })
      .getByText(/^waited \d/)
      .waitFor();
    await page.getByRole('tab', { name: /Journal/ }).click();
    await page.getByRole('button', { name: /^run started/ }).click();
    const entry = page.getByRole('complementary', { name: 'Details' }).locator('pre');
    const { entries } = await studio.scene.get(`/v1/runs/${run}/journal?limit=1`);
    expect(JSON.parse((await entry.textContent()) ?? '')).toEqual((entries as JsonObject[])[0]?.['entry']);
    expect(page.url()).toContain('entry=0');
    await page.context().close();
  });

  it('is replayed, run again from a call with another result of the one before, and compared', async () => {
    const run = await start('many', { count: 2 });
    for (let n = 0; n < 2; n += 1) {
      const [question] = (await studio.scene.get(`/v1/runs/${run}`))['questions'] as JsonObject[];
      await studio.scene.get(`/v1/runs/${run}/questions/${question?.['id'] as string}/answer?wait=10`, {
        body: { nonce: question?.['nonce'] ?? null, value: `said ${n}` },
      });
    }
    const page = await studio.page(`/runs/${run}`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('the same result, byte for byte').waitFor();
    await page.keyboard.press('Escape');
    const fork = page.getByRole('button', { name: 'Fork…' });
    expect(await fork.getAttribute('title')).toMatch(/^Choose a call first/);
    await page.getByRole('button', { name: /number 1/ }).click();
    await fork.click();
    await page.getByRole('dialog', { name: 'Fork from call 2' }).waitFor();
    await page.getByLabel('Change what a kept call gave').selectOption({ index: 1 });
    const instead = page.getByLabel('What 1 should have given');
    const before = await instead.inputValue();
    expect(before).toContain('said 0');
    await instead.fill(before.replace('said 0', 'said otherwise'));
    expect(await accessFaults(page)).toEqual([]);
    // What was changed outlives a reload, as every draft.
    await page.reload();
    await page.getByRole('button', { name: 'Fork from here' }).click();
    await expect.poll(() => instead.inputValue()).toContain('said otherwise');
    await page.getByRole('button', { name: /^Run from/ }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/runs/') && !url.pathname.endsWith(run));
    await page.getByText('number 1').first().waitFor();
    // It says where it comes from, and leads to the difference.
    await page.getByText(`forked from …${run.slice(-6)}, call 2`).waitFor();
    await page.getByRole('link', { name: 'compare', exact: true }).click();
    await page.getByText('the first is where they part').waitFor();
    await page.getByText('said otherwise').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`${studio.url}/runs/${run}`);
    await page.getByRole('link', { name: 'Run again…' }).click();
    await page.getByText(`A new run with the input of …${run.slice(-6)}`).waitFor();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await expect.poll(() => page.getByLabel('Input as JSON').inputValue()).toContain('"count": 2');
    await page.goto(`${studio.url}/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
    await page.getByRole('alert').locator('code', { hasText: 'techne runs list' }).waitFor();
    await page.context().close();
  });

  it('draws the steps of a plan, and their tree', async () => {
    const run = await start('form', {});
    const page = await studio.page(`/runs/${run}?tab=plan`);
    await page.getByRole('tree', { name: 'Steps' }).getByRole('treeitem').nth(1).waitFor();
    await page.locator('g.node').nth(1).waitFor();
    await page.locator('g.node').getByText('input · Waiting').waitFor();
    // In the words of `techne runs list`.
    await page.getByRole('meter', { name: 'Tool calls' }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.locator('g.node').first().click();
    expect(page.url()).toContain('step=where');
    await page.context().close();
  });

  it('shows five hundred calls, one after the other, and every one of them', async () => {
    const folder = `${studio.scene.world.workspace}/.techne/skills/long`;
    mkdirSync(folder, { recursive: true });
    const steps = Array.from(
      { length: 500 },
      (_, n) =>
        `    - {id: s${n}, kind: tool_call, tool: emit_text, tool_allowlist: [emit_text], tool_args: {text: "${n}"}${n < 8 ? '' : `, depends_on: [s${n - 8}]`}}`,
    ).join('\n');
    writeFileSync(
      `${folder}/SKILL.md`,
      `---\nname: long\ndescription: Does much. Use when much is to be done.\nkind: meta\nfinal_text_mode: "step:s499"\ncomposition:\n  steps:\n${steps}\n---\n\n# long\n`,
    );
    await studio.scene.techne.skills.refresh();
    const page = await studio.page('/run/long');
    await page.getByLabel('user_message').fill('Do it');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('heading', { name: 'long', level: 1, exact: true }).waitFor();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { lastSeq, text } = await studio.scene.get(`/v1/runs/${run}?wait=30`);
    expect(text).toContain('completed');
    await page.getByRole('tab', { name: `Journal${Number(lastSeq) + 1}` }).click();
    expect(Number(lastSeq)).toBeGreaterThan(1_000);
    // Only what is in view is drawn; a graph of so many steps only when somebody wants it.
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    await page.getByRole('tab', { name: 'Timeline500' }).click();
    await page.getByRole('tab', { name: 'Plan500' }).click();
    await page.getByRole('button', { name: 'Draw them' }).waitFor();
    await page.context().close();
  });
});
