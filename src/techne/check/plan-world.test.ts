import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { headOf, skillWith } from '../../../test/support/plan-texts.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { planWorldFor } from './plan-world.ts';

let top = '';
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'techne-world-'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

describe('planWorldFor', () => {
  it('reads an output template inside the folder, and no link that leads out of it', async () => {
    const folder = join(top, 'sample');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(top, 'secret.txt'), 'SECRET={{ oops');
    writeFileSync(join(folder, 'assets/real.md'), 'Inside {{ outputs.a }}');
    symlinkSync(join(top, 'secret.txt'), join(folder, 'assets/out.md'));
    symlinkSync('real.md', join(folder, 'assets/in.md'));
    const read = async (path: string): Promise<string | null | undefined> => {
      const world = await planWorldFor(
        folder,
        headOf(skillWith(`output: ${path}\nsteps:\n  - {id: a, tool: chat, params: {prompt: x}}\n`)),
        ['assets/real.md', 'assets/out.md', 'assets/in.md'],
        { files: createNodeFiles(), loadSnapshot: () => Promise.resolve({ skills: [] }) },
      );
      return world.file(path);
    };
    expect([await read('assets/real.md'), await read('assets/in.md'), await read('assets/out.md')]).toEqual([
      'Inside {{ outputs.a }}',
      'Inside {{ outputs.a }}',
      null,
    ]);
  });
});
