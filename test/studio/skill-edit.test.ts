// The editor of skills: completion, explanations, problems and fixes while one types, the plan, files, a draft that survives, the disk that
// changes meanwhile, and the proposal that comes of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/base/json.ts';
import { skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const plan = (task: string): string => `---
name: planned
description: Says what a person wrote. Use when something is to be said.
kind: meta
composition:
  steps:
    - id: where
      kind: user_input
      clarify:
        fields:
          - {name: city, type: string, required: true, prompt: Which city?}
    - id: say
      kind: tool_call
      depends_on: [where]
      tool: emit_text
      tool_allowlist: [emit_text]
      tool_args: {text: "${task}"}
---

# planned
`;
const unsafe = plan('Mild in {{ inputs.collected.where.city }}');

describe.skipIf(cannotBrowse)('the editor of the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        'work/.techne/skills/planned/SKILL.md': unsafe,
        'work/.techne/skills/planned/references/notes.md': '# Notes\n',
        'work/.techne/skills/planned/raw.bin': '\0\u0001',
        'home/.techne/config.json': JSON.stringify({
          roots: { builtin: false, plugin: ['~/plugins'] },
          cache: { enabled: false },
        }),
        'home/plugins/given/SKILL.md': skillText('given', 'Is given. Use when something is given.'),
        'work/.techne/skills/moving/SKILL.md': skillText('moving', 'Moves things. Use when things move.'),
      },
    });
  });
  afterAll(() => studio.close());

  const editor = (page: Page) => page.locator('.cm-content');
  const textOf = (page: Page): Promise<string> =>
    page.locator('.cm-content').evaluate((content) => {
      const { cmTile, cmView } = content as unknown as {
        [name: string]: { view?: { state: { doc: { toString(): string } } } };
      };
      return (cmTile ?? cmView)?.view?.state.doc.toString() ?? '';
    });
  const open = async (path: string, options = {}): Promise<Page> => {
    const page = await studio.page(path, options);
    await editor(page).waitFor();
    return page;
  };
  const proposals = async (): Promise<JsonObject[]> =>
    (await studio.scene.get('/v1/proposals'))['proposals'] as JsonObject[];

  it('shows what the engine says, jumps there, corrects it, and draws the plan', async () => {
    const page = await open('/skills/planned/edit');
    const problems = page.getByRole('region', { name: 'Problems' });
    const one = problems.getByRole('button', { name: /SKILL.md:17.*unescaped/ }).first();
    await one.waitFor();
    await page.locator('.cm-lint-marker-warning').first().waitFor();
    await page.locator('.cm-lintRange-warning').first().waitFor();
    await page.locator('g.node').nth(1).waitFor();
    // It is a plan, and no run: a step says what it uses, and not how far it is.
    expect(await page.locator('g.node').getByText('Queued').count()).toBe(0);
    expect(await accessFaults(page)).toEqual([]);
    await one.click();
    await expect
      .poll(() =>
        page.evaluate("document.querySelector('[data-editor]')?.shadowRoot?.activeElement?.className"),
      )
      .toContain('cm-content');
    await problems
      .getByRole('button', { name: /^Fix: / })
      .first()
      .click();
    await expect.poll(() => textOf(page)).toContain('where.city | xml_escape | truncate(2000) }}');
    await one.waitFor({ state: 'detached' });
    await page.getByText('1 file changed, kept in this browser').waitFor();
    await page.context().close();
  });

  it('completes and explains with the tables of the engine, by keys only', async () => {
    const page = await open('/skills/planned/edit');
    await editor(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+i');
    await page.getByRole('region', { name: 'Explanation' }).getByRole('heading', { name: 'name' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('licen');
    await page.getByRole('option', { name: /^license/ }).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.waitForTimeout(100);
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page)).toMatch(/\nlicense/);
    // Tab indents; after Escape it leaves.
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate("document.activeElement?.hasAttribute('data-editor') ?? false"))
      .toBe(false);
    // Letters that are typed do not lead to other pages.
    await editor(page).focus();
    await page.keyboard.type('gr');
    expect(new URL(page.url()).pathname).toBe('/skills/planned/edit');
    await page.context().close();
  });

  it('adds, renames and removes files, refuses hostile names, and leaves what is no text alone', async () => {
    const page = await open('/skills/planned/edit');
    await page.getByRole('tab', { name: 'raw.bin' }).click();
    await page.getByText('is no text').waitFor();
    await page.getByRole('button', { name: 'Add file' }).click();
    const path = page.getByLabel('Path inside of the skill');
    for (const hostile of ['../x', '/etc/x', 'a//b', '.env', 'references', 'SKILL.md', 'a\\b']) {
      await path.fill(hostile);
      await expect
        .poll(() => page.getByRole('button', { name: 'Add', exact: true }).getAttribute('aria-disabled'))
        .toBe('true');
    }
    await path.fill('references/more.md');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await editor(page).focus();
    await page.keyboard.type('More.');
    await page.getByRole('tab', { name: 'references/more.md •' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await path.fill('references/most.md');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('tab', { name: 'references/most.md •' }).waitFor();
    await page.getByRole('tab', { name: 'references/notes.md' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the file' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('references/notes.md (removed)').waitFor();
    await dialog.getByText('references/most.md (new)').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('Why is it changed?').fill('The notes were old.');
    await dialog.getByRole('button', { name: 'Save as a proposal' }).click();
    const link = page.getByRole('link', { name: 'Open the proposal' });
    const id = new URL((await link.getAttribute('href')) ?? '', studio.url).pathname.split('/').at(-1) ?? '';
    const { files } = await studio.scene.get(`/v1/proposals/${id}/diff`);
    expect((files as JsonObject[]).map(({ path: at, what }) => [at, what])).toEqual([
      ['references/most.md', 'added'],
      ['references/notes.md', 'removed'],
    ]);
    expect(await proposals()).toContainEqual(
      expect.objectContaining({ id, kind: 'edit', why: 'The notes were old.' }),
    );
    await page.context().close();
  });

  it('keeps the draft over a reload, in another tab and when the tab was closed', async () => {
    const context = await studio.context();
    const page = await open('/skills/planned/edit', { context });
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('Kept over everything.');
    await page.reload();
    await expect.poll(() => textOf(page)).toContain('Kept over everything.');
    const other = await open('/skills/planned/edit', { context });
    expect(await textOf(other)).toContain('Kept over everything.');
    await editor(other).focus();
    await other.keyboard.press('Control+End');
    await other.keyboard.type(' Also there.');
    await expect.poll(() => textOf(page)).toContain('Also there.');
    await page.close();
    await other.close();
    const again = await open('/skills/planned/edit', { context });
    expect(await textOf(again)).toContain('Kept over everything. Also there.');
    await again.getByRole('button', { name: 'Discard' }).click();
    await again.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => textOf(again)).toBe(unsafe);
    expect(readFileSync(`${studio.scene.world.workspace}/.techne/skills/planned/SKILL.md`, 'utf8')).toBe(
      unsafe,
    );
    await context.close();
  });

  it('says that the skill changed on the disk, shows the difference, and does not overwrite it unseen', async () => {
    const file = `${studio.scene.world.workspace}/.techne/skills/moving/SKILL.md`;
    const page = await open('/skills/moving/edit');
    await editor(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nMine.\n');
    await page.getByText('1 file changed').waitFor();
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nTheirs.\n`);
    await studio.scene.techne.skills.refresh();
    await page.getByText('has changed on the disk since you began').waitFor();
    expect(await page.getByRole('button', { name: 'Review and save' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'See what changed' }).click();
    await page.getByRole('region', { name: 'SKILL.md: on the disk: lines' }).getByText('+ Theirs.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep my draft over it' }).click();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByText('− Theirs.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    await expect.poll(() => textOf(page)).toContain('Theirs.');
    await page.context().close();
  });

  it('makes a new skill from a scaffold, proposed to be created', async () => {
    const page = await studio.page('/skills/new');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Bad Name');
    expect(await page.getByRole('button', { name: 'Make the files' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    await page.getByRole('textbox', { name: 'Name' }).fill('echo');
    await page.getByRole('button', { name: 'Make the files' }).click();
    await page.getByText('There is a skill with this name').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('fresh-one');
    await page.getByRole('radio', { name: /^program/ }).check();
    await page.getByLabel('Description').fill('Counts fish. Use when fish are to be counted.');
    await page.getByRole('button', { name: 'Make the files' }).click();
    await editor(page).waitFor();
    await page.getByRole('tab', { name: /SKILL.star/ }).click();
    await page.reload();
    await expect.poll(() => textOf(page)).toContain('def run(');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByLabel('Why is it changed?').fill('Fish are counted often.');
    await page.getByRole('dialog').getByRole('button', { name: 'Save as a proposal' }).click();
    await page.getByRole('link', { name: 'Open the proposal' }).waitFor();
    expect(await proposals()).toContainEqual(
      expect.objectContaining({ kind: 'create', skill: 'fresh-one', why: 'Fish are counted often.' }),
    );
    await page.context().close();
  });

  it('offers a copy of a skill that is not changed here', async () => {
    const page = await open('/skills/given/edit');
    await page.getByText('It is part of a plugin').waitFor();
    await page.getByRole('button', { name: 'Edit a copy' }).click();
    await page.getByRole('heading', { name: 'New skill my-given' }).waitFor();
    await expect.poll(() => textOf(page)).toContain('name: my-given');
    await page.context().close();
  });

  it('is readable on a phone and in the dark', async () => {
    for (const options of [{ width: 390, height: 844 }, { theme: 'dark' as const }]) {
      const page = await open('/skills/planned/edit', options);
      await page.getByRole('region', { name: 'Problems' }).getByRole('button').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await accessFaults(page)).toEqual([]);
      await page.context().close();
    }
  });
});
