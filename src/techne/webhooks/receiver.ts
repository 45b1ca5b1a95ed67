// The address of a receiver -> one bounded request to it.
//
// S1. https to public addresses. A host that `webhooks.allowHosts` of this machine names may have a private address and plain http.
// S2. The host is resolved once for each attempt, and the connection goes to an address that was checked: a second answer of the
//     DNS cannot lead elsewhere.
// S3. Redirects are not followed, the body of the answer is not read, and ten seconds are the end of it.
import { TechneError } from '../../base/error.ts';
import { checkHost, hostOf } from '../../hub/fetch/https/check-host.ts';
import { send } from '../../hub/fetch/https/request.ts';
import { show } from '../../hub/source/git-words.ts';
import type { Outcome } from '../../worker/webhook/judge-attempt.ts';

const maxUrl = 2_048;
const attemptMs = 10_000;

/** Throws USAGE. What the name of a host stands for is checked at each delivery. */
export function parseReceiver(text: string, allowHosts: readonly string[]): URL {
  const refuse = (why: string, hint: string): TechneError =>
    new TechneError('USAGE', `a webhook cannot be sent to "${text.slice(0, 120)}": ${why}`, { hint });
  if (!URL.canParse(text) || text.length > maxUrl)
    throw refuse('that is no address', 'such as https://example.org/hooks/techne');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuse('only https is allowed', 'use an https address');
  if (url.username !== '' || url.password !== '')
    throw refuse(
      'it holds a user name or a password',
      'leave them out: the signature says where a payload is from',
    );
  const host = hostOf(url);
  if (url.protocol === 'http:' && !isAllowed(host, allowHosts))
    throw refuse(
      'plain http can be read on its way',
      `use https; for a receiver of your own network set "webhooks": {"allowHosts": ["${show(host)}"]} in ~/.techne/config.json of server and workers`,
    );
  return url;
}

/** Throws USAGE. */
export function parseServer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new TechneError('USAGE', `"${text.slice(0, 120)}" cannot be the address of a server`, {
      hint: 'such as https://runs.example.org',
    });
  return url;
}

export interface PostOptions {
  readonly allowHosts: readonly string[];
  readonly signal: AbortSignal;
  /** Default: the DNS of the system. */
  readonly resolveHost?: (host: string) => Promise<readonly string[]>;
  /** Default: ten seconds. */
  readonly timeoutMs?: number;
}

/** Throws only when `signal` aborts. */
export async function postWebhook(
  address: string,
  { headers, body }: { readonly headers: { readonly [name: string]: string }; readonly body: string },
  { allowHosts, signal, resolveHost, timeoutMs = attemptMs }: PostOptions,
): Promise<Outcome> {
  try {
    const url = parseReceiver(address, allowHosts);
    const host = await checkHost(hostOf(url), {
      hub: { allowHosts },
      setting: 'webhooks.allowHosts',
      ...(resolveHost === undefined ? {} : { resolveHost }),
    });
    const answer = await send(
      url,
      host,
      {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': String(Buffer.byteLength(body)),
        },
        body,
      },
      { limits: { idleMs: timeoutMs, totalMs: timeoutMs }, signal },
    );
    answer.body.on('error', () => undefined);
    answer.close();
    return { status: answer.status, retryAfterMs: retryAfterOf(answer.headers['retry-after']) };
  } catch (error) {
    if (signal.aborted) throw error;
    // Addresses of receivers are often secrets themselves.
    const words = error instanceof Error ? error.message : String(error);
    const named = words.replaceAll(`"${show(address)}"`, 'the receiver');
    return { fault: named.replace('cannot be fetched', 'cannot be reached').slice(0, 300) };
  }
}

function isAllowed(host: string, allowHosts: readonly string[]): boolean {
  return allowHosts.some((named) => named.toLowerCase() === host);
}

/** Seconds; a date is not worth the clocks of two machines. */
function retryAfterOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : null;
}
