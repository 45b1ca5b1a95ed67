// techne help
import { TechneError } from '../../base/error.ts';
import { nearest } from '../../base/nearest.ts';
import { commandNamed, visibleCommands } from '../commands.ts';
import type { CommandContext } from '../context.ts';
import { renderCommandHelp, renderOverview } from '../render-help.ts';

export async function runHelp({ args, out }: CommandContext): Promise<number> {
  const [name] = args.positionals;
  if (name === undefined) {
    out.write(renderOverview());
    return 0;
  }
  const command = commandNamed(name);
  if (command === undefined) {
    const meant = nearest(name, visibleCommands.map((each) => each.name));
    throw new TechneError('USAGE', `"${name}" is not a command`, { hint: meant === null ? 'see "techne --help"' : `did you mean "techne help ${meant}"?` });
  }
  out.write(renderCommandHelp(command));
  return 0;
}
