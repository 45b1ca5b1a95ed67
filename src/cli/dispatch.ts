// Parses argv and runs the command.
//
// Nothing here is slow to load: the code of a command is behind its `load`.
import { wantsColour, columnsOf } from './io.ts';
import type { Io, Output } from './io.ts';
import { packageVersion } from '../node/package-info.ts';
import { parseArguments } from './parse-arguments.ts';
import { renderCommandHelp, renderOverview } from './render-help.ts';
import { wrapLine } from './wrap-text.ts';

/** Throws the errors of parsing and of the command. */
export async function dispatch(argv: readonly string[], io: Io, out: Output, err: Output): Promise<number> {
  out.wrap = wrapLine;
  err.wrap = wrapLine;
  const args = parseArguments(argv);
  const json = args.flag('json');
  if (args.flag('version')) {
    if (json) out.json({ version: packageVersion() });
    else out.line(packageVersion());
    return 0;
  }
  if (args.command === null || args.flag('help')) {
    writeHelp(out, json, args.command === null ? renderOverview() : renderCommandHelp(args.command));
    return 0;
  }
  const run = await args.command.load();
  return run({
    io,
    args,
    out,
    err,
    json,
    quiet: args.flag('quiet'),
    colour: wantsColour(args, io),
    columns: columnsOf(io.stdout),
  });
}

/** JSON: {help}, the text. */
export function writeHelp(out: Output, json: boolean, help: string): void {
  if (json) out.json({ help });
  else out.write(help);
}
