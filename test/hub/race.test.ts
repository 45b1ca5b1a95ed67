// A process that swaps files and links between the check and the use of them: it never wins.
//
// It wins when a byte is written outside the folders of the place, or when anything else than what was agreed to is loaded or
// may run. A sample here; `TECHNE_SOAK=1 npm test -- test/hub/race.test.ts` goes on until 100,000 swaps were made.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TechneError } from '../../src/base/error.ts';
import { codeOf } from '../../src/node/files/file-fault.ts';
import { FileFault } from '../../src/ports/files.ts';
import { openSkills } from '../../src/techne/open-skills.ts';
import { hubScene, installTrees, skillTree } from '../support/hub-scene.ts';

const isSoak = process.env['TECHNE_SOAK'] === '1';
const racer = fileURLToPath(new URL('../fixtures/children/hub-racer.mjs', import.meta.url));

/** As far as the other process lets it: it may put something new into a folder that is being removed. */
function clear(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!['ENOTEMPTY', 'ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
  }
}

describe('installing beside a process that swaps files', () => {
  it('installs what was agreed to, or nothing, and writes nowhere else', async () => {
    const { place, workspace, home, remove } = hubScene();
    const outside = join(dirname(workspace), 'outside');
    const count = join(dirname(workspace), 'count');
    mkdirSync(outside);
    writeFileSync(join(outside, 'target.md'), 'mine');
    writeFileSync(join(home, '.techne/config.json'), '{"roots": {"builtin": false}}\n');
    const tree = skillTree('a', 'one');
    const child = spawn(process.execPath, [racer, workspace, outside, count], { stdio: 'inherit' });
    const won: string[] = [];
    const outcomes = { installed: 0, refused: 0, drifted: 0 };
    let swaps = 0;
    try {
      while (!existsSync(count)) await new Promise((resolve) => setTimeout(resolve, 10));
      for (let round = 0; isSoak ? swaps < 100_000 : round < 40; round += 1) {
        try {
          await installTrees(place, { a: tree });
          outcomes.installed += 1;
        } catch (error) {
          if (!(error instanceof TechneError) && !(error instanceof FileFault)) throw error;
          outcomes.refused += 1;
        }
        outcomes.drifted += await look(round);
        // The next round begins anew, as far as the other process lets it.
        for (const path of [place.skills, place.lockFile, place.state]) clear(path);
        if (round % 100 === 99) clear(place.stages);
        swaps = Number(readFileSync(count, 'utf8'));
      }
      swaps = await stopped();
    } finally {
      writeFileSync(join(workspace, 'stop'), '');
      child.kill('SIGKILL');
    }
    remove();
    expect(won).toEqual([]);
    expect(swaps).toBeGreaterThan(isSoak ? 100_000 : 100);
    expect(outcomes.refused + outcomes.drifted).toBeGreaterThan(0);
    if (isSoak) process.stderr.write(`${swaps} swaps: ${JSON.stringify(outcomes)}\n`);

    /** Gives 1 where something was refused because it drifted. */
    async function look(round: number): Promise<number> {
      if (readFileSync(join(outside, 'target.md'), 'utf8') !== 'mine')
        won.push(`round ${round}: a file outside was written to`);
      const strange = readdirSync(outside).filter(
        (name) => name !== 'target.md' && !name.startsWith('evil-'),
      );
      if (strange.length > 0) won.push(`round ${round}: ${strange.join(', ')} was written outside`);
      if (!existsSync(place.lockFile)) return 0;
      const library = await openSkills({ cwd: workspace, homeFolder: home, workspace, cache: false });
      const snapshot = await library.load();
      let drifted = 0;
      for (const { name } of snapshot.skills) {
        try {
          const bytes = await snapshot.readFile(name, 'SKILL.md');
          const wanted = name === 'a' ? tree.get('SKILL.md')?.bytes : undefined;
          // Folders that only the other process made are its own, not installed ones.
          const isInstalled = snapshot.get(name).origin.kind === 'installed';
          if (isInstalled && (wanted === undefined || Buffer.compare(bytes, wanted) !== 0))
            won.push(`round ${round}: "${name}" was loaded as something else`);
        } catch (error) {
          if (!(error instanceof TechneError)) throw error;
          if (error.code === 'DRIFTED') drifted = 1;
        }
      }
      return drifted;
    }

    /** How many swaps were made. */
    async function stopped(): Promise<number> {
      writeFileSync(join(workspace, 'stop'), '');
      await once(child, 'exit');
      return Number(readFileSync(count, 'utf8'));
    }
  }, 3_600_000);
});
