// The studio in a real Chromium: is it there at once, do long lists scroll, and can a run of 500 steps be followed while it happens?
//
//   node bench/studio/run.mjs [load] [skills] [runs] [live] [--count 10000] [--steps 500] [--json]
//
// Without a name all four. The server is the built package (dist/), on loopback. Frames beside those of a plain page with the same list,
// scrolled in the same way in the same browser: without a graphics card, that is the floor.

import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { writeRuns } from './many-runs.mjs';
import { heapOf, load, makeWorld, openStudio, plainList, ratio } from './open.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '10000' },
    steps: { type: 'string', default: '500' },
    json: { type: 'boolean', default: false },
  },
});
const [many, stepCount] = [Number(values.count), Number(values.steps)];
const wants = (name) => positionals.length === 0 || positionals.includes(name);
const report = { date: new Date().toISOString().slice(0, 16), node: process.version, loadBefore: load() };

const median = (all) => Math.round(all.toSorted((a, b) => a - b)[all.length >> 1]);

/** From the start of the navigation until the page has its heading, nothing waits, and a frame was drawn after that. */
async function interactive(page, url) {
  const assets = [];
  const onresponse = (response) => assets.push(response);
  page.on('response', onresponse);
  await page.goto(url);
  const ms = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          if (
            document.querySelector('main h1') === null ||
            document.querySelector('[aria-busy="true"], .loading') !== null
          )
            requestAnimationFrame(look);
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0));
        };
        look();
      }),
  );
  page.off('response', onresponse);
  const bytes = await Promise.all(
    assets
      .filter((one) => one.url().includes('/assets/') || one.request().resourceType() === 'document')
      .map(async (one) => gzipSync(await one.body()).length),
  );
  return { ms, kb: Math.round((bytes.reduce((sum, one) => sum + one, 0) / 1_024) * 10) / 10 };
}

async function firstLoad() {
  const world = makeWorld();
  world.skill('count', 'Counts words. Use when words are counted.', 'metaskill: SKILL.star\n', {
    'SKILL.star': 'def run(input):\n  return {"answer": "1"}\n',
  });
  const studio = await openStudio(world);
  const [cold, warm] = [[], []];
  let kb = 0;
  for (let round = 0; round < 7; round += 1) {
    const context = await studio.context();
    const page = await context.newPage();
    const first = await interactive(page, `${studio.url}/`);
    kb = first.kb;
    cold.push(first.ms);
    warm.push((await interactive(page, `${studio.url}/`)).ms);
    await context.close();
  }
  report.load = {
    gzipKb: kb,
    barKb: 80,
    interactiveMs: {
      cold: { median: median(cold), worst: Math.round(Math.max(...cold)) },
      warm: { median: median(warm), worst: Math.round(Math.max(...warm)) },
      bar: 1000,
    },
    load: load(),
  };
  await studio.close();
  world.remove();
}

async function floorOf(studio) {
  const context = await studio.context();
  const page = await context.newPage();
  await page.setContent(plainList);
  // Scripts of the context are for pages that were gone to.
  const found = await page.evaluate(() => globalThis.frames_.scroll('#list', 600));
  await context.close();
  return found;
}

async function list(studio, path, label, filled) {
  const floor = await floorOf(studio);
  const context = await studio.context();
  const page = await context.newPage();
  const first = await interactive(page, `${studio.url}${path}`);
  await page.getByRole('table', { name: label }).getByRole('row').nth(5).waitFor();
  await filled(page);
  const before = await heapOf(page);
  const scrolled = await page.evaluate(
    (name) => globalThis.frames_.scroll(`[aria-label="${name}: rows"]`, 600),
    label,
  );
  const figures = {
    firstRowsMs: Math.round(first.ms),
    floor,
    scrolled,
    ratios: {
      p50: ratio(scrolled.p50, floor.p50),
      p95: ratio(scrolled.p95, floor.p95),
      worst: ratio(scrolled.worst, floor.worst),
    },
    domNodes: await page.evaluate(() => document.querySelectorAll('*').length),
    heapMb: { before, after: await heapOf(page) },
    load: load(),
  };
  return { context, page, figures };
}

async function skills() {
  const world = makeWorld();
  const [verbs, things, kinds] = [
    ['review', 'write', 'count', 'sort', 'translate', 'check', 'draw', 'plan', 'send', 'compare'],
    [
      'invoices',
      'releases',
      'letters',
      'tests',
      'tables',
      'meetings',
      'photos',
      'budgets',
      'routes',
      'contracts',
    ],
    ['weekly', 'shared', 'old', 'public', 'urgent', 'small', 'legal', 'local', 'open', 'final'],
  ];
  for (let at = 0; at < many; at += 1) {
    const [verb, thing, kind] = [
      verbs[at % 10],
      things[Math.floor(at / 10) % 10],
      kinds[Math.floor(at / 100) % 10],
    ];
    world.skill(
      `${verb}-${kind}-${thing}-${at}`,
      `Can ${verb} ${kind} ${thing} of department ${at}. Use when ${kind} ${thing} are there to ${verb}.`,
      '',
    );
  }
  const studio = await openStudio(world);
  const { context, page, figures } = await list(studio, '/skills', 'Skills', (shown) =>
    shown
      .getByRole('status', { name: 'How many are shown' })
      .getByText(`${many.toLocaleString('en')} entries`, { exact: true })
      .waitFor(),
  );
  report.skills = figures;
  await page.getByLabel('What you want to do, or a name').focus();
  await page.evaluate(() => {
    globalThis.recording = globalThis.frames_.start();
    globalThis.keys = [];
    new PerformanceObserver((found) =>
      globalThis.keys.push(
        ...found
          .getEntries()
          .filter(({ name }) => name === 'keydown' || name === 'input')
          .map(({ duration }) => duration),
      ),
    ).observe({
      type: 'event',
      durationThreshold: 16,
    });
  });
  const typed = 'review the urgent contracts of a department';
  await page.keyboard.type(typed, { delay: 60 });
  await page.waitForTimeout(1_000);
  report.skills.typing = {
    keys: typed.length,
    ...(await page.evaluate(() => globalThis.recording.stop())),
    slowestKeyMs: await page.evaluate(() => Math.max(0, ...globalThis.keys)),
    load: load(),
  };
  await context.close();
  await studio.close();
  world.remove();
}

async function runs() {
  const world = makeWorld();
  world.skill('count', 'Counts words. Use when words are counted.', 'metaskill: SKILL.star\n', {
    'SKILL.star': 'def run(input):\n  trace("words", {"n": 3})\n  return {"answer": "3"}\n',
  });
  writeRuns(world, 'count', many);
  const studio = await openStudio(world);
  const started = performance.now();
  const page1 = await studio.ask('/v1/runs?limit=200');
  const firstMs = Math.round(performance.now() - started);
  if (page1.runs.some(({ status }) => status !== 'completed'))
    throw new Error(
      `the runs that were written are not read: ${JSON.stringify(page1.runs.find(({ status }) => status !== 'completed'))}`,
    );
  const { context, page, figures } = await list(studio, '/runs', 'Runs', () => undefined);
  report.runs = {
    firstAnswerMs: firstMs,
    ...figures,
    shown: await page.evaluate(
      () => Number(document.querySelector('[aria-label="Runs"]').getAttribute('aria-rowcount')) - 1,
    ),
  };
  // One more run while all of them are shown.
  await page.evaluate(() => (globalThis.recording = globalThis.frames_.start()));
  for (let more = 0; more < 10; more += 1)
    await studio.ask('/v1/runs?wait=10', { skill: 'count', input: { text: 'a b c' } });
  report.runs.whileTenMoreRun = { ...(await page.evaluate(() => globalThis.recording.stop())), load: load() };
  await context.close();
  await studio.close();
  world.remove();
}

async function live() {
  const world = makeWorld();
  const step = (at) => `    - id: s${at}
      kind: tool_call
      depends_on: [${at < 10 ? 'begin' : `s${at - 10}`}]
      tool: emit_text
      tool_allowlist: [emit_text]
      tool_args: {text: "Step ${at} of ${stepCount}"}
`;
  world.skill(
    'many-steps',
    'Does many steps. Use when many steps are needed.',
    `kind: meta
final_text_mode: "step:s${stepCount - 2}"
composition:
  steps:
    - id: begin
      kind: user_input
      clarify:
        fields:
          - {name: word, type: string, required: true, prompt: Begin?}
${Array.from({ length: stepCount - 1 }, (_, at) => step(at)).join('')}`,
  );
  const studio = await openStudio(world);
  report.live = { steps: stepCount, floor: null };
  {
    const context = await studio.context();
    const page = await context.newPage();
    await page.setContent('<p>Nothing</p>');
    report.live.floor = await page.evaluate(async () => {
      const recording = globalThis.frames_.start();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return recording.stop();
    });
    await context.close();
  }
  for (const tab of ['summary', 'timeline', 'plan', 'journal']) {
    const { run } = await studio.ask('/v1/runs?wait=30', {
      skill: 'many-steps',
      input: { user_message: 'go' },
    });
    const shown = await studio.ask(`/v1/runs/${run}`);
    const [question] = shown.questions;
    const context = await studio.context();
    const page = await context.newPage();
    await page.goto(`${studio.url}/runs/${run}?tab=${tab}`);
    await page.getByRole('tab', { name: /Journal/ }).waitFor();
    await page
      .getByRole('button', { name: /Answer|Send/ })
      .first()
      .waitFor();
    await page.evaluate(() => {
      globalThis.recording = globalThis.frames_.start();
      globalThis.seen = [];
      const look = () => {
        // How many entries the page counts, and when.
        const count = Number(document.querySelector('[data-tab="journal"] .count')?.textContent ?? 0);
        if (count !== globalThis.seen.at(-1)?.[0]) globalThis.seen.push([count, Date.now()]);
        requestAnimationFrame(look);
      };
      look();
    });
    const began = Date.now();
    await studio.ask(`/v1/runs/${run}/questions/${question.id}/answer`, {
      nonce: question.nonce,
      value: { word: 'go' },
    });
    const done = await studio.ask(`/v1/runs/${run}?wait=30`).catch(() => null);
    let ended = done;
    for (let waits = 0; waits < 600 && (ended?.endedAt ?? null) === null; waits += 1) {
      await page.waitForTimeout(200);
      ended = await studio.ask(`/v1/runs/${run}`);
    }
    const entries = [];
    for (let from = 0; from !== null;) {
      const found = await studio.ask(`/v1/runs/${run}/journal?limit=500&from=${from}`);
      entries.push(...found.entries);
      from = found.next;
    }
    await page.waitForFunction((total) => globalThis.seen.at(-1)?.[0] === total, entries.length);
    const seen = await page.evaluate(() => globalThis.seen);
    // From the time in an entry until a frame of the page counts it.
    const behind = entries
      .filter(({ entry }) => entry.at >= began)
      .map(({ seq, entry }) => (seen.find(([count]) => count > seq)?.[1] ?? Infinity) - entry.at)
      .toSorted((a, b) => a - b);
    const recorded = await page.evaluate(() => globalThis.recording.stop());
    report.live[tab] = {
      status: ended.status,
      runMs: ended.endedAt - began,
      entries: entries.length,
      ...recorded,
      ratioP95: ratio(recorded.p95, report.live.floor.p95),
      behindMs: {
        p50: behind[behind.length >> 1],
        p95: behind[Math.floor(behind.length * 0.95)],
        worst: behind.at(-1),
      },
      heapMb: await heapOf(page),
      load: load(),
    };
    await context.close();
  }
  await studio.close();
  world.remove();
}

if (wants('load')) await firstLoad();
if (wants('skills')) await skills();
if (wants('runs')) await runs();
if (wants('live')) await live();
if (values.json) console.log(JSON.stringify(report));
else console.dir(report, { depth: null });
