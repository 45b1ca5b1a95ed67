// The graph of notes in a real browser: search, neighbours, paths, orphans, loose links, a note, and a large vault.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const note = (head: string, text: string): string => `---\n${head}\n---\n${text}\n`;
const notes: { readonly [path: string]: string } = {
  'work/notes/Billing.md': note(
    'type: project\nled_by: "[[Ada]]"\ntags: [money]',
    '# Billing\n\nUses [[Postgres|the database]] and [[Gone]].\n\n- [x] Plan\n\n<script>globalThis.broken = 1</script>',
  ),
  'work/notes/Search.md': note('type: project\nled_by: "[[Ada]]"', 'Uses [[Postgres]].'),
  'work/notes/Mail.md': note('type: project\nled_by: "[[Ada]]"', 'Letters.'),
  'work/notes/Chat.md': note('type: project', 'Ada has talked about this with [[Billing]].'),
  'work/notes/Postgres.md': note('type: decision', 'A database of rows.'),
  'work/notes/Ada.md': note('type: person', 'Leads.'),
  'work/notes/Lonely.md': note('type: idea', 'Nothing links here.'),
  'home/.techne/config.json': JSON.stringify({ graph: { vault: 'notes' } }),
};

describe.skipIf(cannotBrowse)('the graph of notes', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({ files: notes });
  });
  afterAll(() => studio.close());

  it('draws a small vault whole', async () => {
    const page = await studio.page('/graph');
    await page.getByText('7 notes').first().waitFor();
    const picture = page.getByRole('application', { name: /Graph of 7 notes and 6 edges/ });
    await expect.poll(() => picture.getAttribute('data-resting')).toBe('true');
    expect(await picture.getAttribute('data-renderer')).toBe('canvas');
    expect(await accessFaults(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('opens a note, and follows its edges and links', async () => {
    const page = await studio.page('/graph');
    await page.getByRole('link', { name: 'Billing' }).click();
    const panel = page.getByRole('region', { name: 'Note', exact: true });
    await panel.getByRole('heading', { name: 'Billing', level: 2 }).waitFor();
    await panel.getByText('no note has this name').waitFor();
    await panel.getByText('☑').waitFor();
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(await accessFaults(page)).toEqual([]);
    await panel.getByRole('link', { name: 'the database' }).click();
    await panel.getByRole('heading', { name: 'Postgres', level: 2 }).waitFor();
    await panel.getByRole('link', { name: 'Search' }).click();
    await panel.getByRole('heading', { name: 'Search', level: 2 }).waitFor();
    expect(page.url()).toContain('note=Search.md');
    await page.reload();
    await panel.getByRole('heading', { name: 'Search', level: 2 }).waitFor();
    await page.context().close();
  });

  it('searches, filters by type and by type of edge, and keeps that in the address', async () => {
    const page = await studio.page('/graph');
    await page.getByLabel('Words of a note').fill('rows');
    const rows = page.getByRole('table', { name: 'Notes' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText('Postgres').first().waitFor();
    await page.getByLabel('Words of a note').fill('');
    await page.getByLabel('Type of note').selectOption('project');
    await page.getByRole('application', { name: /Graph of 4 notes and 1 edge\b/ }).waitFor();
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByLabel('Type of note').selectOption('');
    await page.getByText('Edges: all').click();
    await page.getByRole('checkbox', { name: /^link/ }).uncheck();
    await page.getByRole('application', { name: /Graph of 7 notes and 3 edges/ }).waitFor();
    expect(page.url()).toContain('edges=led_by');
    await page.reload();
    await page.getByRole('application', { name: /Graph of 7 notes and 3 edges/ }).waitFor();
    await page.context().close();
  });

  it('shows what is near a note in steps, as a picture and as a tree', async () => {
    const page = await studio.page('/graph?note=Postgres&view=near&tab=near');
    await page.getByRole('application', { name: /Graph of 3 notes/ }).waitFor();
    const tree = page.getByRole('tree', { name: 'Neighbours' });
    await tree.getByRole('treeitem', { name: /Billing/ }).waitFor();
    await page.getByLabel('Steps from the note').selectOption('2');
    await page.getByRole('application', { name: /Graph of 5 notes/ }).waitFor();
    await tree.getByRole('treeitem', { name: /Ada/ }).first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await tree.getByRole('treeitem', { name: /Postgres/ }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('note=Billing.md');
    await page.context().close();
  });

  it('finds a path, or says that there is none', async () => {
    const page = await studio.page('/graph?note=Chat.md');
    await page.getByRole('button', { name: 'Path from here…' }).click();
    await page.getByLabel('To').fill('Ada');
    await page.getByRole('button', { name: 'Find a path' }).click();
    const steps = page.getByRole('list', { name: 'Path' }).getByRole('listitem');
    await expect
      .poll(() => steps.allTextContents())
      .toEqual(['Chat.md', '→ link Billing.md', '→ led_by Ada.md']);
    expect(await accessFaults(page)).toEqual([]);
    await page.getByLabel('To').fill('Lonely');
    await page.getByRole('button', { name: 'Find a path' }).click();
    await page.getByText('No path leads from one to the other').waitFor();
    await page.getByLabel('To').fill('not there');
    await page.getByRole('button', { name: 'Find a path' }).click();
    await page.getByText('there is no note "not there"').waitFor();
    await page.context().close();
  });

  it('lists orphans and loose links, and suggests edges', async () => {
    const page = await studio.page('/graph?tab=orphans');
    await page
      .getByRole('table', { name: 'Notes without an edge' })
      .getByRole('link', { name: 'Lonely.md' })
      .waitFor();
    await page.getByRole('tab', { name: /Loose/ }).click();
    const loose = page.getByRole('table', { name: 'Links that lead nowhere' });
    await loose.getByText('Gone').waitFor();
    await loose.getByText('missing').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.goto(`${studio.url}/graph?note=Chat.md`);
    await page.getByRole('button', { name: 'Suggest edges' }).click();
    const panel = page.getByRole('region', { name: 'Note', exact: true });
    await panel.getByText('other notes of type project have it').waitFor();
    await panel.getByText('is in the text').first().waitFor();
    await page.context().close();
  });

  it('is moved by keys, and drawn with WebGL where it is asked for', async () => {
    const page = await studio.page('/graph?renderer=webgl');
    const picture = page.getByRole('application', { name: /Graph of/ });
    await expect.poll(() => picture.getAttribute('data-resting')).toBe('true');
    // A browser without WebGL draws it on a canvas.
    expect(['webgl', 'canvas']).toContain(await picture.getAttribute('data-renderer'));
    await picture.focus();
    for (const key of ['ArrowLeft', 'ArrowDown', '+', '-', '0']) await page.keyboard.press(key);
    await page.context().close();
  });

  it('reads the notes again when it is asked to', async () => {
    const page = await studio.page('/graph');
    await page.getByText('7 notes').first().waitFor();
    studio.scene.world.write({ 'work/notes/New.md': note('type: idea', 'It leads to [[Ada]].') });
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByText('8 notes').first().waitFor();
    await page.getByRole('application', { name: /Graph of 8 notes/ }).waitFor();
    expect(await studio.scene.get('/v1/notes/stats')).toMatchObject({ notes: 8 });
    await page.context().close();
  });

  it('fits a phone in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const page = await studio.page('/graph?note=Billing.md', { theme, width: 390, height: 800 });
      await page.getByRole('heading', { name: 'Billing', level: 2 }).waitFor();
      expect(await accessFaults(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.context().close();
    }
  });
});

describe.skipIf(cannotBrowse)('a large vault, and none', () => {
  it('is drawn whole only when somebody asks', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `work/notes/n${at}.md`,
        `Leads to [[n${(at * 7 + 1) % 400}]].`,
      ]),
    );
    const studio = await openStudio({
      files: { ...many, 'home/.techne/config.json': JSON.stringify({ graph: { vault: 'notes' } }) },
    });
    const page = await studio.page('/graph');
    await page.getByText('Choose a note to see what is near it').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Draw 400 notes' }).click();
    await page.getByRole('application', { name: /Graph of 400 notes and 400 edges/ }).waitFor();
    expect(page.url()).toContain('view=all');
    await studio.close();
  });

  it('says what to do where there are no notes, and where the folder is not there', async () => {
    const studio = await openStudio();
    const page = await studio.page('/graph');
    await page.getByText('There is no vault of notes yet').waitFor();
    await page.getByText('graph.vault').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await studio.close();
    const other = await openStudio({
      files: { 'home/.techne/config.json': JSON.stringify({ graph: { vault: 'nowhere' } }) },
    });
    const faulty = await other.page('/graph');
    await faulty.getByText('does not exist').waitFor();
    await faulty.getByText('correct graph.vault in the configuration, or make the folder').waitFor();
    await other.close();
  });
});
