import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaFaults } from '../../../test/support/check-schema.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { PackageSource } from './package-files.ts';
import { packageFiles } from './package-files.ts';

const source: PackageSource = {
  version: '1.2.3',
  program: 'techne',
  programArgs: [],
  folderArgs: [],
  skills: [
    { name: 'tides', description: 'Looks at the moon.', argumentHint: '[harbour]', executable: false },
    { name: 'loop', description: 'Asks "twice".', argumentHint: null, executable: true },
    { name: '$(id)/../x', description: '!`id` $(id)\n---\n', argumentHint: '"', executable: true },
  ],
};
const { files } = packageFiles(source);
const json = (path: string): Json => JSON.parse(files.get(path) as string) as Json;
const text = { type: 'string' };
const texts = { type: 'array', items: text };
const name = { type: 'string', pattern: '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$' };
const closed = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const author = closed({ name: text }, 'name');
const about = { name, version: text, description: text, author, license: text, keywords: texts };
const stdio = (more: JsonObject = {}, ...required: readonly string[]): JsonObject =>
  closed(
    { techne: closed({ command: text, args: texts, ...more }, 'command', 'args', ...required) },
    'techne',
  );

/** What each host requires of its files, and no field besides. */
const schemas: { readonly [path: string]: JsonObject } = {
  '.claude-plugin/marketplace.json': closed(
    {
      name,
      owner: author,
      metadata: closed({ description: text, version: text }),
      plugins: {
        type: 'array',
        items: closed(
          { ...about, source: { const: './plugins/claude-code' }, category: text },
          'name',
          'source',
        ),
      },
    },
    'name',
    'owner',
    'plugins',
  ),
  '.agents/plugins/marketplace.json': closed(
    {
      name,
      interface: closed({ displayName: text }),
      plugins: {
        type: 'array',
        items: closed(
          {
            name,
            source: closed(
              { source: { const: 'local' }, path: { const: './plugins/codex' } },
              'source',
              'path',
            ),
            policy: closed({
              installation: { enum: ['AVAILABLE'] },
              authentication: { enum: ['ON_INSTALL'] },
            }),
            category: text,
          },
          'name',
          'source',
          'policy',
          'category',
        ),
      },
    },
    'name',
    'plugins',
  ),
  'plugins/claude-code/.claude-plugin/plugin.json': closed(
    { ...about, mcpServers: stdio({ alwaysLoad: { const: true } }, 'alwaysLoad') },
    'name',
    'mcpServers',
  ),
  'plugins/codex/.codex-plugin/plugin.json': closed(
    {
      ...about,
      skills: { const: './skills/' },
      mcpServers: { const: './.mcp.json' },
      interface: closed({
        displayName: text,
        shortDescription: text,
        longDescription: text,
        developerName: text,
        category: text,
        capabilities: texts,
        defaultPrompt: texts,
      }),
    },
    'name',
    'version',
    'description',
    'mcpServers',
  ),
  'plugins/codex/.mcp.json': closed(
    { mcpServers: stdio({ required: { const: true } }, 'required') },
    'mcpServers',
  ),
  'plugins/gemini/gemini-extension.json': closed(
    { name, version: text, description: text, contextFileName: { const: 'GEMINI.md' }, mcpServers: stdio() },
    'name',
    'version',
    'mcpServers',
  ),
  'plugins/agent-plugin/plugin.json': closed(
    { ...about, $schema: { const: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json' } },
    '$schema',
    'name',
  ),
  'plugins/agent-plugin/mcp.json': closed(
    {
      $schema: { const: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json' },
      mcpServers: stdio({ type: { const: 'stdio' } }, 'type'),
    },
    '$schema',
    'mcpServers',
  ),
};

describe('packageFiles', () => {
  it('makes these files', async () => {
    await expect(
      [...files].map(([path, content]) => `==== ${path}\n${content}`).join('\n'),
    ).toMatchFileSnapshot('../../../test/golden/packages/files.txt');
  });

  it.each(Object.entries(schemas))('%s has what its host reads', (path, schema) => {
    expect(schemaFaults(json(path), schema, schema)).toEqual([]);
  });

  it('checks every JSON file', () => {
    expect([...files.keys()].filter((path) => path.endsWith('.json'))).toEqual(Object.keys(schemas).sort());
  });

  it('gives the server of every host the same arguments, and folders to all', () => {
    const made = packageFiles({
      ...source,
      program: '/node',
      programArgs: ['/techne.mjs'],
      folderArgs: ['--workspace', '/a b', '--root', '/"c'],
    }).files;
    for (const path of Object.keys(schemas)) {
      const found = /"techne": \{\s+(?:"type": "stdio",\s+)?"command"[^]*?\]/.exec(
        made.get(path) as string,
      )?.[0];
      if (found === undefined) continue;
      const { args } = JSON.parse(`{${found.slice(found.indexOf('"args"'))}}`) as { args: readonly string[] };
      expect(args.slice(0, 8)).toEqual([
        '/techne.mjs',
        'mcp',
        '--answer',
        'caller',
        '--workspace',
        '/a b',
        '--root',
        '/"c',
      ]);
      expect(args.slice(8)).toEqual(path.includes('codex') ? ['--page', '9000'] : []);
    }
  });

  it('explains the tools in the same words to every host', () => {
    const guides = [...files].filter(([path]) => path.endsWith('use-techne/SKILL.md')).map(([, one]) => one);
    expect([guides.length, new Set(guides).size]).toEqual([3, 1]);
    const [, head, body] = /^---\n([^]*?)---\n\n([^]*)$/.exec(guides[0] as string) ?? [];
    expect(parse(head as string)).toMatchObject({ name: 'use-techne' });
    expect(body).toBe(files.get('plugins/gemini/GEMINI.md'));
    expect(body).toContain('`run_metaskill`');
  });

  it('tells people of Gemini CLI to trust the folder', () => {
    expect(files.get('plugins/gemini/README.md')).toContain(
      'It starts servers only in a folder that it trusts',
    );
  });

  it('makes the same bytes of the same source, in any order', () => {
    expect(packageFiles({ ...source, skills: [...source.skills].reverse() }).files).toEqual(files);
  });
});
