// What the package promises to programs. A changed name is a decision, not an accident.
import { describe, expect, it } from 'vitest';
import * as techne from '../src/index.ts';
import * as skill from '../src/skill.ts';
import * as starlark from '../src/starlark.ts';

describe('the package exports', () => {
  it('are these', async () => {
    const names = (module: object): string => Object.keys(module).sort().join('\n  ');
    await expect(`techne\n  ${names(techne)}\n\ntechne/skill\n  ${names(skill)}\n\ntechne/starlark\n  ${names(starlark)}\n`).toMatchFileSnapshot('golden/exports.txt');
  });
});
