import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askRequest, fakeAskContext } from '../../test/support/fake-ask-context.ts';
import { libraryOf, loadFrom } from '../../test/support/library.ts';
import { createModelServer } from '../../test/support/model-server.ts';
import { TechneError } from '../base/error.ts';
import type { ModelEndpoint } from '../config/types.ts';
import { createNodeFiles } from '../node/files/files.ts';
import { createFunctionAnswerer } from './function-answerer.ts';
import type { OpenAnswerersOptions } from './open-answerers.ts';
import { openAnswerers } from './open-answerers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-open-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(more: Partial<OpenAnswerersOptions> = {}) {
  const snapshot = await loadFrom(libraryOf([]));
  return openAnswerers({
    wanted: null,
    record: null,
    config: { models: {} },
    variables: {},
    cwd: folder,
    files: createNodeFiles(),
    snapshot,
    terminal: false,
    fileRoots: { read: [folder], write: [folder] },
    ...more,
  });
}

async function chosen(more: Partial<OpenAnswerersOptions>): Promise<string> {
  const { answerers, facts } = await open(more);
  const [first] = facts.filter((fact) => fact.chosen);
  expect(facts.filter((fact) => fact.chosen)).toHaveLength(1);
  expect(answerers[0]?.name).toBe(first?.name);
  return answerers[0]?.name ?? 'nobody';
}

async function refusal(
  wanted: string,
  more: Partial<OpenAnswerersOptions> = {},
): Promise<readonly [string, string | null]> {
  const error = await open({ wanted, ...more }).catch((failure: unknown) => failure);
  const code = wanted.endsWith(':bad.yaml') ? 'FILE_INVALID' : 'ENVIRONMENT';
  if (!(error instanceof TechneError) || error.code !== code)
    throw new Error(`expected ${code}, got ${String(error)}`);
  return [error.message.replaceAll(folder, '.'), error.hint];
}

const terminal = true;
const local: ModelEndpoint = {
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:1/v1',
  model: 'small',
  apiKeyEnv: null,
};
const keyed: ModelEndpoint = { provider: 'anthropic', baseUrl: null, model: 'large', apiKeyEnv: 'MY_KEY' };

describe('openAnswerers', () => {
  it('takes one of the program first, and has the others besides', async () => {
    const own = createFunctionAnswerer(() => 'yes');
    expect(await chosen({ wanted: own, variables: { ANTHROPIC_API_KEY: 'k' } })).toBe('program');
    const { answerers } = await open({ wanted: own, variables: { ANTHROPIC_API_KEY: 'k' } });
    expect(answerers[0]).toBe(own);
    expect(answerers.map(({ name }) => name)).toContain('model:anthropic');
  });

  it.each([
    ['caller', {}],
    ['person', { terminal }],
    ['model:anthropic', { terminal, variables: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' } }],
    ['model:openai', { variables: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: ' ' } }],
    ['model:b', { config: { models: { a: keyed, b: local } }, variables: { ANTHROPIC_API_KEY: 'k' } }],
    ['model:a', { config: { models: { a: keyed, b: local } }, variables: { MY_KEY: 'k' } }],
    ['model:default', { config: { models: { a: local, default: local } } }],
    ['model:a', { config: { models: { a: local, default: keyed } } }],
    // Plain http would give the key away.
    ['caller', { variables: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://models.example/v1' } }],
    ['model:openai', { variables: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://localhost:11434/v1' } }],
    ['person', { wanted: 'person' }],
    ['model:a', { wanted: 'model', config: { models: { a: local } }, terminal }],
    [
      'model:anthropic',
      { wanted: 'model:anthropic', config: { models: { a: local } }, variables: { ANTHROPIC_API_KEY: 'k' } },
    ],
  ])('chooses %s', async (name, more) => {
    expect(await chosen(more as Partial<OpenAnswerersOptions>)).toBe(name);
  });

  it('does not choose an agent program by itself, and finds one that is asked for', async () => {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/codex'), '#!/bin/sh\n');
    chmodSync(join(folder, 'bin/codex'), 0o755);
    const variables = { PATH: join(folder, 'bin') };
    expect(await chosen({ variables })).toBe('caller');
    expect(await chosen({ variables, wanted: 'agent-cli' })).toBe('agent-cli:codex');
    expect(await refusal('agent-cli:claude', { variables })).toEqual([
      'agent-cli:claude cannot be used: not on PATH',
      'see "techne doctor"',
    ]);
  });

  it('tells who is there and why not, without a key', async () => {
    const { facts } = await open({
      config: { models: { big: keyed, small: local } },
      variables: { OPENAI_API_KEY: 'sk-secret', OPENAI_MODEL: 'gpt-x' },
    });
    expect(facts).toEqual([
      {
        name: 'model:big',
        available: false,
        chosen: false,
        detail: 'large (anthropic), MY_KEY is not set',
        hint: 'set MY_KEY',
      },
      {
        name: 'model:small',
        available: true,
        chosen: true,
        detail: 'small (openai-compatible at 127.0.0.1:1), no key',
        hint: null,
      },
      {
        name: 'model:openai',
        available: true,
        chosen: false,
        detail: 'gpt-x (openai-compatible), key in OPENAI_API_KEY',
        hint: null,
      },
      {
        name: 'person',
        available: false,
        chosen: false,
        detail: 'there is no terminal to ask at',
        hint: 'with "--answer person" the run waits for "techne answer"',
      },
      {
        name: 'caller',
        available: true,
        chosen: false,
        detail: 'the run waits, and the caller answers',
        hint: null,
      },
      { name: 'agent-cli:claude', available: false, chosen: false, detail: 'not on PATH', hint: null },
      { name: 'agent-cli:codex', available: false, chosen: false, detail: 'not on PATH', hint: null },
    ]);
    expect(JSON.stringify(facts)).not.toContain('sk-secret');
  });

  it('gives every answerer that could resume a run', async () => {
    const { answerers } = await open({ config: { models: { a: local, b: keyed } }, wanted: 'caller' });
    expect(answerers.map(({ name }) => name)).toEqual(['caller', 'model:a', 'person']);
  });

  it.each([
    [
      'model',
      'there is no model to ask',
      'set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model under "models" in ~/.techne/config.json',
    ],
    ['agent-cli', 'no agent program is on PATH', 'install one of: claude, codex'],
    ['modle', '"modle" is not an answerer', 'did you mean "model"?'],
    [
      'model:fast',
      'there is no model "fast"',
      'name it in ~/.techne/config.json: "models": { "fast": { "provider": …, "model": … } }',
    ],
    [
      'script',
      '"script" is not an answerer',
      'one of: person, caller, agent-cli:claude, agent-cli:codex, model, agent-cli, script:FILE, replay:FILE',
    ],
    ['script:none.yaml', 'there is no file ./none.yaml', 'give the path of a file of answers'],
    [
      'script:bad.yaml',
      './bad.yaml:2:4: SCRIPT_UNKNOWN_KEY: "anser" is not a key of an answer (and 1 more)',
      'did you mean "answer"?',
    ],
    ['replay:bad.yaml', './bad.yaml: line 1: not JSON', 'give a file that "--record" has made'],
    ['script:.', '. cannot be read: "." is a folder, not a file', null],
  ])('refuses %s', async (wanted, message, hint) => {
    writeFileSync(join(folder, 'bad.yaml'), 'answers:\n- {anser: x}\n');
    expect(await refusal(wanted)).toEqual([message, hint]);
  });

  it.each([
    ['my local', 'model:my local'],
    ['', 'models'],
  ])(
    'uses no other answerer in the place of a model whose name %j is at fault, nor the default one',
    async (name, shown) => {
      const config = {
        models: {
          a: local,
          default: local,
          [name]: { fault: 'a name in "models" must be short', hint: null, misnamed: true as const },
        },
      };
      const more = { config, variables: { OPENAI_API_KEY: 'k' } };
      expect([await chosen(more), await refusal('model', more)]).toEqual([
        'caller',
        [`${shown} cannot be used: a name in "models" must be short`, 'fix it in the configuration'],
      ]);
      expect(await chosen({ ...more, wanted: 'model:default' })).toBe('model:default');
      expect((await open(more)).facts[0]).toMatchObject({ name: shown, available: false });
    },
  );

  it('uses no other answerer in the place of a model whose entry has an error, and says which key', async () => {
    const config = {
      models: {
        m: { fault: '"baseURL" is not a known key in "models.m"', hint: 'did you mean "baseUrl"?' },
        z: local,
      },
    };
    const more = { config, variables: { OPENAI_API_KEY: 'k' } };
    const why = [
      'model:m cannot be used: "baseURL" is not a known key in "models.m"',
      'did you mean "baseUrl"?',
    ];
    expect([await refusal('model', more), await refusal('model:m', more)]).toEqual([why, why]);
    expect(await chosen(more)).toBe('caller');
    // Whoever is asked for by name, or comes before it, is not meant.
    expect(await chosen({ ...more, wanted: 'model:z' })).toBe('model:z');
    expect(await chosen({ ...more, config: { models: { ...config.models, default: local } } })).toBe(
      'model:default',
    );
    const { facts, answerers } = await open(more);
    expect(facts[0]).toEqual({
      name: 'model:m',
      available: false,
      chosen: false,
      detail: '"baseURL" is not a known key in "models.m"',
      hint: 'did you mean "baseUrl"?',
    });
    expect(answerers.map(({ name }) => name)).not.toContain('model:m');
  });

  it('says which variable a model needs', async () => {
    expect(await refusal('model', { config: { models: { big: keyed } } })).toEqual([
      'model:big cannot be used: large (anthropic), MY_KEY is not set',
      'set MY_KEY',
    ]);
  });

  it('answers from a script, records it, and answers from the record', async () => {
    writeFileSync(join(folder, 'answers.yaml'), 'answers: [one, two]\n');
    const scripted = await open({ wanted: 'script:answers.yaml', record: 'kept.jsonl' });
    expect([scripted.answerers[0]?.name, scripted.facts[0]]).toEqual([
      `script:${join(folder, 'answers.yaml')}`,
      {
        name: `script:${join(folder, 'answers.yaml')}`,
        available: true,
        chosen: true,
        detail: '2 scripted answers',
        hint: null,
      },
    ]);
    await scripted.answerers[0]?.answer(askRequest(), fakeAskContext({ ordinal: 2 }));
    expect(readFileSync(join(folder, 'kept.jsonl'), 'utf8').split('\n')).toHaveLength(3);
    const replayed = await open({ wanted: 'replay:kept.jsonl' });
    expect(await replayed.answerers[0]?.answer(askRequest(), fakeAskContext({ ordinal: 2 }))).toMatchObject({
      answer: 'two',
    });
  });

  it('does not record over a file that is not a recording', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    expect(await refusal('caller', { record: 'notes.txt' })).toEqual([
      './notes.txt is not written over: line 1: not JSON',
      'record into another file',
    ]);
    expect(await refusal('caller', { record: '.' })).toEqual([
      '. cannot be recorded into: "." is a folder, not a file',
      'record into another file',
    ]);
  });

  it('asks a model that is configured', async () => {
    const server = await createModelServer({ turns: [{ text: 'hello' }] });
    try {
      const { answerers } = await open({ config: { models: { near: { ...local, baseUrl: server.url } } } });
      expect(await answerers[0]?.answer(askRequest(), fakeAskContext())).toMatchObject({ answer: 'hello' });
      expect(server.requests[0]?.headers.authorization).toBeUndefined();
    } finally {
      await server.close();
    }
  });
});
