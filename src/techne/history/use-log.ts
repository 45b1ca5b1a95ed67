// Which skills an MCP client was given, and when: the one use that no journal and no conversation records.
//
//   ~/.techne/uses/2026-11.jsonl: {"at", "skill", "reason", "tokens"}, one line for each body
//
// U1. Names, times and sizes only; no text, no session, no client.
// U2. A file has a month and a limit, and files of more than a year go: the record is bounded.
// U3. A fault never reaches the conversation: it is told once, and nothing more is written.
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { leadsNowhere } from '../../node/files/file-fault.ts';
import type { SkillLoaded } from '../../prompt/skill-loaded.ts';

export interface LoggedUse {
  readonly at: number;
  readonly skill: string;
  readonly reason: SkillLoaded['load_reason'];
  readonly tokens: number;
}

const maxFileBytes = 8 * 1024 * 1024;
const keptMonths = 13;
const filePattern = /^\d{4}-\d{2}\.jsonl$/;

export function usesFolder(homeFolder: string): string {
  return join(homeFolder, '.techne', 'uses');
}

/** `onFault` is called once. */
export function createUseLog(
  homeFolder: string,
  onFault: (message: string) => void,
  nowMs: () => number = () => Date.now(),
): (event: SkillLoaded) => void {
  const folder = usesFolder(homeFolder);
  let isReady = false;
  let isOver = false;
  return ({ skill_id: skill, load_reason: reason, load_size_tokens: tokens }) => {
    if (isOver) return;
    const at = nowMs();
    const name = `${new Date(at).toISOString().slice(0, 7)}.jsonl`;
    try {
      if (!isReady) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOld(folder);
        isReady = true;
      }
      const path = join(folder, name);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) return;
      // One small write: lines of two servers do not mix.
      appendFileSync(path, `${JSON.stringify({ at, skill, reason, tokens } satisfies LoggedUse)}\n`, {
        mode: 0o600,
      });
    } catch (error) {
      isOver = true;
      onFault(`uses of skills are not recorded: ${(error as Error).message}`);
    }
  };
}

/** Lines that cannot be read are counted. */
export async function readUseLog(
  homeFolder: string,
  sinceMs: number,
): Promise<{ readonly uses: readonly LoggedUse[]; readonly torn: number }> {
  const folder = usesFolder(homeFolder);
  const since = new Date(sinceMs).toISOString().slice(0, 7);
  const uses: LoggedUse[] = [];
  let torn = 0;
  for (const name of namesIn(folder)) {
    if (name.slice(0, 7) < since) continue;
    const { text } = decodeUtf8(await readFile(join(folder, name)));
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const use = useOf(jsonIn(line));
      if (use === null) torn += 1;
      else if (use.at >= sinceMs) uses.push(use);
    }
  }
  return { uses, torn };
}

function useOf(value: Json | undefined): LoggedUse | null {
  if (value === undefined || !isJsonObject(value)) return null;
  const { at, skill, reason, tokens } = value;
  return typeof at === 'number' &&
    typeof skill === 'string' &&
    typeof tokens === 'number' &&
    (reason === 'always' || reason === 'on_demand' || reason === 'auto_suggested')
    ? { at, skill, reason, tokens }
    : null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => filePattern.test(name))
      .sort();
  } catch (error) {
    if (leadsNowhere(error)) return [];
    throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of namesIn(folder).slice(0, -keptMonths)) rmSync(join(folder, name), { force: true });
}
