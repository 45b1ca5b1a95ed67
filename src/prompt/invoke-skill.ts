// A skill that a person calls -> its body, with the arguments in it.
//
// The body is given even if it was given before, since arguments make it another text. It counts in the tokens of the
// session and not among the model's activations. A body that cannot be read, or whose command fails, gives a message
// for the person, and nothing counts as loaded.
import { TechneError } from '../base/error.ts';
import type { Form } from '../skill/types.ts';
import { guardNote, skillSection } from './read-skill.ts';
import { withTemplate } from '../skill/body/output-template.ts';
import type { SessionState } from './session-state.ts';
import { activate, tryRead } from './session-state.ts';
import type { Skill } from '../registry/types.ts';
import type { SlashCommand } from './slash-command.ts';
import type { SlashArguments } from './substitute.ts';
import { substitute } from './substitute.ts';

/** How a skill is invoked by a slash command. */
export interface InvokeOptions {
  /** Runs a command that stands in a body. Default: commands are off. Never asked for skills that came from afar. */
  readonly runCommand?: (command: string) => Promise<string>;
}

interface InvokedSkill {
  readonly kind: 'invoked';
  readonly skill: string;
  readonly form: Form;
  readonly arguments: SlashArguments;
  /** The body with everything inserted: the message of the turn to the model. */
  readonly body: string;
  /** Claude Code's `context: fork`: it asks for a sub-agent of its own. */
  readonly fork: boolean;
  readonly model: string | null;
}

/** The outcome of a line that begins with a slash. */
export type SlashOutcome =
  | Exclude<SlashCommand, { kind: 'skill' }>
  | InvokedSkill
  | { readonly kind: 'failed'; readonly skill: string; readonly message: string };

export async function invokeSkill(
  state: SessionState,
  skill: Skill,
  given: SlashArguments,
  { runCommand }: InvokeOptions,
): Promise<InvokedSkill | { readonly kind: 'failed'; readonly skill: string; readonly message: string }> {
  const read = await tryRead(state, skill);
  if (read instanceof TechneError) return { kind: 'failed', skill: skill.name, message: read.message };
  const {
    head: { argumentNames, fork, model },
    folder,
    origin,
    card: { form },
    name,
  } = skill;
  let body: string;
  try {
    const own = await substitute(read.raw, {
      arguments: given,
      argumentNames,
      baseFolder: folder,
      origin,
      ...(runCommand === undefined ? {} : { runCommand }),
    });
    body = guardNote(read) + withTemplate(own, read.template);
  } catch (error) {
    return {
      kind: 'failed',
      skill: name,
      message: `a command in the body of "${name}" failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  activate(state, read, skillSection(name, body), { kind: 'person', reason: 'on_demand', toolUseId: null });
  return { kind: 'invoked', skill: name, form, arguments: given, body, fork, model };
}
