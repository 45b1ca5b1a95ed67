// A reader of a feed -> server-sent events.
//
//   id: the number of the entry   event: its type   data: { seq, entry }
//
// The stream ends with `stream.ended` and a reason: the run has ended, or the server stops; a reader continues from the last id.
// Without news a comment keeps the connection open. The nonce of a question is only for those who may answer it.
import { heartbeat, renderEvent } from '../api/event-stream.ts';
import type { Role } from '../api/role.ts';
import { mayAnswer } from '../api/role.ts';
import { TechneError } from '../base/error.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { StoredEntry } from '../ports/run-store.ts';
import type { FeedReader } from './run-feeds.ts';

export interface StreamOptions {
  readonly reader: FeedReader;
  readonly role: Role;
  readonly heartbeatMs: number;
  /** Aborts: the server stops. */
  readonly stopping: AbortSignal;
  /** Aborts: the client has left. */
  readonly left: AbortSignal;
}

export function streamEvents(options: StreamOptions): Response {
  const { reader, role, heartbeatMs, stopping, left } = options;
  const encoder = new TextEncoder();
  let isOver = false;
  let beat: NodeJS.Timeout | null = null;
  const onStop = (): void => reader.wake();
  const end = (): void => {
    isOver = true;
    if (beat !== null) clearTimeout(beat);
    stopping.removeEventListener('abort', onStop);
    left.removeEventListener('abort', end);
    reader.close();
  };
  stopping.addEventListener('abort', onStop);
  left.addEventListener('abort', end);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const close = (reason: string): void => {
          controller.enqueue(encoder.encode(ended(reason)));
          controller.close();
          end();
        };
        if (stopping.aborted) return close('server.stopping');
        let isQuiet = false;
        beat = setTimeout(() => {
          isQuiet = true;
          reader.wake();
        }, heartbeatMs);
        try {
          const entries = await reader.next();
          clearTimeout(beat);
          if (isOver) return;
          if (entries.length > 0)
            controller.enqueue(encoder.encode(entries.map((one) => eventOf(one, role)).join('')));
          else if (isQuiet && !stopping.aborted) controller.enqueue(encoder.encode(heartbeat));
          if (entries.at(-1)?.entry.type === 'run.ended') close('run.ended');
          else if (stopping.aborted) close('server.stopping');
          else if (entries.length === 0 && !isQuiet) await this.pull?.(controller);
        } catch (error) {
          clearTimeout(beat);
          if (isOver) return;
          // The run was removed or is damaged: a new request tells which.
          if (error instanceof TechneError) return close('run.lost');
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function ended(reason: string): string {
  return renderEvent({ id: null, event: 'stream.ended', data: JSON.stringify({ reason }) });
}

/** Rendered once for all readers; questions are rendered by role. */
const rendered = new WeakMap<JournalEntry, string>();

function eventOf({ seq, entry }: StoredEntry, role: Role): string {
  if (entry.type === 'question.asked') {
    const shown = shownEntry(entry, role);
    return renderEvent({ id: String(seq), event: entry.type, data: JSON.stringify({ seq, entry: shown }) });
  }
  const known = rendered.get(entry);
  if (known !== undefined) return known;
  const text = renderEvent({ id: String(seq), event: entry.type, data: JSON.stringify({ seq, entry }) });
  rendered.set(entry, text);
  return text;
}

/** The nonce of a question is only for those who may answer it. */
export function shownEntry(entry: JournalEntry, role: Role): JournalEntry | { readonly nonce: null } {
  return entry.type !== 'question.asked' || mayAnswer(role, entry.audience)
    ? entry
    : { ...entry, nonce: null };
}
