// The table of operations and their handlers -> one application: routes, roles, checks of requests, problems.
//
//   Request of a known identity -> role -> schemas -> handler -> Response
//
// Every route comes from the table, so there is none without a role and schemas. What a handler throws becomes a problem here.
import { Hono } from 'hono';
import type { Json } from '../base/json.ts';
import { hasRole } from '../api/role.ts';
import type { Operation } from '../api/operation.ts';
import type { OperationName } from '../api/operations.ts';
import { operationNames, operationOf } from '../api/operations.ts';
import type { Identity, KnownRequest } from './guard.ts';
import { whoIs } from './guard.ts';
import { changeHandlers } from './handlers/changes.ts';
import { hubHandlers } from './handlers/hub.ts';
import { chatHandlers } from './handlers/chats.ts';
import { labHandlers } from './handlers/lab.ts';
import { fileHandlers } from './handlers/files.ts';
import { noteHandlers } from './handlers/notes.ts';
import { questionHandlers } from './handlers/questions.ts';
import { runDetailHandlers } from './handlers/run-details.ts';
import { runHandlers } from './handlers/runs.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { skillDetailHandlers } from './handlers/skill-details.ts';
import { skillHandlers } from './handlers/skills.ts';
import { systemHandlers } from './handlers/system.ts';
import { webhookHandlers } from './handlers/webhooks.ts';
import { problemOf, problemResponse } from './problem.ts';
import { readRequest } from './read-request.ts';
import type { Upload } from './uploads.ts';
import { Uploads } from './uploads.ts';
import type { ApiService, Call, Handler, Handlers } from './service.ts';

export interface AppOptions {
  readonly service: ApiService;
  readonly onBug: (error: unknown) => void;
}

/** What comes with a request besides itself. */
interface Bindings {
  readonly body: string | null;
  /** The body of a PUT, not read yet. */
  readonly upload?: Upload | null;
  readonly known: KnownRequest;
}

/** What is answered, as the router has it: `/v1/runs/:run`. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

export interface App {
  readonly routes: readonly Route[];
  answer(request: Request, bindings: Bindings): Promise<Response>;
}

const nobody: Identity = { name: '', role: 'viewer', csrf: null, session: null };

export function createApp({ service, onBug }: AppOptions): App {
  const handlers: Handlers = {
    ...runHandlers(service),
    ...runDetailHandlers(service),
    ...questionHandlers(service),
    ...skillHandlers(service),
    ...skillDetailHandlers(service),
    ...changeHandlers(service),
    ...hubHandlers(service),
    ...chatHandlers(service),
    ...labHandlers(service),
    ...noteHandlers(service),
    ...fileHandlers(service),
    ...webhookHandlers(service),
    ...settingsHandlers(service),
    ...systemHandlers(service),
  };
  const uploads = new Uploads();
  const { metrics, nowMs } = service;
  metrics.describe('techne_http_requests_total', 'Answered requests');
  const app = new Hono<{ Bindings: Bindings }>();
  for (const name of operationNames()) {
    const operation = operationOf(name);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(operation.method, path, async (context) => {
      const startedMs = nowMs();
      const { env } = context;
      const response = await answer({
        operation,
        handler: handlers[name] as unknown as Handler<OperationName>,
        request: context.req.raw,
        params: context.req.param() as { readonly [name: string]: string },
        bindings: env,
        uploads,
        onBug,
      });
      if (operation.method === 'POST' && response.ok) service.changes.kick();
      metrics.time(name, nowMs() - startedMs);
      metrics.count('techne_http_requests_total', { operation: name, status: String(response.status) });
      return response;
    });
  }
  app.notFound((context) => unknownRoute(context.req.method, new URL(context.req.url).pathname));
  app.onError((error) => problemFor(error, onBug));
  const routes = app.routes.map(({ method, path }) => ({ method, path }));
  const respond = async (request: Request, bindings: Bindings): Promise<Response> => {
    if (request.method === 'OPTIONS' && bindings.known.crossOrigin !== null)
      return readableBy(bindings.known.crossOrigin, new Response(null, { status: 204, headers: preflight }));
    const response = await app.fetch(request, bindings);
    response.headers.set('x-content-type-options', 'nosniff');
    // What is shown by itself, in a tab or a frame, does and loads nothing.
    if (!response.headers.has('content-security-policy'))
      response.headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    const { crossOrigin } = bindings.known;
    return crossOrigin === null ? response : readableBy(crossOrigin, response);
  };
  return { routes, answer: respond };
}

interface Asked {
  readonly operation: Operation;
  readonly handler: Handler<OperationName>;
  readonly request: Request;
  readonly params: { readonly [name: string]: string };
  readonly bindings: Bindings;
  readonly uploads: Uploads;
  readonly onBug: (error: unknown) => void;
}

async function answer({
  operation,
  handler,
  request,
  params,
  bindings,
  uploads,
  onBug,
}: Asked): Promise<Response> {
  const { identity } = bindings.known;
  const { role } = operation;
  if (role !== null && (identity === null || !hasRole(identity.role, role)))
    return problemResponse({
      status: 403,
      code: 'ROLE_REFUSED',
      detail: `this needs the role "${role}", and ${whoIs(identity)}`,
      hint: `use a token with the role "${role}"`,
    });
  try {
    const read = readRequest(operation, request, { params, body: bindings.body });
    const who = identity ?? nobody;
    const bytes =
      operation.maxBytes === undefined
        ? {}
        : { body: await uploads.read(operation, bindings.upload ?? null) };
    const call = { ...read, ...bytes, identity: who, role: who.role, left: request.signal } as unknown;
    const given = (await handler(call as Call<OperationName>)) as Json | Response;
    if (!(given instanceof Response)) return rendered(operation, given);
    // The body of an answer to HEAD is not sent, so what feeds it ends here.
    if (request.method === 'HEAD') await given.body?.cancel();
    return given;
  } catch (error) {
    return problemFor(error, onBug);
  }
}

function rendered({ answers, status }: Operation, value: Json): Response {
  const isJson = answers === 'json';
  return new Response(isJson ? JSON.stringify(value) : (value as string), {
    status,
    headers: {
      'content-type': isJson ? 'application/json; charset=utf-8' : 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}

function problemFor(error: unknown, onBug: (error: unknown) => void): Response {
  const problem = problemOf(error);
  if (problem !== null) return problemResponse(problem);
  onBug(error);
  return problemResponse({
    status: 500,
    code: 'INTERNAL',
    detail: 'internal error in techne; see the log of the server',
    hint: null,
  });
}

function unknownRoute(method: string, path: string): Response {
  const allowed = operationNames()
    .map(operationOf)
    .filter((operation) => fits(operation.path, path))
    .map((operation) => operation.method);
  return problemResponse(
    allowed.length === 0
      ? {
          status: 404,
          code: 'ROUTE_UNKNOWN',
          detail: 'there is nothing at this path',
          hint: 'see /openapi.json',
        }
      : {
          status: 405,
          code: 'ROUTE_UNKNOWN',
          detail: `this path does not take ${method}`,
          hint: `use ${allowed.join(' or ')}`,
          headers: { allow: [...new Set(allowed)].join(', ') },
        },
  );
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
  );
}

const preflight = {
  'access-control-allow-methods': 'GET, POST, PUT',
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, last-event-id, mcp-session-id',
  'access-control-max-age': '600',
};

function readableBy(origin: string, response: Response): Response {
  response.headers.set('access-control-allow-origin', origin);
  response.headers.append('vary', 'Origin');
  return response;
}
