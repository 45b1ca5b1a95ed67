// Skills, answers and commands for runs in real processes.
import { readFileSync } from 'node:fs';
import type { Answerer } from '../../../src/ports/answerer.ts';
import { AnswerLater } from '../../../src/ports/answerer.ts';
import type { Blobs } from '../../../src/ports/blobs.ts';
import type { CommandHost } from '../../../src/ports/command-host.ts';
import type { Ids } from '../../../src/ports/ids.ts';
import { nodeRunClock } from '../../../src/node/environment.ts';
import type { RunStore } from '../../../src/ports/run-store.ts';
import type { RunnerOptions } from '../../../src/run/runner.ts';
import { fakeSkills, succeeded } from '../../support/fake-run-host.ts';
import type { World } from './crash-host.ts';
import { crashHost, scriptedAnswerer, standingClock } from './crash-host.ts';
import { crashProgram } from './crash-program.ts';
import { endlessAct, realWorld } from './real-world.ts';

export const realPrograms = {
  crash: { program: crashProgram },
  /** One command that must not be repeated, between two that may be. */
  once: {
    program: `
def run(input):
  command(["before"], {"idempotent": True})
  paid = command(["pay"])
  command(["after", paid["result"]], {"idempotent": True})
  return {"answer": paid["result"], "ok": paid["ok"]}
`,
  },
  /** A nested agent whose tool must not be repeated. */
  nested: {
    program:
      'def run(input):\n  a = ask("agent")\n  command(["after", a["answer"]], {"idempotent": True})\n  return {"answer": a["answer"]}\n',
  },
  /** Asks the caller while something endless is under way, then goes on with the answer. */
  asking: {
    program:
      'def run(input):\n  both = ask_all(["later", "slow"])\n  c = command(["use", both[0]["answer"]], {"idempotent": True})\n  return {"answer": c["result"]}\n',
  },
  /** Something endless between two short ones. */
  endless: {
    program:
      'def run(input):\n  command(["first"], {"idempotent": True})\n  command(["endless"], {"idempotent": True})\n  command(["last"], {"idempotent": True})\n  return "done"\n',
  },
  /** Writes for a long time. */
  busy: {
    program:
      'def run(input):\n  for i in range(90):\n    command(["busy", str(i)], {"idempotent": True})\n  return "done"\n',
  },
  /** Its answers are kept as blobs. */
  large: {
    program:
      'def run(input):\n  big = ask("large")\n  command(["use", str(len(big["answer"]))], {"idempotent": True})\n  return {"answer": str(len(big["answer"]))}\n',
  },
} as const;

export interface RealHostOptions {
  readonly store: RunStore;
  readonly blobs: Blobs;
  readonly log: string;
  readonly ids: Ids;
  /** The process is killed when this was done. */
  readonly killAfterAct?: string | undefined;
}

export function realHost({ store, blobs, log, ids, killAfterAct }: RealHostOptions): RunnerOptions {
  const world = killedAfter(realWorld(log), killAfterAct ?? null);
  const base = crashHost({ store, blobs, world, ids, padUnits: 0 });
  const script = scriptedAnswerer(world);
  const answerer: Answerer = {
    ...script,
    async answer(request, context) {
      const usage = { inputTokens: 1, outputTokens: 1, costMicros: 0 };
      if (request.prompt === 'later') throw new AnswerLater('caller');
      if (request.prompt === 'slow') await letGo(context.signal, log);
      if (request.prompt === 'agent') {
        const paid = await context.child('tool', { prompt: 'pay' }, false, async () => ({
          value: await world.act('pay'),
        }));
        return { answer: JSON.stringify(paid), exhausted: false, turns: 1, usage };
      }
      return request.prompt === 'slow'
        ? { answer: 'slow', exhausted: false, turns: 1, usage }
        : script.answer(request, context);
    },
  };
  const commands: CommandHost = {
    ...base.commands,
    async run(call, caller, context) {
      if (call.argv[0] !== 'endless') return base.commands.run(call, caller, context);
      return endlessAct('endless', log, context.signal).then(
        (text) => ({ ...succeeded, stdout: text, combined: text }),
        () => ({ ...succeeded, exitCode: null, signal: 'SIGKILL', aborted: true }),
      );
    },
  };
  return {
    ...base,
    clock: { ...standingClock, after: (ms, task) => nodeRunClock.after(ms, task) },
    skills: fakeSkills(realPrograms),
    answerers: [answerer],
    commands,
  };
}

function killedAfter(world: World, last: string | null): World {
  if (last === null) return world;
  return {
    async act(name) {
      const printed = await world.act(name);
      if (name === last) process.kill(process.pid, 'SIGKILL');
      return printed;
    },
  };
}

/** Until the log says `go`, or the run is to stop. */
async function letGo(signal: { readonly aborted: boolean }, log: string): Promise<void> {
  for (;;) {
    if (signal.aborted) throw new Error('stopped');
    if (readFileSync(log, 'utf8').split('\n').includes('go')) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
