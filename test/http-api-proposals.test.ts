// Proposals over HTTP: reviewers accept what they looked at, byte for byte, and the audit has their name.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../src/base/json.ts';
import { Proposals } from '../src/techne/proposals/proposals.ts';
import type { ApiScene } from './support/api-scene.ts';
import { openApiScene } from './support/api-scene.ts';

let scene: ApiScene;
beforeAll(async () => {
  scene = await openApiScene();
});
afterAll(() => scene.close());

async function propose(skill: string): Promise<{ readonly id: string; readonly candidate: string }> {
  const proposals = new Proposals({ library: scene.techne.library, homeFolder: scene.world.home });
  const text = `---\nname: ${skill}\ndescription: Tells when the ${skill} of the sea are high at a harbour.\nmetadata:\n  techne.risk: low\n---\n\n# ${skill}\n\nLook at the moon.\n`;
  const evals = {
    skill_name: skill,
    triggers: [
      { kind: 'positive', message: `when are the ${skill} of the sea high at the harbour`, expected: skill },
      { kind: 'neighbouring-domain', message: 'bake a cake', expected: null },
    ],
  };
  const { proposal } = await proposals.propose(
    {
      kind: 'create',
      skill,
      files: [
        { path: 'SKILL.md', text },
        { path: 'evals/evals.json', text: JSON.stringify(evals) },
      ],
    },
    {
      why: 'asked for',
      origin: { by: 'agent', surface: 'library', run: null, conversation: null, model: null },
    },
  );
  return { id: proposal.id, candidate: proposal.candidate as string };
}

/** The names of checks that failed: a reviewer names each. */
async function failedChecks(id: string): Promise<Json> {
  const { report } = await scene.get(`/v1/proposals/${id}/check`, { as: 'reviewer', method: 'POST' });
  const { checks } = report as {
    readonly checks: readonly { readonly name: string; readonly outcome: string }[];
  };
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
}

describe('a proposal', () => {
  it('is shown with its diff, and accepted by a reviewer with the digests that were shown', async () => {
    const { id, candidate } = await propose('tides');
    const listed = await scene.get('/v1/proposals', { as: 'viewer' });
    expect(listed['proposals']).toMatchObject([
      { id, skill: 'tides', state: 'pending', base: null, candidate },
    ]);
    const { files } = await scene.get(`/v1/proposals/${id}/diff`, { as: 'viewer' });
    expect((files as JsonObject[]).map(({ path, what }) => [path, what])).toEqual([
      ['SKILL.md', 'added'],
      ['evals/evals.json', 'added'],
    ]);
    const despite = await failedChecks(id);
    const path = `/v1/proposals/${id}/accept`;
    const body = { base: null, candidate, despite };
    for (const as of ['viewer', 'runner'] as const)
      expect(await scene.send(path, { as, body })).toMatchObject({
        status: 403,
        json: { code: 'ROLE_REFUSED' },
      });
    expect(
      await scene.send(path, { as: 'reviewer', body: { ...body, candidate: candidate.replace(/.$/, 'x') } }),
    ).toMatchObject({ status: 409, json: { code: 'PROPOSAL_CHANGED' } });
    expect(await scene.send(path, { as: 'reviewer', body: { ...body, despite: ['nothing'] } })).toMatchObject(
      {
        status: 400,
        json: { code: 'REQUEST_INVALID' },
      },
    );
    expect(existsSync(join(scene.world.workspace, '.techne/skills/tides'))).toBe(false);
    expect(await scene.get(path, { as: 'reviewer', body })).toMatchObject({ state: 'accepted' });
    expect(await scene.get('/v1/skills/tides')).toMatchObject({ name: 'tides' });
    const { history } = await scene.get(`/v1/proposals/${id}`, { as: 'viewer' });
    expect(history).toContainEqual(
      expect.objectContaining({
        act: 'accepted',
        by: expect.stringMatching(/^reviewer reviewer-/) as string,
      }),
    );
  }, 60_000);

  it('is rejected by a reviewer, with the reason', async () => {
    const { id } = await propose('waves');
    const path = `/v1/proposals/${id}/reject`;
    expect((await scene.send(path, { as: 'runner', body: { reason: 'no' } })).status).toBe(403);
    for (const body of [{}, { reason: '' }, { reason: ' ' }])
      expect(await scene.send(path, { as: 'reviewer', body })).toMatchObject({
        status: 400,
        json: { code: 'REQUEST_INVALID' },
      });
    expect(await scene.get(path, { as: 'reviewer', body: { reason: 'not needed' } })).toMatchObject({
      state: 'rejected',
    });
    const { history } = await scene.get(`/v1/proposals/${id}`);
    expect(history).toContainEqual(expect.objectContaining({ act: 'rejected', reason: 'not needed' }));
    expect(await scene.send(path, { as: 'reviewer', body: { reason: 'again' } })).toMatchObject({
      status: 409,
      json: { code: 'PROPOSAL_REFUSED' },
    });
  }, 60_000);

  it('is edited by a reviewer, which makes another one and rejects it', async () => {
    const { id, candidate } = await propose('moons');
    const { files } = await scene.get(`/v1/proposals/${id}/files`, { as: 'viewer' });
    const [main] = files as [{ readonly path: string; readonly text: string }];
    expect(main.path).toBe('SKILL.md');
    const path = `/v1/proposals/${id}/edit`;
    const body = { candidate, files: [{ path: 'SKILL.md', text: `${main.text}\nLook twice.\n` }] };
    expect((await scene.send(path, { as: 'runner', body })).status).toBe(403);
    expect(await scene.send(path, { as: 'reviewer', body: { ...body, candidate: null } })).toMatchObject({
      status: 409,
      json: { code: 'PROPOSAL_CHANGED' },
    });
    expect(
      await scene.send(path, { as: 'reviewer', body: { ...body, files: [{ path: '../x', text: 'y' }] } }),
    ).toMatchObject({ status: 409, json: { code: 'PROPOSAL_REFUSED' } });
    const made = await scene.get(path, { as: 'reviewer', body });
    expect(made).toMatchObject({
      state: 'pending',
      kind: 'create',
      origin: { by: 'person', surface: 'http' },
    });
    const old = await scene.get(`/v1/proposals/${id}`);
    expect(old).toMatchObject({ proposal: { state: 'rejected' }, report: null });
    expect(old['history']).toContainEqual(
      expect.objectContaining({
        act: 'rejected',
        by: expect.stringMatching(/^reviewer /) as string,
        reason: `edited over HTTP (by proposal ${made['id'] as string})`,
      }),
    );
  }, 60_000);

  it('goes stale when the skill changes under it, says so, and starts anew from what is there when it is edited', async () => {
    const name = 'currents';
    const file = join(scene.world.workspace, `.techne/skills/${name}/SKILL.md`);
    const text = (body: string): string =>
      `---\nname: ${name}\ndescription: Tells the ${name}.\n---\n\n# Currents\n\n${body}\n`;
    scene.world.write({ [`work/.techne/skills/${name}/SKILL.md`]: text('Look.') });
    const made = await scene.get('/v1/proposals', {
      as: 'reviewer',
      body: {
        kind: 'edit',
        skill: name,
        why: 'better',
        files: [{ path: 'SKILL.md', text: text('Look twice.') }],
      },
    });
    const path = `/v1/proposals/${made['id'] as string}`;
    expect((await scene.get(`${path}/diff`))['standing']).toEqual({ isBase: true, isCandidate: false });
    writeFileSync(file, text('Ask.'));
    expect((await scene.get(`${path}/diff`))['standing']).toEqual({ isBase: false, isCandidate: false });
    const { files } = await scene.get(`${path}/diff?against=current`);
    expect(JSON.stringify(files)).toContain('"sign":"-","text":"Ask."');
    const { base, candidate } = made as { readonly base: string; readonly candidate: string };
    expect(await scene.send(`${path}/accept`, { as: 'reviewer', body: { base, candidate } })).toMatchObject({
      status: 409,
      json: { code: 'STALE' },
    });
    const fresh = await scene.get(`${path}/edit`, {
      as: 'reviewer',
      body: { candidate, files: [{ path: 'SKILL.md', text: text('Ask twice.') }], reason: 'anew' },
    });
    const after = await scene.get(`/v1/proposals/${fresh['id'] as string}/diff`);
    expect(after['standing']).toEqual({ isBase: true, isCandidate: false });
    const despite = await failedChecks(fresh['id'] as string);
    await scene.get(`/v1/proposals/${fresh['id'] as string}/accept`, {
      as: 'reviewer',
      body: { base: fresh['base'] ?? null, candidate: fresh['candidate'] ?? null, despite },
    });
    expect((await scene.get(`/v1/proposals/${fresh['id'] as string}`))['standing']).toEqual({
      isBase: false,
      isCandidate: true,
    });
    expect(readFileSync(file, 'utf8')).toBe(text('Ask twice.'));
    const listed = (await scene.get('/v1/proposals?all=true'))['proposals'] as JsonObject[];
    expect(listed.find(({ id }) => id === fresh['id'])).toMatchObject({
      state: 'accepted',
      risk: expect.any(String) as string,
      decided: { act: 'accepted', by: expect.stringMatching(/^reviewer /) as string },
    });
    expect(
      await scene.get(`/v1/proposals/${fresh['id'] as string}/rollback`, { as: 'reviewer', method: 'POST' }),
    ).toMatchObject({ state: 'rolled-back' });
    expect(readFileSync(file, 'utf8')).toBe(text('Ask.'));
  }, 60_000);
});

describe('the kill switch', () => {
  it('says who set it and when, and the settings are with it', async () => {
    const body = { frozen: true, reason: 'holiday' };
    expect((await scene.send('/v1/proposal-switch', { as: 'reviewer', body })).status).toBe(403);
    expect(await scene.get('/v1/proposal-switch', { body })).toMatchObject({ frozen: true });
    expect(await scene.get('/v1/proposals', { as: 'viewer' })).toMatchObject({
      frozen: true,
      freeze: {
        by: expect.stringMatching(/^operator /) as string,
        reason: 'holiday',
        at: expect.stringMatching(/^20/) as string,
      },
      autoEnable: { enabled: false, maxRisk: 'low', perDay: 3 },
    });
    expect(await scene.get('/v1/proposal-switch', { body: { frozen: false } })).toEqual({
      frozen: false,
      freeze: null,
    });
  });
});
