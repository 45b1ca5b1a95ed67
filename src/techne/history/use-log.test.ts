import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SkillLoaded } from '../../prompt/skill-loaded.ts';
import { createUseLog, readUseLog, usesFolder } from './use-log.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'techne-uses-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const event: SkillLoaded = {
  type: 'skill.loaded',
  skill_id: 'tides',
  skill_version: '0123456789abcdef',
  load_reason: 'on_demand',
  load_size_tokens: 42,
  source: 'workspace',
  triggered_by_tool_use_id: 'secret-call-id',
};
const at = Date.parse('2026-11-18T10:00:00Z');

describe('createUseLog', () => {
  it('writes names, times and sizes for the owner only, and reads them back', async () => {
    const faults: string[] = [];
    const record = createUseLog(
      home,
      (message) => faults.push(message),
      () => at,
    );
    record(event);
    record(event);
    const path = join(usesFolder(home), '2026-11.jsonl');
    expect([readFileSync(path, 'utf8').split('\n')[0], statSync(path).mode & 0o777, faults]).toEqual([
      `{"at":${at},"skill":"tides","reason":"on_demand","tokens":42}`,
      0o600,
      [],
    ]);
    expect((await readUseLog(home, 0)).uses.length).toBe(2);
    expect((await readUseLog(home, at + 1)).uses).toEqual([]);
  });

  it('counts what is torn, and goes on', async () => {
    createUseLog(
      home,
      () => undefined,
      () => at,
    )(event);
    appendFileSync(join(usesFolder(home), '2026-11.jsonl'), '{"at": 1, "skill"\n[]\n{"at":"x"}\n');
    createUseLog(
      home,
      () => undefined,
      () => at,
    )(event);
    const { uses, torn } = await readUseLog(home, 0);
    expect([uses.length, torn]).toEqual([2, 3]);
  });

  it('keeps thirteen months', () => {
    mkdirSync(usesFolder(home), { recursive: true });
    for (let month = 1; month <= 12; month += 1)
      for (const year of [2024, 2025])
        writeFileSync(join(usesFolder(home), `${year}-${String(month).padStart(2, '0')}.jsonl`), '');
    createUseLog(
      home,
      () => undefined,
      () => at,
    )(event);
    expect(readdirSync(usesFolder(home)).sort()).toEqual([
      '2024-12.jsonl',
      ...Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}.jsonl`),
      '2026-11.jsonl',
    ]);
  });

  it('says once that it cannot write, and bothers nobody', async () => {
    writeFileSync(join(home, '.techne'), 'a file');
    const faults: string[] = [];
    const record = createUseLog(
      home,
      (message) => faults.push(message),
      () => at,
    );
    record(event);
    record(event);
    expect(faults).toEqual([expect.stringMatching(/^uses of skills are not recorded: /)]);
    expect(await readUseLog(home, 0)).toEqual({ uses: [], torn: 0 });
  });
});
