// Opens hubs and keys for a command line.
import type { Hubs } from '../techne/publish/open-hubs.ts';
import { openHubs } from '../techne/publish/open-hubs.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import type { CommandContext } from './context.ts';

export function openHubsOf({ io }: CommandContext, library: SkillLibrary): Hubs {
  return openHubs(library, { cwd: io.cwd, homeFolder: io.homeFolder, variables: io.env });
}
