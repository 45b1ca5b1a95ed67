// Proposals over HTTP: reviewers accept what they looked at, byte for byte, and the audit has their name.
import { existsSync } from 'node:fs';
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
    expect((await scene.send(path, { as: 'runner', method: 'POST' })).status).toBe(403);
    expect(await scene.get(path, { as: 'reviewer', body: { reason: 'not needed' } })).toMatchObject({
      state: 'rejected',
    });
    const { history } = await scene.get(`/v1/proposals/${id}`);
    expect(history).toContainEqual(expect.objectContaining({ act: 'rejected', reason: 'not needed' }));
    expect(await scene.send(path, { as: 'reviewer', method: 'POST' })).toMatchObject({
      status: 409,
      json: { code: 'PROPOSAL_REFUSED' },
    });
  }, 60_000);
});
