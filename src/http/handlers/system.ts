// The server itself: probes, metrics, the description of the API, the one-time link, who is asking.
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Json } from '../../base/json.ts';
import { renderOpenApi } from '../../api/render-openapi.ts';
import { hasRole, mayAnswer } from '../../api/role.ts';
import { audiences } from '../../api/schemas.ts';
import { TechneError } from '../../base/error.ts';
import { packageVersion } from '../../node/package-info.ts';
import type { ChatReader } from '../chats/chat-feeds.ts';
import type { Identity } from '../guard.ts';
import { shownGiven } from '../describe-run.ts';
import { problemResponse } from '../problem.ts';
import type { FeedReader } from '../run-feeds.ts';
import type { ApiService, Handlers } from '../service.ts';
import { mustShare, useRuns } from '../service.ts';
import { streamChanges } from '../stream-changes.ts';

const mostGiven = 500;

type Names =
  | 'health'
  | 'ready'
  | 'metrics'
  | 'limits'
  | 'listTrust'
  | 'grantTrust'
  | 'revokeTrust'
  | 'openapi'
  | 'login'
  | 'openSession'
  | 'closeSession'
  | 'changes'
  | 'session';

export function systemHandlers(service: ApiService): Handlers<Names> {
  const { metrics, link, sessions, tokens, stopping, workspace } = service;
  const shown = ({
    name,
    role,
    csrf,
  }: Pick<Identity, 'name' | 'role' | 'csrf'>): OperationOutput<Operations['session']> => ({
    name,
    role,
    answers: audiences.filter((audience) => mayAnswer(role, audience)),
    csrf,
    workspace,
  });
  /** null: there is none of this id any more. */
  const openChat = async (chat: string, from: number): Promise<ChatReader | null> => {
    try {
      return (await service.chats?.feeds.open(chat, from)) ?? null;
    } catch (error) {
      // One that is gone must not take the whole stream of a browser with it.
      if (error instanceof TechneError) return null;
      throw error;
    }
  };
  return {
    health: () => ({ status: 'ok' }),
    ready: () =>
      stopping.aborted
        ? problemResponse({
            status: 503,
            code: 'OVERLOADED',
            detail: 'the server is stopping',
            hint: 'send requests to another one',
          })
        : { status: 'ready' },
    metrics: () => metrics.render(),
    limits: () =>
      useRuns(service, async ({ serving }) => ({ limits: [...((await serving?.served.limits()) ?? [])] })),
    listTrust: () =>
      useRuns(service, async ({ serving }) => ({
        given: ((await serving?.trust.list(mostGiven)) ?? []).map(shownGiven),
      })),
    grantTrust: ({ body: { skill, digest }, identity }) =>
      useRuns(service, async ({ serving }) =>
        shownGiven(
          await mustShare(serving, 'trust of workers').trust.grant({
            skill,
            digest,
            by: `${identity.role} ${identity.name}`,
          }),
        ),
      ),
    revokeTrust: ({ body, identity }) =>
      useRuns(service, async ({ serving }) => ({
        revoked: ((await serving?.trust.revoke(body.what, `${identity.role} ${identity.name}`)) ?? []).map(
          shownGiven,
        ),
      })),
    openapi: () =>
      renderOpenApi(packageVersion(), sessions.cookieName) as OperationOutput<Operations['openapi']>,
    login({ query }) {
      if (link?.take(query.code ?? '') !== true) return refusedLink();
      const { setCookie } = sessions.open(null, false);
      return new Response(page, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'set-cookie': setCookie,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
        },
      });
    },
    openSession({ body: { code, token }, headers }) {
      let proof: string | null = null;
      if (code !== undefined) {
        if (link?.take(code) !== true) return refusedLink();
      } else {
        const found = tokens.find(token ?? '');
        if (typeof found === 'string') return refusedToken();
        proof = found.hash;
      }
      const { session, setCookie } = sessions.open(proof, isHttps(headers.origin));
      // Revoked in between.
      return session === null ? refusedToken() : withCookie(shown(session), setCookie);
    },
    closeSession: ({ identity: { session }, headers }) =>
      session === null
        ? { ended: false }
        : withCookie({ ended: true }, sessions.end(session, isHttps(headers.origin))),
    async changes({ query, headers, role, identity, left }) {
      const { changes, feeds, texts, heartbeatMs } = service;
      if (query.chats !== undefined && !hasRole(role, 'reviewer'))
        throw new TechneError(
          'ROLE_REFUSED',
          `conversations need the role "reviewer", and the token "${identity.name}" is a ${role}`,
          { hint: 'use a token with the role "reviewer"' },
        );
      const runs: { run: string; reader: FeedReader }[] = [];
      for (const place of query.runs?.split(',') ?? []) {
        const [run = '', from] = place.split(':');
        runs.push({ run, reader: await feeds.open(run, Number(from)) });
      }
      const chats: { chat: string; reader: ChatReader | null }[] = [];
      for (const place of query.chats?.split(',') ?? []) {
        const [chat = '', from] = place.split(':');
        const reader = await openChat(chat, Number(from));
        chats.push({ chat, reader });
      }
      const after = headers['last-event-id'] ?? query.after ?? null;
      return streamChanges({ changes, texts, after, runs, chats, role, heartbeatMs, stopping, left });
    },
    session: ({ identity }) => shown(identity),
  };
}

function refusedLink(): Response {
  return problemResponse({
    status: 401,
    code: 'TOKEN_REFUSED',
    detail: 'the link was used already, is too old, or is not of this server',
    hint: 'start the server again for a new one, or use a token',
  });
}

/** The same for each reason: who guesses learns nothing. */
function refusedToken(): Response {
  return problemResponse({
    status: 401,
    code: 'TOKEN_REFUSED',
    detail: 'the token is wrong, has expired, or was revoked',
    hint: 'techne serve token create NAME --role ROLE makes one',
  });
}

function isHttps(origin: string | undefined): boolean {
  return origin?.startsWith('https://') === true;
}

function withCookie(value: Json, setCookie: string): Response {
  return new Response(JSON.stringify(value), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'set-cookie': setCookie,
      'cache-control': 'no-store',
    },
  });
}

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>techne</title>
<h1>You are logged in.</h1>
<p>This browser may use the API of this server until the server stops: <a href="/v1/session">who you are</a>,
<a href="/v1/runs">runs</a>, <a href="/v1/skills">skills</a>, <a href="/v1/questions">questions</a>,
<a href="/openapi.json">every operation</a>.</p>
</html>
`;
