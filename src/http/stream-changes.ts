// The changes of the store and the entries of some runs -> one stream of server-sent events, so that a browser needs one connection.
//
//   feed.opened { feed, seq }   feed.reset {}   run.changed …   entry { run, seq, entry }   run.lost { run }   stream.ended { reason }
//   text { run, key, at, text }
//   chat.entry { chat, seq, entry }   chat.state { chat, state }   chat.text { chat, from, text }   chat.lost { chat }
//
// The id of an event is `<feed>-<number>`, of the last change before it; entries of runs have their own numbers, and the reader
// asks for them again with `runs=RUN:NUMBER`, those of conversations with `chats=CHAT:NUMBER`. After `feed.reset` a reader must read its
// lists again. A `text` is what a call says while it is under way; nothing keeps it, and a slow reader does not get it. The first event of
// a conversation that has no more entries is its state, with all text of the turn under way; `chat.text` goes on from there.
import { heartbeat, renderEvent } from '../api/event-stream.ts';
import type { Role } from '../api/role.ts';
import { TechneError } from '../base/error.ts';
import type { Changes } from './changes.ts';
import type { ChatPiece, ChatReader } from './chats/chat-feeds.ts';
import { shownChatEntry } from './chats/show-entry.ts';
import type { FeedReader } from './run-feeds.ts';
import type { RunTexts } from './run-texts.ts';
import { shownEntry } from './stream-events.ts';

export interface ChangeStreamOptions {
  readonly changes: Changes;
  readonly texts: RunTexts;
  /** `<feed>-<number>` of the last event that the reader has; `null`: it has none. */
  readonly after: string | null;
  readonly runs: readonly { readonly run: string; readonly reader: FeedReader }[];
  /** `null`: the conversation is gone. */
  readonly chats: readonly { readonly chat: string; readonly reader: ChatReader | null }[];
  readonly role: Role;
  readonly heartbeatMs: number;
  /** Aborts: the server stops. */
  readonly stopping: AbortSignal;
  /** Aborts: the client has left. */
  readonly left: AbortSignal;
}

/** Pieces that wait for a slow client, before runs are read on. */
const mostWaiting = 64;

export async function streamChanges(options: ChangeStreamOptions): Promise<Response> {
  const { changes, texts, after, runs, chats, role, heartbeatMs, stopping, left } = options;
  const encoder = new TextEncoder();
  const leave = await changes.join();
  const [feed, seqText] = after?.split('-') ?? [];
  const isKnown = feed === changes.name && changes.since(Number(seqText) + 1) !== null;
  let next = isKnown ? Number(seqText) + 1 : changes.next;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let isOver = false;
  let stopWaiting = (): void => undefined;
  const drained = new Set<() => void>();
  const followed: (() => void)[] = [];

  const idAt = (seq: number): string => `${changes.name}-${seq}`;
  const send = (text: string): void => {
    if (!isOver) controller?.enqueue(encoder.encode(text));
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(beat);
    stopWaiting();
    for (const stopFollowing of followed) stopFollowing();
    stopping.removeEventListener('abort', stop);
    left.removeEventListener('abort', end);
    for (const { reader } of runs) reader.close();
    for (const { reader } of chats) reader?.close();
    for (const go of drained) go();
    leave();
  };
  const stop = (): void => {
    if (isOver) return;
    send(renderEvent({ id: null, event: 'stream.ended', data: '{"reason":"server.stopping"}' }));
    const open = controller;
    end();
    open?.close();
  };
  /** For a slow reader nothing is queued: the changes are kept for all, and those that are gone are a `feed.reset`. */
  const pump = (): void => {
    if (isOver) return;
    if ((controller?.desiredSize ?? 0) < 0) return void drained.add(pump);
    const missed = changes.since(next);
    if (missed === null) {
      next = changes.next;
      send(renderEvent({ id: idAt(next - 1), event: 'feed.reset', data: '{}' }));
    } else
      for (const { seq, change } of missed) {
        next = seq + 1;
        send(renderEvent({ id: idAt(seq), event: change.type, data: JSON.stringify({ seq, ...change }) }));
      }
    stopWaiting = changes.onNext(pump);
  };
  const follow = async (run: string, reader: FeedReader): Promise<void> => {
    try {
      for (;;) {
        const entries = await reader.next();
        if (isOver) return;
        send(
          entries
            .map((one) =>
              renderEvent({
                id: null,
                event: 'entry',
                data: JSON.stringify({ run, seq: one.seq, entry: shownEntry(one.entry, role) }),
              }),
            )
            .join(''),
        );
        if (entries.at(-1)?.entry.type === 'run.ended') return;
        if ((controller?.desiredSize ?? 0) < 0)
          await new Promise<void>((resolve) => void drained.add(resolve));
      }
    } catch (error) {
      // It was removed or is damaged: a request for it tells which.
      if (!(error instanceof TechneError)) throw error;
      send(renderEvent({ id: null, event: 'run.lost', data: JSON.stringify({ run }) }));
    }
  };
  const watch = async (chat: string, reader: ChatReader | null): Promise<void> => {
    if (reader === null) return send(chatEvent('chat.lost', { chat }));
    for (;;) {
      const pieces = await reader.next();
      if (isOver) return;
      send(pieces.map((piece) => renderPiece(chat, piece)).join(''));
      if (pieces.some(({ kind }) => kind === 'lost')) return;
      if ((controller?.desiredSize ?? 0) < 0) await new Promise<void>((resolve) => void drained.add(resolve));
    }
  };
  const beat = setInterval(() => send(heartbeat), heartbeatMs);
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
        send(
          renderEvent({
            id: idAt(next - 1),
            event: 'feed.opened',
            data: JSON.stringify({ feed: changes.name, seq: next - 1 }),
          }),
        );
        if (after !== null && !isKnown) send(renderEvent({ id: null, event: 'feed.reset', data: '{}' }));
        pump();
        for (const { run } of runs)
          followed.push(
            texts.follow(run, (pieces) => {
              if ((controller?.desiredSize ?? 0) < 0) return;
              send(
                pieces
                  .map((piece) => renderEvent({ id: null, event: 'text', data: JSON.stringify(piece) }))
                  .join(''),
              );
            }),
          );
        const fail = (error: unknown): void => {
          end();
          given.error(error);
        };
        for (const { run, reader } of runs) void follow(run, reader).catch(fail);
        for (const { chat, reader } of chats) void watch(chat, reader).catch(fail);
      },
      pull() {
        const waiting = [...drained];
        drained.clear();
        for (const go of waiting) go();
      },
      cancel: end,
    },
    { highWaterMark: mostWaiting },
  );
  stopping.addEventListener('abort', stop);
  left.addEventListener('abort', end);
  if (stopping.aborted) stop();
  // The client may have left while the store was looked at.
  if (left.aborted) end();
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  });
}

function renderPiece(chat: string, piece: ChatPiece): string {
  switch (piece.kind) {
    case 'entries':
      return piece.entries
        .map((entry, at) =>
          chatEvent('chat.entry', { chat, seq: piece.first + at, entry: shownChatEntry(entry) }),
        )
        .join('');
    case 'state':
      return chatEvent('chat.state', { chat, state: piece.state });
    case 'text':
      return chatEvent('chat.text', { chat, from: piece.from, text: piece.text });
    case 'lost':
      return chatEvent('chat.lost', { chat });
  }
}

function chatEvent(event: string, data: object): string {
  return renderEvent({ id: null, event, data: JSON.stringify(data) });
}
