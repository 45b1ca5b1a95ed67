import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createArtifacts } from './blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'techne-artifacts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('createArtifacts', () => {
  const workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'out'), { recursive: true });
  writeFileSync(join(workspace, 'out', 'report.md'), 'text');
  writeFileSync(join(workspace, 'empty.md'), '');
  writeFileSync(join(folder, 'secret.md'), 'text');
  symlinkSync(join(folder, 'secret.md'), join(workspace, 'link.md'));
  const artifacts = createArtifacts(workspace);

  it.each([
    ['out/report.md', { exists: true, bytes: 4, reason: null }],
    [join(workspace, 'out', 'report.md'), { exists: true, bytes: 4, reason: null }],
    ['out', { exists: true, bytes: null, reason: null }],
    ['empty.md', { exists: false, bytes: null, reason: 'is empty' }],
    ['gone.md', { exists: false, bytes: null, reason: 'does not exist' }],
    ['../secret.md', { exists: false, bytes: null, reason: 'lies outside the workspace' }],
    ['link.md', { exists: false, bytes: null, reason: 'lies outside the workspace' }],
    ['a\0b', { exists: false, bytes: null, reason: 'has no path' }],
    ['', { exists: false, bytes: null, reason: 'has no path' }],
  ])('looks at %j', async (path, found) => {
    expect(await artifacts.look(path)).toEqual(found);
  });
});
