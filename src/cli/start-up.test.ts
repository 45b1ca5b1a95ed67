// What is loaded before a command has said that it needs it.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));

/** The files that importing `entry` imports, without those behind `import()`. */
function loadedWith(entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    if (!file.startsWith(src)) return;
    const text = readFileSync(file, 'utf8').replace(/^(?:import|export) type [^;]*;/gm, '');
    for (const [, specifier = ''] of text.matchAll(
      /^(?:import |(?:import|export|\})[^'\n]* from )'([^'\n]+)';/gm,
    )) {
      visit(specifier.startsWith('.') ? join(dirname(file), specifier) : specifier);
    }
  };
  visit(join(src, entry));
  return [...seen].map((file) => (file.startsWith(src) ? relative(src, file) : file)).sort();
}

describe('starting up', () => {
  it('loads next to nothing for --version', () => {
    expect(loadedWith('cli/main.ts')).toEqual([
      'base/error.ts',
      'base/printable.ts',
      'cli/io.ts',
      'cli/main.ts',
      'node/package-info.ts',
      'node:fs',
      'node:os',
      'node:path',
      'node:url',
    ]);
  });

  it('loads only the table of commands and its readers for --help', () => {
    expect(loadedWith('cli/dispatch.ts').filter((file) => !file.startsWith('cli/'))).toEqual([
      'base/cut-text.ts',
      'base/error.ts',
      'base/nearest.ts',
      'base/printable.ts',
      'node/package-info.ts',
      'node:fs',
      'node:path',
      'node:url',
    ]);
  });

  it('loads no built-in tool for a run before one is looked for', () => {
    const loaded = loadedWith('techne/open-runs.ts');
    expect(loaded.filter((file) => /^tools\/(?:files\/|built-in\/built-in-tools)/.test(file))).toEqual([]);
    expect(loaded).toContain('tools/open-tools.ts');
  });

  it('loads neither YAML nor trust for list', () => {
    const loaded = loadedWith('cli/commands/list.ts');
    expect(
      loaded.filter((file) => /^yaml$|bundled-parser|trust-store|validate-strict|lint\.ts/.test(file)),
    ).toEqual([]);
    expect(loaded).toContain('registry/snapshot.ts');
  });
});
