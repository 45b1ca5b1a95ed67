// techne __complete: what the completion scripts ask for.
//
// Shells expand the words they are offered, so a name with anything but plain characters is not offered at all.
import { configKeys } from '../../config/keys.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export async function runComplete(context: CommandContext): Promise<number> {
  const names = context.args.positionals[0] === 'key' ? configKeys.map((key) => key.path) : await skillNames(context);
  context.out.write(names.filter((name) => plain.test(name)).map((name) => `${name}\n`).join(''));
  return 0;
}

async function skillNames(context: CommandContext): Promise<readonly string[]> {
  const snapshot = await (await openLibrary(context)).load();
  return snapshot.skills.map((skill) => skill.name);
}
