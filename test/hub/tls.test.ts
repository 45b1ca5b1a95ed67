// https on loopback with certificates that openssl makes here: an authority of one's own, a host that cannot prove who it is,
// and redirects away from https. NODE_EXTRA_CA_CERTS is read when Node starts, so the built command is run.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitCrafted, noGit, skillText, tgzOf } from '../support/hub/craft.ts';
import { gitAnswer } from '../support/hub/git-http.ts';
import { serve } from '../support/hub/npm-registry.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';
import { skipUnless } from '../support/skip-unless.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const pack = tgzOf([{ name: 'pdf/SKILL.md', bytes: skillText('pdf') }]);
const digest = `sha256:${createHash('sha256').update(pack).digest('hex')}`;

let world: World;
const opened: { close(): Promise<void> }[] = [];
beforeEach(() => {
  world = createWorld({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      cache: { enabled: false },
      hub: { allowHosts: ['127.0.0.1', 'localhost'] },
    }),
  });
});
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
  world.remove();
});

const file = (name: string): string => join(world.folder, name);

/** The authority, and a certificate of it for these names. */
function certificate(names: string, days = '2'): { readonly key: Buffer; readonly cert: Buffer } {
  const openssl = (...words: readonly string[]): void =>
    void execFileSync('openssl', words, { cwd: world.folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=own');
  openssl('req', ...newKey, '-keyout', 'host.key', '-out', 'host.csr', '-subj', '/CN=host');
  writeFileSync(file('names'), `subjectAltName=${names}`);
  const from = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'host.csr', ...from, '-out', 'host.pem', '-days', days);
  return { key: readFileSync(file('host.key')), cert: readFileSync(file('host.pem')) };
}

async function https(
  made: ReturnType<typeof certificate>,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    void response.end(pack),
): Promise<string> {
  const server = createServer(made, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}

/** Not in this process: the servers are. */
async function add(
  source: string,
  authority: string | null = 'ca.pem',
): Promise<{ code: number; err: string }> {
  const child = spawn(process.execPath, [bin, 'add', source, '--yes'], {
    cwd: world.workspace,
    env: {
      PATH: process.env['PATH'],
      HOME: world.home,
      ...(authority === null ? {} : { NODE_EXTRA_CA_CERTS: file(authority) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, err };
}

describe.skipIf(skipUnless(hasOpenssl, 'openssl makes the certificates'))('https', () => {
  const names = 'DNS:localhost,IP:127.0.0.1';

  it('is fetched from a host whose authority is known, by name and by address', async () => {
    const url = await https(certificate(names));
    for (const each of [url, url.replace('localhost', '127.0.0.1')])
      expect(await add(`${each}pack.tar.gz#${digest}`)).toMatchObject({ code: 0 });
  });

  it('is refused from a host that cannot prove who it is, with the reason and what to do', async () => {
    const unknown = await add(`${await https(certificate(names))}pack.tar.gz#${digest}`, null);
    expect(unknown.code).toBe(4);
    expect(unknown.err).toMatch(
      /"localhost:\d+" cannot prove who it is: its certificate is signed by an authority that is not known \([A-Z_]+\)\n {2}hint: nothing was fetched\. .*NODE_EXTRA_CA_CERTS/,
    );
    const other = await add(`${await https(certificate('DNS:other.example'))}pack.tar.gz#${digest}`);
    expect([other.code, other.err]).toEqual([
      4,
      expect.stringContaining('its certificate is for another host'),
    ]);
    const expired = await add(`${await https(certificate(names, '-1'))}pack.tar.gz#${digest}`);
    expect([expired.code, expired.err]).toEqual([4, expect.stringContaining('its certificate has expired')]);
  });

  it('never leads to http, and checks the certificate after each redirect', async () => {
    const plain = await serve((_, response) => response.end(pack));
    opened.push(plain);
    const made = certificate(names);
    const down = await https(made, (_, response) =>
      response.writeHead(302, { location: `${plain.url}pack.tar.gz` }).end(),
    );
    const refused = await add(`${down}pack.tar.gz#${digest}`);
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('which is not https')]);
    expect(plain.requests).toEqual([]);
    const bad = await https(certificate('DNS:other.example'));
    const toBad = await https(made, (_, response) => response.writeHead(302, { location: bad }).end());
    // The authority is the newer one now; the first host is asked by its own.
    const led = await add(`${toBad}pack.tar.gz#${digest}`);
    expect([led.code, led.err]).toEqual([4, expect.stringContaining('cannot prove who it is')]);
  });

  it.skipIf(noGit)('of git is refused by the same rule', async () => {
    const repository = file('repositories/repository.git');
    mkdirSync(repository, { recursive: true });
    const commit = commitCrafted(repository, [{ name: 'pdf/SKILL.md', bytes: skillText('pdf') }]);
    const url = await https(certificate(names), gitAnswer(file('repositories')));
    const unknown = await add(`${url}repository.git#${commit}`, null);
    expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining('cannot prove who it is')]);
    const ofGit = await add(`${url}repository.git#${commit}`);
    expect([ofGit.code, ofGit.err]).toEqual([4, expect.stringContaining('certificate')]);
  });
});
