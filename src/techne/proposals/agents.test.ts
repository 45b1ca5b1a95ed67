// What an agent can do about skills: propose, on every surface, and nothing else.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Tool, ToolResult } from '../../ports/tool.ts';
import { callTool, prepareAndCall, ToolFault } from '../../ports/tool.ts';
import { ConfinedFiles } from '../../node/confined/confined-files.ts';
import { fileTools } from '../../tools/files/file-tools.ts';
import { createTechne } from '../create-techne.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-agents-'));
  put('.techne/config.json', '{"roots": {"builtin": false, "hosts": false}, "cache": {"enabled": false}}');
  put(
    'work/.techne/skills/deploy/SKILL.md',
    '---\nname: deploy\ndescription: Deploys the site.\n---\nDeploy it.\n',
  );
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}
async function tools(): Promise<readonly Tool[]> {
  const techne = await createTechne({
    cwd: join(home, 'work'),
    homeFolder: home,
    variables: {},
    cache: false,
  });
  try {
    return await techne.tools();
  } finally {
    await techne.close();
  }
}
async function call(name: string, args: JsonObject): Promise<ToolResult> {
  const tool = (await tools()).find((one) => one.name === name);
  return tool === undefined ? { ok: false, text: 'no such tool' } : callTool(tool, args);
}
const skills = (): readonly string[] =>
  readdirSync(join(home, 'work/.techne/skills'), { recursive: true, encoding: 'utf8' }).sort();
const newSkill = {
  action: 'create',
  name: 'tides',
  why: 'you asked for it',
  files: [{ path: 'SKILL.md', text: '---\nname: tides\ndescription: Tides.\n---\nx\n' }],
};

describe('skill_propose', () => {
  it('writes to the queue and changes no skill', async () => {
    const before = skills();
    const made = await call('skill_propose', newSkill);
    expect([made.ok, made.text]).toEqual([
      true,
      expect.stringMatching(/^Proposed: create tides, proposal [0-9a-f]{16}\. Nothing has changed yet\./),
    ]);
    expect(skills()).toEqual(before);
    const [id] = readdirSync(join(home, '.techne/proposals')).filter((name) => /^[0-9a-f]{16}$/.test(name));
    expect(
      JSON.parse(readFileSync(join(home, '.techne/proposals', id ?? '', 'proposal.json'), 'utf8')),
    ).toMatchObject({
      state: 'pending',
      folder: join(home, 'work/.techne/skills/tides'),
      origin: { by: 'agent', surface: 'library' },
    });
    expect((await call('skill_proposals', {})).text).toBe(`${id} pending: create tides; not checked yet`);
  });

  it('records what the program says about the conversation, and what the call says', async () => {
    const techne = await createTechne({
      cwd: join(home, 'work'),
      homeFolder: home,
      variables: {},
      cache: false,
    });
    const { call: callHere } = await techne
      .session({ origin: { conversation: 'c1', model: 'm1' } })
      .then((session) => ({ call: session.call.bind(session) }));
    await callHere('skill_propose', newSkill, { caller: { model: 'm2', run: 'r1' } });
    await techne.close();
    const [id] = readdirSync(join(home, '.techne/proposals')).filter((name) => /^[0-9a-f]{16}$/.test(name));
    expect(
      JSON.parse(readFileSync(join(home, '.techne/proposals', id ?? '', 'proposal.json'), 'utf8')),
    ).toMatchObject({
      origin: {
        by: 'agent',
        surface: 'library',
        run: 'r1',
        conversation: 'c1',
        model: 'm2',
        client: null,
      },
    });
  });

  it.each<[string, JsonObject, string]>([
    [
      'a patch that does not fit',
      { action: 'edit', name: 'deploy', why: 'x', patches: [{ path: 'SKILL.md', old: 'nope', new: '' }] },
      'the old text is not in "SKILL.md"',
    ],
    ['an unknown skill', { action: 'delete', name: 'nope', why: 'x' }, 'there is no skill "nope"'],
    [
      'a path out of the skill',
      { ...newSkill, files: [...newSkill.files, { path: '../deploy/SKILL.md', text: 'x' }] },
      'is not a path inside the skill',
    ],
    ['no reason', { ...newSkill, why: ' ' }, 'a proposal needs a reason'],
    ['an argument too many', { ...newSkill, state: 'accepted' }, 'state'],
    ['an origin of its own', { ...newSkill, origin: { by: 'person' } }, 'origin'],
    ['a deletion with files', { ...newSkill, action: 'delete' }, 'delete takes no files'],
    [
      'a device',
      { ...newSkill, files: [...newSkill.files, { path: 'con.md', text: 'x' }] },
      'has the name of a device',
    ],
    [
      'two names that are one file',
      { ...newSkill, files: [...newSkill.files, { path: 'skill.MD', text: 'x' }] },
      'would be one file on some systems',
    ],
  ])('refuses %s, and tells the model why', async (_, args, reason) => {
    const { ok, text } = await call('skill_propose', args);
    expect([ok, text]).toEqual([false, expect.stringContaining(reason)]);
  });

  it('is the only tool that is not read-only, and no tool accepts anything', async () => {
    const all = await tools();
    expect(
      all
        .filter(({ readOnly }) => !readOnly)
        .map(({ name }) => name)
        .filter((name) => !name.startsWith('run_')),
    ).toEqual(['skill_propose']);
    expect(
      all
        .map(({ name }) => name)
        .filter((name) => /accept|install|approve|enable|reject|rollback/.test(name)),
    ).toEqual([]);
  });

  it('is not offered where proposals are switched off', async () => {
    put('work/techne.json', '{"proposals": {"enabled": false}}');
    expect((await tools()).map(({ name }) => name).filter((name) => name.includes('propos'))).toEqual([]);
  });
});

describe('file tools', () => {
  it.each([
    '.techne/skills/deploy/SKILL.md',
    '.techne/skills/new/SKILL.md',
    '.claude/skills/new/SKILL.md',
    '.agents/skills/new/SKILL.md',
    '.codex/skills/new/SKILL.md',
    'sub/.techne/skills/new/SKILL.md',
    'techne.json',
    '../.techne/proposals/frozen.json',
    '../.techne/config.json',
  ])('do not write %s', async (path) => {
    const work = realpathSync(join(home, 'work'));
    const files = fileTools(new ConfinedFiles({ roots: { read: [work], write: [work] } }));
    const write = files.find(({ name }) => name === 'write_file');
    if (write === undefined) throw new Error('there is no write_file');
    const before = skills();
    const use = { signal: new AbortController().signal, mayTouch: () => true };
    await expect(prepareAndCall(write, { path, content: 'x' }, use)).rejects.toThrow(ToolFault);
    expect(skills()).toEqual(before);
  });
});
