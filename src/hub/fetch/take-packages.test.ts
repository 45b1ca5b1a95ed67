import { describe, expect, it } from 'vitest';
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { defaultConfig } from '../../config/merge-config.ts';
import type { ListedEntry, Listing } from '../archive/listing.ts';
import type { Fetched } from '../source/source.ts';
import { contextOf } from './context.ts';
import type { FetchLimits } from './options.ts';
import { takePackages } from './take-packages.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`;

function listingOf(files: { readonly [path: string]: string }): Listing {
  const entries = Object.keys(files).map((path): ListedEntry => ({
    path,
    kind: 'file',
    size: Buffer.byteLength(files[path] ?? ''),
    executable: false,
    fault: null,
  }));
  return { entries, read: ({ path }) => Promise.resolve(Buffer.from(files[path] ?? '')) };
}

function take(
  files: { readonly [path: string]: string },
  {
    root = '',
    skills = [],
    limits = {},
  }: { root?: string; skills?: readonly string[]; limits?: Partial<FetchLimits> } = {},
): Promise<Fetched> {
  const options = {
    hub: defaultConfig().hub,
    mcpServers: {},
    cwd: '/',
    homeFolder: '/',
    variables: {},
    limits,
  };
  return takePackages(
    listingOf(files),
    {
      root,
      skills,
      resolvedOf: () => ({ kind: 'folder', path: '/x' }),
      rootName: 'repo',
      source: 'owner/repo',
    },
    contextOf(options, () => undefined, neverAborted),
  );
}

const names = ({ packages }: Fetched): readonly string[] =>
  packages.map(({ name, path }) => `${name} ${path}`);
async function failure(work: Promise<unknown>): Promise<TechneError> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (error instanceof TechneError ? error : Promise.reject(error as Error)),
  );
}

describe('takePackages', () => {
  it('takes a skill at the root alone, with everything below it', async () => {
    const fetched = await take({
      'SKILL.md': skill('top'),
      'skills/inner/SKILL.md': skill('inner'),
      'x.md': 'x',
    });
    expect(names(fetched)).toEqual(['top ']);
    expect([...(fetched.packages[0]?.files.keys() ?? [])]).toEqual([
      'SKILL.md',
      'skills/inner/SKILL.md',
      'x.md',
    ]);
  });

  it('looks in the usual folders in one order, and the first of a name counts', async () => {
    const fetched = await take({
      '.claude/skills/a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
      'skills/a/SKILL.md': skill('a'),
      'c/SKILL.md': skill('c'),
      'deep/down/d/SKILL.md': skill('d'),
    });
    expect(names(fetched)).toEqual(['c c', 'a skills/a', 'b skills/b']);
    expect(fetched.refused).toEqual([
      { path: '.claude/skills/a/SKILL.md', reason: '"skills/a" is a skill of the same name' },
    ]);
  });

  it('searches deeper when nothing was found, or a skill that was asked for was not', async () => {
    const files = {
      'skills/a/SKILL.md': skill('a'),
      'x/y/d/SKILL.md': skill('d'),
      'x/y/d/e/SKILL.md': skill('e'),
    };
    expect(names(await take(files, { skills: ['D'] }))).toEqual(['d x/y/d']);
    expect(names(await take({ 'x/y/d/SKILL.md': skill('d') }))).toEqual(['d x/y/d']);
    expect(await failure(take(files, { skills: ['e'] }))).toMatchObject({
      code: 'SOURCE_EMPTY',
      message: '"owner/repo" has no skill "e"',
      hint: 'it has a, d',
    });
  });

  it('takes the name of the file, else of the folder, and refuses others', async () => {
    const fetched = await take({
      'skills/x/SKILL.md': skill('declared'),
      'skills/folder-name/SKILL.md': skill('"../../evil"'),
      'skills/Bad Name/SKILL.md': skill('Also Bad'),
      'skills/proto/SKILL.md': skill('__proto__'),
    });
    expect(names(fetched)).toEqual([
      'folder-name skills/folder-name',
      'proto skills/proto',
      'declared skills/x',
    ]);
    expect(fetched.refused.map(({ path }) => path)).toEqual(['skills/Bad Name/SKILL.md']);
  });

  it('holds the limits of a skill and of all of them', async () => {
    const files = {
      'skills/a/SKILL.md': skill('a'),
      'skills/a/x': 'x'.repeat(100),
      'skills/b/SKILL.md': skill('b'),
    };
    for (const limits of [{ skillFiles: 1 }, { skillBytes: 100 }, { totalBytes: 100 }, { entries: 2 }])
      expect((await failure(take(files, { limits }))).code).toBe('SOURCE_LIMIT');
    expect(names(await take(files))).toHaveLength(2);
  });

  it('says why nothing was found', async () => {
    expect((await failure(take({ 'README.md': '' }))).message).toBe('"owner/repo" holds no skill');
    expect((await failure(take({ 'skills/CON/SKILL.md': skill('a') }))).message).toBe(
      '"owner/repo" holds no skill; "skills/CON/SKILL.md" was not taken: it has the name of a device',
    );
  });

  it('takes skills from where the manifests of plugins say, and lists what else they bring', async () => {
    const fetched = await take({
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'm',
        owner: { name: 'o' },
        metadata: { pluginRoot: './plugins' },
        plugins: [
          { name: 'one', source: './one', skills: ['./special/pdf'] },
          { name: 'two', source: { source: 'github', repo: 'o/r', ref: 'v1' } },
          { name: 'three', source: '../../outside' },
        ],
      }),
      'plugins/one/special/pdf/SKILL.md': skill('pdf'),
      'plugins/one/skills/notes/SKILL.md': skill('notes'),
      'plugins/one/.claude-plugin/plugin.json': JSON.stringify({
        name: 'one',
        mcpServers: { db: { command: 'npx', args: ['db'] } },
      }),
      'plugins/one/hooks/hooks.json': JSON.stringify({
        hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: './evil.sh' }] }] },
      }),
      'plugins/one/commands/go.md': 'x',
      'plugins/one/agents/helper.md': 'x',
    });
    expect(names(fetched)).toEqual(['pdf plugins/one/special/pdf', 'notes plugins/one/skills/notes']);
    expect(fetched.pluginParts.map(({ kind, summary }) => `${kind}: ${summary}`)).toEqual([
      'mcp-server: db: npx db',
      'hook: PreToolUse runs `./evil.sh`',
      'command: go',
      'agent: helper',
      'other: the plugin "two" lies elsewhere: add it with "techne add o/r#v1"',
    ]);
    expect(fetched.refused).toEqual([
      {
        path: '.claude-plugin/marketplace.json',
        reason: 'the plugin "three" has the path "../../outside", which leaves the source',
      },
    ]);
  });

  it.each([
    [
      'plugin.json',
      { $schema: 'https://agentplugins.example/1.0.0/plugin.schema.json', name: 'p', skills: './other' },
      ['a skills/a'],
    ],
    ['.codex-plugin/plugin.json', { name: 'p', skills: './other' }, ['a skills/a', 'b other/b']],
    ['.claude-plugin/plugin.json', { name: 'p', skills: ['./other/b'] }, ['a skills/a', 'b other/b']],
    ['gemini-extension.json', { name: 'p', version: '1' }, ['a skills/a']],
  ])('reads %s', async (path, manifest, expected) => {
    const files = { 'skills/a/SKILL.md': skill('a'), 'other/b/SKILL.md': skill('b') };
    expect(names(await take({ ...files, [path]: JSON.stringify(manifest) }))).toEqual(expected);
  });

  it('says what is wrong with a manifest, and takes the skills all the same', async () => {
    const files = { 'skills/a/SKILL.md': skill('a') };
    for (const text of [
      '{',
      '[]',
      '['.repeat(100_000),
      '{"plugins":1}',
      '{"plugins":[1,{"__proto__":1,"source":"/etc"}]}',
    ]) {
      const fetched = await take({ ...files, '.claude-plugin/marketplace.json': text });
      expect(names(fetched)).toEqual(['a skills/a']);
      expect(fetched.refused.map(({ path }) => path)).toContain('.claude-plugin/marketplace.json');
    }
  });
});
