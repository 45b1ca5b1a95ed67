import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { historyFile, maxLines, readHistory, writeHistory } from './history.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('writeHistory', () => {
  it('keeps the newest lines, for the owner alone', async () => {
    const lines = Array.from({ length: maxLines + 5 }, (_, at) => `line ${at}`).reverse();
    expect(await writeHistory(historyFile(home), lines)).toBeNull();
    expect(statSync(historyFile(home)).mode & 0o777).toBe(0o600);
    expect((await readHistory(historyFile(home))).lines).toEqual(lines.slice(0, maxLines));
  });

  it('leaves out empty and very long lines', async () => {
    await writeHistory(historyFile(home), ['b', '  ', 'x'.repeat(5000), 'a']);
    expect(readFileSync(historyFile(home), 'utf8')).toBe('a\nb\n');
  });

  it('says why it could not', async () => {
    writeFileSync(join(home, '.techne'), '');
    expect(await writeHistory(historyFile(home), ['a'])).toMatch(/EEXIST|ENOTDIR/);
  });
});

describe('readHistory', () => {
  it('is empty where there is none', async () => {
    expect(await readHistory(historyFile(home))).toEqual({ lines: [], fault: null });
  });

  it('says why it could not', async () => {
    mkdirSync(historyFile(home), { recursive: true });
    expect(await readHistory(historyFile(home))).toEqual({
      lines: [],
      fault: expect.stringContaining('is a folder') as string,
    });
  });
});
