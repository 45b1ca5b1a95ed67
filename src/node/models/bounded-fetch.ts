// fetch to one address, with limits on the answer.
//
// A redirect is an error: the key must not go to another host. An answer or a line over its limit fails and closes
// the request; of an error response only the beginning is read. An abort also closes a request whose answer is
// arriving: on Node 20 a `fetch` without redirects forgets its signal at the first garbage collection after the head.
// A web page is not the answer of a model: the address is wrong and a retry would not help. It must be declared as
// HTML and begin like it, because some servers declare everything as HTML.
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
    // Closes the request also while its answer arrives, when fetch has forgotten the signal.
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
      // A web page: the address is wrong.
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
