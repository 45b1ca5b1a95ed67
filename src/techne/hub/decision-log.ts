// Who let which content in, kept back or took away, and when: one line for each decision over a surface that is no terminal.
//
//   ~/.techne/hub/decisions.jsonl: {"at", "by", "act", "scope", "skill", "digest", "before", "verdict", "source"}
//
// D1. A decision is on the disk before it is acted on. What cannot be recorded is not done.
// D2. A file has a limit; the one before it is kept.
import { promises } from 'node:fs';
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { codeOf, leadsNowhere } from '../../node/files/file-fault.ts';

export interface HubDecision {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `operator ada`. */
  readonly by: string;
  readonly act: 'install' | 'update' | 'restore' | 'adopt' | 'remove' | 'pin' | 'unpin' | 'accept';
  readonly scope: string | null;
  readonly skill: string;
  /** Of the content that was agreed to, or taken away. */
  readonly digest: string | null;
  readonly before: string | null;
  readonly verdict: string | null;
  readonly source: string | null;
}

const maxFileBytes = 4 * 1024 * 1024;

export interface DecisionLog {
  /** Throws FILE_DENIED. */
  record(decisions: readonly HubDecision[]): Promise<void>;
  /** The newest first. Lines that cannot be read are left out. */
  newest(limit: number): Promise<readonly HubDecision[]>;
}

export function createDecisionLog(homeFolder: string): DecisionLog {
  const folder = join(homeFolder, '.techne', 'hub');
  const file = join(folder, 'decisions.jsonl');
  const older = join(folder, 'decisions.1.jsonl');
  return {
    async record(decisions) {
      if (decisions.length === 0) return;
      try {
        await promises.mkdir(folder, { recursive: true, mode: 0o700 });
        if ((await sizeOf(file)) > maxFileBytes) await promises.rename(file, older);
        const handle = await promises.open(file, 'a', 0o600);
        try {
          // One write: lines of two servers do not mix. A line that a killed process left is ended first.
          const isTorn = await endsInside(file);
          const lines = decisions.map((decision) => `${JSON.stringify(decision)}\n`).join('');
          await handle.writeFile(isTorn ? `\n${lines}` : lines);
          await handle.datasync();
        } finally {
          await handle.close();
        }
      } catch (error) {
        if (codeOf(error) === '') throw error;
        throw new TechneError('FILE_DENIED', `"${file}" cannot be written: ${codeOf(error)}`, {
          hint: 'nothing was changed: a decision that cannot be recorded is not carried out',
          cause: error,
        });
      }
    },
    async newest(limit) {
      const found: HubDecision[] = [];
      for (const path of [file, older]) {
        if (found.length >= limit) break;
        for (const line of (await textOf(path)).split('\n').toReversed()) {
          const decision = decisionOf(line);
          if (decision !== null) found.push(decision);
          if (found.length >= limit) break;
        }
      }
      return found;
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await promises.stat(path)).size;
  } catch (error) {
    if (leadsNowhere(error)) return 0;
    throw error;
  }
}

async function endsInside(path: string): Promise<boolean> {
  const size = await sizeOf(path);
  if (size === 0) return false;
  const handle = await promises.open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] !== 0x0a;
  } finally {
    await handle.close();
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return decodeUtf8(await promises.readFile(path)).text;
  } catch (error) {
    if (leadsNowhere(error)) return '';
    if (codeOf(error) === '') throw error;
    throw new TechneError('FILE_DENIED', `"${path}" cannot be read: ${codeOf(error)}`, { cause: error });
  }
}

const acts: ReadonlySet<string> = new Set<HubDecision['act']>([
  'install',
  'update',
  'restore',
  'adopt',
  'remove',
  'pin',
  'unpin',
  'accept',
]);

function decisionOf(line: string): HubDecision | null {
  const value = line === '' ? undefined : jsonIn(line);
  if (value === undefined || !isJsonObject(value)) return null;
  const { at, by, act, scope, skill, digest, before, verdict, source } = value;
  const isTextOrNull = (one: unknown): one is string | null => one === null || typeof one === 'string';
  return typeof at === 'number' &&
    typeof by === 'string' &&
    typeof act === 'string' &&
    acts.has(act) &&
    typeof skill === 'string' &&
    isTextOrNull(scope) &&
    isTextOrNull(digest) &&
    isTextOrNull(before) &&
    isTextOrNull(verdict) &&
    isTextOrNull(source)
    ? { at, by, act: act as HubDecision['act'], scope, skill, digest, before, verdict, source }
    : null;
}
