// Holds docs/guide/loading-conformance.md and the tests that it names in step.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));
const rows = readFileSync(`${project}docs/guide/loading-conformance.md`, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, file, name] = /\| `([^`]+\.test\.ts)`: (.+) \|$/.exec(line) ?? [];
    return file === undefined || name === undefined ? [] : [[file, name] as const];
  });

describe('the page of S2', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
  });
  it.each(rows)('names a test that is there: %s: %s', (file, name) => {
    const text = existsSync(project + file) ? readFileSync(project + file, 'utf8') : '';
    expect(text.replaceAll("\\'", "'")).toMatch(
      new RegExp(`(?:\\bit\\(|\\]\\)\\()\\s*['"\`]${escaped(name)}['"\`],`),
    );
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
