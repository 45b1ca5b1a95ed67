import { describe, expect, it } from 'vitest';
import type { RequestVerdict } from '../../http/server/open-server.ts';
import { createGuard } from './guard-request.ts';

const token = 'a-token-for-tests-0123456789';
const guard = createGuard({
  hosts: ['127.0.0.1:1', 'localhost:1'],
  origins: ['https://tools.example'],
  token,
  path: '/mcp',
});

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly host?: readonly string[];
  readonly authorization?: readonly string[];
  readonly headers?: readonly string[];
}

function judge({
  method = 'GET',
  target = '/mcp',
  host = ['127.0.0.1:1'],
  authorization = [`Bearer ${token}`],
  headers = [],
}: Sent): RequestVerdict<null> {
  const named = (name: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [name, value]);
  return guard({
    method,
    target,
    rawHeaders: [...named('Host', host), ...named('Authorization', authorization), ...headers],
  });
}

const answer = (sent: Sent): unknown => judge(sent).refusal;
const forbidden = (message: string): unknown => ({ status: 403, message });

describe('createGuard', () => {
  it('tells a missing token from a wrong one, and nothing of the right one', () => {
    expect(answer({})).toBeNull();
    expect(answer({ authorization: [] })).toEqual({
      status: 401,
      message: 'a bearer token is required',
      headers: { 'www-authenticate': 'Bearer realm="techne"' },
    });
    for (const wrong of ['x', token.slice(0, -1), `${token}x`])
      expect(answer({ authorization: [`Bearer ${wrong}`] })).toEqual({
        status: 401,
        message: 'the bearer token is wrong',
        headers: { 'www-authenticate': 'Bearer realm="techne", error="invalid_token"' },
      });
    for (const authorization of [[token], ['Basic abc'], ['Bearer'], [`Bearer ${token}`, `Bearer ${token}`]])
      expect(answer({ authorization })).toMatchObject({
        status: 401,
        message: 'the Authorization header must be "Bearer TOKEN", once',
      });
  });

  it('knows who has the token, also where it refuses them', () => {
    expect(judge({})).toEqual({ proven: true, refusal: null, known: null });
    expect(judge({ target: '/other' })).toMatchObject({ proven: true, refusal: { status: 404 } });
    expect(judge({ authorization: ['Bearer x'] })).toMatchObject({ proven: false, refusal: { status: 401 } });
  });

  it('knows its own names, once', () => {
    for (const host of ['127.0.0.1:1', 'LocalHost:1']) expect(answer({ host: [host] })).toBeNull();
    for (const host of [[], [''], ['127.0.0.1'], ['127.0.0.1:2'], ['127.0.0.1:1', '127.0.0.1:1']])
      expect(answer({ host })).toEqual(forbidden('the Host header names another server'));
  });

  it('lets its own pages and those that are allowed ask', () => {
    for (const origin of ['http://127.0.0.1:1', 'http://localhost:1', 'https://tools.example'])
      expect(answer({ headers: ['Origin', origin] })).toBeNull();
    for (const origin of ['null', '', 'http://tools.example', 'https://127.0.0.1:1'])
      expect(answer({ headers: ['Origin', origin] })).toEqual(
        forbidden('requests from this Origin are not allowed'),
      );
    const twice = ['Origin', 'http://localhost:1', 'Origin', 'http://localhost:1'];
    expect(answer({ headers: twice })).toEqual(forbidden('requests from this Origin are not allowed'));
  });

  it('refuses what a browser marks as coming from another site', () => {
    for (const site of ['same-origin', 'none'])
      expect(answer({ headers: ['Sec-Fetch-Site', site] })).toBeNull();
    for (const site of ['cross-site', 'same-site', ''])
      expect(answer({ headers: ['Sec-Fetch-Site', site] })).toEqual(
        forbidden('requests from other sites are not allowed'),
      );
  });

  it('tells where the server is only to who has the token', () => {
    expect(answer({ target: 'http://127.0.0.1:1/mcp' })).toEqual(
      forbidden('the request target names another server'),
    );
    expect(answer({ target: '/mcp/' })).toEqual({ status: 404, message: 'not found; the server is at /mcp' });
    expect(answer({ target: '/other', authorization: [] })).toMatchObject({ status: 401 });
  });

  it('takes three methods, and JSON alone', () => {
    for (const method of ['PUT', 'HEAD', 'OPTIONS', 'get'])
      expect(answer({ method })).toEqual({
        status: 405,
        message: 'this method is not allowed',
        headers: { allow: 'POST, GET, DELETE' },
      });
    expect(answer({ method: 'DELETE' })).toBeNull();
    const posted = (...kinds: readonly string[]): unknown =>
      answer({ method: 'POST', headers: kinds.flatMap((kind) => ['Content-Type', kind]) });
    for (const kind of ['application/json', 'Application/JSON ; charset=utf-8'])
      expect(posted(kind)).toBeNull();
    for (const kinds of [[], ['text/plain'], ['application/jsonx'], ['application/json', 'application/json']])
      expect(posted(...kinds)).toEqual({ status: 415, message: 'the body must be application/json' });
  });
});
