// A request of Node's server -> a web Request, and a web Response -> Node's.
//
// A body is read completely, up to its limit, before it is handled. If the client disconnects, the handler is aborted.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** `null`: it is longer than `maxBytes`. Rejects if the client disconnects. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // Left early, the connection stays for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function toWebRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  origin: string,
  body: string | null,
  signal: AbortSignal,
): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value);
  return new Request(new URL(url, origin), {
    method,
    headers: given,
    signal,
    ...(body === null || method !== 'POST' ? {} : { body }),
  });
}

/** Reads what a client still sends and keeps none of it, for `mostMs`. A client that cannot write any more may miss its answer. */
export async function dropRest(request: IncomingMessage, mostMs: number): Promise<void> {
  if (request.complete || request.socket.destroyed) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, mostMs);
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    request.once('end', end).once('close', end).once('error', end);
    request.resume();
  });
}

/** `stallMs`: how long the client may read nothing before it is cut off. `beforeEnd`: what is done between the last byte and the end. */
export async function sendResponse(
  response: Response,
  to: ServerResponse,
  stallMs: number,
  beforeEnd: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  to.on('close', leave);
  // A client that left before this began: its "close" has passed.
  if (to.destroyed) leave();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || to.destroyed) break;
      if (!to.write(value))
        await new Promise<void>((resolve) => {
          const stalled = setTimeout(() => to.destroy(), stallMs);
          const go = (): void => {
            clearTimeout(stalled);
            to.off('drain', go).off('close', go);
            resolve();
          };
          to.once('drain', go).once('close', go);
        });
    }
    if (!to.destroyed) await beforeEnd();
  } finally {
    to.off('close', leave);
    to.end();
  }
}
