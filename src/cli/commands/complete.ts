// techne __complete: what the completion scripts ask for.
//
// Shells expand the words they are offered, so a name with anything but plain characters is not offered at all.
import type { CommandContext } from '../context.ts';

const plain = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

export async function runComplete(context: CommandContext): Promise<number> {
  const names = context.args.positionals[0] === 'key' ? await keyNames() : await skillNames(context);
  context.out.write(names.filter((name) => plain.test(name)).map((name) => `${name}\n`).join(''));
  return 0;
}

async function keyNames(): Promise<readonly string[]> {
  const { configKeys } = await import('../../config/keys.ts');
  return configKeys.map((key) => key.path);
}

async function skillNames(context: CommandContext): Promise<readonly string[]> {
  const { openWorkbench } = await import('../open-workbench.ts');
  const snapshot = await (await openWorkbench(context)).loadSkills();
  return snapshot.skills.map((skill) => skill.name);
}
