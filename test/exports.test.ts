// What the package promises to programs. A changed name is a decision, not an accident.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as aiSdk from '../src/ai-sdk.ts';
import * as techne from '../src/index.ts';
import * as skill from '../src/skill.ts';
import * as starlark from '../src/starlark.ts';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const doors = {
  techne: 'index.ts',
  'techne/skill': 'skill.ts',
  'techne/starlark': 'starlark.ts',
  'techne/ai-sdk': 'ai-sdk.ts',
};

describe('the package exports', () => {
  it('are these', async () => {
    const names = (module: object): string => Object.keys(module).sort().join('\n  ');
    await expect(
      `techne\n  ${names(techne)}\n\ntechne/ai-sdk\n  ${names(aiSdk)}\n\ntechne/skill\n  ${names(skill)}\n\ntechne/starlark\n  ${names(starlark)}\n`,
    ).toMatchFileSnapshot('golden/exports.txt');
  });

  it.each(Object.entries(doors))('of %s say what they are, types too', (_, door) => {
    const exported = exportsOf(join(src, door));
    expect(exported.length).toBeGreaterThan(0);
    expect(
      exported
        .filter(({ name, file }) => !isDocumented(name, file))
        .map(({ name, file }) => `${name} in src/${file.slice(src.length)}`),
    ).toEqual([]);
  });
});

/** The names that a door re-exports, values and types, and the files they are declared in. */
function exportsOf(door: string): readonly { readonly name: string; readonly file: string }[] {
  return [...readFileSync(door, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm)].flatMap(
    ([, names = '', from = '']) =>
      names.split(',').flatMap((one) => {
        const name = one.trim().replace(/^type /, '');
        return name === '' ? [] : [{ name, file: join(dirname(door), from) }];
      }),
  );
}

/** Whether a comment of documentation stands right above the declaration, or above the one that it is passed on from. */
function isDocumented(name: string, file: string): boolean {
  const text = readFileSync(file, 'utf8');
  const declared = new RegExp(
    `^export (?:async |abstract )*(?:function\\*?|class|interface|type|const) ${name}\\b`,
    'm',
  ).exec(text);
  if (declared !== null) return text.slice(0, declared.index).endsWith('*/\n');
  const passedOn = exportsOf(file).find((one) => one.name === name);
  return passedOn !== undefined && isDocumented(name, passedOn.file);
}
