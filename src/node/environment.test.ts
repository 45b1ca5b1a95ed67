import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeEnvironment, nodeClock, nodeSha256 } from './environment.ts';

const withPath = (path: string) =>
  createNodeEnvironment({ platform: 'linux', variables: { PATH: path }, homeFolder: '/home/me' });

describe('createNodeEnvironment', () => {
  let root: string;
  beforeEach(() => {
    root = fs.mkdtempSync(join(tmpdir(), 'techne-path-'));
    for (const folder of ['one', 'two']) fs.mkdirSync(join(root, folder));
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));
  const program = (path: string, mode = 0o755): void =>
    fs.writeFileSync(join(root, path), '#!/bin/false\n', { mode });

  it('finds the first file on PATH that may be executed', () => {
    program('one/tool', 0o644);
    program('two/tool');
    fs.mkdirSync(join(root, 'one/folder'));
    const environment = withPath(`${root}/nothing:${root}/one:${root}/two`);
    expect(environment.findProgram('tool')).toBe(`${root}/two/tool`);
    expect(environment.findProgram('folder')).toBeNull();
    expect(environment.findProgram('missing')).toBeNull();
  });

  it('takes names only, and no relative folders', () => {
    program('one/tool');
    const environment = withPath(`:.:one:${root}/two`);
    for (const name of ['tool', '', `${root}/one/tool`, '../one/tool', 'a\0b'])
      expect(environment.findProgram(name)).toBeNull();
  });

  it('looks once per name', () => {
    const environment = withPath(`${root}/one`);
    expect(environment.findProgram('tool')).toBeNull();
    program('one/tool');
    expect(environment.findProgram('tool')).toBeNull();
    expect(withPath(`${root}/one`).findProgram('tool')).toBe(`${root}/one/tool`);
  });

  it('survives a PATH it cannot search', () => {
    program('one/tool');
    expect(withPath('').findProgram('tool')).toBeNull();
    expect(createNodeEnvironment({ variables: {} }).findProgram('tool')).toBeNull();
    expect(withPath(`${root}/one/tool:${root}/${'x'.repeat(300)}:${root}/one`).findProgram('tool')).toBe(
      `${root}/one/tool`,
    );
  });

  it('reads the machine by default', () => {
    const environment = createNodeEnvironment();
    expect(environment.platform).toBe(process.platform);
    expect(environment.homeFolder).not.toBe('');
    expect(environment.findProgram('sh')).toMatch(/\/sh$/);
  });
});

describe('nodeSha256', () => {
  it('hashes text as UTF-8', () => {
    expect(nodeSha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(nodeSha256('ä')).toBe(nodeSha256(new Uint8Array([0xc3, 0xa4])));
  });
});

describe('nodeClock', () => {
  it('agrees with the clock of the file system', () => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'techne-clock-'));
    try {
      const { mtimeNs } = fs.statSync(folder, { bigint: true });
      const apart = nodeClock.nowNs() - mtimeNs;
      expect(apart > -1_000_000_000n && apart < 1_000_000_000n).toBe(true);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
