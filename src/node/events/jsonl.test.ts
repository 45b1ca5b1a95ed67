import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeRunHost } from '../../../test/support/fake-run-host.ts';
import type { RunEvent } from '../../run/events.ts';
import { eventSensitivity } from '../../run/events.ts';
import { createJsonlEvents } from './jsonl.ts';
import type { JsonlStream } from './jsonl.ts';
import { contentFields, withoutContent } from './filter-event.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-events-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (path: string): readonly { readonly type: string }[] => {
  const text = readFileSync(path, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string });
};
const started = (run: string): RunEvent => ({
  type: 'run.started',
  run,
  at: 1,
  skill: 's',
  parent: null,
  parentKey: null,
});
const program =
  'def run(input):\n  a = ask("secret words")\n  trace("secret label", {"x": 1})\n  print("secret print")\n  command(["say", "secret"])\n  return a["answer"]\n';

async function recordRun(path: string, content: boolean): Promise<readonly { readonly type: string }[]> {
  const sink = createJsonlEvents({ target: path, content });
  const host = fakeRunHost({ programs: { tides: program }, onEvent: sink.onEvent });
  host.answerer.onAsk = (_request, { onText }) => {
    onText('secret stream');
    return 'secret answer';
  };
  await host.runner.start({ skill: 'tides', input: { go: true } });
  await sink.close();
  sink.onEvent(started('late'));
  await sink.flush();
  return linesOf(path);
}

describe('createJsonlEvents', () => {
  it('writes one JSON object a line, without texts', async () => {
    const path = join(folder, 'events.jsonl');
    const lines = await recordRun(path, false);
    expect(lines.map(({ type }) => type)).toEqual([
      'run.started',
      'effect.started',
      'effect.ended',
      'budget.used',
      'trace.added',
      'trace.added',
      'effect.started',
      'effect.ended',
      'budget.used',
      'run.ended',
    ]);
    expect(lines[1]).toEqual({
      type: 'effect.started',
      run: expect.any(String) as unknown,
      at: 1_000_000,
      key: '1',
      kind: 'ask',
      attempt: 1,
    });
    expect(lines[4]).toEqual({
      type: 'trace.added',
      run: expect.any(String) as unknown,
      at: 1_000_000,
      printed: false,
    });
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('makes the file immediately on request, and keeps which skills were loaded', async () => {
    const path = join(folder, 'events.jsonl');
    const sink = createJsonlEvents({ target: path, atOnce: true });
    await sink.flush();
    expect(readFileSync(path, 'utf8')).toBe('');
    const loaded = {
      type: 'skill.loaded',
      skill_id: 'tides',
      skill_version: 'v',
      load_reason: 'always',
      load_size_tokens: 1,
      source: 'global',
      triggered_by_tool_use_id: null,
    } as const;
    sink.onEvent(loaded);
    await sink.close();
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(loaded)}\n`);
  });

  it('writes texts when it is asked to, and appends', async () => {
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, '{"type":"before"}\n');
    const lines = await recordRun(path, true);
    expect(lines[0]).toEqual({ type: 'before' });
    expect(lines).toContainEqual(expect.objectContaining({ type: 'effect.text', text: 'secret stream' }));
    expect(lines).toContainEqual(
      expect.objectContaining({ type: 'trace.added', kind: 'secret label', data: { x: 1 } }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        type: 'effect.started',
        request: expect.objectContaining({ argv: ['say', 'secret'] }) as unknown,
      }),
    );
  });

  it('keeps the order, and everything that was queued, in a stream', async () => {
    const stream = new PassThrough({ highWaterMark: 16 });
    let text = '';
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const sink = createJsonlEvents({ target: stream });
    for (let n = 0; n < 500; n += 1) sink.onEvent(started(String(n)));
    await sink.flush();
    sink.onEvent(started('500'));
    await sink.close();
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { run: string }).run),
    ).toEqual(Array.from({ length: 501 }, (_, n) => String(n)));
  });

  it('reports a fault once, counts what was lost, and continues when it can', async () => {
    const written: string[] = [];
    const faults: string[] = [];
    let isFull = false;
    const stream: JsonlStream = {
      on: () => {},
      write: (text, done) => {
        // A full disk takes a part of a line.
        written.push(isFull ? text.slice(0, 9) : text);
        done(isFull ? Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }) : null);
      },
    };
    const sink = createJsonlEvents({ target: stream, onFault: (error) => faults.push(error.message) });
    sink.onEvent(started('1'));
    await sink.flush();
    isFull = true;
    sink.onEvent(started('2'));
    await sink.flush();
    sink.onEvent(started('3'));
    sink.onEvent(started('4'));
    await sink.flush();
    isFull = false;
    sink.onEvent(started('5'));
    await sink.close();
    expect(faults).toEqual(['ENOSPC: no space left on device']);
    const whole = written
      .join('')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as { type: string; run?: string; count?: number });
    expect(whole.map(({ run, count }) => run ?? count)).toEqual(['1', 3, '5']);
  });

  it('says at the end how many are missing, also on a file that can be written again', async () => {
    const path = join(folder, 'missing', 'events.jsonl');
    const faults: string[] = [];
    const sink = createJsonlEvents({
      target: path,
      onFault: (error) => faults.push((error as { code?: string }).code ?? ''),
    });
    sink.onEvent(started('1'));
    await sink.flush();
    mkdirSync(join(folder, 'missing'));
    await sink.close();
    expect(faults).toEqual(['ENOENT']);
    expect(linesOf(path)).toEqual([{ type: 'events.dropped', count: 1 }]);
  });

  it('outlives a stream that is closed, without ending the process', async () => {
    const stream = new PassThrough();
    const faults: string[] = [];
    const sink = createJsonlEvents({ target: stream, onFault: (error) => faults.push(error.message) });
    stream.destroy();
    for (let n = 0; n < 3; n += 1) sink.onEvent(started(String(n)));
    await sink.close();
    expect(faults).toHaveLength(1);
  });

  it('holds a bounded queue when the lines are not read', async () => {
    const faults: string[] = [];
    let go = (): void => {};
    const written: string[] = [];
    const stream: JsonlStream = {
      on: () => {},
      write: (text, done) => {
        written.push(text);
        go = () => done();
      },
    };
    const sink = createJsonlEvents({
      target: stream,
      maxQueuedUnits: 1_000,
      onFault: (error) => faults.push(error.message),
    });
    for (let n = 0; n < 200; n += 1) sink.onEvent(started(String(n)));
    await Promise.resolve();
    expect(written.join('').length).toBeLessThan(1_100);
    const closing = sink.close();
    for (let rest = 5; rest > 0; rest -= 1) {
      go();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closing;
    expect(faults).toHaveLength(1);
    const lines = written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; count?: number });
    const dropped = lines.filter(({ type }) => type === 'events.dropped');
    expect(dropped).toHaveLength(1);
    expect(lines.length - 1 + (dropped[0]?.count as number)).toBe(200);
  });
});

describe('withoutContent', () => {
  it('leaves something out of every event that is content, and nothing out of the others', () => {
    const kinds = Object.keys(eventSensitivity) as RunEvent['type'][];
    const wrong = kinds.filter(
      (type) =>
        (eventSensitivity[type] === 'content') !==
        (contentFields[type] === 'all' || contentFields[type].length > 0),
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(contentFields).sort()).toEqual([...kinds].sort());
    expect(withoutContent({ type: 'effect.text', run: 'r', key: '1', text: 'secret' })).toBe(null);
    expect(
      withoutContent({
        type: 'answer.refused',
        run: 'r',
        at: 1,
        id: 'secret',
        code: 'ANSWER_REFUSED',
        message: 'secret',
      }),
    ).toEqual({ type: 'answer.refused', run: 'r', at: 1, code: 'ANSWER_REFUSED' });
  });
});
