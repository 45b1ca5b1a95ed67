// Texts that want to be code, wherever somebody else's text is shown: no script of theirs runs, no request leaves, no element of theirs
// is made. Every page of the client is visited, with each of its tabs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { everyPage, patient, settle } from './every-page.ts';
import { cannotBrowse, openStudio } from './open-studio.ts';
import type { Studio } from './open-studio.ts';

const hit = (n: number): string => `top.wasHit=${n}`;
const away = (n: number): string => `http://evil.example/${n}`;
/** Each with its number in it, so that a failure says which. */
const kinds: readonly ((n: number) => string)[] = [
  (n) => `<script>${hit(n)}</script>`,
  (n) => `<script src="${away(n)}"></script>`,
  (n) => `<img src=x onerror="${hit(n)}">`,
  (n) => `<img src="${away(n)}">`,
  (n) => `<svg onload="${hit(n)}"></svg>`,
  (n) => `<svg><script>${hit(n)}</script></svg>`,
  (n) => `<svg><a xlink:href="javascript:${hit(n)}"><text y=9>press</text></a></svg>`,
  (n) => `<iframe src="javascript:${hit(n)}"></iframe>`,
  (n) => `<iframe srcdoc="<script>${hit(n)}</script>"></iframe>`,
  (n) => `<iframe src="${away(n)}"></iframe>`,
  (n) => `<object data="${away(n)}"></object>`,
  (n) => `<embed src="${away(n)}">`,
  (n) => `<link rel=stylesheet href="${away(n)}">`,
  (n) => `<style>@import url(${away(n)});</style>`,
  (n) => `<style>body{background:url(${away(n)})}</style>`,
  (n) => `<div style="background:url(${away(n)})">x</div>`,
  (n) => `<base href="${away(n)}/">`,
  (n) => `<meta http-equiv=refresh content="0;url=${away(n)}">`,
  (n) => `<form action="${away(n)}"><button autofocus>send</button></form>`,
  (n) => `<input autofocus onfocus="${hit(n)}">`,
  (n) => `<details open ontoggle="${hit(n)}">x</details>`,
  (n) => `<video src="${away(n)}" autoplay></video>`,
  (n) => `<audio src="${away(n)}" autoplay></audio>`,
  (n) => `<video poster="${away(n)}"></video>`,
  (n) => `<marquee onstart="${hit(n)}">x</marquee>`,
  (n) => `<body onload="${hit(n)}">`,
  (n) => `<a href="javascript:${hit(n)}">press</a>`,
  (n) => `<a href="java\tscript:${hit(n)}">press</a>`,
  (n) => `<a href="data:text/html,<script>${hit(n)}</script>">press</a>`,
  (n) => `<math><mtext></form><form><mglyph><style></math><img src onerror="${hit(n)}">`,
  (n) => `<noscript><p title="</noscript><img src=x onerror=${hit(n)}>">`,
  (n) => `<template><script>${hit(n)}</script></template>`,
  (n) => `<textarea></textarea><script>${hit(n)}</script>`,
  (n) => `</textarea><script>${hit(n)}</script>`,
  (n) => `</pre></code><script>${hit(n)}</script>`,
  (n) => `</script><script>${hit(n)}</script>`,
  (n) => `--><script>${hit(n)}</script><!--`,
  (n) => `]]><script>${hit(n)}</script>`,
  (n) => `"><script>${hit(n)}</script>`,
  (n) => `'><img src=x onerror=${hit(n)}>`,
  (n) => `" onmouseover="${hit(n)}" autofocus onfocus="${hit(n)}" x="`,
  (n) => `{{constructor.constructor('${hit(n)}')()}}`,
  (n) => `{@html '<img src=x onerror=${hit(n)}>'}`,
  (n) => `\${${hit(n)}}`,
  (n) => `![picture](${away(n)})`,
  (n) => `![picture](javascript:${hit(n)})`,
  (n) => `![picture](data:image/svg+xml,<svg onload="${hit(n)}"/>)`,
  (n) => `[press](javascript:${hit(n)})`,
  (n) => `[press](JaVaScRiPt:${hit(n)})`,
  (n) => `[press](&#106;avascript:${hit(n)})`,
  (n) => `[press](data:text/html;base64,PHNjcmlwdD50b3Aud2FzSGl0PTE8L3NjcmlwdD4= "${n}")`,
  (n) => `[press](vbscript:${hit(n)})`,
  (n) => `[press][r${n}]\n\n[r${n}]: javascript:${hit(n)}`,
  (n) => `![picture][p${n}]\n\n[p${n}]: ${away(n)}`,
  (n) => `<javascript:${hit(n)}>`,
  (n) => `[press](//evil.example/${n})`,
  (n) => `\`<img src=x onerror=${hit(n)}>\``,
  (n) => `| a | b |\n| - | - |\n| <img src=x onerror=${hit(n)}> | ![x](${away(n)}) |`,
  (n) => `<img src="${away(n)}" srcset="${away(n)} 2x" loading=eager>`,
  (n) => `<picture><source srcset="${away(n)}"><img></picture>`,
  (n) => `<img src=x:x onerror=\u2028${hit(n)}>`,
  (n) => `\u202e<img src=x onerror=${hit(n)}>\u202c`,
];
const probes = kinds.map((make, at) => `probe-${at + 1} ${make(at + 1)}`);
const lines = probes.map((probe) => probe.replaceAll(/\s*\n\s*/g, ' '));
const all = probes.join('\n\n');
const fileNames = [
  '<img src=x onerror=top.wasHit=901>.md',
  '"onmouseover="top.wasHit=902.md',
  '![x](http:evil.example).md',
  '<script>top.wasHit=903<script>.md',
  'javascript:top.wasHit=904.md',
  '{{constructor}}.md',
];

// What runs in the page.
const noteViolations = `
  globalThis.violations = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
`;
const whatWasAchieved = `(() => {
  const wrong = globalThis.violations.map((one) => 'violation: ' + one);
  if (globalThis.wasHit !== undefined) wrong.push('script of probe ' + globalThis.wasHit + ' ran');
  const made = [
    'script',
    'iframe, object, embed, base, meta[http-equiv], video, audio, picture, marquee, math, form[action]',
    'img, [srcset], [poster], link[rel="stylesheet"]',
    '[href^="javascript:" i], [href^="data:" i], [href^="vbscript:" i]',
    '[onerror], [onload], [onfocus], [onmouseover], [ontoggle], [onstart]',
    'svg script, svg a, main style, main [style*="url("]',
  ];
  const isOurs = (element) => (element.src ?? element.href ?? '').startsWith?.(location.origin + '/assets/') === true;
  for (const selector of made)
    for (const element of document.querySelectorAll(selector))
      if (!isOurs(element)) wrong.push('made: ' + element.outerHTML.slice(0, 200));
  return wrong;
})()`;
const control = `(() => {
  const picture = document.createElement('img');
  picture.src = 'http://evil.example/control';
  document.querySelector('main').append(picture);
})()`;

describe.skipIf(cannotBrowse)('hostile texts', () => {
  let studio: Studio;
  let context: BrowserContext;
  const requests: string[] = [];
  const stand: { [name: string]: string } = {};

  beforeAll(async () => {
    const description = (from: number): string =>
      JSON.stringify(`Use when it is needed. ${lines.slice(from, from + 6).join(' ')}`.slice(0, 1_000));
    studio = await openStudio({
      files: {
        'work/.techne/skills/hostile/SKILL.md': `---\nname: hostile\ndescription: ${description(0)}\nmetaskill: SKILL.star\ninputs:\n  - {name: text, type: string, required: true, description: ${description(6)}}\nmetadata:\n  author: ${JSON.stringify(lines[2])}\n---\n\n# Hostile\n\n${all}\n`,
        'work/.techne/skills/hostile/SKILL.star':
          'def run(input):\n  trace(input["text"][:200], {"said": input["text"]})\n  answer = ask(input["text"])\n  return {"answer": answer["answer"], "said": input["text"]}\n',
        ...Object.fromEntries(
          Array.from({ length: 9 }, (_, at) => [
            `work/.techne/skills/hostile-${at}/SKILL.md`,
            `---\nname: hostile-${at}\ndescription: ${description(at * 6)}\n---\n\n${probes.slice(at * 6, at * 6 + 6).join('\n\n')}\n`,
          ]),
        ),
        // A name that is none: what is said about it is shown.
        'work/.techne/skills/odd/SKILL.md': `---\nname: ${JSON.stringify(lines[2])}\ndescription: ${description(12)}\nkind: ${JSON.stringify(lines[0])}\n---\n\n${all}\n`,
        'work/techne.json': '{ "graph": { "vault": "." } }\n',
        'work/notes/hostile.md': `---\ntitle: ${JSON.stringify(lines[2])}\nnode_type: concept\n---\n\n# ${lines[3]}\n\n[[other]]\n\n${all}\n`,
        'work/notes/other.md': `---\ntitle: ${JSON.stringify(lines[4])}\n---\n\n[[hostile]] ${lines[5]}\n`,
      },
    });
    const { scene } = studio;
    const references = join(scene.world.workspace, '.techne/skills/hostile/references');
    mkdirSync(references, { recursive: true });
    for (const name of fileNames) writeFileSync(join(references, name), all);
    await scene.techne.refresh();
    // One that has ended with them as its output, and one that asks with them.
    const start = (): Promise<JsonObject> =>
      scene.get('/v1/runs?wait=20', { as: 'runner', body: { skill: 'hostile', input: { text: all } } });
    const ended = await start();
    const [question] = ended['questions'] as JsonObject[];
    await scene.get(
      `/v1/runs/${ended['run'] as string}/questions/${question?.['id'] as string}/answer?wait=20`,
      {
        body: { nonce: question?.['nonce'] ?? null, value: all },
      },
    );
    const asking = await start();
    const made = await scene.get('/v1/proposals', {
      as: 'reviewer',
      body: {
        kind: 'edit',
        skill: 'hostile-0',
        why: lines.slice(0, 15).join(' ').slice(0, 1_900),
        files: [
          { path: 'SKILL.md', text: `---\nname: hostile-0\ndescription: ${description(6)}\n---\n\n${all}\n` },
          { path: 'references/all.md', text: all },
        ],
      },
    });
    await scene.get(`/v1/proposals/${made['id'] as string}/check`, { as: 'reviewer', method: 'POST' });
    Object.assign(stand, {
      name: 'hostile',
      skill: 'hostile',
      run: ended['run'] as string,
      asking: asking['run'] as string,
      id: made['id'] as string,
      'proposals/:id': made['id'] as string,
    });
    context = await patient(studio);
    await context.addInitScript(noteViolations);
    context.on('request', (asked) => {
      if (!asked.url().startsWith(`${studio.url}/`) && !asked.url().startsWith('blob:'))
        requests.push(asked.url());
    });
  }, 120_000);
  afterAll(() => studio.close());

  /** What a probe has achieved on this page; nothing is wanted. */
  const achieved = async (page: Page): Promise<readonly string[]> =>
    (await page.evaluate(whatWasAchieved)) as readonly string[];
  const numbersIn = async (page: Page): Promise<readonly number[]> => {
    const text = (await page.evaluate(
      'document.body.innerText + [...document.querySelectorAll("input, textarea")].map((one) => one.value).join(" ")',
    )) as string;
    return [...text.matchAll(/probe-(\d+)/g)].map(([, n]) => Number(n));
  };

  it('are sixty at least, and what they achieve would be noticed', async () => {
    expect(probes.length).toBeGreaterThanOrEqual(60);
    const page = await studio.page('/runs', { context });
    expect(await achieved(page)).toEqual([]);
    await page.evaluate(control);
    await expect.poll(async () => (await achieved(page)).join()).toContain('violation: img-src');
    expect((await achieved(page)).join()).toContain('made: <img');
    await page.close();
    // The control is what the studio would complain about, too.
    studio.faults.length = 0;
    requests.length = 0;
  });

  it('are only text on every page, in each of its tabs', async () => {
    const shown = new Map<string, Set<number>>();
    const wrong: string[] = [];
    const extra = [`/runs/${stand['asking']}`, '/', `/compare?a=${stand['run']}&b=${stand['asking']}`].map(
      (path) => ({
        path,
        pattern: path,
      }),
    );
    for (const { path, pattern } of [...(await everyPage(stand)), ...extra]) {
      const page = await studio.page(path, { context });
      await settle(page);
      const numbers = new Set<number>();
      const look = async (where: string): Promise<void> => {
        // Whatever can be opened is.
        await page.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true');
        for (const number of await numbersIn(page)) numbers.add(number);
        for (const one of await achieved(page)) wrong.push(`${where}: ${one}`);
      };
      await look(path);
      const tabs = await page.locator('main [role="tab"]').count();
      for (let at = 0; at < tabs; at += 1) {
        const tab = page.locator('main [role="tab"]').nth(at);
        const name = (await tab.textContent()) ?? '';
        await tab.click();
        await settle(page);
        await look(`${path} ${name}`);
      }
      shown.set(pattern, numbers);
      await page.close();
    }
    expect(wrong).toEqual([]);
    expect(requests).toEqual([]);
    expect(studio.faults).toEqual([]);
    // They were really there to see.
    const every = new Set([...shown.values()].flatMap((numbers) => [...numbers]));
    expect([...probes.keys()].map((at) => at + 1).filter((number) => !every.has(number))).toEqual([]);
    for (const pattern of ['/runs/:run', '/proposals/:id', '/proposals/:id/edit'])
      expect([pattern, shown.get(pattern)?.size]).toEqual([pattern, probes.length]);
  }, 300_000);
});
