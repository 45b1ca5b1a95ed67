import { describe, expect, it } from 'vitest';
import { compile } from './compile-source.ts';
import type { Program } from './compile/program.ts';
import { execute } from './vm/execute.ts';
import { restore, start } from './vm/start.ts';

const compiled = compile('def main():\n    for i in range(10):\n        pass\n');
const program = (compiled.ok ? compiled.program : null) as Program;

describe('the options of a run', () => {
  it.each([
    [{ maxSteps: NaN }, 'start: the option maxSteps must be a whole number from 1 to 2^53 - 1, not NaN'],
    [{ maxSteps: -1 }, 'start: the option maxSteps must be a whole number from 1 to 2^53 - 1, not -1'],
    [
      { maxSteps: '1000' },
      'start: the option maxSteps must be a whole number from 1 to 2^53 - 1, not "1000"',
    ],
    [
      { maxMemoryBytes: 1.5 },
      'start: the option maxMemoryBytes must be a whole number from 1 to 2^53 - 1, not 1.5',
    ],
    [
      { maxCallDepth: Infinity },
      'start: the option maxCallDepth must be a whole number from 1 to 2^53 - 1, not Infinity',
    ],
    [{ maxIntBits: 8 }, 'start: the option maxIntBits must be a whole number from 64 to 2^53 - 1, not 8'],
    [
      { maxOutputUnits: null },
      'start: the option maxOutputUnits must be a whole number from 0 to 2^53 - 1, not null',
    ],
    [{ maxStep: 5 }, 'start: there is no option "maxStep"; did you mean maxSteps?'],
    [
      { host: {} },
      'start: there is no option "host"; there are entry, args, named, frozenArgs, values, maxSteps, maxMemoryBytes, maxIntBits, maxCallDepth, maxOutputUnits, print, load, hostCallsAtModuleLevel, scope',
    ],
    [
      { constructor: 1 },
      'start: there is no option "constructor"; there are entry, args, named, frozenArgs, values, maxSteps, maxMemoryBytes, maxIntBits, maxCallDepth, maxOutputUnits, print, load, hostCallsAtModuleLevel, scope',
    ],
    [{ entry: main }, 'start: the option entry must be a string, not a function'],
    [{ args: { 0: 1 } }, 'start: the option args must be an array, not an object'],
    [{ args: 'abc' }, 'start: the option args must be an array, not "abc"'],
    [{ named: [] }, 'start: the option named must be a plain object, not an array'],
    [{ values: new Map() }, 'start: the option values must be a plain object, not an object of a class'],
    [{ print: true }, 'start: the option print must be a function, not true'],
    [{ load: {} }, 'start: the option load must be a function, not an object'],
    [{ frozenArgs: 1 }, 'start: the option frozenArgs must be true or false, not 1'],
    ['entry', 'start: the options must be a plain object, not "entry"'],
    [null, 'start: the options must be a plain object, not null'],
  ])('%j is refused', (options, message) => {
    expect(() => start(program, options as never)).toThrow(new TypeError(message));
  });

  it('may be undefined', () => {
    expect(start(program, { entry: 'main', maxSteps: undefined } as never).run()).toEqual({
      kind: 'done',
      value: null,
    });
  });

  it('may come from an object of another realm or without a prototype', () => {
    expect(start(program, Object.assign(Object.create(null) as object, { entry: 'main' })).run().kind).toBe(
      'done',
    );
  });

  it('are refused by restore too, and so is what is no program', () => {
    expect(() => restore(program, {}, { maxSteps: 0 })).toThrow('restore: the option maxSteps');
    expect(() => start(compiled as never)).toThrow(
      new TypeError('start: the program must be one that compile gave, not an object'),
    );
  });

  it('and the steps of a slice are whole numbers', () => {
    const run = start(program, { entry: 'main' });
    for (const steps of [NaN, -1, 0, 1.5, '5' as never]) expect(() => run.run(steps)).toThrow(TypeError);
    expect(run.run(Infinity).kind).toBe('done');
  });
});

describe('the options of execute', () => {
  it.each([
    [{ sliceSteps: 0 }, 'execute: the option sliceSteps must be a whole number from 1 to 2^53 - 1, not 0'],
    [
      { host: new Map([['ask', main]]) },
      'execute: the option host must be a plain object of functions, not an object of a class',
    ],
    [{ host: { ask: 1 } }, 'execute: the option host must be a plain object of functions, not an object'],
    [{ yieldToHost: 1 }, 'execute: the option yieldToHost must be a function, not 1'],
    [{ signal: 'SIGINT' }, 'execute: the option signal must be an object, not "SIGINT"'],
    [{ hots: {} }, 'execute: there is no option "hots"; did you mean host?'],
  ])('%j is refused', async (options, message) => {
    await expect(execute(program, options as never)).rejects.toThrow(new TypeError(message));
  });
});

describe('the options of compile', () => {
  it.each([
    [undefined, {}, 'compile: the source must be a string, not undefined'],
    [new Uint8Array(), {}, 'compile: the source must be a string, not an object of a class'],
    [
      '',
      { maxDepth: NaN },
      'compile: the option maxDepth must be a whole number from 1 to 2^53 - 1, not NaN',
    ],
    ['', { predeclared: 'ask' }, 'compile: the option predeclared must be an array of strings, not "ask"'],
    ['', { predeclared: [1] }, 'compile: the option predeclared must be an array of strings, not an array'],
    [
      '',
      { filename: 'x' },
      'compile: there is no option "filename"; there are path, predeclared, maxDepth, maxSourceUnits, testing, interactive',
    ],
  ])('%j with %j is refused', (source, options, message) => {
    expect(() => compile(source as never, options as never)).toThrow(new TypeError(message));
  });
});

function main(): void {}
