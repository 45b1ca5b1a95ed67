// A private Postgres for tests and measurements: a new cluster in a folder of its own, on a loopback port.
//
//   node scripts/postgres.mjs [--fast]     prints the address, and stops the server on Ctrl-C
//
// Postgres refuses to run as root: then the user `postgres`, else `nobody`, runs it. The server is ended by its process id.
// `durable: false` only leaves out the syncs of the disk: what a commit promises differs after a crash of the machine alone.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const user = 'techne';
/** It protects nothing: it is there so that wrong passwords are refused. */
const password = 'loopback only';
const startMs = 60_000;

/** The folder with `initdb` and `postgres`: TECHNE_POSTGRES_BIN, else that on PATH, else Debian's newest; null without one. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const named = process.env.TECHNE_POSTGRES_BIN;
  const folders = named
    ? [named]
    : [
        ...(process.env.PATH ?? '').split(delimiter),
        ...versions.map((version) => join(debian, version, 'bin')),
      ];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

/** A server that must be stopped. `folder`: an empty one to use. `settings`: further ones of postgresql.conf. */
export async function startPostgres({ durable = true, folder: given, settings = {} } = {}) {
  const bin = findPostgres();
  if (bin === null) throw new Error('postgres is not installed (Debian: apt-get install postgresql)');
  const as = serverUser();
  const folder = given ?? mkdtempSync(join(tmpdir(), 'techne-postgres-'));
  const data = join(folder, 'data');
  const log = join(folder, 'log');
  chmodSync(folder, 0o700);
  if (as !== null) chownSync(folder, as.uid, as.gid);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      user,
      '--pwfile',
      passwordFile,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale',
      'C',
      '-N',
    ],
    { encoding: 'utf8', cwd: folder, ...as },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const server = new PostgresServer({ bin, as, folder, data, log, durable, settings });
  try {
    await server.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return server;
}

class PostgresServer {
  #made;
  #child = null;
  #ended = Promise.resolve('ended');
  port = 0;

  constructor(made) {
    this.#made = made;
  }

  /** Of the postmaster. */
  get pid() {
    return this.#child?.pid ?? null;
  }

  get folder() {
    return this.#made.folder;
  }

  url(database = 'postgres') {
    return postgresUrl(this.port, database);
  }

  /** Keeps the port of the first start. */
  async start() {
    if (this.port === 0) this.port = await freePort();
    const { bin, as, folder, data, log, durable, settings } = this.#made;
    const all = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      fsync: durable ? 'on' : 'off',
      full_page_writes: durable ? 'on' : 'off',
      max_connections: 120,
      autovacuum_naptime: '10s',
      ...settings,
    };
    const out = openSync(log, 'a');
    const child = spawn(
      join(bin, 'postgres'),
      ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { cwd: folder, stdio: ['ignore', out, out], detached: true, ...as },
    );
    closeSync(out);
    child.unref();
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => resolve('ended'));
      child.once('error', () => resolve('ended'));
    });
    const waited = await Promise.race([this.#ended, waitUntilReady(data, child.pid)]);
    if (waited !== 'ready')
      throw new Error(`postgres did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
  }

  /** `fast` ends every connection and writes a checkpoint; `immediate` is a crash. */
  async end(mode = 'fast') {
    if (this.#child === null) return;
    this.#child.ref();
    this.#child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await this.#ended;
    this.#child = null;
  }

  async restart(mode = 'fast') {
    await this.end(mode);
    await this.start();
  }

  /** Ends it and removes its folder. */
  async stop() {
    await this.end('immediate');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function postgresUrl(port, database) {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** The last line of its file says so. */
async function waitUntilReady(data, pid) {
  const file = join(data, 'postmaster.pid');
  for (
    const until = Date.now() + startMs;
    Date.now() < until;
    await new Promise((done) => setTimeout(done, 20))
  ) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return 'ready';
  }
  return 'late';
}

/** Who runs the server when we are root. */
function serverUser() {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Error('postgres does not run as root, and there is no user "postgres" or "nobody"');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startPostgres({ durable: !process.argv.includes('--fast') });
  console.log(server.url());
  const waiting = setInterval(() => {}, 1 << 30);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      clearInterval(waiting);
      void server.stop();
    });
}
