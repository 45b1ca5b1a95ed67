// The switch of an operator (`metaskills.enabled`), and plans from folders on their way through the registry.
import { describe, expect, it } from 'vitest';
import { nodeParseFull } from '../node/yaml.ts';
import { AnswerLater } from '../ports/answerer.ts';
import { chat, composition } from '../../test/support/plan-texts.ts';
import type { LoadedHostOptions, LoadedHost } from '../../test/support/metaskills.ts';
import { loadedHost } from '../../test/support/metaskills.ts';
import { runMetaskillTool } from './tools/run-metaskill.ts';

const files = {
  '/work/skills/sample/SKILL.md': composition(
    `${chat('a')}- {id: b, skill: worker, depends_on: [a], with: {x: y}}\n`,
    'final_text_mode: raw\n',
  ),
  '/work/skills/worker/SKILL.md':
    '---\nname: worker\ndescription: Works. Use when needed.\n---\n\nWork hard.\n',
  '/work/skills/flow/SKILL.md':
    '---\nname: flow\ndescription: Flows. Use when needed.\noutput: assets/out.md\nsteps:\n  - {id: a, tool: chat, params: {prompt: go}}\n---\n\nFlow.\n',
  '/work/skills/flow/assets/out.md': 'Out: {{ a }}',
  '/work/skills/flow/assets/out-short.md': '{{ a }}',
};
const open = (options: LoadedHostOptions = {}): Promise<LoadedHost> =>
  loadedHost(files, { parseFull: nodeParseFull, ...options });
const off = { metaskills: { enabled: false } };

describe('a plan of a folder', () => {
  it('runs with the skills and the templates of the snapshot', async () => {
    const { host, start } = await open();
    host.answerer.onAsk = ({ prompt, kind }) => `${kind} ${prompt.split('\n')[0] ?? ''}`;
    expect((await start('sample', {})).envelope?.['answer']).toBe('ask Work hard.');
    const flow = await start('flow', {});
    expect(flow.envelope?.['answer']).toMatch(/^Out: chat /);
    expect((await start('flow', { variant: 'short' })).envelope?.['answer']).toMatch(/^chat /);
    expect(Object.keys((await host.runner.inspect(flow.run as string)).files)).toEqual(
      expect.arrayContaining(['SKILL.md', 'assets/out.md', 'assets/out-short.md', '.techne/plan.json']),
    );
  });

  it('is refused when it is not trusted', async () => {
    const { start } = await open({ trusted: false });
    expect(await start('sample', {})).toMatchObject({ status: 'refused', error: { code: 'NOT_TRUSTED' } });
  });
});

describe('metaskills that are switched off', () => {
  it('are listed, but not offered, and every call is refused', async () => {
    const { snapshot, host, start } = await open({ config: off });
    expect(snapshot.skills.map(({ name }) => name)).toEqual(['flow', 'sample', 'worker']);
    expect(host.options.skills.names()).toEqual([]);
    expect(runMetaskillTool([], { asks: 1, commands: 1 })).toBe(null);
    for (const name of ['sample', 'flow'])
      expect(await start(name)).toMatchObject({
        status: 'refused',
        run: null,
        error: { code: 'METASKILLS_OFF' },
      });
    expect(host.answerer.asked).toEqual([]);
  });

  it('do not continue, and their runs can still be looked at', async () => {
    const before = await open();
    before.host.answerer.onAsk = () => Promise.reject(new AnswerLater('caller'));
    const paused = await before.start('sample', {});
    expect(paused.status).toBe('paused');
    const after = await open({ config: off, after: before.host });
    await expect(after.host.runner.resume(paused.run as string)).rejects.toMatchObject({
      code: 'EXECUTION_OFF',
      message: expect.stringContaining('metaskills are switched off') as string,
    });
    expect(
      (await after.host.runner.inspect(paused.run as string)).steps?.map(({ status }) => status),
    ).toEqual(['running', 'waiting']);
  });
});
