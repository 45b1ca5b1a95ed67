// An agent of the Agent Client Protocol over standard input and output: `techne chat` for editors.
//
//   initialize, session/new, load, resume, list, close, prompt, cancel -> sessions over the engine of the chat
//
// Standard output carries the protocol. The agent ends when the client closes the input or exits: what is answered is stopped, and
// its runs can be resumed. Files are read and written on the disk, by the tools and the policy of techne, never through the client.
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { AgentContext, SessionInfo } from '@agentclientprotocol/sdk';
import {
  agent,
  MessageTooLargeError,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { TechneError } from '../base/error.ts';
import { createNodeIds } from '../node/environment.ts';
import { packageVersion } from '../node/package-info.ts';
import type { ChatHost } from '../techne/chat/chat-host.ts';
import type { StoredChats } from '../techne/chat/stored-chats.ts';
import { describeChat, listChats } from '../techne/chat/stored-chats.ts';
import { promptText } from './prompt-text.ts';
import { replayChat } from './replay.ts';
import { requestError, setupError } from './request-errors.ts';
import type { CallTexts } from './session.ts';
import { AcpSession } from './session.ts';

export interface AcpOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly chats: StoredChats;
  /** The conversations of a folder, and the workspace that the folder belongs to. */
  readonly openHost: (cwd: string) => Promise<{ readonly host: ChatHost; readonly workspace: string }>;
  readonly texts: CallTexts;
  readonly readFile: (path: string, cwd: string) => Promise<string>;
  readonly nowMs: () => number;
  readonly onBug: (error: unknown) => void;
}

export interface ServedAcp {
  /** The client is gone; the fault that ended the connection, if there was one. */
  readonly ended: Promise<Error | null>;
  /** Stops what is answered and closes the connection. */
  close(): Promise<void>;
}

const mostSessions = 64;
const listPage = 50;
const maxMessageBytes = 16 * 1024 * 1024;
const setupMethod = {
  id: 'configure-model',
  name: 'Configure a model',
  description:
    'Name a model under "models" in ~/.techne/config.json, or set ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment of the agent. "techne doctor" says what is missing.',
};

export function serveAcp(options: AcpOptions): ServedAcp {
  const { chats, openHost, texts, nowMs, onBug } = options;
  const ids = createNodeIds();
  const sessions = new Map<string, AcpSession>();
  const hosts = new Map<string, ReturnType<AcpOptions['openHost']>>();
  const hostOf = (cwd: string): ReturnType<AcpOptions['openHost']> => {
    const known = hosts.get(cwd);
    if (known !== undefined) return known;
    const opened = openHost(cwd);
    hosts.set(cwd, opened);
    opened.catch(() => hosts.delete(cwd));
    return opened;
  };
  /** Errors become responses; a message of the client never ends the agent. */
  const told =
    <C, R>(work: (context: C) => Promise<R>) =>
    async (context: C): Promise<R> => {
      try {
        return await work(context);
      } catch (error) {
        throw requestError(error, onBug);
      }
    };
  const sessionOf = (id: string): AcpSession => {
    const session = sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  };
  const addSession = async (
    id: string,
    { cwd, mcpServers = [] }: { readonly cwd: string; readonly mcpServers?: readonly unknown[] },
    client: AgentContext,
    isNew: boolean,
  ): Promise<AcpSession> => {
    requireFolder(cwd);
    if (sessions.size >= mostSessions)
      throw new TechneError('USAGE', `${sessions.size} sessions are open here`, {
        hint: 'close one of them',
      });
    const { host, workspace } = await hostOf(cwd);
    await requireModel(host);
    const session = new AcpSession({
      id,
      workspace,
      host,
      client,
      texts,
      isNew,
      nowMs,
      readFile: (path) => options.readFile(path, cwd),
    });
    sessions.set(id, session);
    // Behind the response, which tells the client about the session.
    setImmediate(() => {
      session.sendCommands().catch(onBug);
      if (mcpServers.length > 0)
        session.send({
          sessionUpdate: 'agent_thought_chunk',
          content: {
            type: 'text',
            text: 'MCP servers of the client are not used: techne starts those of its own configuration (mcpServers), under its policy.\n',
          },
        });
    });
    return session;
  };
  /** A conversation of this folder. Throws as the protocol says for an unknown one. */
  const stored = async (id: string, cwd: string) => {
    requireFolder(cwd);
    if (!/^[\dA-Z]{26}$/.test(id) || (await chats.sizeOf(id)) === null)
      throw RequestError.sessionNotFound(id);
    const { entries } = await chats.read(id);
    const [start] = entries;
    const { workspace } = await hostOf(cwd);
    if (describeChat(id, entries) === null || start?.type !== 'chat.started')
      throw RequestError.sessionNotFound(id);
    if (start.workspace !== workspace)
      throw new TechneError('USAGE', `the session ${id} began in "${start.workspace}"`, {
        hint: 'open that folder',
      });
    return entries;
  };

  const app = agent({ name: 'techne' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'techne', title: 'techne', version: packageVersion() },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
      authMethods: [setupMethod],
    }))
    .onRequest(
      methods.agent.authenticate,
      told(async ({ params }) => {
        if (params.methodId !== setupMethod.id)
          throw new TechneError('USAGE', `there is no method "${params.methodId}"`, { hint: setupMethod.id });
        // A model that was configured meanwhile is found with the next session.
        for (const opened of hosts.values()) await requireModel((await opened).host);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.new,
      told(async ({ params, client }) => {
        const { id } = await addSession(ids.ulid(), params, client, true);
        return { sessionId: id };
      }),
    )
    .onRequest(
      methods.agent.session.load,
      told(async ({ params, client }) => {
        const entries = await stored(params.sessionId, params.cwd);
        const session =
          sessions.get(params.sessionId) ?? (await addSession(params.sessionId, params, client, false));
        for (const update of replayChat(entries, texts.toolCall)) session.send(update);
        await session.sent();
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.resume,
      told(async ({ params, client }) => {
        await stored(params.sessionId, params.cwd);
        if (!sessions.has(params.sessionId)) await addSession(params.sessionId, params, client, false);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.list,
      told(async ({ params }) => {
        const cwd = params.cwd ?? null;
        if (cwd !== null) requireFolder(cwd);
        const workspace = cwd === null ? null : (await hostOf(cwd)).workspace;
        return listSessions(chats, workspace, params.cursor ?? null);
      }),
    )
    .onRequest(
      methods.agent.session.close,
      told(async ({ params }) => {
        const session = sessionOf(params.sessionId);
        await session.close();
        sessions.delete(session.id);
        return {};
      }),
    )
    .onRequest(
      methods.agent.session.prompt,
      told(async ({ params, signal }) => ({
        stopReason: await sessionOf(params.sessionId).prompt(promptText(params.prompt), signal),
      })),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => {
      sessions.get(params.sessionId)?.cancel();
    });

  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(options.stdout),
      Readable.toWeb(options.stdin) as unknown as ReadableStream<Uint8Array>,
      { maxMessageBytes },
    ),
  );
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      connection.close();
      const opened = await Promise.allSettled(hosts.values());
      for (const one of opened) if (one.status === 'fulfilled') await one.value.host.close();
    })();
    return closing;
  };
  const ended = connection.closed.then(() => {
    const reason: unknown = connection.signal.reason;
    return reason instanceof MessageTooLargeError ? reason : null;
  });
  return { ended, close };
}

function requireFolder(cwd: string): void {
  if (!isAbsolute(cwd) || !isFolder(cwd))
    throw new TechneError(
      'USAGE',
      `the folder ${JSON.stringify(cwd)} is not an absolute path of a folder that is there`,
    );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // One that may not be looked at, or no path at all: with a zero in it, or too long.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

/** Throws what a client shows as missing set-up. */
async function requireModel(host: ChatHost): Promise<void> {
  try {
    await host.modelName();
  } catch (error) {
    throw error instanceof TechneError ? setupError(error) : error;
  }
}

async function listSessions(
  chats: StoredChats,
  workspace: string | null,
  cursor: string | null,
): Promise<{ readonly sessions: SessionInfo[]; readonly nextCursor?: string }> {
  const found = await listChats(chats, listPage + 1, cursor, async (id) => {
    const described = describeChat(id, (await chats.read(id)).entries);
    return described === null || (workspace !== null && described.workspace !== workspace) ? null : described;
  });
  const page = found.slice(0, listPage);
  const last = page.at(-1);
  return {
    sessions: page.flatMap((chat) =>
      'fault' in chat
        ? []
        : [
            {
              sessionId: chat.chat,
              cwd: chat.workspace,
              title: chat.title.replaceAll(/\s+/g, ' '),
              updatedAt: new Date(chat.lastAt).toISOString(),
            },
          ],
    ),
    ...(found.length > listPage && last !== undefined ? { nextCursor: last.chat } : {}),
  };
}
