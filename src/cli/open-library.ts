// The skill library that a command line asks for.
import type { SkillLibrary } from '../host/open-skills.ts';
import { openSkills } from '../host/open-skills.ts';
import type { CommandContext } from './context.ts';

export function openLibrary({ io, args }: CommandContext): Promise<SkillLibrary> {
  const workspace = args.value('workspace');
  const roots = args.values('root');
  return openSkills({
    cwd: io.cwd,
    homeFolder: io.homeFolder,
    variables: io.env,
    platform: io.platform,
    cache: !args.flag('no-cache'),
    ...(workspace === null ? {} : { workspace }),
    ...(roots.length === 0 ? {} : { roots }),
  });
}
