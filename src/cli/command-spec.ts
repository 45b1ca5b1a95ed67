// What a command takes, as data: parsing, help and completion all read it.
import type { CommandContext } from './context.ts';

/** What a shell may offer for a value. */
export type Completion = 'skill' | 'skill-or-folder' | 'path' | 'folder' | 'key' | 'command' | 'none';

export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string;
  readonly short?: string;
  /** The name of its value; a flag has none. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
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

export type RunCommand = (context: CommandContext) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** One or two paragraphs for the command's own help. */
  readonly details: readonly string[];
  readonly positionals: readonly PositionalSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  readonly hidden?: true;
  /** Imports the command; nothing of it is loaded before. */
  readonly load: () => Promise<RunCommand>;
}
