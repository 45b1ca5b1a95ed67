// Runs that several real processes know of.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFileRunStore } from '../src/node/store-file/run-store.ts';
import type { RunStore } from '../src/ports/run-store.ts';
import { ended, started, trace } from '../src/journal/sample-entries.ts';
import type { ChildProgram } from './support/child-program.ts';
import { childProgram, firstLine } from './support/child-program.ts';

const run = '01HF7YAT000000000000000000';
let program: ChildProgram;
let base: string;
let folder: string;
let store: RunStore;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = await childProgram('own-run');
});
afterAll(() => program.close());
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'techne-owners-'));
  folder = join(base, 'runs');
  store = createFileRunStore({ folder, pollMs: 100 });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await store.close();
  rmSync(base, { recursive: true, force: true });
});

function start(mode: string): { child: ChildProcess; printed: () => string } {
  const child = program.start(folder, run, mode);
  children.push(child);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, printed: () => text };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

const kinds = async (): Promise<string[]> =>
  (await store.read(run)).map(({ entry }) => (entry.type === 'trace.added' ? entry.kind : entry.type));

describe('a run that another process owns', () => {
  it('gets an answer and a cancel from here, and can be watched', async () => {
    const { child, printed } = start('serve');
    await firstLine(child);
    await expect(store.claim(run)).rejects.toMatchObject({
      code: 'RUN_OWNED',
      message: expect.stringContaining(`process ${child.pid}`) as unknown,
    });
    const seen: string[] = [];
    store.subscribe(run, 0, (entries) => seen.push(...entries.map(({ entry }) => entry.type)));
    await store.post(run, {
      kind: 'answer',
      question: 'q',
      nonce: 'n',
      value: { text: 'yes' },
      from: 'person',
    });
    await vi.waitFor(() => expect(printed()).toContain('"text":"yes"'), 10_000);
    expect((await store.list({ limit: 1 })).runs).toMatchObject([{ run, status: 'running' }]);
    const closed = once(child, 'close');
    await store.post(run, { kind: 'cancel', reason: 'enough', by: 'me' });
    await closed;
    await vi.waitFor(() => expect(seen).toEqual(['run.started', 'trace.added', 'run.ended']), 10_000);
    expect(await store.read(run)).toMatchObject([
      {},
      { entry: { data: { value: { text: 'yes' } } } },
      { entry: ended() },
    ]);
    expect(readdirSync(join(folder, run, 'inbox'))).toEqual([]);
  }, 30_000);

  it('is taken over when that process was killed, with all that it acknowledged', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { child, printed } = start('write');
      await firstLine(child);
      await sleep(20 + round * 37);
      await kill(child);
      const acknowledged = Number(printed().split('\n').at(-2));
      expect((await store.list({ limit: 1 })).runs).toMatchObject([{ status: 'interrupted' }]);
      const claim = await store.claim(run);
      expect(claim.epoch).toBe(2);
      const entries = await store.read(run);
      expect(entries.length).toBeGreaterThan(acknowledged);
      for (const { seq, entry } of entries.slice(1, -1))
        expect(entry).toMatchObject({
          type: 'trace.added',
          kind: expect.stringMatching(new RegExp(`^${seq} `)) as unknown,
        });
      await store.append(claim, claim.seq, [ended()]);
      await store.release(claim);
      await store.remove(run);
    }
  }, 60_000);

  it('is lost to a process that was only slow: its append is refused', async () => {
    const { child, printed } = start('write');
    await firstLine(child);
    child.kill('SIGSTOP');
    await expect(store.claim(run)).rejects.toMatchObject({ code: 'RUN_OWNED' });
    // What a person does who knows better.
    for (const name of readdirSync(join(folder, run)))
      if (name.startsWith('owner.')) rmSync(join(folder, run, name));
    const claim = await store.claim(run);
    await store.append(claim, claim.seq, [trace('mine')]);
    const before = await store.read(run);
    child.kill('SIGCONT');
    await vi.waitFor(() => expect(printed()).toContain('refused'), 10_000);
    expect(printed().trim().split('\n').at(-1)).toBe('refused OWNER_LOST');
    await store.append(claim, claim.seq + 1, [ended()]);
    expect(await store.read(run)).toEqual([...before, { seq: claim.seq + 1, entry: ended() }]);
    const acknowledged = Number(printed().trim().split('\n').at(-2));
    expect(claim.seq).toBeGreaterThan(acknowledged);
  }, 30_000);
});

describe('a run that this process owns', () => {
  it('is given to one of several processes that claim it at once', async () => {
    await store.release(await store.create(run, [started(run)]));
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => program.run(folder, run, 'claim')));
    const won = outcomes.filter((printed) => printed === 'claimed\n').length;
    expect(won).toBeGreaterThan(0);
    for (const printed of outcomes) expect(['claimed\n', 'refused RUN_OWNED\n']).toContain(printed);
    const types = await kinds();
    expect(types.filter((type) => type === 'owner.claimed').length).toBe(won);
    expect(types.filter((type) => type === 'claimed').length).toBe(won);
  }, 30_000);

  it('is nobody else’s to read', async () => {
    const claim = await store.create(run, [started(run)]);
    await store.post(run, { kind: 'cancel', reason: 'r', by: 'b' });
    const mode = (...path: string[]): string => (statSync(join(folder, ...path)).mode & 0o777).toString(8);
    expect([mode(), mode(run), mode(run, 'journal.1'), mode(run, 'inbox')]).toEqual([
      '700',
      '700',
      '600',
      '700',
    ]);
    for (const name of readdirSync(join(folder, run, 'inbox'))) expect(mode(run, 'inbox', name)).toBe('600');
    await store.release(claim);
  });
});
