// Our hashes against a real `npx skills`, from the npm registry. Only when it is asked for, since it downloads:
// TECHNE_NPX_SKILLS=1 npm test -- test/hub/npx-skills.test.ts. It needs a newer Node than ours, which comes from npm too.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { computedHash } from '../../src/hub/lock/foreign-hash.ts';
import { parseForeignLock } from '../../src/hub/lock/skills-lock.ts';
import { treeOf, writeTo } from '../support/hub-scene.ts';
import { oddSkill } from '../support/odd-skill.ts';
import { skipUnless } from '../support/skip-unless.ts';

const isWanted = process.env['TECHNE_NPX_SKILLS'] === '1';
const node = `node-${process.platform}-${process.arch}`;

let folder = '';
let fault: string | null = null;
beforeAll(() => {
  if (!isWanted) return;
  folder = mkdtempSync(join(tmpdir(), 'techne-npx-skills-'));
  try {
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        'skills@1.7.4',
        `${node}@22.20.0`,
      ],
      { stdio: 'pipe', timeout: 240_000 },
    );
  } catch (error) {
    fault = String(error);
  }
}, 300_000);
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(skipUnless(isWanted, 'TECHNE_NPX_SKILLS=1 compares hashes with a real npx skills'))(
  'npx skills',
  () => {
    it('writes the hashes that techne computes, for the project and for the user', (context) => {
      if (fault !== null) return context.skip(`skills@1.7.4 cannot be had from the npm registry: ${fault}`);
      const [home, project] = [join(folder, 'home'), join(folder, 'project')];
      mkdirSync(join(project, '.git'), { recursive: true });
      mkdirSync(home);
      writeTo(join(project, 'mine/odd'), oddSkill);
      const run = (...args: readonly string[]): unknown =>
        execFileSync(
          join(folder, 'node_modules', node, 'bin/node'),
          [join(folder, 'node_modules/skills/bin/cli.mjs'), ...args],
          {
            cwd: project,
            env: { PATH: process.env['PATH'] ?? '', HOME: home, DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' },
            stdio: 'pipe',
            timeout: 60_000,
          },
        );
      run('add', './mine/odd', '-y');
      run('add', './mine/odd', '-y', '-g');
      const value = computedHash(treeOf(oddSkill));
      for (const path of [join(project, 'skills-lock.json'), join(home, '.agents/.skill-lock.json')])
        expect(parseForeignLock(readFileSync(path, 'utf8'), path).entries).toMatchObject([
          { name: 'odd', hash: { kind: 'computed', value } },
        ]);
    }, 180_000);
  },
);
