// Makes the package of the shipped skills in the root of the repository, where hosts look for a marketplace:
//
//   node scripts/build.mjs && node scripts/host-packages.mjs
//
// test/host-packages.test.ts fails while the copy is not what the command makes.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolder } from './setup.mjs';

const places = ['.claude-plugin', '.agents/plugins', 'plugins'];
const scratch = mkdtempSync(join(tmpdir(), 'techne-packages-'));
try {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(projectFolder, 'bin/techne.mjs'), 'mcp', 'package', join(scratch, 'made'), '--quiet'],
    { cwd: scratch, env: { PATH: process.env.PATH, HOME: scratch }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  for (const place of places) {
    const target = join(projectFolder, place);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(scratch, 'made', place), target, { recursive: true });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
