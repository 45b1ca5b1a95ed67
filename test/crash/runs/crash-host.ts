// A runner for the crash program over any store, blobs and world.
import type { Answerer } from '../../../src/ports/answerer.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import type { CommandHost } from '../../../src/ports/command-host.ts';
import type { Ids } from '../../../src/ports/ids.ts';
import type { RunClock } from '../../../src/ports/run-clock.ts';
import { nodeSha256 } from '../../../src/node/environment.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { RunnerOptions } from '../../../src/run/runner.ts';
import { fakeSkills, succeeded } from '../../support/fake-run-host.ts';
import { answerOf, crashProgram } from './crash-program.ts';

export interface World {
  /** Does something that can be counted from outside; gives what it printed. */
  act(name: string): Promise<string>;
}

export interface CrashHostOptions {
  readonly store: RunStore;
  readonly blobs: Blobs;
  readonly world: World;
  readonly ids: Ids;
  /** What each command prints besides its name: makes the journal larger. */
  readonly padUnits: number;
}

/** Stands still, so that a run that was resumed tells the same times as one that was not. */
export const standingClock: RunClock = {
  nowMs: () => 1_000_000,
  monotonicMs: () => 0,
  after: () => ({ cancel: () => {} }),
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
};

export function crashHost({ store, blobs, world, ids, padUnits }: CrashHostOptions): RunnerOptions {
  return {
    store,
    blobs,
    ids,
    clock: standingClock,
    sha256: nodeSha256,
    skills: fakeSkills({ crash: { program: crashProgram } }),
    answerers: [scriptedAnswerer(world)],
    commands: worldCommands(world, padUnits),
  };
}

export function scriptedAnswerer(world: World): Answerer {
  return {
    name: 'script',
    description: 'says what the test wrote down',
    fenced: true,
    async answer({ prompt }, { child }) {
      const usage = { inputTokens: 3, outputTokens: 2, costMicros: 1 };
      if (prompt === 'large') return { answer: 'L'.repeat(15_000), exhausted: false, turns: 1, usage };
      const said = await child('turn', { prompt }, true, async () => {
        await world.act(`turn ${prompt}`);
        return { value: answerOf(prompt), usage };
      });
      if (prompt !== 'p6') {
        await child('tool', { prompt }, true, async () => ({ value: await world.act(`tool ${prompt}`) }));
      }
      return { answer: said as string, exhausted: false, turns: 1, usage };
    },
  };
}

export function worldCommands(world: World, padUnits: number): CommandHost {
  return {
    judge: () => Promise.resolve({ kind: 'allow' }),
    async run({ argv }) {
      const text = (await world.act(argv.join(' '))) + 'x'.repeat(padUnits);
      return { ...succeeded, stdout: text, combined: text };
    },
  };
}
