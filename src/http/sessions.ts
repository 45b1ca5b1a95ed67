// The sessions of browsers: a cookie in place of the one-time link or of a token.
//
//   link or token -> open -> cookie -> find -> who that is now
//
// A session of a token has the hash of that token, and name and role are those of the token at each request: when it is revoked or
// expires, its sessions end with it. The cookie is HttpOnly and SameSite=Strict. A request that changes something must also have the CSRF
// value of its session in a header, which no other site can know or send. Browsers send a cookie to every port of a host, so its name has
// the port: two servers on one machine do not overwrite each other's. A session lives for a week at most, and in this server alone; with a file it
// outlives a restart: only its hash is in the file, which the same user alone can read.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Role } from '../api/role.ts';
import { isJsonObject, jsonIn } from '../base/json.ts';
import type { TokenFile } from '../techne/tokens/token-file.ts';

export interface Session {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Goes back in `X-Techne-Csrf`. */
  readonly csrf: string;
}

export interface SessionsOptions {
  /** Who has the sessions of the link, for journals; `null`: there is no link, and none of its sessions counts. */
  readonly person: string | null;
  readonly tokens: TokenFile;
  readonly nowMs: () => number;
  /** Of the server, once it listens. */
  readonly port: () => number;
  /** Whether browsers reach the server by https alone. */
  readonly isSecure: boolean;
  /** Where sessions are kept over a restart; `null`: they are not. */
  readonly file: (() => string) | null;
}

/** Of one token, or of the link: the oldest one ends. */
const mostOfOne = 16;
const ttlMs = 7 * 86_400_000;

interface KeptSession {
  readonly csrf: string;
  readonly at: number;
  /** The hash of its token; `null`: it is of the link. */
  readonly token: string | null;
}

export class Sessions {
  readonly #options: SessionsOptions;
  #known: Map<string, KeptSession> | null = null;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get cookieName(): string {
    return `techne_session_${this.#options.port()}`;
  }

  /** `token`: the hash of a token that counts; `null`: of the link. `setCookie`: the value of the header. Throws TOKENS_FILE. */
  open(
    token: string | null,
    isHttps: boolean,
  ): { readonly session: Session | null; readonly setCookie: string } {
    const value = randomBytes(32).toString('base64url');
    const sessions = this.#all();
    for (const id of sessions.keys()) if (this.sessionOf(id) === null) sessions.delete(id);
    const same = [...sessions].filter(([, one]) => one.token === token).map(([id]) => id);
    for (const oldest of same.slice(0, Math.max(0, same.length - mostOfOne + 1))) sessions.delete(oldest);
    const id = hashOf(value);
    sessions.set(id, { csrf: randomBytes(24).toString('base64url'), at: this.#options.nowMs(), token });
    this.#keep();
    return { session: this.sessionOf(id), setCookie: this.#cookie(value, isHttps) };
  }

  /** Of a Cookie header; `null`: it has none of ours that counts. Throws TOKENS_FILE. */
  find(cookie: string): Session | null {
    const { cookieName } = this;
    for (const part of cookie.split(';')) {
      const [name = '', value = ''] = part.trim().split('=', 2);
      if (name === cookieName) return this.sessionOf(hashOf(value));
    }
    return null;
  }

  /** Throws TOKENS_FILE. */
  sessionOf(id: string): Session | null {
    const { person, tokens, nowMs } = this.#options;
    const kept = this.#all().get(id);
    if (kept === undefined || nowMs() - kept.at > ttlMs) return null;
    const { csrf, token } = kept;
    if (token === null) return person === null ? null : { id, name: person, role: 'operator', csrf };
    const found = tokens.findByHash(token);
    return typeof found === 'string' ? null : { id, name: found.name, role: found.role, csrf };
  }

  /** Ends one, and gives the value of the header that removes its cookie. */
  end(id: string, isHttps: boolean): string {
    this.#all().delete(id);
    this.#keep();
    return `${this.#cookie('', isHttps)}; Max-Age=0`;
  }

  #cookie(value: string, isHttps: boolean): string {
    const secure = this.#options.isSecure || isHttps ? '; Secure' : '';
    return `${this.cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`;
  }

  #all(): Map<string, KeptSession> {
    const { file } = this.#options;
    this.#known ??= file === null ? new Map() : readSessions(file());
    return this.#known;
  }

  #keep(): void {
    const { file } = this.#options;
    if (file !== null) writeSessions(file(), this.#all());
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readSessions(file: string): Map<string, KeptSession> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Whoever cannot read it starts without sessions: people log in again.
    if (error instanceof Error && 'code' in error) return new Map();
    throw error;
  }
  const kept = jsonIn(text);
  if (kept === undefined || !isJsonObject(kept)) return new Map();
  return new Map(
    Object.entries(kept).flatMap(([hash, one]) => {
      if (!isJsonObject(one)) return [];
      const { csrf, at, token = null } = one;
      return typeof csrf === 'string' &&
        typeof at === 'number' &&
        (token === null || typeof token === 'string')
        ? [[hash, { csrf, at, token }] as const]
        : [];
    }),
  );
}

function writeSessions(file: string, sessions: ReadonlyMap<string, KeptSession>): void {
  const part = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(part, JSON.stringify(Object.fromEntries(sessions)), { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    // In a container whose files cannot be changed, sessions live as long as the server.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
