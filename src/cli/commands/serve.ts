// techne serve, techne studio
//
// JSON: {url, link}, once it listens; link is null on an address that other machines reach.
//
// SIGTERM drains: nothing new is taken, streams end with an event, effects under way get --grace seconds to end, runs are detached and
// can be resumed. A second signal ends the grace, a third one the process.
import { join } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Meter } from '../../http/metrics.ts';
import type { EventSink } from '../../node/events/jsonl.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { packageFolder, packageVersion } from '../../node/package-info.ts';
import { ChatHost } from '../../techne/chat/chat-host.ts';
import { openTechne } from '../../techne/create-techne.ts';
import { createMatcherOpener } from '../../techne/open-matcher.ts';
import { TokenFile } from '../../techne/tokens/token-file.ts';
import { serveApi } from '../../http/serve-api.ts';
import { openStudioFiles } from '../../http/studio-files.ts';
import { openWorkerDispatch } from '../../http/worker-dispatcher.ts';
import { isLoopback } from '../../http/server/open-server.ts';
import { storeOf } from '../archive-place.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { answererSpec, numberOption } from '../parse-arguments.ts';
import { tokenFilePath } from './serve-token.ts';

const maxBodyBytes = 4 * 1024 * 1024;

export function runServe(context: CommandContext): Promise<number> {
  return serve(context, { name: 'serve', usualPort: 8486, studio: context.args.flag('studio') });
}

export interface Surface {
  /** Of the command, for what it says. */
  readonly name: string;
  readonly usualPort: number;
  /** Whether the browser client is served. */
  readonly studio: boolean;
  /** Called with the one-time link. */
  readonly onListening?: (link: string | null) => void;
}

export async function serve(context: CommandContext, surface: Surface): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const port = numberOption(args, 'port', 0, 65_535) ?? surface.usualPort;
  const concurrency = numberOption(args, 'concurrency', 1, 256);
  const rate = numberOption(args, 'rate', 1, 100_000);
  const graceMs = (numberOption(args, 'grace', 0, 86_400) ?? 30) * 1_000;
  const host = args.value('host') ?? '127.0.0.1';
  const publicOrigin = publicOriginOf(args.value('public-url'));
  const tokens = new TokenFile({ file: tokenFilePath(context), files: createNodeFiles(), nowMs: Date.now });
  if (!isLoopback(host) && !hasUsable(tokens))
    throw new TechneError('USAGE', `other machines reach ${host}, and there is no token yet`, {
      hint: 'techne serve token create NAME --role operator',
    });
  const say = (line: string): void => err.line(`techne ${surface.name}: ${printableLine(line)}`);
  const onBug = (error: unknown): void =>
    say(`a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const onWarning = (message: string): void => {
    if (!quiet) say(message);
  };
  const studio = surface.studio ? openStudioFiles(join(packageFolder(), 'dist', 'studio')) : null;
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
  const otel = args.flag('otel') ? await openOtel(say) : null;
  const techne = await openTechne({
    ...shared,
    ...storeOf(args),
    watched: true,
    onWarning,
    origin: null,
    ...(otel === null ? {} : { onEvent: otel.spans.onEvent }),
  });
  const nextSignal = (): Promise<number> =>
    new Promise<number>((stop) => {
      io.onInterrupt?.(() => stop(exitCodes.fine));
      io.onTerminate?.((code) => stop(code === 143 ? exitCodes.fine : code));
    });
  const stopped = nextSignal();
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
      publicOrigin,
      maxBodyBytes,
      ...(concurrency === null ? {} : { concurrency }),
      ...(rate === null ? {} : { ratePerSecond: rate }),
      chats: new ChatHost({
        openLibrary: () => openLibrary(context, args.value('workspace'), { hostTools: 'techne' }),
        answerer,
        homeFolder: io.homeFolder,
        cwd: io.cwd,
        variables: io.env,
        ...storeOf(args),
        onWarning,
      }),
      mount: await mcpMount(context, { ...shared, onWarning, onBug }),
      ...(studio === null ? {} : { studio }),
      ...(otel === null || otel.meter === null ? {} : { meter: otel.meter }),
      onBug,
    });
    surface.onListening?.(serving.link);
    if (json) out.json({ url: serving.url, link: serving.link });
    else say(`listening on ${serving.url}`);
    if (serving.link !== null && !json)
      say(
        `${studio === null ? 'to use the API in a browser, open (--studio serves pages)' : 'open in your browser'}, once and within 10 minutes: ${serving.link}`,
      );
    if (serving.link === null && studio !== null && !json)
      say(
        `log in at ${publicOrigin ?? serving.url} with a token: techne serve token create NAME --role ROLE`,
      );
    if (!isLoopback(host)) say('warning: other machines can reach it, and there is no TLS');
    await Promise.all([out.flush(), err.flush()]);
    const code = await stopped;
    if (!quiet) say(`stopping; runs can be resumed${waitText(serving.running, graceMs)}`);
    void nextSignal().then(() => serving.close(0));
    await serving.close(graceMs);
    return code;
  } finally {
    await techne.close();
    await otel?.spans.close();
  }
}

/** Throws USAGE where it is not the origin of a web server. */
function publicOriginOf(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw new TechneError('USAGE', `--public-url cannot be "${text}"`, {
      hint: 'a scheme, a host and perhaps a port, such as https://runs.example.org',
    });
  return url.origin;
}

function waitText(running: number, graceMs: number): string {
  return running === 0 || graceMs === 0
    ? ''
    : `. What ${running === 1 ? 'one run does' : `${running} runs do`} now has ${graceMs / 1_000} s to end; a second signal ends it at once`;
}

/** Throws ENVIRONMENT where OpenTelemetry is not installed. */
async function openOtel(
  say: (line: string) => void,
): Promise<{ readonly spans: EventSink; readonly meter: Meter | null }> {
  const { createOtelEvents, loadOtelApi } = await import('../../node/events/otel.ts');
  const api = await loadOtelApi();
  if (api === null)
    throw new TechneError('ENVIRONMENT', '--otel needs the package @opentelemetry/api', {
      hint: 'npm install @opentelemetry/api, and set up an SDK with node --import',
    });
  const version = packageVersion();
  const spans = createOtelEvents({
    api,
    version,
    onFault: (error) => say(`spans cannot be made: ${error.message}`),
  });
  // Versions before 1.3 have no metrics.
  const { metrics } = api as { readonly metrics?: { getMeter(name: string, version: string): Meter } };
  return { spans, meter: metrics?.getMeter('techne', version) ?? null };
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
