// The built command `techne acp` as a process, and the official client of the protocol beside it.
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type {
  ClientContext,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import type { World } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export interface AcpClient {
  readonly agent: ClientContext;
  readonly child: Child;
  readonly updates: readonly SessionNotification[];
  readonly asked: readonly RequestPermissionRequest[];
  /** What came for a session, of one kind. */
  of<K extends SessionUpdate['sessionUpdate']>(
    kind: K,
    session?: string,
  ): readonly Extract<SessionUpdate, { sessionUpdate: K }>[];
  /** The text of the agent. */
  said(session?: string): string;
  /** Resolves as soon as `holds`, which is looked at after every message of the agent. */
  until(holds: () => boolean): Promise<void>;
  /** The exit code, and standard error. */
  readonly exit: Promise<{ readonly code: number | null; readonly err: string }>;
  end(): Promise<void>;
}

export interface AcpClientOptions {
  readonly argv?: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** Default: the person never answers. */
  readonly onPermission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => Promise<RequestPermissionResponse>;
}

export function startAgent(world: World, { argv = [], env = {} }: AcpClientOptions = {}): Child {
  return spawn(process.execPath, [bin, 'acp', ...argv], {
    cwd: world.folder,
    env: { PATH: process.env['PATH'], HOME: world.home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export async function connectAcp(world: World, options: AcpClientOptions = {}): Promise<AcpClient> {
  const child = startAgent(world, options);
  const updates: SessionNotification[] = [];
  const asked: RequestPermissionRequest[] = [];
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = new Promise<{ code: number | null; err: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, err }));
  });
  const connection = client({ name: 'test' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      asked.push(params);
      tell();
      return (
        options.onPermission?.(params, signal) ??
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: { outcome: 'cancelled' } }));
        })
      );
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params);
      tell();
    })
    .connect(
      ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
    );
  const made: AcpClient = {
    agent: connection.agent,
    child,
    updates,
    asked,
    exit,
    of: (kind, session) =>
      updates
        .filter(({ sessionId }) => session === undefined || sessionId === session)
        .map(({ update }) => update)
        .filter((update) => update.sessionUpdate === kind) as never,
    said: (session) =>
      made
        .of('agent_message_chunk', session)
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join(''),
    until: (holds) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!holds()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        void exit.then(({ code }) => reject(new Error(`techne acp ended with ${code}: ${err}`)));
        look();
      }),
    async end() {
      child.stdin.end();
      await exit;
    },
  };
  await made.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientInfo: { name: 'test', version: '1' },
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  });
  return made;
}
