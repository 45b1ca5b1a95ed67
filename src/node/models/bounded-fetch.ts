// fetch, to one address and for so many bytes.
//
// B1. A redirect is an error: the key goes to nobody else.
// B2. An answer that is larger than it may be, or has a line that is, fails, and its request is closed: a server cannot
//     make us hold more than this. Of what it says to a request that failed only the beginning is read.
// B3. An abort closes the request also while its answer comes in. On Node 20 a `fetch` that takes no redirect (B1) forgets its
//     signal at the first garbage collection after the head.
// B4. A page for people is no answer of a model: the address is wrong, and asking again would change nothing. It is one that is
//     called so and begins as one does: some servers call all that they say a page.
import { BrokenStream } from './turn-fault.ts';

interface BodyLimits {
  readonly bodyBytes: number;
  /** Of one line: an event of a stream is held whole until its end. */
  readonly lineBytes: number;
  readonly faultBytes: number;
}

const mebibyte = 1024 * 1024;
const lineFeed = 0x0a;
const defaultBodyLimits: BodyLimits = {
  bodyBytes: 32 * mebibyte,
  lineBytes: 4 * mebibyte,
  faultBytes: mebibyte,
};

export function createBoundedFetch(limits: BodyLimits = defaultBodyLimits): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' });
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const bound = response.ok
      ? failingAfter(limits, /^text\/html\b/i.test(headers.get('content-type') ?? ''))
      : endingAfter(limits.faultBytes);
    const { signal = null } = init ?? {};
    // B3
    return new Response(body.pipeThrough(bound, signal === null ? {} : { signal }), {
      status,
      statusText,
      headers,
    });
  };
}

function failingAfter(
  { bodyBytes, lineBytes }: BodyLimits,
  mayBePage: boolean,
): TransformStream<Uint8Array, Uint8Array> {
  let total = 0;
  let line = 0;
  const tooMuch = (what: string, bytes: number): BrokenStream =>
    new BrokenStream(`${what} is larger than ${Math.floor(bytes / mebibyte)} MiB`, { retryable: false });
  return new TransformStream({
    transform(chunk, controller) {
      // B4
      if (mayBePage && total === 0 && /^\s*</.test(String.fromCharCode(...chunk.subarray(0, 64))))
        throw new BrokenStream('the address answers with a web page, not as a model does; look at baseUrl', {
          retryable: false,
        });
      total += chunk.length;
      if (total > bodyBytes) throw tooMuch('the answer', bodyBytes);
      for (let from = 0; ;) {
        const end = chunk.indexOf(lineFeed, from);
        line += (end < 0 ? chunk.length : end) - from;
        if (line > lineBytes) throw tooMuch('one event of the answer', lineBytes);
        if (end < 0) break;
        line = 0;
        from = end + 1;
      }
      controller.enqueue(chunk);
    },
  });
}

function endingAfter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.terminate();
    },
  });
}
