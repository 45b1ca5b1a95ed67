// What the examples and the pages show is run as it stands, in a project that has techne installed.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));

/** Its standard output; what it says on standard error fails the test. */
function run(file: string, cwd: string, home: string): string {
  const done = spawnSync(process.execPath, [file], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  expect([done.status, done.stderr]).toEqual([0, '']);
  return done.stdout;
}

function snippetsOf(page: string): readonly string[] {
  return [...readFileSync(join(project, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code]) => code as string,
  );
}

/** Name -> its files, without what is only data. */
function packageExports(): { readonly [name: string]: { readonly types: string } } {
  const { exports } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    exports: { [name: string]: string | { types: string } };
  };
  return Object.fromEntries(
    Object.entries(exports).filter(
      (entry): entry is [string, { types: string }] => typeof entry[1] !== 'string',
    ),
  );
}

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-example-')));
  mkdirSync(join(folder, 'node_modules'));
  mkdirSync(join(folder, '.git'));
  // As `npm install ../techne` does.
  symlinkSync(project, join(folder, 'node_modules', 'techne'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples', () => {
  it.each(readdirSync(join(project, 'examples')))('%s prints what it should', (name) => {
    const example = join(project, 'examples', name);
    expect(run(join(example, 'main.mjs'), folder, folder)).toBe(
      readFileSync(join(example, 'expected.txt'), 'utf8'),
    );
  });
});

describe('the snippets', () => {
  const shipped = readdirSync(join(project, 'skills'));
  const prints: { readonly [page: string]: readonly RegExp[] } = {
    'docs/guide/library.md': [
      new RegExp(
        `^${shipped.length} skills, full index\n\\[[^]*'checklist: [^]*\\]\ncompleted - install, test, rollback: true\n$`,
      ),
      /^true\n\[ 'skill-creator' \] true\ntrue \[ 'checklist' \]\n$/,
      /^skill_search skill_load use_skill skill_read skill_propose skill_proposals run_metaskill run_answer run_status\n$/,
      /^changelog program true\n/,
      new RegExp(`^${shipped.length} skills\n`),
      /^instructions Look at the moon\.\n 0\n$/,
      /^paused \{\n {2}type: 'ask',[^]*\[Metaskill: require-heading completed\]\n\{"status":"accepted","answer":"# Risks\\nThe migration\.","rounds":1,/,
      /^0 installed; 0 outdated\ntrue\n$/,
    ],
    'docs/guide/starlark.md': [
      /^printed: got Fine\.\n\{"name":"Ada","mood":"FINE\."\}\nhost-call ask How is Bob\?\n\{"name":"Bob","mood":"TIRED"\} true\n$/,
    ],
  };

  it.each(Object.entries(prints))('of %s work as printed', (page, outputs) => {
    const snippets = snippetsOf(page);
    expect(snippets.length).toBe(outputs.length);
    for (const [at, snippet] of snippets.entries()) {
      const file = join(folder, `snippet-${at}.mjs`);
      writeFileSync(file, snippet);
      expect(run(file, folder, folder)).toMatch(outputs[at] as RegExp);
    }
  });

  it('have the types they should', () => {
    const types = join(folder, 'types');
    mkdirSync(types);
    for (const [number, page] of Object.keys(prints).entries()) {
      for (const [at, snippet] of snippetsOf(page).entries())
        writeFileSync(join(types, `page-${number}-snippet-${at}.mts`), snippet);
    }
    // A build without declarations is quicker, and then the sources must do.
    const built = existsSync(join(project, 'dist/types/index.d.ts'));
    const paths = Object.fromEntries(
      Object.keys(packageExports()).map((name) => [
        name.replace('.', 'techne'),
        [join(project, 'src', `${name === '.' ? 'index' : name.slice(2)}.ts`)],
      ]),
    );
    const compilerOptions = {
      strict: true,
      target: 'es2023',
      module: 'nodenext',
      noEmit: true,
      types: ['node'],
      typeRoots: [join(project, 'node_modules/@types')],
      ...(built ? {} : { paths, allowImportingTsExtensions: true, skipLibCheck: true }),
    };
    writeFileSync(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const done = spawnSync(
      process.execPath,
      [join(project, 'node_modules/typescript/bin/tsc'), '-p', types],
      { cwd: types, encoding: 'utf8' },
    );
    expect([done.stdout, done.status]).toEqual(['', 0]);
  });

  it('are of every file in src/ that is an entry', () => {
    const files = readdirSync(join(project, 'src')).filter((name) => /^[\w-]+\.ts$/.test(name));
    const declared = Object.values(packageExports()).map(({ types }) =>
      types.replace('./dist/types/', '').replace('.d.ts', '.ts'),
    );
    expect(declared.sort()).toEqual(files.sort());
  });
});
