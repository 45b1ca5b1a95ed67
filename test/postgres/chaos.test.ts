// Workers are killed, stopped and started again, Postgres is restarted, connections are cut in the middle of commits: no run is
// lost, and nothing that was done is done twice.
//
// An effect is a command that adds a line to a file outside of techne. What was under way when a worker died has an unknown
// outcome: the run waits for a decision, and the file says which one is right. Afterwards every journal is read: what a worker
// wrote after another one had taken its run would show there. How long it took others to see that a worker is gone, and to drive
// its runs on, is printed. A sample here;
// `TECHNE_SOAK=1 npm test -- test/postgres/chaos.test.ts` takes 5,000 runs (TECHNE_CHAOS_RUNS: another number), and an hour at most
// (TECHNE_CHAOS_MINUTES: another time): then it stops, prints what was seen so far, and fails for the runs that are left.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eachRun, listAll } from '../../src/journal/each-run.ts';
import type { RunSummary } from '../../src/ports/run-store.ts';
import type { OpenTechne } from '../../src/techne/create-techne.ts';
import { openTechne } from '../../src/techne/create-techne.ts';
import type { OpenRuns } from '../../src/techne/open-runs.ts';
import { defaultOrder, openDispatcherOf, submitRun } from '../../src/techne/serving.ts';
import type { CuttingProxy } from '../support/cutting-proxy.ts';
import { createCuttingProxy } from '../support/cutting-proxy.ts';
import type { PostgresServer } from '../support/postgres.ts';
import { createDatabase, noPostgres, startPostgres } from '../support/postgres.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';

const isSoak = process.env['TECHNE_SOAK'] === '1';
const runs = Number(process.env['TECHNE_CHAOS_RUNS'] ?? (isSoak ? 5_000 : 20));
const effects = 10;
const workers = isSoak ? 4 : 2;
const leaseSeconds = 2;
const killEveryMs = 2_000;
const restartEveryMs = 10_000;
/** Of so many appends, the connection of one breaks: by turns after the server got it, and before its answer was heard. */
const cutEvery = isSoak ? 500 : 50;
const limitMs = Number(process.env['TECHNE_CHAOS_MINUTES'] ?? (isSoak ? 60 : 2.5)) * 60_000;
/** Behind the limit, for what is checked at the end. */
const checkMs = isSoak ? 600_000 : 60_000;
/** How often ended runs are looked for, which are most of all in the end. */
const endedEveryMs = isSoak ? 10_000 : 1_000;
const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

const program = `
def run(input):
    for i in range(${effects}):
        done = command(["note", str(input["id"]), str(i)])
        if not done["ok"]:
            return {"status": "broken", "answer": done["stderr"]}
        if i == 4 and int(input["asks"]) == 1:
            ask("Go on?")
    return {"status": "accepted", "answer": "done"}
`;

const skillText = (name: string, field: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use in tests.\n${field}\n---\n\nDo it.\n`;

/** A line of a worker with --json. */
interface Said {
  readonly kind: string;
  readonly worker?: string;
  readonly run?: string;
  readonly from?: string;
}

interface Seen {
  kills: number;
  restarts: number;
  stops: number;
  cuts: number;
  /** Workers that ended before they had begun. */
  restarted: number;
  decisions: number;
  answers: number;
  /** Runs that were held, since workers died of them. */
  released: number;
}

/** In milliseconds: of the clock, and of the time in which there were a worker and a server that could do it. */
interface Span {
  readonly allMs: number;
  readonly upMs: number;
}

/** Of one run of a worker that is gone, since then. */
interface TakenOver {
  readonly gone: Span;
  readonly seen: Span;
  driven: Span | null;
}

describe.skipIf(noPostgres)('a team of workers', () => {
  let server: PostgresServer;
  let world: World;
  let proxy: CuttingProxy;
  let store: string;
  /** The way of the workers to it: its connections are cut. */
  let cutStore: string;
  let log: string;
  let cuts = 0;
  const living = new Set<ChildProcess>();
  /** Those that have ended a run: a worker that is killed before it began does not disturb anything. */
  const working = new Set<ChildProcess>();

  beforeAll(async () => {
    server = await startPostgres();
    const database = await createDatabase(server);
    store = `${database.url}?lease=${leaseSeconds}`;
    proxy = await createCuttingProxy(server.port);
    const throughProxy = new URL(store);
    throughProxy.port = String(proxy.port);
    cutStore = throughProxy.toString();
    let appends = 0;
    proxy.judge = (request) => {
      if (!/append(?:_naming|_group)?\0/.test(request.toString('latin1'))) return 'passes';
      appends += 1;
      if (appends % cutEvery !== 0) return 'passes';
      cuts += 1;
      return cuts % 2 === 0 ? 'cut' : 'unanswered';
    };
    world = createWorld({
      'work/.techne/skills/steps/SKILL.md': skillText('steps', 'metaskill: SKILL.star'),
      'work/.techne/skills/steps/SKILL.star': program,
      'work/.techne/skills/family/SKILL.md': skillText(
        'family',
        'inputs:\n  id: {type: string, required: true}\n  asks: {type: string, required: true}\nchain:\n  - skill: steps\n    inputs: {id: "{{ inputs.id }}", asks: "{{ inputs.asks }}"}',
      ),
    });
    log = join(world.folder, 'log');
    world.write({
      'bin/note': `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}\n`,
      'home/.techne/config.json': JSON.stringify({
        roots: { builtin: false },
        trust: { folders: [world.workspace] },
        commands: { allow: ['note ...'] },
        sandbox: { mode: 'off' },
      }),
    });
    chmodSync(join(world.folder, 'bin/note'), 0o755);
  }, 120_000);
  afterAll(async () => {
    for (const child of living) child.kill('SIGKILL');
    await proxy.close();
    await server.stop();
    world.remove();
  });

  const env = (): { readonly [name: string]: string } => ({
    PATH: `${join(world.folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: world.home,
  });
  const startWorker = (): void => {
    const child = spawn(
      process.execPath,
      [bin, 'worker', '--store', cutStore, '--answer', 'caller', '--json'],
      {
        cwd: world.workspace,
        env: env(),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let rest = '';
    child.stdout.on('data', (text: Buffer) => {
      const lines = (rest + text.toString()).split('\n');
      rest = lines.pop() ?? '';
      // A worker that cannot begin says why in several lines.
      for (const line of lines) if (/^\{.+\}$/.test(line)) hear(child, JSON.parse(line) as Said);
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    living.add(child);
    child.on('exit', (code, signal) => {
      living.delete(child);
      working.delete(child);
      changeUp(() => up.delete(child));
      // The server was away when it began: it is started again, as whatever runs workers does.
      if (signal !== 'SIGKILL' && !names.has(child) && isDisturbing) {
        restarted += 1;
        startWorker();
      } else if (signal !== 'SIGKILL' && code !== 0)
        problems.push(`a worker ended with ${code}: ${said.slice(-2_000)}`);
    });
  };
  const problems: string[] = [];
  /** Those that began, as they are called. */
  const names = new Map<ChildProcess, string>();
  let isDisturbing = false;
  let restarted = 0;
  /** When a worker was killed or stopped. */
  const gone = new Map<string, Span>();
  /** Workers that have begun and were neither killed nor stopped. */
  const up = new Set<ChildProcess>();
  let isServerUp = true;
  let clocked: Span & { readonly isUp: boolean } = { allMs: performance.now(), upMs: 0, isUp: false };
  const nowOf = (): Span => {
    const allMs = performance.now();
    return { allMs, upMs: clocked.upMs + (clocked.isUp ? allMs - clocked.allMs : 0) };
  };
  const changeUp = (change: () => unknown): void => {
    const now = nowOf();
    change();
    clocked = { ...now, isUp: isServerUp && up.size > 0 };
  };
  const since = (then: Span): Span => {
    const now = nowOf();
    return { allMs: now.allMs - then.allMs, upMs: now.upMs - then.upMs };
  };
  const takenOver: TakenOver[] = [];
  const undriven = new Map<string, TakenOver>();
  const hear = (child: ChildProcess, { kind, worker, run = '', from = '' }: Said): void => {
    if (worker !== undefined) {
      names.set(child, worker);
      if (living.has(child)) changeUp(() => up.add(child));
    }
    if (kind === 'ended') working.add(child);
    const then = gone.get(from);
    if (kind === 'taken-over' && then !== undefined) {
      const one: TakenOver = { gone: then, seen: since(then), driven: null };
      takenOver.push(one);
      undriven.set(run, one);
    }
    const found = undriven.get(run);
    if (kind !== 'began' || found === undefined) return;
    found.driven = since(found.gone);
    undriven.delete(run);
  };
  const leaves = (child: ChildProcess): void => {
    changeUp(() => up.delete(child));
    gone.set(names.get(child) ?? '', nowOf());
  };

  it(
    `drives ${runs} runs to their end while it is killed`,
    async () => {
      const seen: Seen = {
        kills: 0,
        restarts: 0,
        stops: 0,
        cuts: 0,
        restarted: 0,
        decisions: 0,
        answers: 0,
        released: 0,
      };
      const techne = await openTechne({
        homeFolder: world.home,
        cwd: world.workspace,
        variables: env(),
        store,
        answerer: 'caller',
      });
      const beganMs = performance.now();
      for (let at = 0; at < workers; at += 1) startWorker();
      const ids = await submitAll(techne);
      const stop = new AbortController();
      isDisturbing = true;
      const disturbing = disturb(stop.signal, seen);
      const open = new Set(ids);
      let nextEnded = 0;
      while (open.size > 0 && performance.now() < beganMs + limitMs) {
        await pause(500);
        const withEnded = performance.now() > nextEnded;
        if (withEnded) nextEnded = performance.now() + endedEveryMs;
        await techne.withRuns((here) => settle(here, { open, seen, withEnded })).catch(isPassing);
      }
      const tookMs = performance.now() - beganMs;
      isDisturbing = false;
      stop.abort();
      await disturbing;
      const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
      const counted = new Map<string, number>();
      for (const line of lines) counted.set(line, (counted.get(line) ?? 0) + 1);
      const left = await techne
        .withRuns(({ runner, serving }) =>
          Promise.all(
            [...open].map(async (run) => ({
              ...(await serving?.served.find(run)),
              view: await runner.inspect(run),
            })),
          ),
        )
        .catch(String);
      [seen.cuts, seen.restarted] = [cuts, restarted];
      if (open.size > 0) process.stdout.write(`${JSON.stringify(left, null, 1).slice(0, 6_000)}\n`);
      process.stdout.write(
        `chaos: ${runs} runs of ${effects} effects, ${workers} workers, ${Math.round(tookMs / 1_000)} s: ${JSON.stringify(seen)}; ` +
          `${open.size} runs are left, ${counted.size} effects were done, ${[...counted.values()].filter((times) => times > 1).length} of them again\n` +
          (['upMs', 'allMs'] as const)
            .map(
              (of) =>
                `  ${takenOver.length} runs taken over, lease ${leaseSeconds} s, ${of === 'upMs' ? 'time with a worker and a server' : 'all time'}: ` +
                `seen after ${quantiles(takenOver.map(({ seen: one }) => one[of]))}, driven again after ${quantiles(takenOver.flatMap(({ driven }) => driven?.[of] ?? []))}\n`,
            )
            .join(''),
      );
      const stale = await techne.withRuns(({ store: kept }) => staleEntries(kept)).catch(String);
      await techne.close();
      expect(problems).toEqual([]);
      expect([...open]).toEqual([]);
      expect([...counted].filter(([, times]) => times !== 1)).toEqual([]);
      expect(counted.size).toBe(runs * effects);
      expect(stale).toEqual([]);
      expect(seen.kills).toBeGreaterThan(0);
      expect(seen.cuts).toBeGreaterThan(0);
    },
    limitMs + checkMs,
  );

  async function submitAll(techne: OpenTechne): Promise<readonly string[]> {
    return techne.withRuns(async ({ runner, travelling, store: kept, serving }) => {
      if (serving === null || travelling === null) throw new Error('it is not in Postgres');
      const dispatcher = await openDispatcherOf(serving, () => undefined);
      const made: string[] = [];
      for (let id = 0; id < runs; id += 1) {
        const submitted = await submitRun(
          { runner, travelling, store: kept, serving, dispatcher },
          {
            skill: id % 4 === 0 ? 'family' : 'steps',
            input: { id: String(id), asks: id % 5 === 0 ? '1' : '0' },
          },
          defaultOrder,
        );
        if (!submitted.ok) throw new Error(submitted.result.text);
        made.push(submitted.run);
      }
      await dispatcher.close();
      return made;
    });
  }

  async function disturb(stop: AbortSignal, seen: Seen): Promise<void> {
    let nextRestart = performance.now() + restartEveryMs;
    let hasStopped = false;
    while (!stop.aborted) {
      await pause(killEveryMs, stop);
      const [victim] = working;
      if (victim !== undefined && !stop.aborted) {
        leaves(victim);
        victim.kill('SIGKILL');
        seen.kills += 1;
        startWorker();
      }
      const [other] = working;
      if (!hasStopped && other !== undefined && seen.kills > 1) {
        hasStopped = true;
        seen.stops += 1;
        leaves(other);
        other.kill('SIGSTOP');
        setTimeout(
          () => {
            if (other.kill('SIGCONT')) changeUp(() => up.add(other));
          },
          (leaseSeconds + 3) * 1_000,
        );
      }
      if (performance.now() > nextRestart && !stop.aborted) {
        nextRestart = performance.now() + restartEveryMs;
        seen.restarts += 1;
        changeUp(() => (isServerUp = false));
        await server.restart('immediate');
        changeUp(() => (isServerUp = true));
      }
    }
  }

  /** Answers and decides what waits, and takes out of `open` what has ended. */
  async function settle(
    { runner, store: kept, serving }: OpenRuns,
    { open, seen, withEnded }: { open: Set<string>; seen: Seen; withEnded: boolean },
  ): Promise<void> {
    for (const { run } of (await serving?.served.held()) ?? []) {
      await serving?.served.release(run);
      seen.released += 1;
    }
    const statuses: readonly RunSummary['status'][] = [
      'paused',
      'needs_decision',
      ...(withEnded ? (['completed', 'failed', 'cancelled', 'partial', 'corrupt'] as const) : []),
    ];
    for await (const { run, status } of eachRun(kept, null, { limit: 500, only: { statuses } })) {
      if (!open.has(run)) continue;
      if (status === 'completed') open.delete(run);
      else if (['failed', 'cancelled', 'partial', 'corrupt'].includes(status)) {
        open.delete(run);
        problems.push(
          `run ${run} is ${status}: ${JSON.stringify((await runner.inspect(run)).effects.at(-1))}`,
        );
      } else if (status === 'paused') {
        const { questions } = await runner.inspect(run);
        for (const { run: asked, id, nonce, answer } of questions) {
          if (answer !== null) continue;
          await runner
            .answer(asked, { question: id, nonce, value: 'yes', from: 'caller' })
            .then(() => (seen.answers += 1), isPassing);
        }
      } else if (status === 'needs_decision') {
        await decideAll(runner, run, seen);
      }
    }
  }

  async function decideAll(runner: OpenRuns['runner'], run: string, seen: Seen): Promise<void> {
    const view = await runner.inspect(run);
    for (const nested of view.nested) await decideAll(runner, nested.run, seen);
    const done = existsSync(log) ? new Set(readFileSync(log, 'utf8').split('\n')) : new Set<string>();
    for (const { key, request } of view.undecided) {
      const { argv } = request as { readonly argv: readonly string[] };
      const isDone = done.has(argv.slice(1).join(' '));
      const value = { ok: true, exit_code: 0, result: '', stdout: '', stderr: '', truncated: false };
      await runner
        .decide(run, { key, as: isDone ? 'done' : 'retry', value: isDone ? value : null, by: 'the test' })
        .then(() => (seen.decisions += 1), isPassing);
    }
  }
});

/** What only an owner that had lost its run can have written: it has no place in a journal that the epochs fence. */
async function staleEntries(store: OpenRuns['store']): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { run } of await listAll(store)) {
    let epoch = 1;
    const commands = new Map<string, number>();
    const decided = new Set<string>();
    const entries = await store.read(run);
    for (const { seq, entry } of entries) {
      if (entry.type === 'owner.claimed' && entry.epoch !== (epoch += 1))
        found.push(`${run} ${seq}: epoch ${entry.epoch}, where ${epoch} was next`);
      else if (entry.type === 'effect.started' && entry.kind === 'command') commands.set(entry.key, epoch);
      else if (entry.type === 'effect.decided') decided.add(entry.key);
      else if (entry.type === 'effect.ended' && commands.has(entry.key)) {
        if (commands.get(entry.key) !== epoch && !decided.has(entry.key))
          found.push(
            `${run} ${seq}: ${entry.key} ended in epoch ${epoch} and began in ${commands.get(entry.key)}`,
          );
      } else if (entry.type === 'run.ended' && seq !== entries.length - 1)
        found.push(`${run} ${seq}: it goes on after its end`);
    }
  }
  return found;
}

function quantiles(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    ((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) / 1_000).toFixed(
      1,
    );
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, at most ${at(1)} s`;
}

/** The server restarts, or another process was faster: the next look tries again. */
function isPassing(): void {
  return undefined;
}

function pause(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop?.addEventListener('abort', end);
  });
}
