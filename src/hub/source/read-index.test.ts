import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { indexSchema } from './index-format.ts';
import type { IndexReading } from './read-index.ts';
import { readIndex } from './read-index.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const tree = `sha256:${'b'.repeat(64)}`;
const tides = { name: 'tides', type: 'archive', description: 'Tide tables.', url: 'tides.tar.gz', digest };

function v2(...skills: Json[]): Json {
  return { $schema: indexSchema, skills };
}

function usable(value: Json): Extract<IndexReading, { skipped: unknown }> {
  const reading = readIndex(value);
  if (reading.version === null) throw new Error(reading.reason);
  return reading;
}

describe('an index', () => {
  it('of version 0.2 is read without any field of ours', () => {
    expect(readIndex(v2(tides))).toEqual({
      version: '0.2',
      title: null,
      sequence: null,
      skills: [tides],
      skipped: [],
    });
  });

  it('of version 0.1 lists files', () => {
    const skill = { name: 'tides', description: 'Tides.', files: ['SKILL.md', 'a/b.md'] };
    expect(readIndex({ skills: [skill] })).toEqual({ version: '0.1', skills: [skill], skipped: [] });
  });

  it('keeps our fields, and leaves out each that has the wrong shape', () => {
    const version = {
      version: '1.0.0',
      url: tides.url,
      digest,
      tree,
      size: 7,
      publishedAt: '2026-01-02T03:04:05Z',
    };
    const ours = {
      ...tides,
      ...version,
      versions: [version],
      page: 'a.html',
      license: 'MIT',
      triggers: ['tide'],
    };
    expect(usable(v2(ours)).skills).toEqual([ours]);
    expect(
      usable(
        v2({
          ...tides,
          version: 1,
          tree: 'sha256:x',
          size: -1,
          publishedAt: 'yesterday',
          versions: [{ version: '1' }, null, { ...version, digest: 'x' }],
          page: 4,
          license: {},
          triggers: [1, 'tide'],
        }),
      ).skills,
    ).toEqual([{ ...tides, triggers: ['tide'] }]);
  });

  it.each<[string, Json, string]>([
    ['a list', [], 'it is not a JSON object'],
    [
      'another schema',
      { $schema: 'https://x.example/9', skills: [] },
      'its "$schema" is "https://x.example/9", which techne does not know',
    ],
    ['no skills', { $schema: indexSchema }, 'it has no list "skills"'],
    ['too many skills', { skills: Array<Json>(10_001).fill(null) }, 'it lists more than 10000 skills'],
  ])('is refused: %s', (_, value, reason) => {
    expect(readIndex(value)).toEqual({ version: null, reason });
  });

  it.each<[string, Json, string]>([
    ['no name', { ...tides, name: 3 }, 'it has no "name"'],
    [
      'a path as name',
      { ...tides, name: '../x' },
      'its name is not made of a-z, 0-9 and single hyphens, at most 64',
    ],
    ['no description', { ...tides, description: null }, 'it has no "description"'],
    [
      'an unknown type',
      { ...tides, type: 'image' },
      'its type is "image"; techne reads "skill-md" and "archive"',
    ],
    ['no url', { ...tides, url: '' }, 'it has no "url"'],
    [
      'a digest in capitals',
      { ...tides, digest: digest.toUpperCase() },
      'its "digest" is not "sha256:" and 64 hex digits',
    ],
    ['a name twice', tides, 'the name is listed twice'],
  ])('skips an entry with %s and keeps the others', (_, entry, reason) => {
    const { skills, skipped } = usable(v2(tides, entry));
    expect(skills.map(({ name }) => name)).toEqual(['tides']);
    expect(skipped.map((one) => one.reason)).toEqual([reason]);
  });

  it.each<[Json]>([[['../x', 'SKILL.md']], [['SKILL.md', 3]], [['a.md']], ['SKILL.md']])(
    'skips a skill of version 0.1 with the files %j',
    (files) => {
      const { skills, skipped } = usable({ skills: [{ name: 'tides', description: '', files }] });
      expect(skills).toEqual([]);
      expect(skipped).toHaveLength(1);
    },
  );
});
