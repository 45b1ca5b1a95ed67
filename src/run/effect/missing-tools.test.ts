import { describe, expect, it } from 'vitest';
import type { ToolHost } from '../../ports/tool-host.ts';
import { missingTools } from './missing-tools.ts';

function hostWith(
  known: readonly string[],
  faults: readonly { readonly server: string; readonly message: string }[] = [],
) {
  const log: string[] = [];
  const host = {
    find: async (name: string) => {
      log.push(name);
      return known.includes(name) ? { name } : null;
    },
    list: async () => {
      log.push('list');
      return { tools: known.map((name) => ({ name })), faults };
    },
  } as unknown as ToolHost;
  return { host, log };
}
const down = (server: string, message = 'no such program') => ({ server, message });
const missingOf = async (host: ToolHost, wanted: readonly string[]) => {
  const { missing, notes } = await missingTools(host, wanted);
  return { missing: Object.fromEntries(missing), notes };
};

describe('missingTools', () => {
  it('are none when all are there, and then no list is made', async () => {
    const { host, log } = hostWith(['read_file', 'web__search'], [down('web')]);
    expect(await missingOf(host, ['read_file', 'web__search'])).toEqual({ missing: {}, notes: [] });
    expect(log).toEqual(['read_file', 'web__search']);
  });

  it('are named with the nearest one, which is then the reason', async () => {
    const { host, log } = hostWith(['read_file'], [down('web')]);
    expect(await missingOf(host, ['read_fil', 'zzzzzz'])).toEqual({
      missing: {
        read_fil: 'there is no tool "read_fil"; did you mean "read_file"?',
        zzzzzz: 'there is no tool "zzzzzz"',
      },
      notes: ['the server "web" is not there: no such program'],
    });
    expect(log).toEqual(['read_fil', 'list', 'zzzzzz']);
    expect((await missingOf(host, ['read_fil'])).notes).toEqual([]);
  });

  it('say which tools of servers a plain name could be', async () => {
    const { host } = hostWith(['one__look', 'two__look', 'three__see'], [down('web')]);
    expect(await missingOf(host, ['look'])).toEqual({
      missing: { look: '"look" could be one__look or two__look; write which' },
      notes: [],
    });
    expect((await missingOf(host, ['see'])).missing['see']).toMatch(/^there is no tool "see"/);
  });

  it.each(['web__search', 'mcp__web__search'])(
    'say that the server of %s is not there, which is not tried again',
    async (name) => {
      const { host, log } = hostWith(['webs__search'], [down('files'), down('web', 'it\u001b[1m ended')]);
      expect(await missingOf(host, [name, 'web__fetch'])).toEqual({
        missing: {
          [name]: `there is no tool "${name}", since the server "web" is not there`,
          web__fetch: 'there is no tool "web__fetch", since the server "web" is not there',
        },
        notes: [expect.stringMatching(/^the server "web" is not there: it/)],
      });
      expect(log).toEqual([name, 'list']);
    },
  );

  it('tell of a configuration that cannot be read, also for a tool of a server', async () => {
    const { host } = hostWith([], [down('.mcp.json', 'not JSON'), down('web')]);
    expect(await missingOf(host, ['other__tool'])).toEqual({
      missing: { other__tool: 'there is no tool "other__tool"' },
      notes: ['.mcp.json: not JSON'],
    });
  });

  it('are all missing where nothing can be looked up', async () => {
    const host = {
      find: () => Promise.reject(new Error('no')),
      list: () => Promise.reject(new Error('no')),
    } as unknown as ToolHost;
    expect(await missingOf(host, ['a'])).toEqual({ missing: { a: 'there is no tool "a"' }, notes: [] });
  });

  it('are shown up to 130 characters', async () => {
    const long = 'x'.repeat(131);
    expect((await missingOf(hostWith([]).host, [long])).missing[long]).toBe(
      `there is no tool "${'x'.repeat(130)}"`,
    );
  });
});
