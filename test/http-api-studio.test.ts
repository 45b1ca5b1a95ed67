// What a browser asks of skills and runs besides starting and showing them: inventory, sources, graphs, trust, drafts, journals.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import type { ApiScene } from './support/api-scene.ts';
import { apiSkills, openApiScene } from './support/api-scene.ts';
import { skillText } from './support/run-cli.ts';

const planned = apiSkills['work/.techne/skills/form/SKILL.md'] as string;
let scene: ApiScene;
beforeAll(async () => {
  scene = await openApiScene({
    files: {
      'home/.techne/skills/echo/SKILL.md': skillText('echo', 'An older echo. Use when echo is needed.'),
      'home/.techne/skills/odd/SKILL.md': 'no frontmatter at all\n',
      'home/.techne/skills/unfit/SKILL.md/inside.txt': 'a folder where a file is wanted',
      'home/.techne/skills/mine/SKILL.md': skillText('mine', 'Does mine. Use when mine is needed.'),
      'home/.techne/skills/mine/big.txt': 'ä'.repeat(1_000),
      'home/.techne/skills/mine/raw.bin': '\0\u0001',
      'work/vault/A.md': '---\ntype: idea\n---\n\n# A\n\n[[B]]\n',
      'work/vault/B.md': '[[C]] and [[nowhere]]\n',
      'work/vault/C.md': 'the end\n',
      'work/vault/Lonely.md': 'alone\n',
      'home/.techne/config.json': JSON.stringify({ graph: { vault: 'vault' } }),
      'work/.techne/skills/echo/tests/one.yaml':
        'tests:\n  - name: says it\n    input: {word: tide}\n    expect: {asks: 0}\n',
    },
  });
});
afterAll(() => scene.close());

const start = (skill: string, input: JsonObject) =>
  scene.get('/v1/runs?wait=10', { as: 'runner', body: { skill, input } });

describe('the inventory', () => {
  it('has every skill that was found, with its standing, and files that gave none', async () => {
    const { skills, total, next } = await scene.get('/v1/inventory?limit=500', { as: 'viewer' });
    const all = skills as JsonObject[];
    expect([all.length, next]).toEqual([total, null]);
    const echoes = all.filter(({ name }) => name === 'echo');
    expect(new Set(echoes.map(({ standing }) => standing))).toEqual(new Set(['shadowed', 'used']));
    expect(echoes.find(({ standing }) => standing === 'used')).toMatchObject({
      trusted: true,
      facts: { ready: { ok: true } },
    });
    expect(echoes.find(({ standing }) => standing === 'shadowed')).toMatchObject({
      why: expect.any(String) as string,
      winner: expect.stringContaining('echo/SKILL.md') as string,
      facts: null,
    });
  });

  it('comes in pages, each skill once', async () => {
    const seen: unknown[] = [];
    for (let offset: unknown = 0; offset !== null;) {
      const page = await scene.get(`/v1/inventory?limit=3&offset=${offset as number}`);
      seen.push(...(page['skills'] as JsonObject[]).map(({ path }) => path));
      offset = page['next'];
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe((await scene.get('/v1/inventory?limit=1'))['total']);
  });

  it('says of everything under a name why it is used or not, and what to do', async () => {
    const { copies, faults } = await scene.get('/v1/skills/echo/standing', { as: 'viewer' });
    expect(faults).toEqual([]);
    expect(copies).toEqual([
      expect.objectContaining({ standing: 'shadowed', source: 'user', hint: expect.any(String) as string }),
      expect.objectContaining({ standing: 'used', source: 'workspace', why: null, winner: null }),
    ]);
    const broken = await scene.get('/v1/skills/unfit/standing', { as: 'viewer' });
    expect(broken['copies']).toEqual([]);
    expect(broken['faults']).toEqual([
      expect.objectContaining({ line: null, path: expect.stringContaining('unfit') as string }),
    ]);
    const unknown = await scene.send('/v1/skills/ecko/standing');
    expect([unknown.status, (unknown.json as JsonObject)['hint']]).toEqual([404, 'did you mean "echo"?']);
  });

  it('is summed up: counts, and what somebody should look at, each kind in turn', async () => {
    const { looks, total, ...counts } = await scene.get('/v1/skill-health', { as: 'viewer' });
    const { skills } = await scene.get('/v1/inventory?limit=500');
    const used = (skills as JsonObject[]).filter(({ standing }) => standing === 'used');
    expect(counts).toEqual({
      used: used.length,
      executable: used.filter(({ executable }) => executable).length,
      notReady: used.filter(({ ready }) => !ready).length,
    });
    const found = looks as JsonObject[];
    expect(found.length).toBe(total);
    expect(found).toContainEqual({
      what: 'broken',
      skill: null,
      path: '~/.techne/skills/unfit/SKILL.md',
      says: expect.any(String) as string,
    });
    const [first] = (await scene.get('/v1/skill-health?limit=1'))['looks'] as JsonObject[];
    expect(first).toEqual(found[0]);
  });

  it('counts uses and failures', async () => {
    await start('echo', { word: 'x' });
    const { skills } = await scene.get('/v1/uses?skill=echo', { as: 'viewer' });
    const [use] = skills as { readonly runs: number; readonly failures: number }[];
    expect(use?.runs).toBeGreaterThan(0);
    expect(use?.failures).toBe(0);
  });
});

describe('a skill', () => {
  it('gives its text and where each field is', async () => {
    const { text, fields } = await scene.get('/v1/skills/form/source', { as: 'viewer' });
    expect(text).toBe(planned);
    expect((fields as JsonObject[]).slice(0, 2)).toEqual([
      {
        key: 'name',
        value: 'form',
        place: { line: 2, column: 1, endLine: 2, endColumn: 11 },
        meaning: expect.stringContaining('equal to the folder name') as string,
      },
      expect.objectContaining({ key: 'description' }),
    ]);
  });

  it('gives its files in pages that cut no character, and no bytes that are not text', async () => {
    let text = '';
    for (let offset: unknown = 0; offset !== null;) {
      const page = await scene.get(`/v1/skills/mine/file?path=big.txt&limit=777&offset=${offset as number}`, {
        as: 'viewer',
      });
      text += page['text'] as string;
      offset = page['next'];
    }
    expect(text).toBe('ä'.repeat(1_000));
    expect(await scene.get('/v1/skills/mine/file?path=raw.bin')).toMatchObject({ isText: false, text: null });
    for (const path of ['../echo/SKILL.md', '/etc/passwd', 'nothing.txt', '%2e%2e/x'])
      expect((await scene.send(`/v1/skills/mine/file?path=${path}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('has its plan as nodes and edges', async () => {
    const { graph } = await scene.get('/v1/skills/form/graph', { as: 'viewer' });
    expect(graph).toMatchObject({
      nodes: [
        { id: 'where', kind: 'input' },
        { id: 'say', kind: 'chat' },
      ],
      edges: [{ from: 'where', to: 'say', kind: 'declared' }],
    });
    expect((await scene.send('/v1/skills/echo/graph')).status).toBe(400);
  });

  it('has its tests, and their results once they were run', async () => {
    expect(await scene.get('/v1/skills/echo/tests', { as: 'viewer' })).toMatchObject({
      tests: [{ name: 'says it' }],
      last: null,
    });
    await scene.get('/v1/skills/echo/test', { as: 'runner', method: 'POST' });
    expect(await scene.get('/v1/skills/echo/tests')).toMatchObject({
      last: { isCurrent: true, passed: 1, failed: 0, tests: [{ name: 'says it', ok: true }] },
    });
  });

  it('has one of its tests run, which replaces the last result of it alone', async () => {
    const { tests } = await scene.get('/v1/skills/echo/tests');
    const [test] = tests as JsonObject[];
    const only = encodeURIComponent(`${test?.['file'] as string}:${test?.['line'] as string}`);
    expect(
      await scene.get(`/v1/skills/echo/test?only=${only}`, { as: 'runner', method: 'POST' }),
    ).toMatchObject({ ok: true, passed: 1, tests: [{ name: 'says it' }] });
    expect(await scene.get('/v1/skills/echo/tests')).toMatchObject({ last: { passed: 1, failed: 0 } });
    const unknown = await scene.send('/v1/skills/echo/test?only=nowhere.yaml:1', {
      as: 'runner',
      method: 'POST',
    });
    expect([unknown.status, (unknown.json as JsonObject)['code']]).toEqual([400, 'REQUEST_INVALID']);
  });

  it('says what it declares and what its files name, for whoever decides about trust', async () => {
    expect(await scene.get('/v1/skills/touches/trust', { as: 'viewer' })).toMatchObject({
      declares: { tools: [], risk: null, always: false },
      uses: { scripts: ['SKILL.star'], commands: ['touch'], hosts: [] },
      unread: [],
    });
  });

  it('has the versions that were run and proposed, and what changed between them', async () => {
    const file = join(scene.world.workspace, '.techne/skills/echo/SKILL.star');
    const before = await start('echo', { word: 'x' });
    const { digest } = await scene.get('/v1/skills/echo', { as: 'viewer' });
    writeFileSync(file, 'def run(input):\n  return {"said": input["word"] + "!"}\n');
    await scene.techne.skills.refresh();
    const { versions } = await scene.get('/v1/skills/echo/versions', { as: 'viewer' });
    const [now, old] = versions as JsonObject[];
    expect(now).toMatchObject({ isCurrent: true, kept: 'all' });
    expect(old).toMatchObject({ digest, isCurrent: false, kept: 'executed' });
    expect(old).toMatchObject({ events: [{ kind: 'runs', id: before['run'] }] });
    const query = `from=${encodeURIComponent(digest as string)}&to=${encodeURIComponent(now?.['digest'] as string)}`;
    expect(await scene.get(`/v1/skills/echo/changes?${query}`, { as: 'viewer' })).toEqual({
      isPartial: true,
      files: [
        {
          path: 'SKILL.star',
          what: 'changed',
          lines: [
            { sign: ' ', text: 'def run(input):', line: 1 },
            { sign: '-', text: '  return {"said": input["word"]}', line: null },
            { sign: '+', text: '  return {"said": input["word"] + "!"}', line: 2 },
            { sign: ' ', text: '', line: 3 },
          ],
        },
      ],
    });
    writeFileSync(file, 'def run(input):\n  return {"said": input["word"]}\n');
    await scene.techne.skills.refresh();
    const missing = await scene.send(`/v1/skills/echo/changes?from=sha256:0&to=${digest as string}`);
    expect((missing.json as JsonObject)['code']).toBe('FILE_MISSING');
  });

  it('has a verdict', async () => {
    expect(await scene.get('/v1/skills/mine/verdict', { as: 'viewer' })).toMatchObject({
      verdict: expect.any(String) as string,
    });
  });

  it('is trusted by an operator as it was shown, and not any more', async () => {
    const file = join(scene.world.home, '.techne/skills/mine/more.txt');
    const { digest, trusted, allows } = await scene.get('/v1/skills/mine/trust', { as: 'viewer' });
    expect([trusted, (allows as unknown[]).length]).toEqual([false, 1]);
    const path = '/v1/skills/mine/trust';
    for (const as of ['viewer', 'runner', 'reviewer'] as const)
      expect((await scene.send(path, { as, body: { digest: digest as string } })).status).toBe(403);
    writeFileSync(file, 'changed');
    expect(await scene.send(path, { body: { digest: digest as string } })).toMatchObject({
      status: 409,
      json: { code: 'STALE' },
    });
    rmSync(file);
    expect(await scene.get(path, { body: { digest: digest as string } })).toMatchObject({ trusted: true });
    expect(await scene.get('/v1/skills/mine/untrust', { method: 'POST' })).toEqual({
      removed: 1,
      trusted: false,
    });
  });
});

describe('a draft', () => {
  const analyse = (text: string, more: JsonObject = {}) =>
    scene.get('/v1/drafts/analyse', {
      as: 'runner',
      body: { skill: 'form', path: 'SKILL.md', text, ...more },
    });

  it('has the diagnostics and the plan that its text would have, and is not saved', async () => {
    expect(await analyse(planned)).toMatchObject({ graph: { nodes: [{ id: 'where' }, { id: 'say' }] } });
    const broken = await analyse(planned.replace('[where]', '[wher]'));
    expect(broken['graph']).toBeNull();
    expect(broken['diagnostics']).toContainEqual(
      expect.objectContaining({ severity: 'error', path: 'SKILL.md', line: 16 }),
    );
    expect((await scene.get('/v1/skills/form/source'))['text']).toBe(planned);
  });

  it('can be of a skill that is not there yet, and cannot leave its folder', async () => {
    expect((await analyse(skillText('fresh'), { skill: 'fresh' }))['graph']).toBeNull();
    for (const more of [{ path: '../x' }, { path: '/etc/x' }, { skill: '../x' }])
      expect(
        (
          await scene.send('/v1/drafts/analyse', {
            as: 'runner',
            body: { skill: 'form', path: 'SKILL.md', text: 'x', ...more },
          })
        ).status,
      ).toBe(400);
  });
});

describe('a draft of several files', () => {
  const ask = (path: string, body: JsonObject) => scene.get(path, { as: 'runner', body });

  it('is judged as a whole, with what corrects it, and files that it removes are gone', async () => {
    const text = planned.replace(
      '- id: say\n      kind: llm_chat',
      '- id: say\n      kind: tool_call\n      tool: emit_text\n      tool_allowlist: [emit_text]\n      tool_args: {text: "{{ inputs.collected.where.city }}"}',
    );
    const found = await ask('/v1/drafts/analyse', { skill: 'form', path: 'SKILL.md', text });
    const fixes = found['fixes'] as { at: number; insert: string; path: string }[];
    expect(fixes).toContainEqual(
      expect.objectContaining({ path: 'SKILL.md', insert: ' | xml_escape | truncate(2000)' }),
    );
    expect(text.slice(0, fixes[0]?.at)).toMatch(/where\.city$/);
    const program = skillText('fresh', 'Is fresh. Use when it is fresh.', 'metaskill: SKILL.star\n');
    const faults = async (files: JsonObject[]) =>
      (
        (await ask('/v1/drafts/analyse', { skill: 'fresh', path: 'SKILL.md', text: program, files }))[
          'diagnostics'
        ] as JsonObject[]
      )
        .filter(({ severity }) => severity === 'error')
        .map(({ path }) => path);
    expect(await faults([{ path: 'SKILL.star', text: 'def run(input):\n  return {}\n' }])).toEqual([]);
    expect(await faults([{ path: 'SKILL.star', text: 'def run(input)\n' }])).toContain('SKILL.star');
    const without = await ask('/v1/drafts/analyse', {
      skill: 'echo',
      path: 'SKILL.md',
      text: (await scene.get('/v1/skills/echo/source'))['text'] as string,
      files: [{ path: 'SKILL.star', text: null }],
    });
    expect(JSON.stringify(without['diagnostics'])).toMatch(/SKILL\.star/);
    // Completion beside a SKILL.md that is not saved knows its inputs.
    const completed = await ask('/v1/drafts/complete', {
      skill: 'fresh',
      path: 'assets/x.md',
      text: '{{ outputs.',
      offset: 11,
      files: [{ path: 'SKILL.md', text: planned }],
    });
    expect((completed['items'] as JsonObject[]).map(({ label }) => label)).toEqual(['where', 'say']);
  });

  it('gives an answer at every prefix of a plan, for any bytes, and at the largest size', async () => {
    const texts = [
      ...Array.from({ length: Math.ceil(planned.length / 7) }, (_, at) => planned.slice(0, at * 7)),
      '\0\u0001\ud800',
      '---\n__proto__: {constructor: 1}\nname: &a [*a]\n---\n',
      `---\nname: form\ndescription: x\ntriggers: ${'['.repeat(5_000)}\n---\n`,
      'a: &x [*x]\n'.repeat(20_000).slice(0, 262_144),
      'x'.repeat(262_144),
    ];
    for (const text of texts) {
      const body = { skill: 'form', path: 'SKILL.md', text };
      expect(await scene.send('/v1/drafts/analyse', { as: 'runner', body })).toMatchObject({ status: 200 });
      for (const what of ['complete', 'hover'])
        expect(
          await scene.send(`/v1/drafts/${what}`, {
            body: { ...body, offset: text.length - 1 < 0 ? 0 : text.length - 1 },
          }),
        ).toMatchObject({ status: 200 });
    }
    const tooLarge = { skill: 'form', path: 'SKILL.md', text: 'x'.repeat(262_145) };
    expect(await scene.send('/v1/drafts/analyse', { as: 'runner', body: tooLarge })).toMatchObject({
      status: 400,
    });
  }, 60_000);

  it('refuses hostile names, and writes nothing outside', async () => {
    for (const path of [
      '../x',
      '/x',
      'a/../../x',
      'a\\b',
      'a\0b',
      'a//b',
      '.',
      'SKILL.md/x',
      'n'.repeat(300),
    ])
      expect(
        await scene.send('/v1/drafts/analyse', {
          as: 'runner',
          body: { skill: 'form', path: 'SKILL.md', text: planned, files: [{ path, text: 'x' }] },
        }),
      ).toMatchObject({ status: 400, json: { code: 'PATH_UNSAFE' } });
    for (const skill of ['..', '../x', 'a/b', '.hidden', 'a\0'])
      expect(
        await scene.send('/v1/drafts/analyse', {
          as: 'runner',
          body: { skill, path: 'SKILL.md', text: 'x' },
        }),
      ).toMatchObject({ status: 400 });
  });
});

describe('a new skill', () => {
  it('begins with the files that "techne new" makes, and its name is judged', async () => {
    for (const form of ['instructions', 'program', 'composition', 'workflow', 'chain']) {
      const { files, isTaken } = await scene.get('/v1/drafts/scaffold', {
        as: 'viewer',
        body: { name: 'fresh-one', form, description: 'Counts fish. Use when fish are counted.' },
      });
      expect(isTaken).toBe(false);
      expect((files as JsonObject[])[0]).toMatchObject({
        path: 'SKILL.md',
        text: expect.stringContaining('Counts fish.'),
      });
    }
    expect(
      (await scene.get('/v1/drafts/scaffold', { body: { name: 'form', form: 'chain' } }))['isTaken'],
    ).toBe(true);
    expect(
      await scene.send('/v1/drafts/scaffold', { body: { name: 'Not Good!', form: 'chain' } }),
    ).toMatchObject({ status: 400, json: { hint: 'try "not-good"' } });
  });
});

describe('an edit that is proposed', () => {
  it('is refused where the skill is not the one that was edited, and can remove files', async () => {
    const propose = (more: JsonObject) =>
      scene.send('/v1/proposals', {
        body: {
          kind: 'edit',
          skill: 'mine',
          files: [{ path: 'big.txt', text: null }],
          why: 'It is too big.',
          ...more,
        },
      });
    expect(await propose({ editedFrom: 'sha256:0' })).toMatchObject({ json: { code: 'PROPOSAL_REFUSED' } });
    const { digest } = await scene.get('/v1/skills/mine/trust');
    const made = await propose({ editedFrom: digest as string });
    expect(made).toMatchObject({ status: 200, json: { state: 'pending' } });
    const { files } = await scene.get(`/v1/proposals/${(made.json as JsonObject)['id'] as string}/diff`);
    expect(files).toMatchObject([{ path: 'big.txt', what: 'removed' }]);
  });
});

describe('who answers', () => {
  it('is offered by name, the person always, and a run is answered by whom it was started with', async () => {
    const { answerers } = await scene.get('/v1/answerers', { as: 'runner' });
    expect(answerers).toContainEqual(
      expect.objectContaining({ name: 'person', available: true, chosen: false }),
    );
    expect(answerers).toContainEqual(expect.objectContaining({ name: 'caller', chosen: true }));
    const run = await scene.get('/v1/runs?wait=10', {
      as: 'runner',
      body: { skill: 'asks', input: { what: 'the sea' }, answerer: 'person' },
    });
    expect(run['questions']).toMatchObject([{ audience: 'person' }]);
    expect(
      await scene.send('/v1/runs', {
        as: 'runner',
        body: { skill: 'asks', input: { what: 'the sea' }, answerer: 'script:/etc/passwd' },
      }),
    ).toMatchObject({ status: 400, json: { code: 'REQUEST_INVALID' } });
  });
});

describe('a text that is being written', () => {
  const ask = (what: 'complete' | 'hover', text: string, more: JsonObject = {}) =>
    scene.get(`/v1/drafts/${what}`, {
      as: 'viewer',
      body: { skill: 'form', path: 'SKILL.md', text, offset: text.length, ...more },
    });
  const labels = ({ items }: JsonObject): unknown[] => (items as JsonObject[]).map(({ label }) => label);

  it('is completed with the fields, steps and skills that the engine knows', async () => {
    expect(labels(await ask('complete', '---\nna'))).toContain('name');
    expect(labels(await ask('complete', '---\nskills: ['))).toEqual(expect.arrayContaining(['echo', 'form']));
    expect(await ask('complete', '---\nkind: me')).toMatchObject({
      span: { start: 10, end: 12 },
      items: [{ label: 'meta', kind: 'value', insert: 'meta' }, {}, {}],
      isCut: false,
    });
    // Inputs and steps of a file beside it come from the SKILL.md that is there.
    expect(labels(await ask('complete', '{{ outputs.', { path: 'assets/x.md' }))).toEqual(['where', 'say']);
  });

  it('is explained', async () => {
    expect(await ask('hover', '---\nlicense: MIT\n---\n', { offset: 6 })).toMatchObject({
      hover: { span: { start: 4, end: 11 }, title: 'license' },
    });
    expect(await ask('hover', 'nothing', { offset: 2 })).toEqual({ hover: null });
  });

  it('cannot leave its folder', async () => {
    for (const what of ['complete', 'hover'])
      expect(
        await scene.send(`/v1/drafts/${what}`, {
          body: { skill: 'form', path: '../x', text: '', offset: 0 },
        }),
      ).toMatchObject({ status: 400, json: { code: 'PATH_UNSAFE' } });
  });
});

describe('a run', () => {
  it('gives its journal in pages, with nonces for those who may answer', async () => {
    const { run } = await start('asks', { what: 'the sea' });
    const read = async (as: 'viewer' | 'runner'): Promise<JsonObject[]> => {
      const entries: JsonObject[] = [];
      for (let from: unknown = 0; from !== null;) {
        const page = await scene.get(`/v1/runs/${run as string}/journal?from=${from as number}&limit=2`, {
          as,
        });
        entries.push(...(page['entries'] as JsonObject[]));
        from = page['next'];
      }
      return entries;
    };
    const entries = await read('viewer');
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at));
    const nonceOf = (all: JsonObject[]) =>
      (
        all
          .map(({ entry }) => entry as JsonObject)
          .find(({ type }) => type === 'question.asked') as JsonObject
      )['nonce'];
    expect(nonceOf(entries)).toBeNull();
    expect(nonceOf(await read('runner'))).toEqual(expect.any(String));
  });

  it('gives its large values in pages, and only its own', async () => {
    const word = 'ö'.repeat(20_000);
    const { run } = await start('echo', { word });
    const { run: other } = await start('echo', { word: 'small' });
    const { entries } = await scene.get(`/v1/runs/${run as string}/journal`);
    const [, digest] = /"blob":"(sha256:[0-9a-f]{64})"/.exec(JSON.stringify(entries)) as unknown as string[];
    let text = '';
    for (let offset: unknown = 0; offset !== null;) {
      const page = await scene.get(
        `/v1/runs/${run as string}/values/${digest as string}?limit=9999&offset=${offset as number}`,
        { as: 'viewer' },
      );
      text += page['text'] as string;
      offset = page['next'];
    }
    expect(text).toContain(word);
    expect((await scene.send(`/v1/runs/${other as string}/values/${digest as string}`)).status).toBe(404);
  });

  it('becomes a test, and a file for an operator', async () => {
    const { run } = await start('echo', { word: 'tide' });
    const made = await scene.get(`/v1/runs/${run as string}/to-test`, {
      as: 'runner',
      body: { name: 'mine' },
    });
    expect(made).toMatchObject({
      skill: 'echo',
      faults: [],
      test: expect.stringContaining('mine') as string,
    });
    const path = `/v1/runs/${run as string}/export`;
    expect((await scene.send(path, { as: 'reviewer' })).status).toBe(403);
    const { text, headers } = await scene.send(path);
    expect(JSON.parse(text.split('\n', 1)[0] as string)).toMatchObject({ techne: 'run', run });
    expect(headers['content-disposition']).toContain('attachment');
  });

  it('is forked with another outcome of a call, which must fit', async () => {
    const { run } = await start('asks', { what: 'the sea' });
    const path = `/v1/runs/${run as string}`;
    const [{ id, nonce }] = (await scene.get(path, { as: 'runner' }))['questions'] as [JsonObject];
    await scene.get(`${path}/questions/${id as string}/answer?wait=10`, {
      as: 'runner',
      body: { nonce: nonce as string, value: 'blue' },
    });
    const { details } = await scene.get(`${path}?details=true`);
    const [{ key }] = (details as JsonObject)['effects'] as [{ readonly key: string }];
    const fork = (outcomes: JsonObject) =>
      scene.send(`${path}/fork?wait=10`, { as: 'runner', body: { outcomes } });
    expect(await fork({ [key]: 'green' })).toMatchObject({
      json: { envelope: { said: { answer: 'green' } } },
    });
    expect(await fork({ nothing: 'green' })).toMatchObject({
      status: 400,
      json: { code: 'REQUEST_INVALID' },
    });
  });

  it('is found by text and time, and by what it cost', async () => {
    const { run } = await start('echo', { word: 'x' });
    const found = async (query: string) =>
      ((await scene.get(`/v1/runs?limit=200&${query}`))['runs'] as JsonObject[]).map((one) => one['run']);
    expect(await found('text=ECH')).toContain(run);
    expect(await found('text=nowhere')).toEqual([]);
    expect(await found('until=2001-01-01T00:00:00Z')).toEqual([]);
    expect(await found('minCost=0')).toContain(run);
    expect(await found('minCost=1')).toEqual([]);
  });
});

describe('many runs', () => {
  it('are cancelled by an operator, and those that cannot be are named', async () => {
    const waiting = await start('asks', { what: 'the sea' });
    const over = await start('echo', { word: 'x' });
    const runs = [waiting['run'] as string, over['run'] as string, '01ARZ3NDEKTSV4RRFFQ69G5FAV'];
    const path = '/v1/bulk/cancel-runs';
    expect((await scene.send(path, { as: 'reviewer', body: { runs } })).status).toBe(403);
    expect(await scene.get(path, { body: { runs } })).toMatchObject({
      cancelled: [runs[0]],
      refused: [
        { run: runs[1], code: 'RUN_ENDED' },
        { run: runs[2], code: 'RUN_UNKNOWN' },
      ],
    });
  });

  it('are pruned by an operator, after a look at what would go', async () => {
    const { run } = await start('echo', { word: 'x' });
    const path = '/v1/bulk/prune-runs';
    const body = { olderThan: 0, skill: 'echo', statuses: ['completed'] };
    expect((await scene.send(path, { as: 'runner', body })).status).toBe(403);
    const would = await scene.get(path, { body: { ...body, dryRun: true } });
    expect(would['removed']).toContain(run);
    expect((await scene.send(`/v1/runs/${run as string}`)).status).toBe(200);
    expect((await scene.get(path, { body }))['total']).toBe(would['total']);
    expect((await scene.send(`/v1/runs/${run as string}`)).status).toBe(404);
  });
});

describe('notes', () => {
  it('come in pages with numbered edges', async () => {
    const { nodes, edges, total, dangling } = await scene.get('/v1/notes/graph', { as: 'viewer' });
    expect([(nodes as JsonObject[]).map(({ name }) => name), total, dangling]).toEqual([
      ['A', 'B', 'C', 'Lonely'],
      4,
      1,
    ]);
    expect(edges).toEqual([
      [0, 1, 0],
      [1, 2, 0],
    ]);
    expect(await scene.get('/v1/notes/graph?offset=1&limit=1')).toMatchObject({
      nodes: [{ id: 1, name: 'B' }],
      edges: [[1, 2, 0]],
      next: 2,
    });
  });

  it('have neighbours, ways between them, orphans and a text', async () => {
    expect(await scene.get('/v1/notes/neighbours?note=B.md', { as: 'viewer' })).toMatchObject({
      neighbours: expect.arrayContaining([
        expect.objectContaining({ path: 'C.md', direction: 'out' }),
        expect.objectContaining({ path: 'A.md', direction: 'in' }),
      ]) as unknown[],
    });
    expect(await scene.get('/v1/notes/path?from=A&to=C')).toMatchObject({
      steps: [{ path: 'B.md' }, { path: 'C.md' }],
    });
    expect(await scene.get('/v1/notes/path?from=A&to=Lonely')).toEqual({ steps: null });
    expect(await scene.get('/v1/notes/orphans')).toEqual({ paths: ['Lonely.md'], total: 1 });
    expect(await scene.get('/v1/notes/note?note=A')).toMatchObject({
      path: 'A.md',
      type: 'idea',
      title: 'A',
    });
    for (const note of ['../../home/.techne/config.json', 'nothing'])
      expect((await scene.send(`/v1/notes/note?note=${note}`)).status).toBe(404);
  });

  it('have all edges of a neighbourhood, and say where it was cut', async () => {
    expect(await scene.get('/v1/notes/neighbours?note=A&depth=2', { as: 'viewer' })).toMatchObject({
      nodes: [{ path: 'A.md', type: 'idea' }, { path: 'B.md' }, { path: 'C.md' }],
      edges: [
        [0, 1, 0],
        [1, 2, 0],
      ],
      edgeTypes: ['link'],
      isCut: false,
    });
    expect(await scene.get('/v1/notes/neighbours?note=B&limit=1')).toMatchObject({
      neighbours: [{ path: 'A.md' }],
      isCut: true,
    });
  });

  it('are found by words and type, counted, and have loose links and suggestions', async () => {
    expect(await scene.get('/v1/notes?text=lonely', { as: 'viewer' })).toMatchObject({
      notes: [{ path: 'Lonely.md', name: 'Lonely' }],
      total: 1,
    });
    expect(await scene.get('/v1/notes?type=idea&limit=1')).toMatchObject({ notes: [{ path: 'A.md' }] });
    expect(await scene.get('/v1/notes/stats', { as: 'viewer' })).toMatchObject({
      notes: 4,
      edges: 2,
      dangling: 1,
      orphans: 1,
      isConfigured: expect.any(Boolean) as boolean,
      edgeTypes: [{ name: 'link', count: 2 }],
    });
    expect(await scene.get('/v1/notes/dangling', { as: 'viewer' })).toMatchObject({
      links: [{ problem: 'missing', candidates: [] }],
      total: 1,
    });
    expect(await scene.get('/v1/notes/suggestions?note=A', { as: 'viewer' })).toMatchObject({
      note: 'A.md',
      suggestions: expect.any(Array) as unknown[],
    });
    expect((await scene.send('/v1/notes/suggestions?note=nothing')).status).toBe(404);
  });
});

describe('a change', () => {
  it('is proposed with a text, has its conditions, and is rolled back', async () => {
    const body = {
      kind: 'edit',
      skill: 'notes',
      files: [
        { path: 'SKILL.md', text: skillText('notes', 'Says more of notes. Use when notes are needed.') },
      ],
      why: 'clearer',
    };
    expect((await scene.send('/v1/proposals', { as: 'runner', body })).status).toBe(403);
    const { id } = await scene.get('/v1/proposals', { as: 'reviewer', body });
    const path = `/v1/proposals/${id as string}`;
    expect((await scene.get(path))['autoEnable']).toBeNull();
    const { report } = await scene.get(`${path}/check`, { as: 'reviewer', method: 'POST' });
    const { autoEnable, proposal } = await scene.get(path, { as: 'viewer' });
    expect(autoEnable).toMatchObject({ enabled: false });
    expect((autoEnable as JsonObject)['conditions']).toContainEqual(expect.objectContaining({ ok: false }));
    const { base, candidate } = proposal as { readonly base: string; readonly candidate: string };
    const despite = (report as unknown as { checks: { name: string; outcome: string }[] }).checks
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ name }) => name);
    await scene.get(`${path}/accept`, { as: 'reviewer', body: { base, candidate, despite } });
    expect((await scene.get('/v1/skills/notes'))['description']).toContain('Says more');
    expect((await scene.send(`${path}/rollback`, { as: 'runner', method: 'POST' })).status).toBe(403);
    expect(await scene.get(`${path}/rollback`, { as: 'reviewer', method: 'POST' })).toMatchObject({
      state: 'rolled-back',
    });
    expect((await scene.get('/v1/skills/notes'))['description']).not.toContain('Says more');
  });

  it('takes no effect by itself while an operator has set the switch', async () => {
    const path = '/v1/proposal-switch';
    expect((await scene.send(path, { as: 'reviewer', body: { frozen: true } })).status).toBe(403);
    expect(await scene.get(path, { body: { frozen: true, reason: 'stop' } })).toMatchObject({
      frozen: true,
      freeze: { reason: 'stop' },
    });
    expect((await scene.get('/v1/proposals', { as: 'viewer' }))['frozen']).toBe(true);
    expect(await scene.get(path, { body: { frozen: false } })).toEqual({ frozen: false, freeze: null });
  });
});

describe('a message', () => {
  it('is matched with what its triggers took from it', async () => {
    const found = await scene.get('/v1/match', {
      as: 'viewer',
      body: { message: 'please use echo now, echo is needed', explain: true },
    });
    expect((found['matches'] as JsonObject[])[0]).toMatchObject({ variables: {}, demoted: false });
    expect(found).toMatchObject({ unready: null, notOffered: expect.any(Array) as unknown[] });
  });
});
