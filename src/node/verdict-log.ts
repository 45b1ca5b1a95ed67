// The verdicts of earlier scans, in a file of the user's own.
//
//   "folder" TAB JSON \n     one line for each scan; the last one of a folder counts
//
// A lost or damaged line costs a scan, nothing else: a record is used only while the folder has the signature that it names. Lines are
// appended whole; the file is written anew when most of its lines are outdated.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface VerdictLog {
  /** The text that was put for the folder last; `null` where there is none. */
  get(folder: string): string | null;
  put(folder: string, record: string): void;
  /** In one write. */
  putAll(records: readonly (readonly [folder: string, record: string])[]): void;
}

const fewLines = 500;

export function openVerdictLog(path: string): VerdictLog {
  let lines: Map<string, string> | null = null;
  const load = (): Map<string, string> => {
    if (lines !== null) return lines;
    lines = new Map();
    let count = 0;
    for (const line of readText(path).split('\n')) {
      const tab = line.indexOf('\t');
      if (tab === -1) continue;
      count += 1;
      lines.set(line.slice(0, tab), line.slice(tab + 1));
    }
    if (count > fewLines && count > 2 * lines.size) rewrite(path, lines);
    return lines;
  };
  const putAll: VerdictLog['putAll'] = (records) => {
    const added = records.map(([folder, record]) => {
      const key = JSON.stringify(folder);
      load().set(key, record);
      return `${key}\t${record}\n`;
    });
    quietly(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, added.join(''), { mode: 0o600 });
    });
  };
  return {
    get: (folder) => load().get(JSON.stringify(folder)) ?? null,
    put: (folder, record) => putAll([[folder, record]]),
    putAll,
  };
}

function rewrite(path: string, lines: ReadonlyMap<string, string>): void {
  quietly(() => {
    const made = `${path}.${process.pid}.tmp`;
    writeFileSync(made, [...lines].map(([key, record]) => `${key}\t${record}\n`).join(''), { mode: 0o600 });
    renameSync(made, path);
  });
}

function readText(path: string): string {
  let text = '';
  quietly(() => (text = readFileSync(path, 'utf8')));
  return text;
}

/** A cache that cannot be read or written is none: the disk is full, the home is read-only, there is no file yet. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
