// argv -> the command it names, run.
//
// Everything here is cheap to load; a command's own code comes behind its `load`.
import { wantsColour } from './colour.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import { packageVersion } from '../host/package-info.ts';
import { parseArguments } from './parse-arguments.ts';
import { renderCommandHelp, renderOverview } from './render-help.ts';

/** Throws what parsing and the command throw. */
export async function dispatch(argv: readonly string[], io: Io, out: Output, err: Output): Promise<number> {
  const args = parseArguments(argv);
  if (args.flag('version')) {
    out.line(packageVersion());
    return 0;
  }
  if (args.command === null || args.flag('help')) {
    out.write(args.command === null ? renderOverview() : renderCommandHelp(args.command));
    return 0;
  }
  const run = await args.command.load();
  return run({
    io,
    args,
    out,
    err,
    json: args.flag('json'),
    quiet: args.flag('quiet'),
    colour: wantsColour(args, io),
    columns: io.stdout.isTTY === true ? Math.max(40, io.stdout.columns ?? 80) : null,
  });
}
