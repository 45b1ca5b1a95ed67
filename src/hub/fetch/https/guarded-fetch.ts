// `fetch` for libraries, over our own client: hosts are checked, redirects refused, nothing of the system is sent.
import { Readable } from 'node:stream';
import { TechneError } from '../../../base/error.ts';
import { show } from '../../source/git-words.ts';
import type { FetchContext } from '../context.ts';
import { checkUrl } from './check-host.ts';
import { send } from './request.ts';

export function guardedFetch(
  context: FetchContext,
): (address: string | URL, init?: RequestInit) => Promise<Response> {
  return async (address, init = {}) => {
    const url = new URL(address);
    const host = await checkUrl(url, context.options);
    if (init.body !== undefined && init.body !== null && typeof init.body !== 'string')
      throw new Error('only texts can be sent');
    const headers = Object.fromEntries(new Headers(init.headers));
    const answer = await send(
      url,
      host,
      {
        method: init.method ?? 'GET',
        headers,
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
      },
      context,
    );
    const close = (): void => answer.close();
    if (init.signal?.aborted === true) close();
    init.signal?.addEventListener('abort', close, { once: true });
    answer.body.on('close', () => init.signal?.removeEventListener('abort', close));
    if (answer.status >= 300 && answer.status < 400) {
      close();
      throw new TechneError(
        'SOURCE_REFUSED',
        `"${show(url.href)}" redirects, which a server of MCP must not`,
        {
          hint: 'use the address it ends at',
        },
      );
    }
    const isEmpty = answer.status === 204 || answer.status === 205;
    if (isEmpty) close();
    return new Response(isEmpty ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>), {
      status: answer.status,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
      ),
    });
  };
}
