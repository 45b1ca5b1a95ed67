// The one-time link of a server on this machine, for the person who started it.
//
//   /login?code=… -> a session cookie, once and within ten minutes
//
// Only the terminal of that person shows the code, so whoever has it is the same user; other users of the machine can connect and
// have nothing to show. The cookie is HttpOnly and SameSite=Strict, and lives as long as the server. A request that changes
// something must also have the CSRF value of its session in a header, which no other site can know or send.
import { createHash, randomBytes } from 'node:crypto';

export interface LinkSession {
  readonly name: string;
  /** Goes back in `X-Techne-Csrf`. */
  readonly csrf: string;
}

export const cookieName = 'techne_session';
const codeTtlMs = 10 * 60_000;
const maxSessions = 16;

export class LoginLink {
  readonly #name: string;
  readonly #nowMs: () => number;
  readonly #code = randomBytes(32).toString('base64url');
  readonly #madeAt: number;
  readonly #sessions = new Map<string, LinkSession>();
  #isUsed = false;

  /** `name`: of the person, for journals. */
  constructor(name: string, nowMs: () => number) {
    this.#name = name;
    this.#nowMs = nowMs;
    this.#madeAt = nowMs();
  }

  urlAt(origin: string): string {
    return `${origin}/login?code=${this.#code}`;
  }

  /** The value of a Set-Cookie header; `null`: the code is wrong, used or too old. */
  open(code: string): string | null {
    // Hashes of equal length: the time that it takes tells nothing about the code.
    const isRight = hashOf(code) === hashOf(this.#code);
    if (!isRight || this.#isUsed || this.#nowMs() - this.#madeAt > codeTtlMs) return null;
    this.#isUsed = true;
    const value = randomBytes(32).toString('base64url');
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size < maxSessions) break;
      this.#sessions.delete(oldest);
    }
    this.#sessions.set(hashOf(value), { name: this.#name, csrf: randomBytes(24).toString('base64url') });
    return `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Of a Cookie header; `null`: it has none of ours. */
  sessionOf(cookie: string): LinkSession | null {
    for (const part of cookie.split(';')) {
      const [name = '', value = ''] = part.trim().split('=', 2);
      if (name === cookieName) return this.#sessions.get(hashOf(value)) ?? null;
    }
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
