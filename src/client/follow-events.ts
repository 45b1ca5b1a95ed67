// The entries of a run, one after the other, over as many connections as it takes.
//
// After a connection is lost, the next one begins behind the last entry that was given: nothing is lost, nothing comes twice. It
// ends with the run.
import type { Abort } from '../base/abort.ts';
import type { Json } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import { EventReader } from '../api/event-stream.ts';
import type { FetchResponse, TransportOptions } from './transport.ts';
import { ApiError, pause, send, waitMs } from './transport.ts';

/** An entry of the journal of a run. */
export interface RunEntry {
  readonly seq: number;
  /** `run.started`, `effect.ended`, `question.asked` … */
  readonly type: string;
  readonly entry: { readonly [key: string]: Json };
}

/** Where to begin, and when to stop. */
export interface FollowOptions {
  /** The number of the first entry. Default: 0. */
  readonly from?: number;
  /** Aborts: no more entries. */
  readonly signal?: Abort;
}

/** Throws ApiError for a run that may not be read, and what `fetch` throws after `maxRetries` failures in a row. */
export async function* followEvents(
  transport: TransportOptions,
  run: string,
  { from = 0, signal }: FollowOptions = {},
): AsyncGenerator<RunEntry, void, undefined> {
  let next = from;
  for (let failures = 0; ; failures += 1) {
    const before = next;
    try {
      // Failures are counted here: an entry that comes ends a row of them.
      const response = await send(
        { ...transport, maxRetries: 0 },
        {
          method: 'GET',
          path: `/v1/runs/${encodeURIComponent(run)}/events?from=${next}`,
          headers: { accept: 'text/event-stream' },
          repeatable: true,
          ...(signal === undefined ? {} : { signal }),
        },
      );
      // It has ended, and everything of it was given.
      if (response.status === 204) return;
      for await (const event of eventsOf(response)) {
        if (event.event === 'stream.ended' && event.data.includes('"run.ended"')) return;
        const read = event.id === null ? null : entryOf(event.data);
        if (read === null || read.seq < next) continue;
        next = read.seq + 1;
        yield read;
      }
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status !== 429 && error.status !== 503;
      if (isRefused || signal?.aborted === true) throw error;
      if (next === before && failures >= transport.maxRetries) throw error;
    }
    if (next > before) failures = 0;
    await pause(waitMs(Math.min(failures, 4)), signal);
  }
}

async function* eventsOf(response: FetchResponse) {
  const reader = new EventReader();
  const decoder = new TextDecoder();
  const stream = (response.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return;
      yield* reader.read(decoder.decode(value, { stream: true }));
    }
  } finally {
    // The reader has stopped.
    await stream.cancel().catch(() => undefined);
  }
}

function entryOf(data: string): RunEntry | null {
  const value = JSON.parse(data) as Json;
  if (!isJsonObject(value)) return null;
  const { seq, entry } = value;
  if (typeof seq !== 'number' || !isJsonObject(entry) || typeof entry['type'] !== 'string') return null;
  return { seq, type: entry['type'], entry };
}
