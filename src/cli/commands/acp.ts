// techne acp
//
// Standard output carries the protocol; text for people goes to standard error.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { CallTexts } from '../../acp/session.ts';
import { ChatHost } from '../../techne/chat/chat-host.ts';
import { openStoredChats } from '../../techne/chat/stored-chats.ts';
import { renderChatApproval } from '../chat/ask-approval.ts';
import { describeChatCall } from '../chat/show-chat.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { createPaint } from '../io.ts';
import { openLibrary } from '../open-library.ts';
import { storeOf } from '../archive-place.ts';
import { answererSpec } from '../parse-arguments.ts';
import { describeCall } from '../run/describe-effect.ts';
import { readNamedFiles } from '../run/read-input.ts';
import { renderNote } from '../run/render-note.ts';
import { answerIn } from '../run/render-result.ts';

export async function runAcp(context: CommandContext): Promise<number> {
  const { args, io, err, quiet } = context;
  if (args.value('workspace') !== null)
    throw new TechneError('USAGE', 'techne acp works in the folder that the client opens', {
      hint: 'omit --workspace',
    });
  if (io.stdin.isTTY === true)
    throw new TechneError('USAGE', 'techne acp speaks with an editor over standard input and output', {
      hint: 'name it as an agent in the settings of your editor; "techne chat" is for a terminal',
    });
  const say = (line: string): void => err.line(`techne acp: ${printableLine(line)}`);
  const answerer = answererSpec(args.value('answer'), io.cwd);
  const { serveAcp } = await import('../../acp/serve-acp.ts');
  const serving = serveAcp({
    stdin: io.stdin,
    stdout: io.stdout,
    chats: openStoredChats(io.homeFolder),
    async openHost(cwd) {
      const here: CommandContext = { ...context, io: { ...io, cwd } };
      const open = () => openLibrary(here, null, { hostTools: 'techne' });
      const { loaded } = await open();
      const host = new ChatHost({
        openLibrary: open,
        answerer,
        homeFolder: io.homeFolder,
        cwd,
        variables: io.env,
        ...storeOf(args),
        onWarning: (message) => {
          if (!quiet) say(message);
        },
      });
      return { host, workspace: loaded.workspace ?? cwd };
    },
    texts,
    readFile: (path, cwd) => readNamedFiles({ ...io, cwd })(path),
    nowMs: () => Date.now(),
    onBug: (error) =>
      say(`a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  let stop: (code: number) => void = () => {};
  const stopped = new Promise<number>((settle) => {
    stop = settle;
  });
  const stopListening = io.onInterrupt?.(() => stop(exitCodes.interrupted));
  const stopListeningForEnd = io.onTerminate?.((code) => stop(code));
  try {
    const ended = serving.ended.then((fault) => {
      if (fault === null) return exitCodes.fine;
      say(fault.message);
      return exitCodes.files;
    });
    return await Promise.race([stopped, ended]);
  } finally {
    await serving.close();
    stopListening?.();
    stopListeningForEnd?.();
  }
}

/** The words of the terminal, in whole lines: a client has room for them. */
const texts: CallTexts = {
  toolCall: describeChatCall,
  effect: (kind, request) => describeCall(kind, request, 2_000),
  approval: (question, workspace) => renderChatApproval(question, workspace),
  result: ({ envelope, error, text }) =>
    error === null
      ? (renderNote(envelope, null, createPaint(false)) ?? answerIn(envelope)) || text
      : `${error.message}${error.hint === null ? '' : ` (${error.hint})`}`,
};
