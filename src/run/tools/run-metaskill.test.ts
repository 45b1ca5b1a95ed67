import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { readToolArguments, runMetaskillTool } from './run-metaskill.ts';

const max = { asks: 50, commands: 100 };
const key = (name: string, schema: { readonly [word: string]: string } | null, required = true) => ({
  key: name,
  required,
  description: null,
  schema,
});

const inputOf = (skills: Parameters<typeof runMetaskillTool>[0]): unknown =>
  (runMetaskillTool(skills, max) as unknown as { parameters: { properties: { input: unknown } } }).parameters
    .properties.input;

describe('runMetaskillTool', () => {
  it('offers nothing when nothing can be run', () => {
    expect(runMetaskillTool([], max)).toBe(null);
  });

  it('is the schema of S0 §10 with the names as an enum', () => {
    const tool = runMetaskillTool(
      [
        { name: 'b', description: '', inputs: null },
        { name: 'a', description: '', inputs: null },
      ],
      max,
    );
    expect(tool).toEqual({
      name: 'run_metaskill',
      title: 'Run a skill',
      readOnly: false,
      openWorld: true,
      description: 'Run a dynamic skill workflow by name.',
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The metaskill name to execute.', enum: ['a', 'b'] },
          input: { type: 'object', description: 'Input data passed to the metaskill program.' },
          max_ask_calls: {
            type: 'integer',
            minimum: 1,
            maximum: 50,
            description: 'Maximum nested model calls.',
          },
          max_command_calls: {
            type: 'integer',
            minimum: 0,
            maximum: 100,
            description: 'Maximum command calls.',
          },
        },
        required: ['name', 'input'],
      },
    });
  });

  it('types the input of a single skill, and requires what it requires', () => {
    expect(
      inputOf([
        { name: 'a', description: '', inputs: [key('task', { type: 'string' }), key('tone', null, false)] },
      ]),
    ).toEqual({
      type: 'object',
      description: 'Input data passed to the metaskill program.\na: keys: task (required string), tone',
      properties: { task: { type: 'string' }, tone: {} },
      required: ['task'],
    });
  });

  it('keeps the type of a key that several skills declare, and what they agree on', () => {
    const inputs = (...facts: readonly [JsonObject | null, string | null][]) =>
      facts.map(([schema, description], at) => ({ key: `k${at}`, required: true, description, schema }));
    const input = inputOf([
      {
        name: 'a',
        description: '',
        inputs: inputs(
          [{ type: 'string' }, 'The task.'],
          [{ type: 'string', enum: ['x'], minLength: 1 }, null],
          [{ type: 'string', minLength: 2 }, 'Words.'],
          [{ type: 'string' }, null],
          [{ type: 'array', items: { type: 'string' } }, null],
          [{ enum: [1, 2] }, null],
        ),
      },
      {
        name: 'b',
        description: '',
        inputs: inputs(
          [{ type: 'string' }, 'What to do.'],
          [{ type: 'string', enum: ['y'], minLength: 1 }, null],
          [{ type: 'integer', minimum: 3 }, 'A count.'],
          [null, 'Anything.'],
          [{ type: 'array', items: { type: 'integer' } }, null],
          [{ enum: [1, 2] }, null],
        ),
      },
    ]);
    expect(input).toMatchObject({
      properties: {
        k0: { type: 'string', description: 'a: The task.\nb: What to do.' },
        k1: { type: 'string', minLength: 1 },
        k2: {
          anyOf: [
            { type: 'string', description: 'a: Words.' },
            { type: 'integer', description: 'b: A count.' },
          ],
        },
        k3: { description: 'b: Anything.' },
        k4: { type: 'array' },
        k5: { enum: [1, 2] },
      },
    });
    const { k1, k3, k4 } = (input as { properties: { [key: string]: JsonObject } }).properties;
    expect([k1, k3, k4]).toEqual([
      { type: 'string', minLength: 1 },
      { description: 'b: Anything.' },
      { type: 'array' },
    ]);
    expect(input).not.toHaveProperty('required');
  });

  it('says of a key what all skills say of it, once, and of long texts their beginning', () => {
    const skills = Array.from({ length: 30 }, (_, at) => ({
      name: `s${String(at).padStart(2, '0')}`,
      description: '',
      inputs: [
        { key: 'same', required: true, description: 'The task.', schema: { type: 'string' } },
        { key: 'own', required: true, description: `${at} ${'x'.repeat(500)}`, schema: { type: 'string' } },
      ],
    }));
    const { properties } = inputOf(skills) as { properties: { [key: string]: JsonObject } };
    expect(properties['same']).toEqual({ type: 'string', description: 'The task.' });
    const { description, type } = properties['own'] as JsonObject;
    expect(type).toBe('string');
    expect((description as string).length).toBeLessThanOrEqual(1_000);
  });

  it('hides nothing from its reader', () => {
    const hidden = '\u202E\u001B[2J\u{E0041}';
    const schema = {
      type: 'object',
      description: `a${hidden}`,
      properties: {
        [`k${hidden}`]: { type: 'string' },
        plain: { title: `t${hidden}`, enum: ['x', `y${hidden}`], default: `y${hidden}` },
        only: { enum: [hidden] },
      },
      required: [`k${hidden}`, 'plain'],
      pattern: hidden,
    };
    const inputs = [
      { key: 'task', required: true, description: `Do\n${hidden}`, schema },
      { key: `bad${hidden}`, required: true, description: null, schema: null },
      { key: 'two\nlines', required: true, description: null, schema: null },
    ];
    const tool = runMetaskillTool(
      [
        { name: 'a', description: '', inputs: inputs as never },
        { name: `b${hidden}`, description: '', inputs: null },
      ],
      max,
    );
    expect(JSON.stringify(tool)).not.toMatch(/[\u202E\u001B\u{E0041}]|\\u001b/u);
    expect(tool).toMatchObject({ parameters: { properties: { name: { enum: ['a'] } } } });
    const left = '(What has hidden characters in it is left out.)';
    expect(inputOf([{ name: 'a', description: '', inputs: inputs as never }])).toEqual({
      type: 'object',
      description:
        'Input data passed to the metaskill program.\na: keys: task (required object) (a key with hidden characters in its name is left out)',
      properties: {
        task: {
          type: 'object',
          description: `Do\n\\u{202E}\\u{1B}[2J\\u{E0041} ${left}`,
          properties: {
            plain: { title: 't\\u{202E}\\u{1B}[2J\\u{E0041}', enum: ['x'], description: left },
            only: { description: left },
          },
          required: ['plain'],
        },
      },
      required: ['task'],
    });
    expect(runMetaskillTool([{ name: hidden, description: '', inputs: null }], max)).toBe(null);
  });

  it('stays a JSON Schema whatever skills say of their inputs', () => {
    const schemas: { readonly [name: string]: JsonObject } = {
      n: { type: 'interger', requierd: true, title: 'N' },
      e: { type: 'string', enum: 'x', minLength: -1, pattern: '(' },
      o: {
        type: ['object', 'null'],
        properties: { a: { type: 'text', maximum: '3', description: 'A' } },
        required: true,
        anyOf: [{ type: 'string' }, 'x'],
        additionalProperties: false,
      },
      r: { $ref: '#/$defs/x', $defs: { x: {} }, $id: 'r', default: 1 },
      l: { items: { type: 'array', items: 'string' }, multipleOf: 0, uniqueItems: 'yes', enum: [] },
    };
    const inputs = Object.entries(schemas).map(([name, schema]) => ({
      key: name,
      required: false,
      description: null,
      schema,
    }));
    expect(inputOf([{ name: 'a', description: '', inputs }])).toMatchObject({
      properties: {
        n: { title: 'N' },
        e: { type: 'string' },
        o: { type: ['object', 'null'], properties: { a: { description: 'A' } }, additionalProperties: false },
        r: { default: 1 },
        l: { items: { type: 'array' } },
      },
    });
    expect(JSON.stringify(inputOf([{ name: 'a', description: '', inputs }]))).not.toMatch(
      /"(?:enum|requierd|required|pattern|anyOf|\$ref|\$defs|multipleOf)"/,
    );
  });
});

describe('readToolArguments', () => {
  it('answers what is not open to the model as an unknown name, and suggests only open ones', () => {
    const known = {
      knows: (name: string) => name === 'tides' || name === 'prose',
      runnable: () => [{ name: 'tides', description: '', inputs: null }],
    };
    expect(readToolArguments({ name: 'tides' }, known).ok).toBe(true);
    // Not executable: the runner says so.
    expect(readToolArguments({ name: 'prose' }, known).ok).toBe(true);
    expect(readToolArguments({ name: 'tide' }, known)).toEqual({
      ok: false,
      message: "error: unknown metaskill: 'tide'\ndid you mean 'tides'?",
    });
    expect(readToolArguments({ name: 'secret' }, known)).toEqual({
      ok: false,
      message: "error: unknown metaskill: 'secret'",
    });
  });

  it('starts nothing for a caller that does not say which skills are open', () => {
    expect(() => readToolArguments({ name: 'secret' }, undefined as never)).toThrow(TypeError);
  });

  it('reads name, input and limits', () => {
    expect(
      readToolArguments({ name: 'a', input: { x: 1 }, max_ask_calls: 2, max_command_calls: 0 }, 'every'),
    ).toEqual({ ok: true, request: { skill: 'a', input: { x: 1 }, limits: { asks: 2, commands: 0 } } });
    expect(readToolArguments({ name: 'a' }, 'every')).toEqual({
      ok: true,
      request: { skill: 'a', input: null, limits: {} },
    });
  });

  it.each([
    [{ name: 'a', inputs: { secs: 1 } }, '"inputs"; did you mean "input"?'],
    [{ nam: 'a', input: {} }, '"nam"; did you mean "name"?'],
    [{ name: 'a', input: {}, max_ask: 1 }, '"max_ask"; did you mean "max_ask_calls"?'],
    [
      { name: 'a', input: {}, 'other\u202E': 1 },
      '"other\\\\u{202E}"; it has name, input, max_ask_calls, max_command_calls',
    ],
  ])('refuses an argument that the tool does not have: %j', (given, said) => {
    const message = `error: run_metaskill has no argument ${said}`;
    expect(readToolArguments(given, 'every')).toEqual({ ok: false, message });
  });

  it.each([
    [null],
    [{}],
    [{ name: 5 }],
    [{ name: 'a', max_ask_calls: 0 }],
    [{ name: 'a', max_ask_calls: '3' }],
    [{ name: 'a', max_command_calls: -1 }],
  ])('refuses %o', (given) => {
    expect(readToolArguments(given, 'every')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^error: /) as string,
    });
  });
});
