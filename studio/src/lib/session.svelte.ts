// Who this browser is to the server, and the client that asks for it.
//
//   #login=CODE -> POST /v1/login -> cookie · otherwise the cookie that is there · otherwise a token that somebody types
//
// The code is in the fragment, so no server log and no Referer has it; it is removed from the address at once. A token is sent once, in the
// body, and kept nowhere. The session can end under a page that is open (its token was revoked, or the server was started anew without
// its file): then the page asks for a login, and goes on where it was, also when another tab has logged in.
import { createClient } from '../../../src/client/create-client.ts';
import type { Client } from '../../../src/client/create-client.ts';
import { ApiError } from '../../../src/client/transport.ts';
import type { OperationOutput } from '../../../src/api/operation.ts';
import type { Operations } from '../../../src/api/operations.ts';
import { live } from './live.svelte.ts';

export type Session = OperationOutput<Operations['session']>;

export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'in'; readonly session: Session }
  /** `why`: what the server said to the link. `wasIn`: the session has ended under the page. */
  | { readonly kind: 'out'; readonly why: string | null; readonly wasIn: boolean }
  /** Browsers keep from pages what they need, and the token would be readable on its way. */
  | { readonly kind: 'insecure' }
  | { readonly kind: 'unreachable' };

let state = $state<SessionState>({ kind: 'starting' });
let client: Client = createClient({ url: location.origin });
const tabs = new BroadcastChannel('techne-session');

export const session = {
  get state(): SessionState {
    return state;
  },
  /** `null` before the login. */
  get now(): Session | null {
    return state.kind === 'in' ? state.session : null;
  },
  /** The server does not know us any more. */
  lost(): void {
    if (state.kind !== 'out') state = { kind: 'out', why: null, wasIn: true };
  },
  /** Exchanges a token for a session. Throws ApiError, and what `fetch` throws. */
  async logIn(token: string): Promise<void> {
    const bare = createClient({ url: location.origin, maxRetries: 0 });
    take(await bare.call('openSession', { body: { token } }));
    tabs.postMessage('in');
  },
  /** Ends the session on the server. The page begins anew, so that nothing of it stays in memory. Throws ApiError, and what `fetch` throws. */
  async logOut(): Promise<void> {
    await client.call('closeSession');
    tabs.postMessage('out');
    location.assign('/');
  },
};

/** Any operation of the server, by its name, with its types. Throws ApiError. */
export const call: Client['call'] = async (name, input) => {
  try {
    return await client.call(name, input);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) session.lost();
    throw error;
  }
};

export async function startSession(): Promise<void> {
  if (!isSecureContext) {
    state = { kind: 'insecure' };
    return;
  }
  tabs.addEventListener('message', () => void logIn());
  addEventListener('hashchange', () => (codeInAddress() === null ? undefined : void logIn()));
  await logIn();
}

async function logIn(): Promise<void> {
  const code = codeInAddress();
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  let why: string | null = null;
  for (let tries = 0; ; tries += 1) {
    try {
      const bare = createClient({ url: location.origin, maxRetries: 1 });
      let found: Session;
      if (code === null || tries > 0) found = await bare.call('session');
      else {
        try {
          found = await bare.call('openSession', { body: { code } });
          tabs.postMessage('in');
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          why = error.message;
          // A link that was used by this browser before: its cookie may be good.
          found = await bare.call('session');
        }
      }
      take(found);
      return;
    } catch (error) {
      if (error instanceof ApiError) {
        state = { kind: 'out', why, wasIn: state.kind === 'in' || (state.kind === 'out' && state.wasIn) };
        return;
      }
      state = { kind: 'unreachable' };
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
  }
}

function take(found: Session): void {
  client = createClient({ url: location.origin, csrf: found.csrf ?? '', maxRetries: 3 });
  state = { kind: 'in', session: found };
  live.start(() => session.lost());
}

function codeInAddress(): string | null {
  return /^#login=([\w-]+)$/.exec(location.hash)?.[1] ?? null;
}
