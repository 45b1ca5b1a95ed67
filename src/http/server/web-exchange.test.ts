import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBody, sendResponse, toWebRequest } from './web-exchange.ts';

const incoming = (
  chunks: readonly string[],
  headers: { [name: string]: string | string[] } = {},
): IncomingMessage =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers,
    method: 'POST',
    url: '/mcp',
  }) as unknown as IncomingMessage;

describe('readBody', () => {
  it('reads a body up to its limit, in bytes', async () => {
    expect(await readBody(incoming(['ab', 'é']), 4)).toBe('abé');
    expect(await readBody(incoming(['ab', 'é']), 3)).toBeNull();
    expect(await readBody(incoming(['ab'], { 'content-length': '4' }), 4)).toBe('ab');
    expect(await readBody(incoming(['ab'], { 'content-length': '5' }), 4)).toBeNull();
  });
});

describe('toWebRequest', () => {
  it('has the address, the method, the headers and the body', async () => {
    const abort = new AbortController();
    const from = incoming([], { accept: 'a', 'x-more': ['b', 'c'] });
    const web = toWebRequest(from, 'http://127.0.0.1:1', '{}', abort.signal);
    expect([
      web.url,
      web.method,
      web.headers.get('accept'),
      web.headers.get('x-more'),
      await web.text(),
    ]).toEqual(['http://127.0.0.1:1/mcp', 'POST', 'a', 'b, c', '{}']);
    abort.abort();
    expect(web.signal.aborted).toBe(true);
    const got = toWebRequest(
      Object.assign(from, { method: 'GET' }),
      'http://127.0.0.1:1',
      '{}',
      abort.signal,
    );
    expect(got.body).toBeNull();
    expect(toWebRequest(incoming([]), 'http://127.0.0.1:1', null, abort.signal).body).toBeNull();
  });
});

class FakeResponse extends EventEmitter {
  destroyed = false;
  room = true;
  readonly log: string[] = [];
  writeHead(status: number, headers: object): void {
    this.log.push(`head ${status} ${JSON.stringify(headers)}`);
  }
  flushHeaders(): void {
    this.log.push('flush');
  }
  write(bytes: Uint8Array): boolean {
    this.log.push(new TextDecoder().decode(bytes));
    return this.room;
  }
  end(): void {
    this.log.push('end');
  }
}

describe('sendResponse', () => {
  const bytes = (text: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const open = (stallMs = 30_000, to = new FakeResponse()) => {
    let cancelled = false;
    let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (given) => void (controller = given),
      cancel: () => void (cancelled = true),
    });
    const sent = sendResponse(
      new Response(body, { status: 201, headers: { a: 'b' } }),
      to as unknown as ServerResponse,
      stallMs,
    );
    return {
      to,
      sent,
      controller: controller as unknown as ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
      isCancelled: () => cancelled,
    };
  };

  it('sends the head before the first piece, and each piece as it comes', async () => {
    const { to, sent, controller } = open();
    await settle();
    expect(to.log).toEqual(['head 201 {"a":"b"}', 'flush']);
    controller.enqueue(bytes('one'));
    await settle();
    controller.enqueue(bytes('two'));
    controller.close();
    await sent;
    expect(to.log.slice(2)).toEqual(['one', 'two', 'end']);
    expect([to.listenerCount('close'), to.listenerCount('drain')]).toEqual([0, 0]);
  });

  it('waits until there is room again', async () => {
    const { to, sent, controller } = open();
    to.room = false;
    controller.enqueue(bytes('one'));
    controller.enqueue(bytes('two'));
    await settle();
    expect(to.log.slice(2)).toEqual(['one']);
    to.room = true;
    to.emit('drain');
    await settle();
    expect(to.log.slice(2)).toEqual(['one', 'two']);
    controller.close();
    await sent;
  });

  it('ends the stream when the client is gone, also while it waits for room', async () => {
    for (const room of [true, false]) {
      const { to, sent, controller, isCancelled } = open();
      to.room = room;
      controller.enqueue(bytes('one'));
      await settle();
      to.destroyed = true;
      to.emit('close');
      await sent;
      expect([isCancelled(), to.log.slice(2)]).toEqual([true, ['one', 'end']]);
    }
  });

  it('ends the stream of a client that was gone before it began', async () => {
    const to = Object.assign(new FakeResponse(), { destroyed: true });
    const { sent, isCancelled } = open(30_000, to);
    await settle();
    expect(isCancelled()).toBe(true);
    await sent;
    expect(to.log.slice(2)).toEqual(['end']);
  });

  it('cuts off a client that reads nothing', async () => {
    const { to, sent, controller, isCancelled } = open(1);
    to.room = false;
    Object.assign(to, {
      destroy: () => {
        to.destroyed = true;
        to.emit('close');
      },
    });
    controller.enqueue(bytes('one'));
    await sent;
    expect([isCancelled(), to.log.slice(2)]).toEqual([true, ['one', 'end']]);
  });

  it('has no body where there is none', async () => {
    const to = new FakeResponse();
    await sendResponse(new Response(null, { status: 202 }), to as unknown as ServerResponse, 30_000);
    expect(to.log).toEqual(['head 202 {}', 'end']);
  });
});
