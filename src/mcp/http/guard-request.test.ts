import { describe, expect, it } from 'vitest';
import { createGuard } from './guard-request.ts';

const token = 'a-token-for-tests-0123456789';
const guard = createGuard({ hosts: ['127.0.0.1:1'], origins: [], token, path: '/mcp' });
const judge = (target: string, ...authorization: readonly string[]) =>
  guard({
    method: 'GET',
    target,
    rawHeaders: ['Host', '127.0.0.1:1', ...authorization.flatMap((value) => ['Authorization', value])],
  });
const answer = (...authorization: readonly string[]): unknown => judge('/mcp', ...authorization).refusal;

describe('createGuard', () => {
  it('tells a missing token from a wrong one, and nothing of the right one', () => {
    expect(answer(`Bearer ${token}`)).toBeNull();
    expect(answer()).toEqual({
      status: 401,
      message: 'a bearer token is required',
      headers: { 'www-authenticate': 'Bearer realm="techne"' },
    });
    for (const wrong of ['x', token.slice(0, -1), `${token}x`])
      expect(answer(`Bearer ${wrong}`)).toEqual({
        status: 401,
        message: 'the bearer token is wrong',
        headers: { 'www-authenticate': 'Bearer realm="techne", error="invalid_token"' },
      });
    for (const given of [[token], ['Basic abc'], ['Bearer'], [`Bearer ${token}`, `Bearer ${token}`]])
      expect(answer(...given)).toMatchObject({
        status: 401,
        message: 'the Authorization header must be "Bearer TOKEN", once',
      });
  });

  it('knows who has the token, also where it refuses them', () => {
    expect(judge('/mcp', `Bearer ${token}`)).toEqual({ proven: true, refusal: null });
    expect(judge('/other', `Bearer ${token}`)).toMatchObject({ proven: true, refusal: { status: 404 } });
    expect(judge('/mcp', 'Bearer x')).toMatchObject({ proven: false, refusal: { status: 401 } });
  });
});
