// `/name the rest` for an executable skill -> the input of its run.
//
// Words with keys (`topic=tides`, `n:=3`, a JSON object) set those keys; any other text is the value of the first required input,
// or the message of a composition.
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SlashArguments } from '../../prompt/substitute.ts';
import { splitWords } from '../../prompt/substitute.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { ReadNamed } from '../run-input.ts';
import { LooseWord, likelyKey, parseRunInput } from '../run-input.ts';

export async function readChatInput(
  snapshot: Snapshot,
  skill: string,
  given: SlashArguments,
  read: ReadNamed,
): Promise<JsonObject | null> {
  const text = given.text.trim();
  if (text === '') return null;
  try {
    return await parseRunInput(text.startsWith('{') ? [text] : splitWords(text), read);
  } catch (error) {
    if (!(error instanceof LooseWord)) throw error;
    const key = await likelyKey(snapshot, skill);
    if (key === null)
      throw new TechneError('USAGE', error.message, error.hint === null ? {} : { hint: error.hint });
    return { [key]: text };
  }
}
