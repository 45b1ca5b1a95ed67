// techne __complete: what the completion scripts ask for.
//
// Shells expand the words they are offered, so a name with anything but plain characters is not offered at all.
import { configKeys } from '../../config/keys.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';
import { runNames, runsFolder } from '../run/find-run.ts';

/** More than that nobody looks through. */
const maxRuns = 50;

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export async function runComplete(context: CommandContext): Promise<number> {
  const names = await namesOf(context, context.args.positionals[0] as 'skill' | 'run' | 'key');
  context.out.write(names.filter((name) => plain.test(name)).map((name) => `${name}\n`).join(''));
  return 0;
}

async function namesOf(context: CommandContext, what: 'skill' | 'run' | 'key'): Promise<readonly string[]> {
  if (what === 'key') return configKeys.map((key) => key.path);
  if (what === 'skill') return skillNames(context);
  return ['last', ...(await runNames(runsFolder(context.io.homeFolder))).slice(0, maxRuns)];
}

async function skillNames(context: CommandContext): Promise<readonly string[]> {
  const snapshot = await (await openLibrary(context)).load();
  return snapshot.skills.map((skill) => skill.name);
}
