// A run as one file: its journal, those of the runs inside of it, and the blobs that they name.
//
//   {"techne":"run","version":1,"run":ID}
//   {"run":ID,"entries":N}                  and N lines, the entries as they were stored
//   {"blob":DIGEST,"base64":…}
//   {"end":DIGEST}                          of all bytes before this line
//
// The outermost run comes first, then the others by id, then the blobs by digest: the same runs give the same bytes, whatever
// store they were in. The last line finds what was torn or edited by accident; who made a file it cannot tell. So everything is
// checked that a hostile file could get wrong: shapes, order, names, families, digests.
import { TechneError } from '../../base/error.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { entryFault } from '../../journal/check-entry.ts';
import { entryJson } from '../../journal/frame.ts';
import { decodeEntry } from '../../journal/read-segment.ts';
import type { RunState } from '../../journal/run-state.ts';
import { foldRun, isRunName } from '../../journal/run-state.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { BlobDigest } from '../../ports/blobs.ts';
import type { StoredEntry } from '../../ports/run-store.ts';

/** Of a file. */
export const maxFileBytes = 256 * 1024 * 1024;
const maxRuns = 10_000;

export interface FiledRun {
  readonly run: string;
  readonly entries: readonly StoredEntry[];
}

export interface RunFile {
  /** The outermost first. */
  readonly runs: readonly FiledRun[];
  readonly blobs: readonly { readonly digest: BlobDigest; readonly bytes: Uint8Array }[];
}

/** The blobs that a journal cannot be read without: what it executes, and values that were too large for an entry. */
export function neededBlobs(entries: readonly StoredEntry[]): ReadonlySet<BlobDigest> {
  const needed = new Set<BlobDigest>();
  for (const { entry } of entries) {
    if (entry.type === 'run.started') for (const digest of Object.values(entry.files)) needed.add(digest);
    for (const [, digest] of entryJson(entry).matchAll(/"blob":"(sha256:[0-9a-f]{64})"/g))
      needed.add(digest as BlobDigest);
  }
  return needed;
}

export function renderRunFile({ runs, blobs }: RunFile): Buffer {
  const lines = [JSON.stringify({ techne: 'run', version: 1, run: runs[0]?.run })];
  for (const { run, entries } of runs)
    lines.push(
      JSON.stringify({ run, entries: entries.length }),
      ...entries.map(({ entry }) => entryJson(entry)),
    );
  for (const { digest, bytes } of blobs)
    lines.push(JSON.stringify({ blob: digest, base64: Buffer.from(bytes).toString('base64') }));
  const body = Buffer.from(`${lines.join('\n')}\n`);
  return Buffer.concat([body, Buffer.from(`${JSON.stringify({ end: `sha256:${nodeSha256(body)}` })}\n`)]);
}

/** Throws FILE_INVALID with the line; `name` is the file, for the message. */
export function parseRunFile(bytes: Uint8Array, name: string): RunFile {
  const fault = (line: number, why: string, hint = 'export the run again'): TechneError =>
    new TechneError('FILE_INVALID', `${name}:${line}: ${why}`, { hint });
  const { text, valid } = decodeUtf8(bytes);
  const lines = text.split('\n');
  const head = lineOf(lines[0]);
  if (!valid || head?.['techne'] !== 'run')
    throw fault(1, 'this is not a file that "techne runs export" made', 'name such a file');
  if (head['version'] !== 1)
    throw fault(
      1,
      'a newer techne made this file',
      'update this techne, or export the run with an older one',
    );
  const count = lines.length - 1;
  const end = lineOf(lines[count - 1])?.['end'];
  if (lines[count] !== '' || typeof end !== 'string') throw fault(count, 'the end of the file is missing');
  const body = Buffer.from(bytes).subarray(0, bytes.length - Buffer.byteLength(`${lines[count - 1]}\n`));
  if (end !== `sha256:${nodeSha256(body)}`)
    throw fault(count, 'the file was changed after it was made: its digest is another');

  const runs: (FiledRun & { readonly line: number })[] = [];
  const blobs: { digest: BlobDigest; bytes: Uint8Array; line: number }[] = [];
  let at = 1;
  for (; lineOf(lines[at])?.['run'] !== undefined;) {
    const { run, entries: length } = lineOf(lines[at]) as { readonly [name: string]: Json };
    const line = at + 1;
    if (typeof run !== 'string' || !isRunName(run)) throw fault(line, 'the name of the run cannot be one');
    if (typeof length !== 'number' || !Number.isInteger(length) || length < 1 || at + length >= count)
      throw fault(line, `run ${run} does not have the entries that are announced`);
    if (runs.length === maxRuns) throw fault(line, `it holds more than ${maxRuns} runs`);
    if (runs.some((other) => other.run === run)) throw fault(line, `run ${run} is there twice`);
    const entries = lines
      .slice(at + 1, at + 1 + length)
      .map((each, seq) => ({ seq, entry: entryOf(each, (why) => fault(at + 2 + seq, why)) }));
    runs.push({ run, entries, line });
    at += 1 + length;
  }
  for (; at < count - 1; at += 1) {
    const { blob, base64 } = lineOf(lines[at]) ?? {};
    const bytesOf = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null;
    if (bytesOf === null || blob !== `sha256:${nodeSha256(bytesOf)}`)
      throw fault(at + 1, 'the line is not a blob that matches its digest');
    blobs.push({ digest: blob as BlobDigest, bytes: bytesOf, line: at + 1 });
  }
  if (runs.length === 0 || runs[0]?.run !== head['run'])
    throw fault(2, 'the run of the first line is missing');
  const named = new Set<string>();
  const held = new Set<string>(blobs.map(({ digest }) => digest));
  const parents = new Map<string, string | null>();
  const family = new Set(runs.map(({ run }) => run));
  for (const [index, { run, entries, line }] of runs.entries()) {
    const state = folded(entries, (why) => fault(line, why));
    const parent = state.meta.parent?.run ?? null;
    if (state.meta.run !== run) throw fault(line, `the journal of run ${run} is that of another run`);
    parents.set(run, parent);
    if (index === 0 ? parent !== null : parent === null || !family.has(parent))
      throw fault(line, `run ${run} is not inside of a run of this file`);
    for (const digest of neededBlobs(entries)) {
      if (!held.has(digest))
        throw fault(line, `run ${run} needs the blob ${digest}, which the file does not hold`);
      named.add(digest);
    }
  }
  for (const { run, line } of runs)
    if (!leadsOut(run, parents)) throw fault(line, `run ${run} is inside of itself`);
  const strange = blobs.find(({ digest }) => !named.has(digest));
  if (strange !== undefined) throw fault(strange.line, 'no run of this file names this blob');
  return { runs, blobs };
}

/** Whether the way from a run to the ones around it ends. */
function leadsOut(run: string, parents: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let at: string | null = run; at !== null; at = parents.get(at) ?? null) {
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return true;
}

function lineOf(text: string | undefined): { readonly [name: string]: Json } | null {
  if (text?.startsWith('{') !== true) return null;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function entryOf(text: string, fault: (why: string) => TechneError): StoredEntry['entry'] {
  const entry = decodeEntry(text);
  if (typeof entry === 'string') throw fault(entry);
  const why = entryFault(entry as unknown as Json);
  if (why !== null) throw fault(why);
  return entry;
}

function folded(entries: readonly StoredEntry[], fault: (why: string) => TechneError): RunState {
  try {
    return foldRun(entries);
  } catch (error) {
    if (error instanceof TechneError) throw fault(error.message);
    throw error;
  }
}
