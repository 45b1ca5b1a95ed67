// The tokens of a server, in a file of the user.
//
//   ~/.techne/tokens.json: { version, tokens: [{ name, role, hash, createdAt, expiresAt, revokedAt }] }
//
// A token is 32 random bytes, shown once. The file has its SHA-256: 256 random bits cannot be guessed, so a slow hash, which is for
// passwords, would only slow down every request. The file is looked at for each request, so that a revocation counts at once.
// Each change is made under a lock and written with mode 0600; a file that others can write proves nothing and is refused. A name is
// used once: the journals of runs have it.
import { createHash, randomBytes } from 'node:crypto';
import { isRole } from '../../api/role.ts';
import type { Role } from '../../api/role.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import { heldByOthers } from '../../ports/held-by-others.ts';

export interface TokenRecord {
  readonly name: string;
  readonly role: Role;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

export interface TokenFileOptions {
  readonly file: string;
  readonly files: Files;
  readonly nowMs: () => number;
}

/** Whose token it is, or why it is refused. */
export type FoundToken = TokenRecord | 'unknown' | 'expired' | 'revoked';

const version = 1;
const maxBytes = 1024 * 1024;
const maxTokens = 1_000;
const plainName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export class TokenFile {
  readonly file: string;
  readonly #files: Files;
  readonly #nowMs: () => number;
  #known: { readonly mark: string; readonly byHash: ReadonlyMap<string, TokenRecord> } | null = null;

  constructor({ file, files, nowMs }: TokenFileOptions) {
    this.file = file;
    this.#files = files;
    this.#nowMs = nowMs;
  }

  /** Throws TOKENS_FILE. */
  list(): readonly TokenRecord[] {
    return [...this.#load().values()];
  }

  /** Of the text of a token. Throws TOKENS_FILE. */
  find(text: string): FoundToken {
    // Looked up by the hash of 256 random bits: the time that it takes tells nothing about a token.
    return this.findByHash(hashOf(text));
  }

  /** Of the hash that its record has. Throws TOKENS_FILE. */
  findByHash(hash: string): FoundToken {
    const record = this.#load().get(hash);
    if (record === undefined) return 'unknown';
    if (record.revokedAt !== null) return 'revoked';
    return record.expiresAt !== null && this.#nowMs() >= record.expiresAt ? 'expired' : record;
  }

  /** The text of the new token, which is kept nowhere. Throws USAGE, TOKENS_FILE, LOCKED. */
  async create(name: string, role: Role, expiresAt: number | null): Promise<string> {
    if (!plainName.test(name))
      throw new TechneError('USAGE', `"${name}" cannot be the name of a token`, {
        hint: 'letters, digits, ".", "_" and "-", at most 64',
      });
    const text = `techne_${randomBytes(32).toString('base64url')}`;
    await this.#change((records) => {
      if (records.some((one) => one.name.toLowerCase() === name.toLowerCase()))
        throw new TechneError('USAGE', `there is a token "${name}" already, or there was one`, {
          hint: 'choose another name: journals tell people apart by it',
        });
      if (records.length >= maxTokens)
        throw new TechneError('USAGE', `there are ${maxTokens} tokens already`, {
          hint: `remove old ones from "${this.file}"`,
        });
      const createdAt = this.#nowMs();
      return [...records, { name, role, hash: hashOf(text), createdAt, expiresAt, revokedAt: null }];
    });
    return text;
  }

  /** Throws USAGE where there is none of this name. */
  async revoke(name: string): Promise<TokenRecord> {
    let revoked: TokenRecord | null = null;
    await this.#change((records) =>
      records.map((record) => {
        if (record.name !== name) return record;
        revoked = { ...record, revokedAt: record.revokedAt ?? this.#nowMs() };
        return revoked;
      }),
    );
    if (revoked === null)
      throw new TechneError('USAGE', `there is no token "${name}"`, { hint: 'techne serve token list' });
    return revoked;
  }

  async #change(change: (records: readonly TokenRecord[]) => readonly TokenRecord[]): Promise<void> {
    try {
      await this.#files.withLock(`${this.file}.lock`, async () => {
        const records = change(this.list());
        const text = `${JSON.stringify({ version, tokens: records }, null, 2)}\n`;
        await this.#files.writeAtomic(this.file, Buffer.from(text), 0o600);
      });
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #load(): ReadonlyMap<string, TokenRecord> {
    try {
      const stat = this.#files.stat(this.file);
      const mark = stat === null ? '' : `${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.ino}`;
      if (this.#known?.mark !== mark) this.#known = { mark, byHash: this.#read() };
      return this.#known.byHash;
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #read(): ReadonlyMap<string, TokenRecord> {
    const read = this.#files.readHead(this.file, maxBytes + 1);
    if (read === null) return new Map();
    const held = heldByOthers(this.#files, this.file);
    if (held !== null) throw this.#broken(`${held.reason}, so it proves nothing`, held.hint);
    const { text, valid } = decodeUtf8(read.bytes);
    if (!valid || read.bytes.length > maxBytes) throw this.#broken('it is too large, or not UTF-8');
    let value: Json;
    try {
      value = parseJson(text);
    } catch (error) {
      throw this.#broken(`it is not JSON: ${(error as Error).message}`);
    }
    const tokens = isJsonObject(value) && value['version'] === version ? value['tokens'] : null;
    if (!Array.isArray(tokens)) throw this.#broken('it is not a list of tokens of this version');
    return new Map((tokens as readonly Json[]).map((one) => this.#record(one)).map((one) => [one.hash, one]));
  }

  #record(given: Json): TokenRecord {
    if (!isJsonObject(given)) throw this.#broken('one of its tokens is not an object');
    const { name, role, hash, createdAt, expiresAt, revokedAt } = given;
    if (
      typeof name !== 'string' ||
      typeof role !== 'string' ||
      !isRole(role) ||
      typeof hash !== 'string' ||
      !/^[0-9a-f]{64}$/.test(hash) ||
      typeof createdAt !== 'number' ||
      !isTime(expiresAt) ||
      !isTime(revokedAt)
    )
      throw this.#broken('one of its tokens lacks a name, a role, a hash or a time');
    return { name, role, hash, createdAt, expiresAt, revokedAt };
  }

  #broken(why: string, hint = 'correct it, or remove it and create tokens anew'): TechneError {
    return new TechneError('TOKENS_FILE', `the tokens in "${this.file}" cannot be used: ${why}`, { hint });
  }

  #faultOf(error: unknown): unknown {
    return error instanceof FileFault ? this.#broken(error.message, 'make sure that you can read it') : error;
  }
}

function isTime(value: Json | undefined): value is number | null {
  return value === null || typeof value === 'number';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
