// Nothing of the language is left out of the suite: each name, method and code appears in it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnosticCodes } from '../../src/base/codes.ts';
import { jsonModule } from '../../src/starlark/lib/json.ts';
import { methodsOf } from '../../src/starlark/lib/methods.ts';
import { universe } from '../../src/starlark/lib/universe.ts';
import { Bytes, Dict, List, SetValue } from '../../src/starlark/value/value.ts';
import { suiteFolder } from './run-chunk.ts';
import { readStarFile } from './star-file.ts';
import { keywords } from '../../src/starlark/syntax/token.ts';

const files = readdirSync(suiteFolder)
  .filter((name) => name.endsWith('.star'))
  .map((name) => ({ name, text: readFileSync(join(suiteFolder, name), 'utf8') }));
const everything = files.map((file) => file.text).join('\n');

describe('the language suite', () => {
  it('calls every name of the universe', () => {
    const missing = [...universe.keys()].filter((name) => !new RegExp(`\\b${name}\\b`).test(everything));
    expect(missing).toEqual([]);
  });

  it('calls every method of every type', () => {
    const types = {
      string: '',
      bytes: new Bytes(new Uint8Array()),
      list: new List([]),
      dict: new Dict(),
      set: new SetValue(),
    };
    const missing = Object.entries(types).flatMap(([type, value]) =>
      [...(methodsOf(value) ?? new Map<string, unknown>()).keys()]
        .filter((name) => !everything.includes(`.${name}(`) && !everything.includes(`"${name}"`))
        .map((name) => `${type}.${name}`),
    );
    expect(missing).toEqual([]);
    expect([...jsonModule.members.keys()].filter((name) => !everything.includes(`json.${name}(`))).toEqual(
      [],
    );
  });

  it('expects every code that a program can end with', () => {
    // Two are of templates, where a name that is not there is found when it is used, and one is of plans.
    const ofOthers = ['EVAL_UNDEFINED', 'EVAL_UNSAFE', 'PLAN_LIMIT'];
    const codes = Object.keys(diagnosticCodes).filter(
      (code) => /^(STAR|EVAL)_|_LIMIT$|^LOAD_DENIED$/.test(code) && !ofOthers.includes(code),
    );
    const expected = new Set(
      files
        .flatMap(({ name, text }) => readStarFile(text, name))
        .flatMap((chunk) => chunk.expected.map(({ code }) => code)),
    );
    expect(codes.filter((code) => !expected.has(code))).toEqual([]);
    expect([...expected].filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('uses every operator and every keyword', () => {
    const operators = [
      '+',
      '-',
      '*',
      '/',
      '//',
      '%',
      '~',
      '&',
      '|',
      '^',
      '<<',
      '>>',
      '==',
      '!=',
      '<',
      '>',
      '<=',
      '>=',
      '+=',
      '-=',
      '*=',
      '/=',
      '//=',
      '%=',
      '&=',
      '|=',
      '^=',
      '<<=',
      '>>=',
    ];
    expect(
      operators.filter((operator) => !everything.includes(` ${operator} `) && !everything.includes(operator)),
    ).toEqual([]);
    expect([...keywords].filter((keyword) => !new RegExp(`\\b${keyword}\\b`).test(everything))).toEqual([]);
  });
});
