import { describe, expect, it } from 'vitest';
import { createMemoryFiles } from '../ports/memory-files.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { callTool } from '../ports/tool.ts';
import type { Json } from '../base/json.ts';
import { createGraphTools } from './graph-tools.ts';
import { Vault } from './vault.ts';

const files = createMemoryFiles({
  '/v/Sets.md': '---\ntype: concept\nstatus: done\n---\n# Sets\nleads_to:: [[Maps]]',
  '/v/Maps.md': '---\ntype: concept\n---\nmaps of sets',
  '/v/x/Twin.md': '',
  '/v/y/Twin.md': '\u001b[31m',
});
const tools = createGraphTools(async () => new Vault({ files, folder: '/v', parseFull: nodeParseFull }));
const call = async (name: string, args: Json): Promise<string> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  return (await callTool(tool, args)).text;
};

describe('createGraphTools', () => {
  it('finds notes', async () => {
    expect(await call('graph_query', { type: 'concept' })).toBe('Maps.md (concept)\nSets.md (concept): Sets');
    expect(await call('graph_query', { property: 'status', value: 'done' })).toBe('Sets.md (concept): Sets');
    expect(await call('graph_query', { to: 'maps', words: 'sets' })).toBe('Sets.md (concept): Sets');
    expect(await call('graph_query', { limit: 1 })).toBe(
      'Maps.md (concept)\n… and 3 more; raise limit or ask for less',
    );
    expect(await call('graph_query', { words: 'nowhere' })).toBe('No note fits.');
  });

  it('shows neighbours with their edges', async () => {
    expect(await call('graph_neighbours', { note: 'sets' })).toBe(
      'Maps.md (concept) [Sets.md -leads_to-> this]',
    );
    expect(await call('graph_neighbours', { note: 'Maps', direction: 'out' })).toBe(
      '"Maps" has no linked notes.',
    );
  });

  it('says what is wrong with a call', async () => {
    expect(await call('graph_neighbours', { note: 'Set' })).toBe(
      'error: there is no note "Set"\nDid you mean "Sets"?',
    );
    expect(await call('graph_neighbours', { note: 'twin' })).toBe(
      'error: 2 notes are called "twin"\nGive the path of one: x/Twin.md, y/Twin.md',
    );
    expect(await call('graph_query', { value: 'x' })).toBe(
      'error: value needs property\nGive the name of the property, too.',
    );
    expect(await call('graph_query', { typ: 'x' })).toMatch(/^error: .*typ/);
  });
});
