// The overview, the launcher and the list of runs; the text of a model as it comes, the trace, nested runs, and a test made of a run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { skillText } from '../support/run-cli.ts';
import { accessFaults, cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const program = (name: string, code: string, more = ''): { readonly [path: string]: string } => ({
  [`work/.techne/skills/${name}/SKILL.md`]: skillText(
    name,
    `Does ${name}. Use when ${name} is needed.`,
    `metaskill: SKILL.star\n${more}`,
  ),
  [`work/.techne/skills/${name}/SKILL.star`]: code,
});

/** Says one word, and the rest when it is let. */
let finish: () => void = () => undefined;

describe.skipIf(cannotBrowse)('runs in the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      files: {
        ...program('costs', 'def run(input):\n  return {"said": ask("quickly")}\n'),
        ...program(
          'likes',
          'def run(input):\n  return {"said": "%d %s" % (input["size"], input["mood"])}\n',
          'inputs:\n  - {name: size, type: integer, default: 12}\n  - {name: mood, type: string, enum: [calm, loud], default: calm}\n',
        ),
        ...program('breaks', 'def run(input):\n  fail("it breaks")\n'),
        'work/.techne/skills/odd/SKILL.md/x.md': 'a folder where the file should be\n',
        'work/.techne/skills/leaves/SKILL.md': skillText(
          'leaves',
          'Leaves its folder. Use when it is to leave.',
          'metaskill: ../other.star\n',
        ),
      },
      answerer: {
        name: 'slow',
        description: 'answers when it is let',
        fenced: true,
        async answer({ prompt }, { onText }) {
          onText('Once upon ');
          if (!prompt.includes('quickly')) await new Promise<void>((resolve) => (finish = resolve));
          onText('a time');
          return {
            answer: `Once upon a time: ${prompt}`,
            exhausted: false,
            turns: 1,
            usage: { inputTokens: 3, outputTokens: 4, costMicros: 20_000 },
          };
        },
      },
    });
  });
  afterAll(() => {
    finish();
    return studio.close();
  });
  const start = (skill: string, input: JsonObject, more: JsonObject = {}): Promise<JsonObject> =>
    studio.scene.get('/v1/runs?wait=10', { as: 'runner', body: { skill, input, ...more } });

  it('show the text of a model while it is said, to who comes late too, and the answer instead of it', async () => {
    const { run } = await studio.scene.get('/v1/runs', {
      as: 'runner',
      body: { skill: 'asks', input: { what: 'the sea' } },
    });
    const page = await studio.page(`/runs/${run as string}`);
    const saying = page.getByRole('region', { name: 'What 1 says now' });
    await saying.getByText('Once upon').waitFor();
    const late = await studio.page(`/runs/${run as string}`);
    await late.getByRole('region', { name: 'What 1 says now' }).getByText('Once upon').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    finish();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    await saying.waitFor({ state: 'detached' });
    await page.locator('pre', { hasText: 'Once upon a time: ' }).first().waitFor();
    await page.getByRole('button', { name: /ask Which colour/ }).click();
    await page.getByText('tokens in 3 · tokens out 4 · cost $0.02').waitFor();
    await page.context().close();
    await late.context().close();
  });

  it('are tried out, and started with who answers', async () => {
    const page = await studio.page('/run/asks');
    const refused: string[] = [];
    page.on('response', (one) => void (one.status() >= 400 && refused.push(one.url())));
    await page.reload();
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('Input as JSON').fill('{"what": "the sea"}');
    await page.getByRole('button', { name: 'Dry run' }).click();
    const dry = page.getByRole('region', { name: 'Dry run' });
    await dry.getByText('Which colour is the sea?').waitFor();
    await dry.getByText('It goes to its end.').waitFor();
    const answers = page.getByLabel('Who answers what it asks');
    await expect.poll(() => answers.inputValue()).toBe('slow');
    await answers.selectOption('person');
    expect(page.url()).toContain('answerer=person');
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByLabel('Your answer').fill('green');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    // Neither asks for the plan of a program, nor for a skill without a name when the page is left.
    expect(refused).toEqual([]);
    await page.context().close();
  });

  it('begin with the values that count where nothing is filled in, or say that nothing is declared', async () => {
    const page = await studio.page('/run/likes');
    await page.getByText('12 by default').waitFor();
    await page.getByText('As usual: calm').waitFor({ state: 'attached' });
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    await page.getByText('It made no call').waitFor();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await studio.scene.get(`/v1/runs/${run}`))['envelope']).toMatchObject({ said: '12 calm' });
    await page.goto(`${studio.url}/run/breaks`);
    await page.getByText('It declares no inputs.').waitFor();
    await page.context().close();
  });

  it('keep what was typed for them over a reload, as a form and as JSON, and refuse a limit that is none', async () => {
    const page = await studio.page('/run/costs');
    await page.getByText('Limits').click();
    await page.getByLabel('Asks', { exact: true }).fill('many');
    await page.getByText('The limit "many" is not a whole number').waitFor();
    await page.getByLabel('Asks', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'As JSON' }).click();
    const json = page.getByLabel('Input as JSON');
    await json.fill('{"text": ');
    await page.getByText('The input is not a JSON object').waitFor();
    await page.reload();
    expect(await json.inputValue()).toBe('{"text": ');
    expect(await page.getByLabel('Asks', { exact: true }).inputValue()).toBe('3');
    await json.fill('{"text": "kept"}');
    // The form has what the JSON said, and the other way round.
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByRole('button', { name: 'As JSON' }).click();
    expect(JSON.parse(await json.inputValue())).toEqual({ text: 'kept' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('header .chip', { hasText: 'Completed' }).waitFor();
    const run = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await studio.scene.get(`/v1/runs/${run}?details=true`))['details']).toMatchObject({
      input: { text: 'kept' },
      limits: { asks: 3 },
    });
    await page.context().close();
  });

  it('become a test that is proposed, and show their trace', async () => {
    const { run } = await start('many', { count: 1 }, { answerer: 'caller' });
    const [question] = (await studio.scene.get(`/v1/runs/${run as string}`))['questions'] as JsonObject[];
    await studio.scene.get(
      `/v1/runs/${run as string}/questions/${question?.['id'] as string}/answer?wait=10`,
      {
        body: { nonce: question?.['nonce'] ?? null, value: 'said' },
      },
    );
    const page = await studio.page(`/runs/${run as string}?tab=trace`);
    await page.getByRole('button', { name: /step.*"n":0/ }).click();
    await page.getByText('trace.added').first().waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make a test' }).click();
    await page.getByRole('button', { name: 'Propose the test' }).click();
    await page.getByText(/^Proposed:/).waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the proposal' }).click();
    await page.getByRole('heading', { name: 'Edit many', level: 1 }).waitFor();
    const { proposals } = await studio.scene.get('/v1/proposals');
    const [made] = (proposals as JsonObject[]).filter(({ skill }) => skill === 'many');
    const { files } = await studio.scene.get(`/v1/proposals/${made?.['id'] as string}/diff`);
    expect(files).toMatchObject([{ path: expect.stringMatching(/^tests\/run-\w+\.yaml$/), what: 'added' }]);
    await page.context().close();
  });

  it('are filtered by cost and text, cancelled together, and pruned after a look', async () => {
    await start('costs', {});
    const waiting = await Promise.all([0, 1].map(() => start('asks', { what: 'x' }, { answerer: 'caller' })));
    await start('breaks', {});
    const page = await studio.page('/runs?text=asks');
    await page.getByRole('row', { name: /asks/ }).first().waitFor();
    await expect.poll(() => page.getByRole('row', { name: /breaks/ }).count()).toBe(0);
    await page.getByLabel('Skill or id').fill('');
    await page.getByRole('row', { name: /breaks/ }).waitFor();
    await page.getByLabel('Cost').selectOption('0.01');
    await page.getByRole('row', { name: /costs/ }).first().waitFor();
    await expect.poll(() => page.getByRole('row', { name: /breaks/ }).count()).toBe(0);
    expect(page.url()).toContain('cost=0.01');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Status').selectOption('paused');
    await expect.poll(() => page.getByRole('row', { name: /asks/ }).count()).toBe(waiting.length);
    for (const box of await page.getByRole('row', { name: /asks/ }).getByRole('checkbox').all())
      await box.check();
    await page.getByRole('button', { name: 'Cancel 2' }).click();
    await page.getByRole('button', { name: 'Cancel 2 runs' }).click();
    for (const { run } of waiting)
      await expect
        .poll(async () => (await studio.scene.get(`/v1/runs/${run as string}`))['status'])
        .toBe('cancelled');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Prune…' }).click();
    await page.getByLabel('Older than').fill('0');
    await page.getByLabel('Only with the status').selectOption('failed');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByText('1 run would be removed.').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove 1 run' }).click();
    await expect.poll(() => page.getByRole('row', { name: /breaks/ }).count()).toBe(0);
    const { runs } = await studio.scene.get('/v1/runs?skill=breaks');
    expect(runs).toEqual([]);
    await page.context().close();
  });

  it('and what is to be looked at are on the overview', async () => {
    await start('breaks', {});
    const page = await studio.page('/');
    await page
      .getByRole('region', { name: /^To look at/ })
      .getByText(/odd|leaves/)
      .first()
      .waitFor();
    const health = page
      .getByRole('region', { name: /^Health/ })
      .getByRole('listitem')
      .filter({ hasText: 'breaks' });
    await health.getByText('1 use', { exact: true }).waitFor();
    await health.getByText('1 failed').waitFor();
    expect(await accessFaults(page)).toEqual([]);
    // It follows what runs while the page is open.
    await start('breaks', {});
    await health.getByText('2 uses').waitFor();
    await health.getByText('2 failed').waitFor();
    await page.context().close();
  });
});
