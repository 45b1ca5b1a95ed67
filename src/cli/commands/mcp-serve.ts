// techne mcp serve
//
// Standard output carries the protocol; text for people goes to standard error.
import { storeOf } from '../archive-place.ts';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { EventSink } from '../../node/events/jsonl.ts';
import { createJsonlEvents } from '../../node/events/jsonl.ts';
import type { McpService } from '../../mcp/service.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { createMatcherOpener } from '../../techne/open-matcher.ts';
import { numberOption, answererSpec } from '../parse-arguments.ts';

const usualPort = 8484;
const shortestToken = 16;

export async function runMcpServe(context: CommandContext): Promise<number> {
  const { args, io, err, quiet } = context;
  const overHttp = args.flag('http');
  const port = args.value('http') === '' ? usualPort : (numberOption(args, 'http', 0, 65_535) ?? usualPort);
  if (!overHttp)
    for (const name of ['host', 'allow-host', 'allow-origin'])
      if (args.flag(name))
        throw new TechneError('USAGE', `--${name} is for --http`, { hint: 'techne mcp --http' });
  const waitSeconds = numberOption(args, 'wait', 1, 3_600);
  const pageUnits = numberOption(args, 'page', 1_000, 1_000_000);
  const token = overHttp ? tokenOf(io.env) : null;
  // A client with the token can start anything, so processes of runs do not get it.
  const { TECHNE_MCP_TOKEN: _token, ...variables } = io.env;
  const library = await openLibrary(context);
  reportConfig({ ...context, quiet: true }, library.loaded);
  const { openService } = await import('../../mcp/service.ts');
  const say = (line: string): void => err.line(`techne mcp: ${printableLine(line)}`);
  const warn = (message: string): void => {
    if (!quiet) say(message);
  };
  const events = openEvents(context, say);
  const answerer = answererSpec(args.value('answer'), io.cwd);
  const service = await openService({
    library,
    homeFolder: io.homeFolder,
    variables,
    cwd: io.cwd,
    openMatcher: createMatcherOpener({
      environment: library.environment,
      onNotice: warn,
      wordsFile: library.wordsFile('offered'),
    }),
    answerer,
    ...storeOf(args),
    relaysForms: !args.flag('no-relay'),
    // A host starts a server of its own for standard input and output.
    oneConversation: !overHttp,
    ...(pageUnits === null ? {} : { pageUnits }),
    ...(waitSeconds === null ? {} : { waitMs: waitSeconds * 1_000 }),
    onWarning: warn,
    onBug: (error) =>
      say(`a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    ...(events === null ? {} : { onEvent: events.onEvent }),
  });
  let stop: (code: number) => void = () => {};
  const stopped = new Promise<number>((settle) => {
    stop = settle;
  });
  const stopListening = io.onInterrupt?.(() => stop(overHttp ? exitCodes.fine : exitCodes.interrupted));
  const stopListeningForEnd = io.onTerminate?.((code) => stop(code));
  try {
    if (answerer !== null && service.runs) await mustAnswer(service, answerer);
    if (token !== null) {
      const [{ serveOverHttp }, { isLoopback }] = await Promise.all([
        import('../../mcp/http/serve-http.ts'),
        import('../../http/server/open-server.ts'),
      ]);
      const host = args.value('host');
      const serving = await serveOverHttp({
        service,
        token: token.text,
        port,
        allowedHosts: args.values('allow-host'),
        allowedOrigins: args.values('allow-origin'),
        ...(host === null ? {} : { host }),
      });
      err.line(`techne mcp: listening on ${serving.url}`);
      if (host !== null && !isLoopback(host))
        err.line('techne mcp: warning: other machines can reach it, and there is no TLS');
      if (token.made)
        err.line(
          `techne mcp: Authorization: Bearer ${token.text}\n  (shown only once; set TECHNE_MCP_TOKEN to use your own)`,
        );
      await err.flush();
      const code = await stopped;
      await serving.close();
      return code;
    }
    const { serveOverStdio } = await import('../../mcp/serve-stdio.ts');
    const serving = serveOverStdio({
      service,
      stdin: io.stdin,
      stdout: io.stdout,
      onFault: (error) => say(error.message),
    });
    const code = await Promise.race([stopped, serving.ended.then(() => exitCodes.fine)]);
    await serving.close();
    return code;
  } finally {
    stopListening?.();
    stopListeningForEnd?.();
    await service.close();
    await events?.close();
  }
}

/** Checked at the start, not at the first run, which only the client would see. */
async function mustAnswer({ openRuns }: Pick<McpService, 'openRuns'>, answerer: string): Promise<void> {
  try {
    await openRuns();
  } catch (error) {
    const isKind = /^(?:model|agent-cli|person|caller|script|replay)(?::|$)/.test(answerer);
    if (!(error instanceof TechneError) || isKind) throw error;
    throw new TechneError('USAGE', `--answer: ${error.message}`, {
      ...(error.hint === null ? {} : { hint: error.hint }),
      cause: error,
    });
  }
}

function openEvents({ args, io }: CommandContext, say: (line: string) => void): EventSink | null {
  const file = args.value('events');
  return file === null
    ? null
    : createJsonlEvents({
        target: resolve(io.cwd, file),
        content: true,
        atOnce: true,
        onFault: (error) => say(`events cannot be written to "${file}": ${error.message}`),
      });
}

function tokenOf(env: CommandContext['io']['env']): { readonly text: string; readonly made: boolean } {
  const given = env['TECHNE_MCP_TOKEN'];
  if (given === undefined || given === '') return { text: randomBytes(32).toString('base64url'), made: true };
  if (given.length < shortestToken || !/^[\x21-\x7e]+$/.test(given))
    throw new TechneError(
      'USAGE',
      `TECHNE_MCP_TOKEN needs at least ${shortestToken} characters, without spaces`,
      { hint: 'such as: openssl rand -base64 32' },
    );
  return { text: given, made: false };
}
