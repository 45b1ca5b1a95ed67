// The skills of a snapshot -> those that get a slash command, and why the others get none.
import type { OpenTechne } from '../../techne/create-techne.ts';
import type { CommandSkill } from './slash-commands.ts';

export interface PackagedSkills {
  readonly skills: readonly CommandSkill[];
  /** Skills that people may call, and that have no command. */
  readonly left: readonly { readonly skill: string; readonly reason: string }[];
}

/** `machineOnly`: without the skills of the workspace, for a package that is used in every project. */
export async function packagedSkills(techne: OpenTechne, machineOnly: boolean): Promise<PackagedSkills> {
  const session = await techne.openSession({ settings: { preload: [] }, holds: false });
  const listed = new Map(session.list().map((skill) => [skill.name, skill]));
  const runnable = new Set(session.runnable().map(({ name }) => name));
  const reasonAgainst = (name: string): string | null => {
    if (session.isUntrusted(name)) return 'it is untrusted; "techne trust" allows it';
    if (!listed.has(name))
      return 'a model may not start it; it is a prompt of the MCP server, which people choose';
    return null;
  };
  const wanted = session
    .commands()
    .filter(({ name }) => !machineOnly || techne.snapshot.get(name).source !== 'workspace');
  return {
    skills: wanted
      .filter(({ name }) => reasonAgainst(name) === null)
      .map(({ name, description, argumentHint }) => ({
        name,
        description,
        argumentHint,
        executable: runnable.has(name),
      })),
    left: wanted.flatMap(({ name }) => {
      const reason = reasonAgainst(name);
      return reason === null ? [] : [{ skill: name, reason }];
    }),
  };
}
