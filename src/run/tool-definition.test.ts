import { describe, expect, it } from 'vitest';
import { readToolArguments, runMetaskillTool } from './tool-definition.ts';

const max = { asks: 50, commands: 100 };
const key = (name: string, schema: { readonly [word: string]: string } | null, required = true) => ({ key: name, required, description: null, schema });

const inputOf = (skills: Parameters<typeof runMetaskillTool>[0]): unknown => (runMetaskillTool(skills, max) as unknown as { parameters: { properties: { input: unknown } } }).parameters.properties.input;

describe('runMetaskillTool', () => {
  it('offers nothing when nothing can be run', () => {
    expect(runMetaskillTool([], max)).toBe(null);
  });

  it('is the schema of S0 §10 with the names as an enum', () => {
    const tool = runMetaskillTool([{ name: 'b', description: '', inputs: null }, { name: 'a', description: '', inputs: null }], max);
    expect(tool).toEqual({
      name: 'run_metaskill',
      description: 'Run a dynamic skill workflow by name.',
      parameters: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The metaskill name to execute.', enum: ['a', 'b'] },
          input: { type: 'object', description: 'Input data passed to the metaskill program.' },
          max_ask_calls: { type: 'integer', minimum: 1, maximum: 50, description: 'Maximum nested model calls.' },
          max_command_calls: { type: 'integer', minimum: 0, maximum: 100, description: 'Maximum command calls.' },
        },
        required: ['name', 'input'],
      },
    });
  });

  it('types the input of a single skill, and requires what it requires', () => {
    expect(inputOf([{ name: 'a', description: '', inputs: [key('task', { type: 'string' }), key('tone', null, false)] }])).toEqual({
      type: 'object', description: 'Input data passed to the metaskill program.\na: keys: task (required string), tone',
      properties: { task: { type: 'string' }, tone: {} }, required: ['task'],
    });
  });

  it('leaves a key open that two skills declare differently', () => {
    const input = inputOf([{ name: 'a', description: '', inputs: [key('n', { type: 'string' }), key('m', { type: 'string' })] }, { name: 'b', description: '', inputs: [key('n', { type: 'integer' }), key('m', { type: 'string' })] }]);
    expect(input).toMatchObject({ properties: { n: {}, m: { type: 'string' } } });
    expect(input).not.toHaveProperty('required');
  });
});

describe('readToolArguments', () => {
  it('reads name, input and limits', () => {
    expect(readToolArguments({ name: 'a', input: { x: 1 }, max_ask_calls: 2, max_command_calls: 0 })).toEqual({ ok: true, request: { skill: 'a', input: { x: 1 }, limits: { asks: 2, commands: 0 } } });
    expect(readToolArguments({ name: 'a' })).toEqual({ ok: true, request: { skill: 'a', input: null, limits: {} } });
  });

  it.each([[null], [{}], [{ name: 5 }], [{ name: 'a', max_ask_calls: 0 }], [{ name: 'a', max_ask_calls: '3' }], [{ name: 'a', max_command_calls: -1 }]])('refuses %o', (given) => {
    expect(readToolArguments(given)).toMatchObject({ ok: false, message: expect.stringMatching(/^error: /) as string });
  });
});
