import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { indexSchema } from '../source/index-format.ts';
import { createKeyFiles } from './key-files.ts';
import { createKeyStore } from './key-records.ts';
import { parsePublicKey } from './signing-key.ts';
import { signIndex } from './verify-index.ts';

let home: string;
const files = createNodeFiles();

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'techne-keys-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('key files', () => {
  it('are made once, the private one for the owner alone', async () => {
    const keys = createKeyFiles(files, home);
    const made = await keys.create('harbour');
    expect(statSync(made.privateFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.techne/keys')).mode & 0o077).toBe(0);
    expect(parsePublicKey(readFileSync(made.publicFile, 'utf8'))?.keyId).toBe(made.keyId);
    expect(await keys.list()).toEqual([made]);
    expect((await keys.load('harbour', '/')).keyId).toBe(made.keyId);
    expect((await keys.load(made.privateFile, '/')).keyId).toBe(made.keyId);
    const before = readFileSync(made.privateFile, 'utf8');
    await expect(keys.create('harbour')).rejects.toMatchObject({ code: 'TARGET_EXISTS' });
    expect(readFileSync(made.privateFile, 'utf8')).toBe(before);
  });

  it.each(['../x', '', 'a/b', '.x', 'a b', 'a'.repeat(65)])('refuse the name %j', async (name) => {
    await expect(createKeyFiles(files, home).create(name)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('are not used when others can read them, or when they hold something else', async () => {
    const keys = createKeyFiles(files, home);
    const made = await keys.create('harbour');
    chmodSync(made.privateFile, 0o644);
    await expect(keys.load('harbour', '/')).rejects.toMatchObject({ code: 'FILE_DENIED' });
    const other = join(home, 'other.pem');
    writeFileSync(other, readFileSync(made.publicFile), { mode: 0o600 });
    await expect(keys.load(other, '/')).rejects.toMatchObject({ code: 'FILE_INVALID' });
    await expect(keys.load('missing', '/')).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('never give away a private key as a public one', async () => {
    const made = await createKeyFiles(files, home).create('harbour');
    expect(parsePublicKey(readFileSync(made.privateFile, 'utf8'))).toBeNull();
    expect(parsePublicKey('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n')).toBeNull();
  });
});

describe('the key store', () => {
  const hub = 'https://skills.example/';

  async function signedBy(name: string, sequence: number): Promise<Json> {
    const keys = createKeyFiles(files, home);
    const key = (await keys.list()).some((one) => one.name === name) ? name : (await keys.create(name)).name;
    return signIndex(
      { $schema: indexSchema, sequence, skills: [] },
      await keys.load(key, '/'),
    ) as unknown as Json;
  }

  it('remembers the key of a hub until it is forgotten', async () => {
    const store = createKeyStore(files, home);
    const first = await signedBy('one', 1);
    const other = await signedBy('two', 2);
    expect((await store.verify(hub, first))?.trustedAs).toBeNull();
    await expect(store.verify(hub, { $schema: indexSchema, skills: [] })).rejects.toMatchObject({
      code: 'HUB_SIGNATURE',
    });
    await expect(store.verify(hub, other)).rejects.toMatchObject({ code: 'HUB_SIGNATURE' });
    for (const same of ['https://Skills.example', `${hub}.well-known/agent-skills/index.json`, `${hub}?a#b`])
      await expect(store.verify(same, other)).rejects.toMatchObject({ code: 'HUB_SIGNATURE' });
    expect((await store.forget('https://skills.example')).hubs).toHaveLength(1);
    expect((await store.verify(hub, other))?.keyId).toMatch(/^sha256:/);
    await expect(store.verify(hub, await signedBy('two', 1))).rejects.toMatchObject({
      code: 'HUB_SIGNATURE',
    });
    expect(statSync(join(home, '.techne/hub-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('trusts and forgets keys by name or id', async () => {
    const store = createKeyStore(files, home);
    const index = await signedBy('one', 1);
    const keyId = (await store.verify(hub, index))?.keyId as string;
    await store.trust({ keyId, name: 'Harbour office', trustedAt: '2026-01-01T00:00:00Z' });
    expect((await store.verify(hub, index))?.trustedAs).toBe('Harbour office');
    expect((await store.forget('Harbour office')).keys).toHaveLength(1);
    expect((await store.verify(hub, index))?.trustedAs).toBeNull();
    expect(await store.forget('nobody')).toEqual({ keys: [], hubs: [] });
  });

  it.each([
    ['{', 'it is not valid JSON'],
    ['[]', 'it is not an object'],
    ['{"version":2,"keys":[],"hubs":[]}', 'its version is not 1'],
    ['{"version":1,"keys":{},"hubs":[]}', '"keys" is not a list'],
    [
      '{"version":1,"keys":[{"keyId":"x","name":"a","trustedAt":"b"}],"hubs":[]}',
      '"keys"[0] is not well formed',
    ],
    ['{"version":1,"keys":[],"hubs":[{"hub":"x"}]}', '"hubs"[0] is not well formed'],
  ])('refuses the file %s and leaves it as it is', async (text, why) => {
    const store = createKeyStore(files, home);
    await files.writeAtomic(join(home, '.techne/hub-keys.json'), Buffer.from(text), 0o600);
    await expect(store.read()).rejects.toThrow(why);
    await expect(store.forget('x')).rejects.toMatchObject({ code: 'HUB_KEYS' });
    expect(readFileSync(join(home, '.techne/hub-keys.json'), 'utf8')).toBe(text);
  });

  it('proves nothing when others can write it', async () => {
    const store = createKeyStore(files, home);
    await files.writeAtomic(
      join(home, '.techne/hub-keys.json'),
      Buffer.from('{"version":1,"keys":[],"hubs":[]}'),
      0o600,
    );
    chmodSync(join(home, '.techne/hub-keys.json'), 0o666);
    await expect(store.read()).rejects.toMatchObject({ code: 'HUB_KEYS' });
  });
});
