// The import table: which folder may see which. A new edge changes this table and ARCHITECTURE.md together.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('.', import.meta.url));

/** Folder -> the folders it may import from, besides itself. */
const mayImport: Record<string, readonly string[]> = {
  base: [],
  skill: ['base', 'host/ports'],
  config: ['base'],
  registry: ['base', 'config', 'skill', 'host/ports'],
  match: ['base', 'skill', 'registry', 'host/ports'],
  prompt: ['base', 'skill', 'registry', 'match', 'host/ports'],
  starlark: ['base'],
  template: ['base'],
  plan: ['base', 'skill', 'template', 'host/ports'],
  journal: ['base', 'host/ports'],
  run: ['base', 'skill', 'registry', 'starlark', 'template', 'plan', 'journal', 'host/ports'],
  'host/ports': ['base'],
  chat: ['base', 'skill', 'registry', 'match', 'prompt', 'run', 'host/ports'],
  host: ['base', 'config', 'skill', 'registry', 'match', 'prompt', 'chat', 'journal', 'run', 'host/ports'],
  eval: ['base', 'match', 'prompt', 'run', 'skill', 'registry', 'host/ports'],
  testing: ['base', 'skill', 'registry', 'journal', 'run', 'host', 'host/ports'],
  mcp: ['base', 'config', 'skill', 'registry', 'match', 'prompt', 'journal', 'run', 'host', 'host/ports'],
  cli: [
    'base',
    'config',
    'skill',
    'registry',
    'match',
    'prompt',
    'chat',
    'starlark',
    'template',
    'plan',
    'journal',
    'run',
    'host',
    'host/ports',
    'testing',
    'mcp',
    'eval',
  ],
  adapters: ['base', 'prompt', 'host'],
  // The package exports: re-exports only.
  '.': [
    'base',
    'config',
    'skill',
    'registry',
    'match',
    'prompt',
    'chat',
    'starlark',
    'template',
    'plan',
    'journal',
    'run',
    'host',
    'host/ports',
    'testing',
    'adapters',
    'eval',
  ],
};

/** Folders where an effect (node:*) is at home. */
const effectful = new Set(['host', 'cli', 'mcp']);

/** The libraries, and where they may be loaded. */
const packages: Record<string, readonly string[]> = {
  'skill/yaml/bundled-parser.ts': ['yaml'],
  'skill/yaml/parse-full.ts': ['yaml'],
  'host/answerers/model/providers.ts': ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible'],
  'host/tools/mcp/server-connection.ts': ['@modelcontextprotocol/client'],
  // Its types only.
  'host/tools/mcp/stdio-transport.ts': ['@modelcontextprotocol/client'],
  'mcp/create-server.ts': ['@modelcontextprotocol/server'],
  'mcp/serve-stdio.ts': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  'mcp/http/serve-http.ts': ['@modelcontextprotocol/server'],
  'mcp/http/sessions.ts': ['@modelcontextprotocol/server'],
  'mcp/elicit-form.ts': ['@modelcontextprotocol/server'],
  'mcp/failed-elicitations.ts': ['@modelcontextprotocol/server'],
  'mcp/elicit-decision.ts': ['@modelcontextprotocol/server'],
  'mcp/entry-frontmatter.ts': ['@modelcontextprotocol/server/ext/skills'],
  'mcp/skill-resources.ts': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/ext/skills'],
  'mcp/translate-error.ts': ['@modelcontextprotocol/server'],
  // Their types only.
  'mcp/describe-run.ts': ['@modelcontextprotocol/server'],
  'mcp/metaskill-inputs.ts': ['@modelcontextprotocol/server'],
  'mcp/prompts.ts': ['@modelcontextprotocol/server'],
  'mcp/service.ts': ['@modelcontextprotocol/server'],
  'mcp/tool-result.ts': ['@modelcontextprotocol/server'],
};

interface Import {
  readonly file: string;
  readonly specifier: string;
}

describe('the import table', () => {
  const imports = sourceFiles(src).flatMap(importsOf);

  it('is kept by every file', () => {
    const broken = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const from = folderOf(file);
      const to = folderOf(relative(src, resolve(src, dirname(file), specifier)));
      return from !== to && !(mayImport[from] ?? []).includes(to);
    });
    expect(broken).toEqual([]);
  });

  it('names every folder there is', () => {
    const folders = new Set(imports.map(({ file }) => folderOf(file)));
    expect([...folders].filter((folder) => !(folder in mayImport))).toEqual([]);
  });

  it('keeps effects out of the core', () => {
    const broken = imports.filter(
      ({ file, specifier }) => specifier.startsWith('node:') && !effectful.has(folderOf(file)),
    );
    expect(broken).toEqual([]);
  });

  it('keeps libraries where they are declared', () => {
    const broken = imports.filter(
      ({ file, specifier }) =>
        !specifier.startsWith('.') &&
        !specifier.startsWith('node:') &&
        !(packages[file] ?? []).includes(specifier),
    );
    expect(broken).toEqual([]);
  });
});

describe('time limits', () => {
  it('come from host/with-time-limit.ts, since these can be lost to a garbage collection', () => {
    expect(sourceFiles(src).filter((file) => /\bAbortSignal\.(?:any|timeout)\(/.test(read(file)))).toEqual(
      [],
    );
  });
});

describe('the pure folders', () => {
  it('read no clock and no randomness', () => {
    const broken = sourceFiles(src)
      .filter((file) => !effectful.has(folderOf(file)))
      .filter((file) =>
        /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bsetTimeout\b|\bperformance\./.test(read(file)),
      );
    expect(broken).toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|contract)\.ts$/.test(name))
    .map((name) => relative(src, join(folder, name)))
    .sort();
}

function importsOf(file: string): Import[] {
  const pattern = /^(?:import|export|\}).*\bfrom '([^'\n]+)'|\bimport\('([^'\n]+)'\)|^import '([^'\n]+)'/gm;
  return [...read(file).matchAll(pattern)].map(([, a, b, c]) => ({
    file,
    specifier: (a ?? b ?? c) as string,
  }));
}

function folderOf(file: string): string {
  const parts = file.split('/');
  // The door of the interpreter, which other folders come in through.
  if (file === 'starlark.ts') return 'starlark';
  if (parts.length === 1) return '.';
  if (parts[0] === 'host' && parts[1] === 'ports') return 'host/ports';
  return parts[0] as string;
}

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8');
}
