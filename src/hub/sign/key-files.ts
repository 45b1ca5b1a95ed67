// The keys that a person signs with: files under ~/.techne/keys.
//
//   NAME -> NAME.pem (private, mode 0600) and NAME.pub.pem (public, to give to others)
//
// A private key is never overwritten, never printed, and not used when other users can read it.
import { join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { PublicKey, SigningKey } from './signing-key.ts';
import { generateKeyPem, parsePrivateKey, parsePublicKey } from './signing-key.ts';

const maxBytes = 64 * 1024;
const privateEnd = '.pem';
const publicEnd = '.pub.pem';

export interface OwnKey {
  readonly name: string;
  readonly keyId: string;
  readonly privateFile: string;
  readonly publicFile: string;
}

export interface KeyFiles {
  /** Throws USAGE for a name that is no file name, TARGET_EXISTS, FILE_DENIED. */
  create(name: string): Promise<OwnKey>;
  list(): Promise<readonly OwnKey[]>;
  /** By name, or by the path of a PEM file. Throws FILE_MISSING, FILE_DENIED or FILE_INVALID. */
  load(nameOrPath: string, cwd: string): Promise<SigningKey>;
}

export function createKeyFiles(files: Files, homeFolder: string): KeyFiles {
  const folder = join(homeFolder, '.techne', 'keys');
  const filesOf = (name: string): Pick<OwnKey, 'privateFile' | 'publicFile'> => ({
    privateFile: join(folder, `${name}${privateEnd}`),
    publicFile: join(folder, `${name}${publicEnd}`),
  });

  return {
    create: (name) =>
      guarded(async () => {
        if (!isKeyName(name))
          throw new TechneError('USAGE', `"${name}" cannot be the name of a key`, {
            hint: 'use a-z, A-Z, 0-9, "_" and "-", at most 64',
          });
        const own = filesOf(name);
        return files.withLock(join(folder, '.lock'), async () => {
          for (const path of [own.privateFile, own.publicFile])
            if (files.lstat(path) !== null)
              throw new TechneError('TARGET_EXISTS', `there is a key "${name}" already: "${path}"`, {
                hint: 'choose another name',
              });
          const { privatePem, publicPem } = generateKeyPem();
          await files.writeAtomic(own.privateFile, encodeUtf8(privatePem), 0o600);
          await files.writeAtomic(own.publicFile, encodeUtf8(publicPem), 0o644);
          return { name, keyId: (parsePublicKey(publicPem) as PublicKey).keyId, ...own };
        });
      }),
    list: () =>
      guarded(async () => {
        const names = (files.list(folder) ?? [])
          .filter(
            ({ name, kind }) => kind === 'file' && name.endsWith(privateEnd) && !name.endsWith(publicEnd),
          )
          .map(({ name }) => name.slice(0, -privateEnd.length))
          .filter(isKeyName);
        return Promise.all(
          names.map(async (name) => ({
            name,
            keyId: (await loadKey(files, filesOf(name).privateFile)).keyId,
            ...filesOf(name),
          })),
        );
      }),
    load: (nameOrPath, cwd) =>
      guarded(() =>
        loadKey(files, isKeyName(nameOrPath) ? filesOf(nameOrPath).privateFile : resolve(cwd, nameOrPath)),
      ),
  };
}

function isKeyName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name);
}

async function loadKey(files: Files, path: string): Promise<SigningKey> {
  const read = await files.read(path, maxBytes);
  if (read === null)
    throw new TechneError('FILE_MISSING', `there is no key "${path}"`, {
      hint: 'techne hub keys list shows your keys; techne hub keys new NAME makes one',
    });
  if (files.userId !== null && (read.stat.mode & 0o077n) !== 0n)
    throw new TechneError(
      'FILE_DENIED',
      `other users can read the private key "${path}", so it is not used`,
      {
        hint: `chmod 600 "${path}"; if others may have read it, make a new key`,
      },
    );
  const key = parsePrivateKey(decodeUtf8(read.bytes).text);
  if (key === null)
    throw new TechneError('FILE_INVALID', `"${path}" is not the PEM of an Ed25519 private key`, {
      hint: 'techne hub keys new NAME makes one',
    });
  return key;
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('FILE_DENIED', `"${error.path}" cannot be read or written: ${error.message}`, {
      cause: error,
    });
  }
}
