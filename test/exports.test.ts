// What the package promises to programs. A changed name is a decision, not an accident.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src/', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
  readonly exports: { readonly [path: string]: string | object };
};
/** How an entry is imported -> its file in src/. */
const entries = Object.entries(exports).flatMap(([path, target]): (readonly [string, string])[] =>
  typeof target === 'string'
    ? []
    : [[path.replace('.', 'techne'), `${path === '.' ? 'index' : path.slice(2)}.ts`]],
);

describe('the package exports', () => {
  it('are these', async () => {
    const shown = entries.map(([entry, file]) => {
      const { values, types } = namesOf(file);
      return [entry, ...values.map((name) => `  ${name}`), ...types.map((name) => `  type ${name}`), ''].join(
        '\n',
      );
    });
    await expect(shown.join('\n')).toMatchFileSnapshot('golden/exports.txt');
  });

  it('of techne itself are few', () => {
    const { values, types } = namesOf('index.ts');
    expect(values.length).toBeLessThanOrEqual(15);
    expect(types.length).toBeLessThanOrEqual(45);
  });

  it('are in the built files', () => {
    const program = `const names = {};
for (const entry of ${JSON.stringify(entries.map(([entry]) => entry))}) names[entry] = Object.keys(await import(entry)).sort();
console.log(JSON.stringify(names));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(src, '..'),
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(entries.map(([entry, file]) => [entry, namesOf(file).values])),
    );
  });

  it.each(entries)('of %s are documented, types too', (_, file) => {
    const exported = exportsOf(join(src, file));
    expect(exported.length).toBeGreaterThan(0);
    expect(
      exported
        .filter((one) => !isDocumented(one.name, one.file))
        .map((one) => `${one.name} in src/${one.file.slice(src.length)}`),
    ).toEqual([]);
  });

  it.each(entries)('of %s are all its file has', (_, file) => {
    const rest = readFileSync(join(src, file), 'utf8')
      .replace(/^\/\/.*$/gm, '')
      .replace(reExport, '');
    expect(rest.trim()).toBe('');
  });
});

interface Exported {
  readonly name: string;
  readonly file: string;
  readonly isType: boolean;
}

const reExport = /^export (type )?\{([^}]*)\} from '([^']+)';$/gm;

function namesOf(file: string): { readonly values: readonly string[]; readonly types: readonly string[] } {
  const exported = exportsOf(join(src, file));
  const named = (isType: boolean): readonly string[] =>
    exported
      .filter((one) => one.isType === isType)
      .map(({ name }) => name)
      .sort();
  return { values: named(false), types: named(true) };
}

/** The names that a file re-exports, values and types, and the files they are declared in. */
function exportsOf(file: string): readonly Exported[] {
  return [...readFileSync(file, 'utf8').matchAll(reExport)].flatMap(([, type, names = '', from = '']) =>
    names.split(',').flatMap((one) => {
      const name = one.trim().replace(/^type /, '');
      const isType = type !== undefined || name !== one.trim();
      return name === '' ? [] : [{ name, file: join(dirname(file), from), isType }];
    }),
  );
}

/** Whether there is a documentation comment right above the declaration, or above the one that it re-exports. */
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
