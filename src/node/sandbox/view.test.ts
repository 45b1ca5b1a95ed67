import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityFiles, isSystemPath, lstat, realPath, systemFoldersHere, toolchains } from './view.ts';

let top: string;
const at = (...names: readonly string[]): string => join(top, ...names);
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'techne-view-')));
  for (const folder of [
    'opt/tool/bin',
    'opt/tool/libexec',
    'opt/tool/sbin',
    'opt/linked/bin',
    'opt/bin',
    'optional/bin',
    'store/abc-tool/bin',
    'links',
    'node/bin',
    'node/lib/node_modules',
    'node/share',
  ])
    fs.mkdirSync(at(folder), { recursive: true });
  for (const file of ['opt/tool/bin/run', 'opt/bin/run', 'node/bin/node', 'optional/bin/run'])
    fs.writeFileSync(at(file), '');
  fs.symlinkSync(at('opt/tool/bin/run'), at('links/run'));
  fs.symlinkSync(at('opt/tool/bin'), at('links/bin'));
  fs.symlinkSync(at('optional/bin/run'), at('opt/linked/bin/run'));
});
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

describe('toolchains', () => {
  /** Of a machine whose Node is part of the system, so that it adds nothing. */
  const found = (search: string, program: string | null = null): readonly string[] =>
    toolchains(search, program, { homes: [at('opt'), at('store')], node: '/usr/bin/node' }).map((path) =>
      path.slice(top.length + 1),
    );

  it.each([
    ['a folder of programs is the whole it belongs to', ['opt/tool/bin'], ['opt/tool']],
    ['so is one for the superuser', ['opt/tool/sbin'], ['opt/tool']],
    ['another folder is only itself', ['opt/tool/libexec'], ['opt/tool/libexec']],
    ['a store is shown whole, since its parts link to each other', ['store/abc-tool/bin'], ['store']],
    ['a home itself is not shown', ['opt', 'opt/bin', 'store'], []],
    ['a folder is followed to where it really is', ['links/bin'], ['opt/tool']],
    ['what is elsewhere is not shown', ['links', 'optional/bin'], []],
    ['what is not there is not shown', ['opt/gone/bin'], []],
    ['nothing is shown twice', ['opt/tool/bin', 'opt/tool/sbin'], ['opt/tool']],
  ])('of PATH: %s', (_what, search, shown) => {
    expect(found(search.map((name) => at(name)).join(':'))).toEqual(shown);
  });

  it('of PATH: relative folders and empty ones are left out', () => {
    expect(found(`opt/tool/bin::${at('opt/tool/libexec')}`)).toEqual(['opt/tool/libexec']);
  });

  it.each([
    ['by its folder', 'opt/tool/bin/run', ['opt/tool']],
    ['by where it really is', 'links/run', ['opt/tool']],
    ['by its folder, although it really is elsewhere', 'opt/linked/bin/run', ['opt/linked']],
    ['not beside the homes', 'optional/bin/run', []],
    ['not in a home itself', 'opt/bin/run', []],
  ])('of a program: %s', (_what, program, shown) => {
    expect(found('', at(program))).toEqual(shown);
  });

  it('have the parts of Node that are there, unless it is part of the system', () => {
    expect(toolchains('', null, { homes: [], node: at('node/bin/node') })).toEqual([
      at('node/bin'),
      at('node/lib/node_modules'),
    ]);
    expect(toolchains('', null, { homes: [], node: '/usr/bin/no-such-node' })).toEqual([]);
  });

  it('are of this machine by default', () => {
    const node = fs.realpathSync(process.execPath);
    expect(toolchains('', null)).toEqual(
      node.startsWith('/usr/')
        ? []
        : ['bin', 'lib/node_modules', 'include/node']
            .map((name) => join(node, '..', '..', name))
            .filter((path) => fs.existsSync(path)),
    );
  });
});

describe('systemFoldersHere', () => {
  it('are those that are there, and where links lead', () => {
    const there = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].filter((path) =>
      fs.existsSync(path),
    );
    expect(systemFoldersHere()).toEqual(
      there.map((path) => ({
        path,
        linksTo: fs.lstatSync(path).isSymbolicLink() ? fs.readlinkSync(path) : null,
      })),
    );
  });
});

describe('isSystemPath', () => {
  it.each([
    ['/usr', true],
    ['/usr/local/bin/x', true],
    ['/lib64/ld.so', true],
    ['/users/x', false],
    ['/opt/usr', false],
    ['/', false],
  ])('of %s is %s', (path, is) => {
    expect(isSystemPath(path)).toBe(is);
  });
});

describe('identityFiles', () => {
  const textsOf = (user?: { uid: number; gid: number }): { readonly [path: string]: string } =>
    Object.fromEntries(identityFiles('/home/techne', user).map(({ path, text }) => [path, text]));

  it('name one user and nobody, and no other', () => {
    expect(textsOf({ uid: 1000, gid: 100 })).toEqual({
      '/etc/passwd':
        'techne:x:1000:100:techne:/home/techne:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
      '/etc/group': 'techne:x:100:\nnogroup:x:65534:\n',
      '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n',
      '/etc/hosts': '127.0.0.1 localhost techne\n::1 localhost\n',
    });
  });

  it('give no number to two', () => {
    expect(textsOf({ uid: 65534, gid: 65534 })).toMatchObject({
      '/etc/passwd': 'techne:x:65534:65534:techne:/home/techne:/bin/sh\n',
      '/etc/group': 'techne:x:65534:\n',
    });
  });

  it.skipIf(process.getuid === undefined)('are of the user of this process by default', () => {
    expect(textsOf()['/etc/passwd']).toContain(`techne:x:${process.getuid?.()}:${process.getgid?.()}:`);
  });
});

describe('realPath and lstat', () => {
  it('are null for what is not there', () => {
    expect([realPath(at('gone')), lstat(at('gone'))]).toEqual([null, null]);
    expect([realPath(at('links/run')), lstat(at('links/run'))?.isSymbolicLink()]).toEqual([
      at('opt/tool/bin/run'),
      true,
    ]);
  });
});
