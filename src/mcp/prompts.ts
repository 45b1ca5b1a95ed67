// Skills that people can call -> MCP prompts, and a chosen prompt -> its message.
//
// A skill has its named arguments, an executable skill its input keys; any other skill takes one text, as after `/name`. Descriptions
// are untrusted text: one printable line, bounded. An untrusted skill takes one text, whatever it declares, and the names and
// descriptions of its arguments are not shown (prompt/skill-session.ts).
import type { GetPromptResult, Prompt, PromptArgument } from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { namedArguments, noArguments } from '../prompt/substitute.ts';
import { cutText } from '../base/cut-text.ts';
import type { InputKey } from '../skill/types.ts';
import { inputArguments, inputOf, runAdvice } from './metaskill-inputs.ts';

const maxDescriptionUnits = 1_024;
const textArgument = 'arguments';

export function promptsOf(session: SkillSession): readonly Prompt[] {
  return session.commands().map(({ name, description, argumentHint, argumentNames }) => ({
    name,
    description: shown(description),
    arguments: argumentsOf(session, name, argumentNames, argumentHint),
  }));
}

function argumentsOf(
  session: SkillSession,
  name: string,
  names: readonly string[],
  hint: string | null,
): PromptArgument[] {
  if (names.length > 0)
    return names.map((argument) => ({
      name: argument,
      required: false,
      ...(hint === null ? {} : { description: shown(hint) }),
    }));
  const inputs = inputsOf(session, name);
  if (inputs !== null) return inputArguments(inputs);
  return [
    {
      name: textArgument,
      required: false,
      description: hint === null ? 'The text after the name of the skill.' : shown(hint),
    },
  ];
}

/** The input keys of an executable skill; null if it has none, or is not executable. */
function inputsOf(session: SkillSession, name: string): readonly InputKey[] | null {
  return session.runnable().find((one) => one.name === name)?.inputs ?? null;
}

/** Throws SKILL_UNKNOWN, and USAGE if the skill cannot be called. */
export async function getPrompt(
  session: SkillSession,
  name: string,
  given: { readonly [name: string]: string },
): Promise<GetPromptResult> {
  const command = session.commands().find((one) => one.name === name);
  if (command === undefined) {
    const meant = nearest(
      name,
      session.commands().map((one) => one.name),
    );
    throw new TechneError(
      'SKILL_UNKNOWN',
      `there is no prompt "${name}"`,
      meant === null ? {} : { hint: `did you mean "${meant}"?` },
    );
  }
  const { argumentNames, argumentHint, description } = command;
  const known = argumentsOf(session, name, argumentNames, argumentHint).map((argument) => argument.name);
  const extra = Object.keys(given).find((argument) => !known.includes(argument));
  if (extra !== undefined)
    throw new TechneError('USAGE', `the prompt "${name}" has no argument "${extra}"`, {
      hint: `its arguments: ${known.join(', ')}`,
    });
  const inputs = argumentNames.length > 0 ? null : inputsOf(session, name);
  const input = inputs === null ? null : inputOf(name, inputs, given);
  // The arguments of an executable skill go to its run, not into its body.
  const values =
    input !== null
      ? noArguments
      : argumentNames.length > 0
        ? namedArguments(given, argumentNames)
        : (given[textArgument] ?? '');
  const outcome = await session.invoke(name, values);
  if (outcome === null || outcome.kind !== 'invoked')
    throw new TechneError(
      'USAGE',
      outcome !== null && outcome.kind === 'failed'
        ? outcome.message
        : `the skill "${name}" cannot be called`,
    );
  // The host may not show this message to the model, so the body is not marked as loaded.
  session.forget(name);
  const offered = session.runnable().find((one) => one.name === name);
  const text =
    offered === undefined
      ? outcome.body
      : `${outcome.body.trimEnd()}\n\n${runAdvice(name, offered.inputs, input)}\n`;
  return { description: shown(description), messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function shown(text: string): string {
  return cutText(printableLine(text), maxDescriptionUnits).text;
}
