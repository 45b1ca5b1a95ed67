import { describe, expect, it } from 'vitest';
import { TechneError } from '../../base/error.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import { indexSchema } from '../source/index-format.ts';
import type { ReadHub, ReadHubOptions } from './read-hub.ts';
import { hubUrl } from '../source/hub-address.ts';
import { readHub } from './read-hub.ts';
import { searchHubs } from './search-hubs.ts';

const digest = `sha256:${'a'.repeat(64)}`;

function skill(
  name: string,
  description: string,
  triggers: readonly string[] = [],
): ReadHub['skills'][number] {
  return { name, type: 'archive', description, url: `${name}.tar.gz`, digest, version: '1.0.0', triggers };
}

function hub(address: string, ...skills: ReadHub['skills']): ReadHub {
  return { address, title: null, publisher: null, skills, skipped: [], index: {} };
}

const harbour = hub(
  'https://harbour.example/',
  skill('tides', 'Look up tide tables for a port.', ['tide table']),
  skill('release-notes', 'Write release notes from the commits since the last tag.'),
  skill('sql-review', 'Review SQL queries for slow joins.'),
);

describe('a search of hubs', () => {
  const names = (query: string, ...hubs: ReadHub[]): readonly string[] =>
    searchHubs(hubs, query).map((hit) => `${hit.name} at ${hit.hub}`);

  it('finds what has every word first, then what the matcher finds, with its reason', () => {
    expect(names('tide', harbour)).toEqual(['tides at https://harbour.example/']);
    const hits = searchHubs([harbour], 'summarise my commits for the new release');
    expect(hits.map(({ name }) => name)[0]).toBe('release-notes');
    expect(hits[0]?.reason).not.toBeNull();
  });

  it('lists everything by name without words', () => {
    expect(searchHubs([harbour], '').map(({ name }) => name)).toEqual([
      'release-notes',
      'sql-review',
      'tides',
    ]);
  });

  it('keeps skills of one name in two hubs apart', () => {
    const other = hub('https://other.example/', skill('tides', 'Tide tables, too.'));
    expect(names('tide tables', harbour, other).toSorted()).toEqual([
      'tides at https://harbour.example/',
      'tides at https://other.example/',
    ]);
  });

  it('finds nothing where nothing fits', () => {
    expect(names('quantum chromodynamics', harbour)).toEqual([]);
  });
});

describe('a hub', () => {
  const index = JSON.stringify({ $schema: indexSchema, title: 'Harbour', skills: harbour.skills });

  function answering(answers: { readonly [url: string]: string }): ReadHubOptions {
    return {
      files: createMemoryFiles(),
      verify: async () => null,
      download: async (url) => {
        const text = answers[url.href];
        if (text === undefined) throw new TechneError('SOURCE_UNREACHABLE', `nothing at ${url.href}`);
        return encodeUtf8(text);
      },
    };
  }

  it.each([
    'https://x.example',
    'https://x.example/?a#b',
    'https://x.example/.well-known/agent-skills/index.json',
    'https://x.example/.well-known/skills/index.json',
  ])('is found from %s', async (text) => {
    const read = await readHub(
      { kind: 'address', url: new URL(text) },
      answering({ 'https://x.example/.well-known/agent-skills/index.json': index }),
    );
    expect([read.address, read.title, read.skills.length]).toEqual(['https://x.example/', 'Harbour', 3]);
  });

  it('below a path has its index there', () => {
    expect(hubUrl(new URL('https://x.example/team/skills')).href).toBe('https://x.example/team/skills/');
  });

  it('with an index of version 0.1 is read, too', async () => {
    const old = '{"skills":[{"name":"tides","description":"Tides.","files":["SKILL.md"]}]}';
    const read = await readHub(
      { kind: 'address', url: new URL('https://x.example') },
      answering({ 'https://x.example/.well-known/skills/index.json': old }),
    );
    expect(searchHubs([read], 'tides')).toEqual([
      {
        name: 'tides',
        description: 'Tides.',
        version: null,
        publisher: null,
        hub: 'https://x.example/',
        source: 'https://x.example/',
        reason: null,
      },
    ]);
  });

  it('in a folder is what techne add takes', () => {
    const local = { ...harbour, address: '/hub' };
    expect(new Set(searchHubs([local], 'tides').map((hit) => hit.source))).toEqual(new Set(['/hub']));
  });

  it('is refused when its signature is, before anything of it is used', async () => {
    const options = {
      ...answering({ 'https://x.example/.well-known/agent-skills/index.json': '{"nonsense":1}' }),
      verify: () => Promise.reject(new TechneError('HUB_SIGNATURE', 'broken')),
    };
    await expect(
      readHub({ kind: 'address', url: new URL('https://x.example') }, options),
    ).rejects.toMatchObject({
      code: 'HUB_SIGNATURE',
    });
  });

  it.each([['{'], ['[]'], ['{"$schema":"x","skills":[]}']])(
    'with the index %s cannot be used',
    async (text) => {
      await expect(
        readHub(
          { kind: 'address', url: new URL('https://x.example') },
          answering({ 'https://x.example/.well-known/agent-skills/index.json': text }),
        ),
      ).rejects.toMatchObject({ code: 'SOURCE_DAMAGED' });
    },
  );

  it('that is not there is said to be missing, by its usual place', async () => {
    await expect(
      readHub({ kind: 'address', url: new URL('https://x.example') }, answering({})),
    ).rejects.toThrow('nothing at https://x.example/.well-known/agent-skills/index.json');
    await expect(readHub({ kind: 'folder', path: '/none' }, answering({}))).rejects.toThrow(
      'there is no hub in "/none"',
    );
  });
});
