import { describe, expect, it } from 'vitest';
import { detectAnswerers, firstChoice } from './detect-answerers.ts';

const detect = (variables: { readonly [name: string]: string }) =>
  detectAnswerers({ config: { models: {} }, variables, hasTerminal: false, findProgram: () => null });

describe('detectAnswerers', () => {
  // Claude Code takes the address without /v1; the library of the model takes it with /v1.
  it.each([
    ['https://gateway.example', 'https://gateway.example/v1'],
    ['https://gateway.example/', 'https://gateway.example/v1'],
    ['https://gateway.example/v1', 'https://gateway.example/v1'],
    ['https://gateway.example/v1/', 'https://gateway.example/v1'],
    ['https://gateway.example/anthropic', 'https://gateway.example/anthropic/v1'],
    ['not an address', 'not an address'],
  ])('reads ANTHROPIC_BASE_URL=%s as Claude Code does', (given, read) => {
    const [first] = detect({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: given });
    expect(first).toMatchObject({ name: 'model:anthropic', endpoint: { baseUrl: read } });
  });
});

describe('firstChoice', () => {
  it('takes a key in the usual variables only where it is not the key of a host', () => {
    const candidates = detect({ ANTHROPIC_API_KEY: 'k' });
    expect([firstChoice(candidates).name, firstChoice(candidates, false).name]).toEqual([
      'model:anthropic',
      'caller',
    ]);
  });
});
