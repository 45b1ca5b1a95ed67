import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { parseJson } from '../../base/json.ts';
import { nodeSha256 } from '../../node/environment.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { FileFault } from '../../ports/files.ts';
import { manifestOf } from '../../skill/resources.ts';
import { generateKeyPem, parsePrivateKey } from '../sign/signing-key.ts';
import type { SigningKey } from '../sign/signing-key.ts';
import { verifyIndex } from '../sign/verify-index.ts';
import type { IndexSkill, SkillIndex } from '../source/index-format.ts';
import { indexPaths } from '../source/index-format.ts';
import { readIndex } from '../source/read-index.ts';
import type { FetchedFile } from '../source/source.ts';
import type { PublishOptions, PublishableSkill } from './publish-site.ts';
import { publishSite } from './publish-site.ts';

let folder: string;
let options: PublishOptions;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-publish-')));
  options = {
    files: createNodeFiles(),
    sha256: nodeSha256,
    site: join(folder, 'site'),
    key: null,
    title: null,
    base: null,
    now: '2026-02-03T04:05:06.000Z',
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function skill(
  name: string,
  version: string | null = '1.0.0',
  more: Record<string, string> = {},
): PublishableSkill {
  const text = `---\nname: ${name}\ndescription: Tide tables for ${name}.\n---\n# ${name}\n\nLook it up.\n`;
  const files = new Map<string, FetchedFile>([['SKILL.md', file(text)]]);
  for (const [path, content] of Object.entries(more))
    files.set(path, file(content, path.startsWith('scripts/')));
  return {
    name,
    description: `Tide tables for ${name}.`,
    declaredVersion: version,
    license: 'MIT',
    triggers: ['tide table'],
    files,
  };
}

function file(content: string, executable = false): FetchedFile {
  return { bytes: Buffer.from(content), executable };
}

function newKey(): SigningKey {
  return parsePrivateKey(generateKeyPem().privatePem) as SigningKey;
}

function indexText(): string {
  return readFileSync(join(options.site, indexPaths.v2), 'utf8');
}

function index(): SkillIndex {
  return parseJson(indexText()) as unknown as SkillIndex;
}

/** Path -> content of every file below. */
function treeOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), readFileSync(path).toString('base64')]),
  );
}

describe('a publication', () => {
  it('writes an index that readers of version 0.2 understand, with the artifact beside it', async () => {
    const { skills, changed, listed } = await publishSite([skill('tides')], options);
    expect({ changed, listed, status: skills[0]?.status }).toEqual({
      changed: true,
      listed: 1,
      status: 'new',
    });
    const reading = readIndex(parseJson(indexText()));
    expect(reading).toMatchObject({ version: '0.2', skipped: [], sequence: 1 });
    const [entry] = index().skills as readonly [IndexSkill];
    expect(entry).toMatchObject({
      name: 'tides',
      type: 'archive',
      description: 'Tide tables for tides.',
      url: 'tides/tides-1.0.0.tar.gz',
      version: '1.0.0',
      license: 'MIT',
      publishedAt: options.now,
    });
    const bytes = readFileSync(join(options.site, '.well-known/agent-skills', entry.url));
    expect(entry.digest).toBe(`sha256:${nodeSha256(bytes)}`);
    expect(entry.size).toBe(bytes.length);
    expect(existsSync(join(options.site, 'skills/tides/index.html'))).toBe(true);
    expect(existsSync(join(options.site, '.nojekyll'))).toBe(true);
  });

  it('gives the same bytes for the same skills, and changes nothing the second time', async () => {
    await publishSite([skill('tides'), skill('moon')], options);
    const first = treeOf(options.site);
    const again = await publishSite([skill('moon'), skill('tides')], {
      ...options,
      now: '2027-01-01T00:00:00Z',
    });
    expect(again).toMatchObject({ changed: false, sequence: 1 });
    expect(again.skills.map(({ status }) => status)).toEqual(['same', 'same']);
    expect(treeOf(options.site)).toEqual(first);
    const elsewhere = { ...options, site: join(folder, 'other') };
    await publishSite([skill('moon'), skill('tides')], elsewhere);
    expect(treeOf(elsewhere.site)).toEqual(first);
  });

  it('keeps older versions listed, the newest first whatever the order of publication', async () => {
    for (const version of ['1.9.0', '1.10.0', '1.2.0', '2.0.0-rc.1'])
      await publishSite([skill('tides', version, { 'notes.md': version })], options);
    const [entry] = index().skills as readonly [IndexSkill];
    expect(entry.versions?.map(({ version }) => version)).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0', '1.2.0']);
    expect(entry.version).toBe('2.0.0-rc.1');
    expect(index().sequence).toBe(4);
    for (const { url } of entry.versions ?? [])
      expect(existsSync(join(options.site, '.well-known/agent-skills', url))).toBe(true);
  });

  it('takes the version from the content where none is declared', async () => {
    await publishSite([skill('tides', null)], options);
    await publishSite([skill('tides', null, { 'a.md': 'a' })], options);
    const [entry] = index().skills as readonly [IndexSkill];
    expect(entry.version).toMatch(/^0\.0\.0-[0-9a-f]{12}$/);
    expect(entry.version?.slice(6)).toBe(entry.tree?.slice(7, 19));
    expect(entry.versions).toHaveLength(2);
  });

  it.each<[string, string, string]>([
    ['other content under a published version', '1.0.0', 'is published already, with other content'],
    ['a version that differs in case alone', '1.0.0-RC', 'is published already, with other content'],
    ['a version that is no file name', '../1', 'cannot be published'],
    ['a version with spaces', '1 0', 'cannot be published'],
  ])('refuses %s and changes nothing', async (_, version, why) => {
    await publishSite([skill('tides'), skill('moon', '1.0.0-rc')], options);
    const before = treeOf(options.site);
    const name = version === '1.0.0-RC' ? 'moon' : 'tides';
    await expect(publishSite([skill('new'), skill(name, version, { 'b.md': 'b' })], options)).rejects.toThrow(
      why,
    );
    expect(treeOf(options.site)).toEqual(before);
  });

  it('does not overwrite a page or an index of someone else', async () => {
    await publishSite([skill('tides')], options);
    const page = join(options.site, 'index.html');
    writeFileSync(page, '<h1>Mine</h1>');
    await expect(publishSite([skill('moon')], options)).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readFileSync(page, 'utf8')).toBe('<h1>Mine</h1>');
    rmSync(page);
    for (const text of ['{', '[]', '{"skills":[]}', '{"$schema":"x","skills":[]}']) {
      writeFileSync(join(options.site, indexPaths.v2), text);
      await expect(publishSite([skill('moon')], options)).rejects.toMatchObject({ code: 'FILE_INVALID' });
      expect(indexText()).toBe(text);
    }
  });

  it('refuses to continue a hub whose artifact was changed, and heals it when that version is published again', async () => {
    await publishSite([skill('tides'), skill('moon')], options);
    const artifact = join(options.site, '.well-known/agent-skills/tides/tides-1.0.0.tar.gz');
    const bytes = readFileSync(artifact);
    writeFileSync(artifact, 'something else');
    await expect(publishSite([skill('moon')], options)).rejects.toThrow(
      'was changed, and the index lists it',
    );
    rmSync(artifact);
    await expect(publishSite([skill('moon')], options)).rejects.toThrow('is missing, and the index lists it');
    await publishSite([skill('tides')], options);
    expect(readFileSync(artifact).equals(bytes)).toBe(true);
  });
});

describe('a signed hub', () => {
  it('verifies, and stays signed by the same key', async () => {
    const key = newKey();
    await publishSite([skill('tides')], { ...options, key });
    const value = parseJson(indexText()) as Json;
    expect(verifyIndex('x', value, { keys: [], hubs: [] }).publisher?.keyId).toBe(key.keyId);
    await expect(publishSite([skill('moon')], options)).rejects.toThrow('no key was given');
    await expect(publishSite([skill('moon')], { ...options, key: newKey() })).rejects.toThrow(
      'you gave another key',
    );
    expect((await publishSite([skill('moon')], { ...options, key })).sequence).toBe(2);
  });

  it('signs nothing that was changed behind its back', async () => {
    const key = newKey();
    await publishSite([skill('tides')], { ...options, key });
    writeFileSync(join(options.site, indexPaths.v2), indexText().replace('Tide tables', 'Evil tables'));
    await expect(publishSite([skill('moon')], { ...options, key })).rejects.toMatchObject({
      code: 'HUB_SIGNATURE',
    });
  });

  it('can be signed later', async () => {
    await publishSite([skill('tides')], options);
    const key = newKey();
    expect(await publishSite([skill('tides')], { ...options, key })).toMatchObject({
      changed: true,
      keyId: key.keyId,
    });
  });
});

describe('an interrupted publication', () => {
  it('leaves the old or the new index at every write, and the next one heals', async () => {
    await publishSite([skill('tides')], options);
    const expected = { ...options, site: join(folder, 'expected') };
    await publishSite([skill('tides')], expected);
    await publishSite([skill('moon'), skill('tides', '1.1.0', { 'x.md': 'x' })], expected);
    const [before, after] = [indexText(), readFileSync(join(expected.site, indexPaths.v2), 'utf8')];
    let seenNew = 0;
    for (let nth = 1; ; nth += 1) {
      const site = join(folder, `killed-${nth}`);
      cpSync(options.site, site, { recursive: true });
      let writes = 0;
      const files = createNodeFiles();
      const failing: typeof files = {
        ...files,
        async writeAtomic(path, bytes, mode) {
          writes += 1;
          if (writes !== nth) return files.writeAtomic(path, bytes, mode);
          // As a killed process leaves it: a temporary file, and nothing else.
          const name = path.slice(path.lastIndexOf('/') + 1);
          const place = path.slice(0, path.lastIndexOf('/'));
          execFileSync('mkdir', ['-p', place]);
          writeFileSync(join(place, `.${name}.99999.0123456789ab.tmp`), 'half');
          throw new FileFault('io', path, 'killed');
        },
      };
      const outcome = await publishSite([skill('moon'), skill('tides', '1.1.0', { 'x.md': 'x' })], {
        ...options,
        site,
        files: failing,
      }).then(
        () => 'done',
        () => 'killed',
      );
      const text = readFileSync(join(site, indexPaths.v2), 'utf8');
      expect([before, after]).toContain(text);
      if (text === after) seenNew += 1;
      // Whatever index a reader sees, it leads to artifacts that are there.
      for (const { versions = [] } of (parseJson(text) as unknown as SkillIndex).skills)
        for (const { url, digest } of versions)
          expect(`sha256:${nodeSha256(readFileSync(join(site, '.well-known/agent-skills', url)))}`).toBe(
            digest,
          );
      await publishSite([skill('moon'), skill('tides', '1.1.0', { 'x.md': 'x' })], { ...options, site });
      expect(Object.keys(treeOf(site))).toEqual(Object.keys(treeOf(expected.site)));
      expect(treeOf(site)).toEqual(treeOf(expected.site));
      if (outcome === 'done') break;
    }
    expect(seenNew).toBeGreaterThan(1);
  });
});

describe('an artifact', () => {
  const segment = fc
    .oneof(
      fc.stringMatching(/^[a-z0-9_.-]{1,12}$/),
      fc.constantFrom('ümlaut', '日本語', 'a b', 'x'.repeat(90), 'y'.repeat(140)),
    )
    .filter((text) => text !== '.' && text !== '..');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const content = fc.record({ bytes: fc.uint8Array({ maxLength: 1500 }), executable: fc.boolean() });

  it('unpacks to exactly the files it was made of, and depends on nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, content, { maxKeys: 8 }), async (generated) => {
        const chosen = Object.entries(generated).filter(
          ([one]) =>
            one !== 'SKILL.md' && !Object.keys(generated).some((other) => other.startsWith(`${one}/`)),
        );
        const base = skill('tides', '1.0.0');
        const all = [...base.files, ...chosen.filter(([one]) => !one.startsWith('SKILL.md/'))];
        const site = mkdtempSync(join(folder, 'property-'));
        const reversed = mkdtempSync(join(folder, 'property-'));
        await publishSite([{ ...base, files: new Map(all) }], { ...options, site });
        await publishSite([{ ...base, files: new Map(all.toReversed()) }], { ...options, site: reversed });
        expect(treeOf(reversed)).toEqual(treeOf(site));
        const [entry] = (parseJson(readFileSync(join(site, indexPaths.v2), 'utf8')) as unknown as SkillIndex)
          .skills as readonly [IndexSkill];
        const unpacked = mkdtempSync(join(folder, 'unpacked-'));
        // A reader that is not ours.
        execFileSync('tar', ['-xzf', join(site, '.well-known/agent-skills', entry.url), '-C', unpacked]);
        expect(treeOf(unpacked)).toEqual(
          Object.fromEntries(all.map(([one, { bytes }]) => [one, Buffer.from(bytes).toString('base64')])),
        );
        const files = all.map(([one, { bytes, executable }]) => ({
          path: one,
          size: bytes.length,
          executable,
          sha256: nodeSha256(bytes),
        }));
        expect(entry.tree).toBe(manifestOf(files, nodeSha256).digest);
        for (const one of [site, reversed, unpacked]) rmSync(one, { recursive: true, force: true });
      }),
      { numRuns: 40 },
    );
  });
});
