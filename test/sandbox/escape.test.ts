// Nothing gets out of the sandbox, as root and as an ordinary user; and without one, the same commands get through.
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeShell } from '../../src/node/shell/shell.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram } from '../support/child-program.ts';
import { skipUnless, skipUnlessTool } from '../support/skip-unless.ts';
import type { Probe } from './probes.ts';
import { probes } from './probes.ts';
import type { Scene, User } from './scene.ts';
import { openScene, processesNamed, victimNumber } from './scene.ts';

const { sandbox } = createNodeShell();
const noSandbox = skipUnlessTool(
  sandbox.available,
  `nothing can be confined here, so no escape was tried: ${sandbox.detail}`,
);
const isRoot = process.getuid?.() === 0;

const root: User = { name: 'root', uid: 0, gid: 0 };
const ordinary: User = isRoot
  ? { name: 'an ordinary user', uid: 65534, gid: 65534 }
  : { name: 'an ordinary user', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

let program: ChildProgram;
beforeAll(async () => {
  program = await childProgram('run-commands');
  chmodSync(dirname(program.path), 0o755);
});
afterAll(() => program.close());

describe.skipIf(noSandbox).each([
  {
    user: root,
    skip: skipUnlessTool(isRoot, 'this is not root, so escapes were tried as an ordinary user only'),
  },
  { user: ordinary, skip: false },
])('a command of $user.name', ({ user, skip }) => {
  it.skipIf(skip)('gets out of the sandbox by no way that is known', { timeout: 120_000 }, async () => {
    const scene = await openScene(user, true, program.path);
    try {
      // The sandbox works: what may be written to can be, and is seen outside.
      const works = await scene.run(['sh', '-c', 'echo fine > "$W/allowed"; cat "$SHOWN/victim.txt"'], 5000);
      expect([works.output, works.fault, scene.text('work/allowed')]).toEqual(['as it was', null, 'fine\n']);
      const escaped: string[] = [];
      const left = [...probes];
      const tryOut = async (): Promise<void> => {
        for (let probe = left.shift(); probe !== undefined; probe = left.shift())
          if (await gotOut(probe, scene)) escaped.push(probe.name);
      };
      await Promise.all([tryOut(), tryOut(), tryOut(), tryOut()]);
      expect(escaped).toEqual([]);
      expect(scene.victimLives()).toBe(true);
    } finally {
      await leaveNothing(scene);
    }
  });

  it.skipIf(skip)('gets through by each of them without the sandbox', { timeout: 120_000 }, async () => {
    const scene = await openScene(user, false, program.path);
    try {
      const powerless: string[] = [];
      for (const probe of probes.filter((each) => isControlled(each, user))) {
        const out = await gotOut(probe, scene, patientMs);
        if (!out && probe.control === 'machine')
          skipUnless(
            false,
            `"${probe.name}" (${user.name}): this machine does not let it through without a sandbox either`,
          );
        else if (!out) powerless.push(probe.name);
      }
      expect(powerless).toEqual([]);
    } finally {
      await leaveNothing(scene);
    }
  });
});

describe('the probes', () => {
  it('are at least 120, each with a name of its own', () => {
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
    expect(probes.length).toBeGreaterThanOrEqual(120);
  });
});

function isControlled({ control }: Probe, { uid }: User): boolean {
  if (typeof control === 'object') return false;
  return control === 'anyone' || control === 'machine' || control === (uid === 0 ? 'root' : 'user');
}

/** What works without the sandbox ends by itself, also on a machine that is busy. */
const patientMs = 30_000;

async function gotOut(probe: Probe, scene: Scene, leastMs = 0): Promise<boolean> {
  try {
    const { output, fault } = await scene.run(probe.argv, Math.max(leastMs, probe.timeoutMs ?? 5000));
    if (fault !== null) throw new Error(`"${probe.name}" was never tried: ${fault}`);
    return await probe.escaped(scene, output);
  } finally {
    probe.clean?.(scene);
  }
}

/** Takes the scene away, and sees to it that no process of it lives on: they all know its folder or its name. */
async function leaveNothing(scene: Scene): Promise<void> {
  const left = (): readonly number[] =>
    [scene.path(''), victimNumber(scene.token), `techne-${scene.token}`].flatMap(processesNamed);
  scene.close();
  for (let turn = 0; turn < 500 && left().length > 0; turn += 1) await sleep(20);
  expect(left()).toEqual([]);
}
