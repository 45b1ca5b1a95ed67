// What `techne list` loads. Each module on its path costs every list time: a new one is a decision, not an accident.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));
const src = join(project, 'src');

/** The modules that these import statically, themselves included. Type imports are erased and load nothing. */
function staticClosure(...entries: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const open = entries.map((entry) => join(src, entry));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, from] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*? from '(\.[^']+)';/gm))
      open.push(resolve(dirname(file), from as string));
  }
  return [...found].map((file) => relative(src, file));
}

/** The names of the chunks of dist/ that a command loads, without their hashes. */
function chunksOf(...argv: readonly string[]): readonly string[] {
  const coverage = mkdtempSync(join(tmpdir(), 'techne-chunks-'));
  try {
    const { status, stderr } = spawnSync(process.execPath, [join(project, 'bin/techne.mjs'), ...argv], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: coverage, NODE_V8_COVERAGE: coverage },
    });
    if (status !== 0) throw new Error(stderr);
    const urls = readdirSync(coverage)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
          readonly result: readonly { readonly url: string }[];
        };
        return result.map(({ url }) => url);
      });
    return [...new Set(urls.filter((url) => url.includes('/dist/')))]
      .map((url) => basename(url, '.js').replace(/-[\w-]{8}$/, ''))
      .sort((a, b) => (a < b ? -1 : 1));
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

describe('techne list', () => {
  it('loads the chunks of the command line, of reading skills and of listing, and no other', () => {
    expect(chunksOf('list', '--json')).toEqual([
      'cli',
      'commands',
      'core',
      'rolldown-runtime',
      'shell',
      'start',
    ]);
  });

  it('reaches no code that runs, matches or talks', () => {
    const modules = staticClosure('cli/main.ts', 'cli/dispatch.ts', 'cli/commands/list.ts');
    const folders = new Set(modules.map((module) => module.split('/')[0]));
    for (const folder of [
      'starlark',
      'template',
      'run',
      'plan',
      'match',
      'mcp',
      'chat',
      'answerers',
      'measure',
    ])
      expect(folders).not.toContain(folder);
    // The number today. Lower it when you can; raise it only for something that every list needs.
    expect(modules.length).toBeLessThanOrEqual(122);
  });
});
