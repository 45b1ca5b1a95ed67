import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../base/utf8.ts';
import type { TravelManifest } from './manifest.ts';
import { linkTarget, parseManifest, renderManifest } from './manifest.ts';

const digest = `sha256:${'a'.repeat(64)}` as const;
const file = (path: string) => ({ path, digest, size: 1, executable: false });
/** As someone else might write it, without our checks. */
const forged = (manifest: TravelManifest): Uint8Array =>
  encodeUtf8(`${JSON.stringify({ version: 1, ...manifest })}\n`);

describe('renderManifest', () => {
  it('gives one text for one tree, which parses to the same', () => {
    const manifest = {
      files: [file('b/run.sh'), file('a.txt')],
      links: [{ path: 'now', target: 'b/run.sh' }],
    };
    const bytes = renderManifest(manifest);
    expect(parseManifest(bytes)).toEqual({ ...manifest, files: manifest.files.toReversed() });
    expect(renderManifest({ ...manifest, files: manifest.files.toReversed() })).toEqual(bytes);
  });
});

describe('parseManifest', () => {
  it.each([
    ['../out'],
    ['a/../../out'],
    ['/etc/passwd'],
    ['C:/windows'],
    ['a\\b'],
    ['a//b'],
    ['./a'],
    ['a\0b'],
    ['aux'],
    ['docs/NUL.txt'],
    ['com1'],
    ['.git/config'],
    ['sub/.GIT/hooks/post-checkout'],
    ['name.'],
    ['~/x'],
    [''],
  ])('refuses the path %j', (path) => {
    expect(() => parseManifest(forged({ files: [file(path)], links: [] }))).toThrow(
      expect.objectContaining({ code: 'MANIFEST_INVALID' }),
    );
  });

  it.each<[string, TravelManifest]>([
    ['names that differ in case', { files: [file('Readme'), file('readme')], links: [] }],
    ['a file and a folder of one name', { files: [file('a'), file('a/b')], links: [] }],
    ['the same path twice', { files: [file('a'), file('a')], links: [] }],
    ['a file below a link', { files: [file('a/b')], links: [{ path: 'a', target: 'c' }] }],
    ['a link that leads out', { files: [], links: [{ path: 'a/b', target: '../../c' }] }],
    ['a link to an absolute path', { files: [], links: [{ path: 'a', target: '/etc' }] }],
    ['files in another order', { files: [file('b'), file('a')], links: [] }],
    ['a size that is none', { files: [{ ...file('a'), size: -1 }], links: [] }],
    ['a digest that is none', { files: [{ ...file('a'), digest: 'sha256:x' }], links: [] }],
  ])('refuses %s', (_, manifest) => {
    expect(() => parseManifest(forged(manifest))).toThrow(
      expect.objectContaining({ code: 'MANIFEST_INVALID' }),
    );
  });

  it('refuses what is no manifest, and one that is not written as techne does', () => {
    for (const text of ['', '{', '[]', '{"version":1}', '{"version":1,"files":[3],"links":[]}\n'])
      expect(() => parseManifest(encodeUtf8(text))).toThrow(
        expect.objectContaining({ code: 'MANIFEST_INVALID' }),
      );
    const { text } = decodeUtf8(renderManifest({ files: [file('a')], links: [] }));
    expect(() => parseManifest(encodeUtf8(text.replace('"version":1', '"version":2')))).toThrow('as techne');
    expect(() => parseManifest(encodeUtf8(` ${text}`))).toThrow('as techne');
  });

  it('refuses more files or bytes than fit', () => {
    const bytes = forged({ files: [file('a'), file('b')], links: [] });
    for (const limits of [
      { files: 1, bytes: 10 },
      { files: 10, bytes: 1 },
    ])
      expect(() => parseManifest(bytes, limits)).toThrow(expect.objectContaining({ code: 'FILE_LIMIT' }));
  });
});

describe('linkTarget', () => {
  it.each([
    ['a/b', '../c', 'c'],
    ['a/b', './x', 'a/x'],
    ['a', '..', null],
    ['a', '', null],
    ['a/b', '../..', null],
  ])('of %s -> %s is %s', (path, target, expected) => {
    expect(linkTarget({ path, target })).toBe(expected);
  });
});
