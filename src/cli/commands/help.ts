// techne help
import { TechneError } from '../../base/error.ts';
import type { CommandContext } from '../context.ts';
import { writeHelp } from '../dispatch.ts';
import { commandNamed, meantCommand } from '../parse-arguments.ts';
import { renderCommandHelp, renderOverview } from '../render-help.ts';

export async function runHelp({ args, out, json }: CommandContext): Promise<number> {
  const name = args.positionals.join(' ');
  if (name === '') {
    writeHelp(out, json, renderOverview());
    return 0;
  }
  const command = commandNamed(name);
  if (command === undefined) {
    const meant = meantCommand(name);
    throw new TechneError('USAGE', `"${name}" is not a command`, {
      hint:
        meant === null
          ? 'see "techne --help"'
          : `did you mean "techne ${meant.startsWith('--') ? '' : 'help '}${meant}"?`,
    });
  }
  writeHelp(out, json, renderCommandHelp(command));
  return 0;
}
