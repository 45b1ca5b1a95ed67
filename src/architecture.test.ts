// The import table: which folder may see which. A new edge changes this table and ARCHITECTURE.md together.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('.', import.meta.url));

/**
 * Folder -> the folders it may import from, besides itself, from the bottom of the house to its top.
 */
const mayImport: Record<string, readonly string[]> = {
  base: [],
  ports: ['base', 'journal'],
  python: ['base'],
  starlark: ['base', 'python'],
  template: ['base', 'python'],
  skill: ['base', 'ports'],
  config: ['base'],
  registry: ['base', 'ports', 'skill', 'config'],
  match: ['base', 'ports', 'skill'],
  guard: ['base', 'ports', 'skill'],
  graph: ['base', 'ports', 'skill', 'match'],
  proposals: ['base', 'ports', 'skill', 'guard', 'registry'],
  prompt: ['base', 'ports', 'skill', 'registry', 'match'],
  plan: ['base', 'skill', 'template'],
  language: ['base', 'skill', 'starlark', 'template'],
  journal: ['base', 'ports'],
  run: ['base', 'ports', 'skill', 'registry', 'starlark', 'template', 'plan', 'journal'],
  chat: ['base', 'ports', 'skill', 'match', 'prompt', 'run'],
  node: ['base', 'ports', 'skill', 'config', 'registry', 'guard', 'journal', 'prompt', 'run', 'chat'],
  'store-postgres': ['base', 'ports', 'journal', 'node'],
  worker: ['base', 'ports', 'run'],
  scripted: ['base', 'ports', 'skill', 'run', 'node'],
  tools: ['base', 'ports', 'skill', 'config', 'registry', 'prompt', 'node'],
  answerers: ['base', 'ports', 'skill', 'config', 'registry', 'prompt', 'run', 'node', 'scripted', 'tools'],
  hub: ['base', 'ports', 'skill', 'config', 'registry', 'match', 'guard', 'node', 'tools'],
  travel: ['base', 'ports', 'registry', 'guard', 'node', 'hub'],
  measure: [
    'base',
    'ports',
    'skill',
    'registry',
    'match',
    'graph',
    'prompt',
    'journal',
    'run',
    'chat',
    'node',
    'scripted',
  ],
  techne: [
    'base',
    'api',
    'ports',
    'skill',
    'config',
    'registry',
    'match',
    'guard',
    'graph',
    'proposals',
    'hub',
    'travel',
    'measure',
    'prompt',
    'starlark',
    'plan',
    'language',
    'journal',
    'run',
    'chat',
    'node',
    'store-postgres',
    'worker',
    'tools',
    'scripted',
    'answerers',
  ],
  adapters: ['base', 'ports', 'prompt', 'techne'],
  // Surfaces see the façade; they show types of every folder, and use the modules of `surfacesMayUse`.
  api: ['base', 'journal'],
  client: ['base', 'api'],
  http: ['base', 'api', 'techne', 'chat', 'measure'],
  mcp: ['base', 'http', 'techne'],
  lsp: ['base', 'language', 'techne'],
  acp: ['base', 'chat', 'techne'],
  cli: ['base', 'api', 'techne', 'chat', 'measure', 'http', 'lsp', 'mcp', 'acp', 'starlark'],
  // The package exports: re-exports only.
  '.': [
    'base',
    'ports',
    'config',
    'skill',
    'registry',
    'match',
    'guard',
    'hub',
    'prompt',
    'starlark',
    'journal',
    'run',
    'node',
    'answerers',
    'techne',
    'scripted',
    'measure',
    'adapters',
    'api',
    'client',
  ],
};

/** What surfaces may use besides the façade: what they render with, and what only one command needs. It may only shrink. */
const surfacesMayUse = [
  'answerers/open-chat-model.ts',
  'config/config-schema.ts',
  'config/keys.ts',
  'journal/each-run.ts',
  'journal/prune-runs.ts',
  'journal/run-state.ts',
  'journal/sweep-blobs.ts',
  'match/search.ts',
  'node/environment.ts',
  'node/events/jsonl.ts',
  'node/events/otel.ts',
  'node/files/file-fault.ts',
  'node/files/files.ts',
  'node/files/durable.ts',
  'node/load-config.ts',
  'node/package-info.ts',
  'node/yaml.ts',
  'plan/render-mermaid.ts',
  'plan/render-svg.ts',
  'plan/render-text.ts',
  'ports/command-host.ts',
  'ports/files.ts',
  'ports/tool.ts',
  'prompt/guidelines.ts',
  'prompt/index-layout.ts',
  'prompt/render-index.ts',
  'prompt/skill-session.ts',
  'prompt/substitute.ts',
  'run/budget/limits.ts',
  'run/clarify/form.ts',
  'run/drive/drive.ts',
  'run/effect/effect-context.ts',
  'run/effect/effect.ts',
  'run/history/edit-outcome.ts',
  'run/history/diff-runs.ts',
  'run/plan/keys.ts',
  'run/plan/limits.ts',
  'run/program/program-interpreter.ts',
  'run/result/run-result.ts',
  'run/result/failed-or-paused-text.ts',
  'run/shown-schema.ts',
  'run/start/check-input.ts',
  'run/tools/match-answers.ts',
  'run/tools/run-metaskill.ts',
  'run/tools/run-tools.ts',
  'scripted/model.ts',
  'scripted/script-file.ts',
  'skill/code-points.ts',
  'skill/check/check-evals.ts',
  'skill/fields/json-schema.ts',
  'skill/form.ts',
  'skill/host-functions.ts',
];

/** Folders where an effect (node:*) is at home. */
const effectful = new Set([
  'node',
  'store-postgres',
  'worker',
  'scripted',
  'tools',
  'answerers',
  'hub',
  'travel',
  'techne',
  'cli',
  'mcp',
  'lsp',
  'acp',
  'http',
  'client',
]);

/** The libraries, and where they may be loaded. */
const packages: Record<string, readonly string[]> = {
  'skill/yaml/bundled-parser.ts': ['yaml'],
  'skill/yaml/compose-document.ts': ['yaml'],
  'skill/yaml/parse-full.ts': ['yaml'],
  'store-postgres/driver.ts': ['pg'],
  'worker/schedule/cron.ts': ['croner'],
  'node/models/providers.ts': ['@ai-sdk/anthropic', '@ai-sdk/openai-compatible'],
  'tools/mcp/open-client.ts': ['@modelcontextprotocol/client'],
  // Its types only.
  'tools/mcp/server-connection.ts': ['@modelcontextprotocol/client'],
  'tools/mcp/stdio-transport.ts': ['@modelcontextprotocol/client'],
  'hub/fetch/mcp/fetch-mcp.ts': ['@modelcontextprotocol/client/ext/skills'],
  'acp/serve-acp.ts': ['@agentclientprotocol/sdk'],
  'acp/session.ts': ['@agentclientprotocol/sdk'],
  'acp/request-errors.ts': ['@agentclientprotocol/sdk'],
  // Its types only.
  'acp/permission.ts': ['@agentclientprotocol/sdk'],
  'acp/prompt-text.ts': ['@agentclientprotocol/sdk'],
  'acp/replay.ts': ['@agentclientprotocol/sdk'],
  'acp/show-events.ts': ['@agentclientprotocol/sdk'],
  'acp/tool-kind.ts': ['@agentclientprotocol/sdk'],
  'mcp/create-server.ts': ['@modelcontextprotocol/server'],
  'mcp/serve-stdio.ts': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'],
  'mcp/stdio-gate.ts': ['@modelcontextprotocol/server'],
  'http/app.ts': ['hono'],
  'mcp/http/mcp-over-http.ts': ['@modelcontextprotocol/server'],
  'mcp/http/sessions.ts': ['@modelcontextprotocol/server'],
  'mcp/elicit-form.ts': ['@modelcontextprotocol/server'],
  'mcp/failed-elicitations.ts': ['@modelcontextprotocol/server'],
  'mcp/elicit-decision.ts': ['@modelcontextprotocol/server'],
  'mcp/entry-frontmatter.ts': ['@modelcontextprotocol/server/ext/skills'],
  'mcp/skill-resources.ts': ['@modelcontextprotocol/server', '@modelcontextprotocol/server/ext/skills'],
  'mcp/translate-error.ts': ['@modelcontextprotocol/server'],
  'lsp/serve.ts': ['vscode-languageserver/node'],
  'lsp/answers.ts': ['vscode-languageserver/node'],
  'lsp/documents.ts': ['vscode-languageserver/node', 'vscode-languageserver-textdocument'],
  'lsp/requests.ts': ['vscode-languageserver/node'],
  'lsp/show-symbols.ts': ['vscode-languageserver/node'],
  'lsp/positions.ts': ['vscode-languageserver/node'],
  'lsp/publish.ts': ['vscode-languageserver/node'],
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
  /** Types are gone when the code runs. */
  readonly isType: boolean;
}

/** They translate between people or protocols and the façade. */
const surfaces = new Set(['cli', 'lsp', 'mcp', 'acp', 'http']);

describe('the import table', () => {
  const imports = sourceFiles(src).flatMap(importsOf);

  it('is kept by every file', () => {
    const broken = imports.filter(({ file, specifier, isType }) => {
      if (!specifier.startsWith('.')) return false;
      const from = folderOf(file);
      if (isType && surfaces.has(from)) return false;
      const target = relative(src, resolve(src, dirname(file), specifier));
      if (surfaces.has(from) && surfacesMayUse.includes(target)) return false;
      const to = folderOf(target);
      return from !== to && !(mayImport[from] ?? []).includes(to);
    });
    expect(broken).toEqual([]);
  });

  it('lists nothing for surfaces that no surface uses', () => {
    const used = new Set(
      imports
        .filter(({ file, isType }) => surfaces.has(folderOf(file)) && !isType)
        .map(({ file, specifier }) => relative(src, resolve(src, dirname(file), specifier))),
    );
    expect(surfacesMayUse.filter((file) => !used.has(file))).toEqual([]);
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
  it('come from node/with-time-limit.ts, since these can be lost to a garbage collection', () => {
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
  const pattern =
    /^(?:import|export)( type)?\b[^;'"]*?\bfrom '([^'\n]+)'|\bimport\('([^'\n]+)'\)|^import '([^'\n]+)'/gm;
  return [...read(file).matchAll(pattern)].map(([, type, a, b, c]) => ({
    file,
    specifier: (a ?? b ?? c) as string,
    isType: type !== undefined,
  }));
}

function folderOf(file: string): string {
  const parts = file.split('/');
  // The door of the interpreter, which other folders come in through.
  if (file === 'starlark.ts') return 'starlark';
  if (parts.length === 1) return '.';
  return parts[0] as string;
}

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8');
}

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(join(src, '../ARCHITECTURE.md'), 'utf8');

  it('names files and folders that exist', () => {
    const named = [...page.matchAll(/`((?:[a-z-]+\/)+(?:[a-z-]+\.ts)?)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.split('/').filter((part) => part !== '').length > 1);
    expect(named.length).toBeGreaterThan(40);
    expect(
      named.filter((path) => !existsSync(join(src, path)) && !existsSync(join(src, '..', path))),
    ).toEqual([]);
  });

  it('has a row for every folder', () => {
    const folders = new Set(sourceFiles(src).map(folderOf));
    expect([...folders].filter((name) => name !== '.' && !page.includes(`\`${name}/\``))).toEqual([]);
  });
});
