// The server itself: probes, metrics, the description of the API, the one-time link, who is asking.
import type { OperationOutput } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { renderOpenApi } from '../../api/render-openapi.ts';
import { mayAnswer } from '../../api/role.ts';
import { audiences } from '../../api/schemas.ts';
import { packageVersion } from '../../node/package-info.ts';
import { problemResponse } from '../problem.ts';
import type { ApiService, Handlers } from '../service.ts';

type Names = 'health' | 'ready' | 'metrics' | 'openapi' | 'login' | 'session';

export function systemHandlers(service: ApiService): Handlers<Names> {
  const { metrics, link, stopping, workspace } = service;
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
    openapi: () => renderOpenApi(packageVersion()) as OperationOutput<Operations['openapi']>,
    login({ query }) {
      const cookie = link?.open(query.code ?? '') ?? null;
      if (cookie === null)
        return problemResponse({
          status: 401,
          code: 'TOKEN_REFUSED',
          detail: 'the link was used already, is too old, or is not of this server',
          hint: 'start the server again for a new one, or use a token',
        });
      return new Response(page, {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'set-cookie': cookie,
          'cache-control': 'no-store',
          'referrer-policy': 'no-referrer',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
        },
      });
    },
    session: ({ identity: { name, role, csrf } }) => ({
      name,
      role,
      answers: audiences.filter((audience) => mayAnswer(role, audience)),
      csrf,
      workspace,
    }),
  };
}

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>techne</title>
<h1>You are logged in.</h1>
<p>This browser may use the API of this server until the server stops: <a href="/v1/session">who you are</a>,
<a href="/v1/runs">runs</a>, <a href="/v1/skills">skills</a>, <a href="/v1/questions">questions</a>,
<a href="/openapi.json">every operation</a>.</p>
</html>
`;
