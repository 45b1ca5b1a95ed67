// `/name the rest` -> which skill is called, and with what.
//
// A command stands at the start of a message; `/usr/bin` and `/ x` are not commands. Only skills that people may call
// are known here. Another name is `unknown`, with the nearest name as a hint.
import { nearest } from '../base/nearest.ts';
import type { SlashArguments } from './substitute.ts';
import { parseSlashArguments } from './substitute.ts';

interface SlashSkill {
  readonly name: string;
  readonly argumentNames: readonly string[];
}

export type SlashCommand =
  | { readonly kind: 'none' }
  | { readonly kind: 'skill'; readonly skill: string; readonly arguments: SlashArguments }
  | {
      readonly kind: 'unknown';
      readonly name: string;
      readonly meant: string | null;
      readonly message: string;
    };

export function parseSlash(
  text: string,
  find: (name: string) => SlashSkill | null,
  names: () => Iterable<string>,
): SlashCommand {
  const [, name, rest = ''] = /^\s*\/([^\s/\\]+)(?:\s+([^]*))?$/.exec(text) ?? [];
  if (name === undefined) return { kind: 'none' };
  const skill = find(name);
  if (skill !== null)
    return { kind: 'skill', skill: skill.name, arguments: parseSlashArguments(rest, skill.argumentNames) };
  const meant = nearest(name, names());
  return {
    kind: 'unknown',
    name,
    meant,
    message: `there is no command /${name}${meant === null ? '' : `; did you mean /${meant}?`}`,
  };
}
