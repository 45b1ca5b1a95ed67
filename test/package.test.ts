// The package as others get it: packed, installed into an empty project, imported, type-checked and run.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface RolledExport {
  readonly name: string;
  readonly isType: boolean;
  readonly refersTo: readonly string[];
}

const project = fileURLToPath(new URL('..', import.meta.url));
const script = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../scripts/${name}.mjs`, import.meta.url).href)) as T;

let folder: string;
let installed: string;
let entries: { readonly [file: string]: string };
beforeAll(async () => {
  await (await script<{ build(): Promise<void> }>('build')).build();
  ({ packageEntries: entries } = await script<{ packageEntries: typeof entries }>('package-entries'));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-package-')));
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], project);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string;
  writeFileSync(join(folder, 'package.json'), '{"name": "embedding", "private": true, "type": "module"}');
  // Offline: it has no dependencies to fetch. Strict: the engines of all that is installed fit this Node.
  run('npm', [
    'install',
    '--offline',
    '--engine-strict',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `./${tarball}`,
  ]);
  installed = join(folder, 'node_modules', 'techne');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Its standard output; a failure, or anything on standard error, fails the test. */
function run(program: string, args: readonly string[], cwd: string = folder): string {
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_cache: join(folder, 'cache') };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** The files that a built file loads when it is imported, itself included. */
function loadedWith(file: string): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, specifier = ''] of read(path).matchAll(/\b(?:import|from)\s*"(\.[^"]+)"/g))
      visit(join(dirname(path), specifier));
  };
  visit(file);
  return [...found];
}

describe('the installed package', () => {
  it('comes alone', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'techne',
    ]);
  });

  it('has one file of declarations for each entry, and one that they share', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.d.ts')).sort()).toEqual(
      [...Object.keys(entries), 'shared'].map((name) => `dist/types/${name}.d.ts`).sort(),
    );
  });

  it('has the studio, the plugins of hosts and the skills, and nothing of the build', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(
      [
        'dist/studio/index.html',
        '.claude-plugin/marketplace.json',
        '.agents/plugins/marketplace.json',
        'plugins/claude-code/.claude-plugin/plugin.json',
        'plugins/codex/.mcp.json',
        'plugins/gemini/gemini-extension.json',
        'skills/checklist/SKILL.md',
        'docs/errors.md',
        'LICENSE',
      ].filter((name) => !files.includes(name)),
    ).toEqual([]);
    expect(files.filter((name) => /(^|\/)(\.stamp|.*\.test\.[jt]s|.*\.map)$/.test(name))).toEqual([]);
  });

  it.each(['nodenext', 'bundler'])('has types that check without @types/node, with %s', (resolution) => {
    const names = Object.keys(entries).map((name) => name.replace('-', '_'));
    const program = [
      ...Object.values(entries).map((entry, at) => `import * as ${names[at]} from '${entry}';`),
      "import { createTechne, TechneError, type RunResult, type Techne } from 'techne';",
      "import type { Runner } from 'techne/runs';",
      'const techne: Techne = await createTechne({ answerer: ({ prompt }) => prompt.toUpperCase(), questions: { operator: () => true } });',
      "const result: RunResult = await techne.run('checklist', { task: 'x' }, { limits: { asks: 3 } });",
      'const inspected = await techne.withRuns(({ runner }: { readonly runner: Runner }) => runner.inspect(result.run as string));',
      'export const error: TechneError | null = null;',
      `export const all = [inspected.skill.name, ${names.join(', ')}];`,
      '// @ts-expect-error: the option is not there.',
      'await createTechne({ awnserer: null });',
    ];
    const types = join(folder, resolution);
    mkdirSync(types);
    writeFileSync(join(types, 'main.mts'), program.join('\n'));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      target: 'es2023',
      lib: ['es2023'],
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      types: [],
      noEmit: true,
    };
    writeFileSync(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.mts'] }));
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', types], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  it.each(['02-run-a-skill', '04-library'])('runs the example %s', (name) => {
    const example = join(installed, 'examples', name);
    expect(run(process.execPath, [join(example, 'main.mjs')])).toBe(read(join(example, 'expected.txt')));
  });

  it('has a command line, also for frontmatter that needs the whole of YAML', () => {
    const skill = join(folder, 'skills', 'tides');
    mkdirSync(skill, { recursive: true });
    const head = 'name: tides\ndescription: Tells the tide.\nmetadata:\n  ? note\n  : !!str 12';
    writeFileSync(join(skill, 'SKILL.md'), `---\n${head}\n---\nLook at the moon.\n`);
    const shown = run(process.execPath, [
      join(installed, 'bin', 'techne.mjs'),
      'show',
      'tides',
      '--root',
      'skills',
      '--json',
    ]);
    expect(JSON.parse(shown)).toMatchObject({ head: { metadata: { note: '12' } } });
  });

  it('says what to install for runs in Postgres, which it comes without', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(installed, 'bin', 'techne.mjs'), 'runs', 'list', '--store', 'postgres://me@127.0.0.1:1/runs'],
      { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder }, encoding: 'utf8' },
    );
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toContain('runs in Postgres need the package "pg", which is not installed');
    expect(stderr).toContain('npm install pg@8');
  });

  it('has the licences of all the code it is bundled with', async () => {
    const bundle = await rolldown({
      cwd: project,
      input: [...Object.keys(entries).map((name) => `src/${name}.ts`), 'src/cli/main.ts', 'yaml'],
      platform: 'node',
      external: /^(?:node:|pg$|@dbos-inc\/)/,
      logLevel: 'silent',
    });
    const { output } = await bundle.generate({ format: 'esm' });
    const packages = new Set(
      output.flatMap((chunk) =>
        chunk.type === 'chunk'
          ? chunk.moduleIds.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [])
          : [],
      ),
    );
    const notices = read(join(installed, 'dist', 'THIRD-PARTY-NOTICES.md'));
    const noted = [
      ...notices.matchAll(
        /^## (\S+) [\d.]+\n\nLicence: \S+\n\n(?:````text\n[^]+?\n````|The package has no)/gm,
      ),
    ];
    // The bundler adds helpers of its own.
    expect(new Set(noted.map(([, name]) => name))).toEqual(new Set([...packages, 'rolldown']));
  });
});

describe('the declarations', () => {
  it('name nothing in the signatures of techne that cannot be imported', async () => {
    const { rollTypes } = await script<{
      readonly rollTypes: (files: object) => {
        readonly exports: { readonly [entry: string]: readonly RolledExport[] };
      };
    }>('roll-types');
    const { exports } = rollTypes(
      Object.fromEntries(
        Object.keys(entries).map((name) => [name, join(installed, `dist/types/${name}.d.ts`)]),
      ),
    );
    const known = new Set(Object.values(exports).flatMap((list) => list.map(({ name }) => name)));
    const unknown = (exports['index'] ?? []).flatMap(({ refersTo }) =>
      refersTo.filter((name) => !known.has(name)),
    );
    // The tables that these codes are the keys of.
    expect([...new Set(unknown)].sort()).toEqual(['diagnosticCodes', 'errorCodes']);
  });
});

describe('techne/starlark', () => {
  it('loads the interpreter and nothing else', () => {
    const loaded = loadedWith(join(installed, 'dist', 'starlark.js')).map((path) =>
      path.slice(join(installed, 'dist').length + 1).replace(/-[\w-]{8}\.js$/, '.js'),
    );
    expect(loaded.sort()).toEqual(['chunks/starlark.js', 'chunks/start.js', 'starlark.js']);
  });
});
