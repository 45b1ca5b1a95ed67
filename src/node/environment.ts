// The machine around the process: PATH, clock, hashing, decoding.
//
// V1. Looking for a program never runs one: PATH is searched for a file that may be executed.
// V2. Each name is looked for once; what was found holds for the life of the environment.
import { isUtf8 } from 'node:buffer';
import { nodeCrypto } from './crypto.ts';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { codeOf } from './files/file-fault.ts';
import type { Clock, DecodeUtf8, EncodeUtf8, Environment, Sha256 } from '../ports/environment.ts';

export interface NodeEnvironmentOptions {
  /** Default: `process.platform`. */
  readonly platform?: string;
  /** Default: `process.env`. */
  readonly variables?: { readonly [name: string]: string | undefined };
  /** Default: `os.homedir()`. */
  readonly homeFolder?: string;
}

export function createNodeEnvironment(options: NodeEnvironmentOptions = {}): Environment {
  const platform = options.platform ?? process.platform;
  const variables = options.variables ?? process.env;
  const found = new Map<string, string | null>();
  return {
    platform,
    homeFolder: options.homeFolder ?? homedir(),
    variables,
    findProgram(name) {
      let path = found.get(name);
      if (path === undefined) {
        path = findOnPath(name, platform, variables);
        found.set(name, path);
      }
      return path;
    },
  };
}

function findOnPath(name: string, platform: string, variables: Environment['variables']): string | null {
  const windows = platform === 'win32';
  // A program is named, not pointed at: a skill must not learn which files exist.
  if (name === '' || name.includes('/') || name.includes('\0') || (windows && /[\\:]/.test(name)))
    return null;
  const path = windows ? win32 : posix;
  const search =
    variables[
      windows ? (Object.keys(variables).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH') : 'PATH'
    ] ?? '';
  const suffixes = windows ? windowsSuffixes(name, variables['PATHEXT']) : [''];
  for (const folder of search.split(path.delimiter)) {
    // An empty or relative entry means the current folder, which may be anybody's.
    if (!path.isAbsolute(folder)) continue;
    for (const suffix of suffixes) {
      const candidate = path.join(folder, name + suffix);
      if (isProgram(candidate, windows)) return candidate;
    }
  }
  return null;
}

function windowsSuffixes(name: string, pathExt: string | undefined): readonly string[] {
  const known = (pathExt ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((suffix) => suffix !== '');
  const has = known.some((suffix) => name.toUpperCase().endsWith(suffix.toUpperCase()));
  return has ? ['', ...known] : known;
}

function isProgram(path: string, windows: boolean): boolean {
  try {
    if (!fs.statSync(path).isFile()) return false;
    if (!windows) fs.accessSync(path, fs.constants.X_OK);
    return true;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}

export const nodeClock: Clock = { nowNs: () => BigInt(Date.now()) * 1_000_000n };

export const nodeSha256: Sha256 = (content) => nodeCrypto().hash('sha256', content, 'hex');

const encoder = new TextEncoder();
export const nodeEncodeUtf8: EncodeUtf8 = (text, into) => encoder.encodeInto(text, into).written;

export const nodeDecodeUtf8: DecodeUtf8 = (bytes, end = bytes.byteLength) => {
  const start = bytes.byteOffset;
  const text = viewOf(bytes.buffer as ArrayBuffer).toString('utf8', start, start + end);
  // A byte that had to be replaced shows as U+FFFD, which a file may also hold by itself.
  if (!text.includes('\uFFFD')) return { text, valid: true };
  const buffer = Buffer.from(bytes.buffer, start, end);
  return isUtf8(buffer) ? { text, valid: true } : { text: decodeUtf16(buffer) ?? text, valid: false };
};

// Heads come one after the other from the same memory, and making a view takes longer than decoding most of them.
// Weak, since the memory may be large and its owner done with it.
let lastView = new WeakRef(Buffer.alloc(0));

function viewOf(memory: ArrayBuffer): Buffer {
  const last = lastView.deref();
  if (last !== undefined && last.buffer === memory) return last;
  const view = Buffer.from(memory);
  lastView = new WeakRef(view);
  return view;
}

/** By its byte order mark, `null` without one; what is no character becomes U+FFFD. */
function decodeUtf16(buffer: Buffer): string | null {
  const mark = buffer.length < 2 ? 0 : buffer.readUInt16BE(0);
  if (mark === 0xfffe) return wellFormed(buffer.toString('utf16le'));
  if (mark !== 0xfeff) return null;
  return wellFormed(
    Buffer.from(buffer.subarray(0, buffer.length & ~1))
      .swap16()
      .toString('utf16le'),
  );
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}
