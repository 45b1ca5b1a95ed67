// A prompt -> what a skill that can be executed is run with.
//
// I1. The `input` of the case; else the prompt, as behind `/name` in a conversation.
// I2. Looked at before anything is run: what the declared inputs of the skill do not take is an error of the case, and costs
//     nothing. Keys that a skill tells of only in prose are for its program to judge.
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { OutputCase } from '../../measure/eval/output-case.ts';
import { withoutCall } from '../../measure/eval/output-case.ts';
import { noArguments } from '../../prompt/substitute.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { checkInput } from '../../run/input-check.ts';
import { readChatInput } from '../chat/chat-input.ts';
import type { Io } from '../io.ts';

/** Throws USAGE when the prompt is none (I1). */
export async function promptInput(
  snapshot: Snapshot,
  { skill, prompt, input }: OutputCase,
  io: Io,
): Promise<JsonObject | null> {
  return input ?? readChatInput(snapshot, skill, { ...noArguments, text: withoutCall(prompt, skill) }, io);
}

/** One that can be run at all: the rest is read by a model. */
export function isExecutable(snapshot: Snapshot, name: string): boolean {
  const { form, bar } = snapshot.get(name).card;
  return form !== 'instructions' && bar === null;
}

/** What is wrong with the input of a case, in a sentence; null: nothing that can be known (I2). */
export async function inputFault(snapshot: Snapshot, one: OutputCase, io: Io): Promise<string | null> {
  if (!isExecutable(snapshot, one.skill)) return null;
  const inputs = snapshot.get(one.skill).head.inputs ?? [];
  let input: JsonObject | null;
  try {
    input = await promptInput(snapshot, one, io);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return `${error.message}; give the case an "input"`;
  }
  if (inputs.length === 0) return null;
  const needed = inputs.filter(({ required, schema }) => required && schema?.['default'] === undefined);
  const isEmpty = input === null || Object.keys(input).length === 0;
  const checked = checkInput({ name: one.skill, instructions: '', inputs, inputsAreTyped: true }, input, [
    'user_message',
  ]);
  if (checked.ok) return null;
  if (one.input !== undefined && !isEmpty) return checked.message;
  const keys =
    needed.length > 0
      ? `this skill needs ${needed.length === 1 ? 'the input' : 'inputs'} ${needed.map(({ key }) => key).join(', ')}`
      : `the inputs of this skill (${inputs.map(({ key }) => key).join(', ')}) do not take a message`;
  return `${keys}; give the case an "input"`;
}
