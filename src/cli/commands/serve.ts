// techne serve
//
// JSON: {url, link}, once it listens; link is null on an address that other machines reach.
//
// SIGTERM drains: nothing new is taken, streams end with an event, runs are detached and can be resumed.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { EventSink } from '../../node/events/jsonl.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { packageVersion } from '../../node/package-info.ts';
import { openTechne } from '../../techne/create-techne.ts';
import { createMatcherOpener } from '../../techne/open-matcher.ts';
import { TokenFile } from '../../techne/tokens/token-file.ts';
import { serveApi } from '../../http/serve-api.ts';
import { openWorkerDispatch } from '../../http/worker-dispatcher.ts';
import { isLoopback } from '../../http/server/open-server.ts';
import { storeOf } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec, numberOption } from '../parse-arguments.ts';
import { tokenFilePath } from './serve-token.ts';

const usualPort = 8486;
const maxBodyBytes = 4 * 1024 * 1024;

export async function runServe(context: CommandContext): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const port = numberOption(args, 'port', 0, 65_535) ?? usualPort;
  const concurrency = numberOption(args, 'concurrency', 1, 256);
  const rate = numberOption(args, 'rate', 1, 100_000);
  const host = args.value('host') ?? '127.0.0.1';
  const tokens = new TokenFile({ file: tokenFilePath(context), files: createNodeFiles(), nowMs: Date.now });
  if (!isLoopback(host) && !hasUsable(tokens))
    throw new TechneError('USAGE', `other machines reach ${host}, and there is no token yet`, {
      hint: 'techne serve token create NAME --role operator',
    });
  const say = (line: string): void => err.line(`techne serve: ${printableLine(line)}`);
  const onBug = (error: unknown): void =>
    say(`a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const onWarning = (message: string): void => {
    if (!quiet) say(message);
  };
  const library = await openLibrary(context);
  reportConfig({ ...context, quiet: true }, library.loaded);
  const answerer = answererSpec(args.value('answer'), io.cwd);
  const openMatcher = createMatcherOpener({
    environment: library.environment,
    onNotice: onWarning,
    wordsFile: library.wordsFile('offered'),
  });
  const shared = {
    library,
    homeFolder: io.homeFolder,
    variables: io.env,
    cwd: io.cwd,
    openMatcher,
    answerer,
  };
  const spans = args.flag('otel') ? await openSpans(say) : null;
  const techne = await openTechne({
    ...shared,
    ...storeOf(args),
    watched: true,
    onWarning,
    origin: null,
    ...(spans === null ? {} : { onEvent: spans.onEvent }),
  });
  const stopped = new Promise<number>((stop) => {
    io.onInterrupt?.(() => stop(exitCodes.fine));
    io.onTerminate?.((code) => stop(code === 143 ? exitCodes.fine : code));
  });
  try {
    // A store or an answerer that cannot be used is told now, not to the first client.
    await techne.withRuns(async () => {});
    const dispatch = args.flag('workers')
      ? await openWorkerDispatch(await techne.runs.hold(techne.snapshot), onWarning)
      : {};
    const serving = await serveApi({
      ...dispatch,
      techne,
      tokens,
      workspace: library.loaded.workspace ?? io.cwd,
      homeFolder: io.homeFolder,
      variables: io.env,
      person: `${io.env['USER'] ?? 'me'}@local`,
      port,
      host,
      allowedHosts: args.values('allow-host'),
      allowedOrigins: args.values('allow-origin'),
      maxBodyBytes,
      ...(concurrency === null ? {} : { concurrency }),
      ...(rate === null ? {} : { ratePerSecond: rate }),
      mount: await mcpMount(context, { ...shared, onWarning, onBug }),
      onBug,
    });
    if (json) out.json({ url: serving.url, link: serving.link });
    else say(`listening on ${serving.url}`);
    if (serving.link !== null && !json) say(`log in, once and within 10 minutes: ${serving.link}`);
    if (!isLoopback(host)) say('warning: other machines can reach it, and there is no TLS');
    await Promise.all([out.flush(), err.flush()]);
    const code = await stopped;
    if (!quiet) say('stopping; runs can be resumed');
    await serving.close();
    return code;
  } finally {
    await techne.close();
    await spans?.close();
  }
}

/** Throws ENVIRONMENT where OpenTelemetry is not installed. */
async function openSpans(say: (line: string) => void): Promise<EventSink> {
  const { createOtelEvents, loadOtelApi } = await import('../../node/events/otel.ts');
  const api = await loadOtelApi();
  if (api === null)
    throw new TechneError('ENVIRONMENT', '--otel needs the package @opentelemetry/api', {
      hint: 'npm install @opentelemetry/api, and set up an SDK with node --import',
    });
  return createOtelEvents({
    api,
    version: packageVersion(),
    onFault: (error) => say(`spans cannot be made: ${error.message}`),
  });
}

function hasUsable(tokens: TokenFile): boolean {
  return tokens
    .list()
    .some(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > Date.now()));
}

type McpParts = Pick<
  Parameters<(typeof import('../../mcp/service.ts'))['openService']>[0],
  'library' | 'homeFolder' | 'variables' | 'cwd' | 'openMatcher' | 'answerer' | 'onWarning' | 'onBug'
>;

/** Its code is loaded with the first request for it. */
async function mcpMount(
  { args }: CommandContext,
  parts: McpParts,
): Promise<import('../../http/serve-api.ts').Mount> {
  const { mountMcp } = await import('../../mcp/http/mount.ts');
  return mountMcp(async () => {
    const { openService } = await import('../../mcp/service.ts');
    return openService({
      ...parts,
      ...storeOf(args),
      relaysForms: false,
      asksPeople: false,
      oneConversation: false,
    });
  }, maxBodyBytes);
}
