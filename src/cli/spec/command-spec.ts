// The arguments and options of a command, as data for parsing, help and completion.
import type { CommandContext } from '../context.ts';

/** What a shell offers for a value. `executable`: executable skills; `waiting`: runs that wait for an answer; `input`: KEY= of the skill before it. */
export type Completion =
  | 'skill'
  | 'executable'
  | 'input'
  | 'skill-or-folder'
  | 'run'
  | 'waiting'
  | 'path'
  | 'folder'
  | 'key'
  | 'command'
  | 'none';

export interface OptionSpec {
  /** Without the dashes. An option of a command overrides a global one. */
  readonly name: string;
  readonly short?: string;
  /** The name of its value; a flag has none. */
  readonly value?: string;
  /** The value may be left out, before another option or at the end of the line. */
  readonly optional?: true;
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /** What a shell offers where any value is allowed. */
  readonly suggest?: readonly string[];
  readonly complete?: Completion;
  readonly description: string;
}

export interface PositionalSpec {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly choices?: readonly string[];
  readonly complete: Completion;
}

export interface Example {
  readonly line: string;
  readonly what: string;
}

type RunCommand = (context: CommandContext) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** One or two paragraphs for the command's own help. */
  readonly details: readonly string[];
  readonly positionals: readonly PositionalSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** Each has its whole name, such as `runs list`. Without one the first is meant, or the command itself where it takes arguments. */
  readonly subcommands?: readonly CommandSpec[];
  /** The meaning of its exit codes, if they are not the usual ones. */
  readonly exitCodes?: string;
  /** Imports the command; nothing of it is loaded before. */
  readonly load: () => Promise<RunCommand>;
}

/** What a command does without a subcommand: one that takes arguments is a command itself. */
export function withoutSubcommand(command: CommandSpec): CommandSpec {
  const { subcommands, ...itself } = command;
  return subcommands === undefined || command.positionals.length > 0 ? itself : (subcommands[0] ?? itself);
}
