// techne hub serve
//
// JSON: {url}, once it listens.
import { printableLine } from '../../base/printable.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openHubsOf } from '../open-hubs-of.ts';
import { openLibrary } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';

const usualPort = 8485;

export async function runHubServe(context: CommandContext): Promise<number> {
  const { args, io, out, err, json, quiet } = context;
  const hubs = openHubsOf(context, await openLibrary(context));
  const server = await hubs.serve({
    site: args.positionals[0] as string,
    port: numberOption(args, 'port', 0, 65_535) ?? usualPort,
    host: args.value('host'),
    onBug: (error) =>
      err.line(
        printableLine(
          `a bug in techne: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        ),
      ),
  });
  if (json) out.json({ url: server.url });
  else out.line(server.url);
  if (!quiet) err.line('Press Ctrl-C to stop.');
  const code = await new Promise<number>((stop) => {
    io.onInterrupt?.(() => stop(exitCodes.fine));
    io.onTerminate?.((exitCode) => stop(exitCode));
  });
  await server.close();
  return code;
}
