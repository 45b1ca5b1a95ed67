// The machine around the process: PATH, clocks, hashing, random names.
//
// Looking for a program never runs one: PATH is searched for a file that may be executed. Each name is looked for once, and
// the result holds for the life of the environment.
import type { RunClock } from '../ports/run-clock.ts';
import { createUlids } from '../journal/ulid.ts';
import type { Ids } from '../ports/ids.ts';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import { codeOf } from './files/file-fault.ts';
import type { Clock, Environment, Sha256 } from '../ports/environment.ts';

interface NodeEnvironmentOptions {
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
    exists: (path) => fs.existsSync(path),
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
    // An empty or relative entry means the current folder, which may be untrusted.
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

let crypto: typeof import('node:crypto') | null = null;

/** Loaded when something is hashed or drawn: it costs milliseconds that listing does not need. */

export function nodeCrypto(): typeof import('node:crypto') {
  crypto ??= process.getBuiltinModule('node:crypto');
  return crypto;
}

export function createNodeIds(): Ids {
  const randomBytes = (count: number): Uint8Array => nodeCrypto().randomBytes(count);
  return {
    ulid: createUlids({ nowMs: () => Date.now(), randomBytes }),
    nonce: () => nodeCrypto().randomBytes(16).toString('base64url'),
  };
}

export const nodeRunClock: RunClock = {
  nowMs: () => Date.now(),
  utcOffsetMinutes: (atMs) => -new Date(atMs).getTimezoneOffset(),
  monotonicMs: () => performance.now(),
  after(ms, task, purpose = 'limit') {
    // Longer than a timer can be set for means: never, in the life of a process.
    const timer = setTimeout(task, Math.min(ms, 2 ** 31 - 1));
    if (purpose === 'limit') timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
};
