// Skills that people may call -> prompts of MCP, and a prompt that was chosen -> its message.
//
// P1. A skill with named arguments has those; any other one takes a text, as after `/name`.
// P2. Descriptions are texts of others: one printable line, bounded.
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { TechneError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';
import { printableLine } from '../base/printable.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { namedArguments, parseArguments } from '../prompt/substitute.ts';
import { cutText } from '../run/result/cut-text.ts';

const maxDescriptionUnits = 1_024;
const textArgument = 'arguments';

export function promptsOf(session: SkillSession): readonly Prompt[] {
  return session.commands().map(({ name, description, argumentHint, argumentNames }) => ({
    name,
    description: shown(description),
    arguments: argumentNames.length > 0
      ? argumentNames.map((argument) => ({ name: argument, required: false, ...(argumentHint === null ? {} : { description: shown(argumentHint) }) }))
      : [{ name: textArgument, required: false, description: argumentHint === null ? 'What follows the name of the skill.' : shown(argumentHint) }],
  }));
}

/** Throws SKILL_UNKNOWN, and USAGE when the body cannot be given. */
export async function getPrompt(session: SkillSession, name: string, given: { readonly [name: string]: string }): Promise<GetPromptResult> {
  const command = session.commands().find((one) => one.name === name);
  if (command === undefined) {
    const meant = nearest(name, session.commands().map((one) => one.name));
    throw new TechneError('SKILL_UNKNOWN', `there is no prompt "${name}"`, meant === null ? {} : { hint: `did you mean "${meant}"?` });
  }
  const { argumentNames, description } = command;
  const extra = Object.keys(given).find((argument) => !(argumentNames.length > 0 ? argumentNames : [textArgument]).includes(argument));
  if (extra !== undefined) throw new TechneError('USAGE', `the prompt "${name}" has no argument "${extra}"`);
  const values = argumentNames.length > 0 ? namedArguments(given, argumentNames) : parseArguments(given[textArgument] ?? '', []);
  const outcome = await session.invoke(name, values);
  if (outcome === null || outcome.kind !== 'invoked') throw new TechneError('USAGE', outcome !== null && outcome.kind === 'failed' ? outcome.message : `the skill "${name}" cannot be called`);
  // Where the message goes is the host's business, so a model that asks for the body gets it.
  session.forget(name);
  const canRun = session.runnable().some((one) => one.name === name);
  const text = canRun ? `${outcome.body.trimEnd()}\n\nThis skill is a program: run it with run_metaskill, name ${JSON.stringify(name)}.\n` : outcome.body;
  return { description: shown(description), messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function shown(text: string): string {
  return cutText(printableLine(text), maxDescriptionUnits).text;
}
