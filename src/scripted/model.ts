// A model with scripted turns, for tests, demos, and work without a network.
//
// By order: the n-th turn of a conversation is the n-th of the script, also after a resume; a turn with a purpose is
// outside the order. By text: a turn answers every request whose last text holds what the turn `contains`, as often as
// it fits, since an evaluation has many conversations in random order.
import type { ScriptedTurn } from './script-turns.ts';
import type { ChatModel, Said, TurnRequest } from '../ports/model.ts';

/** The turns in the order of the script. */
export function createScriptedModel(name: string, turns: readonly ScriptedTurn[]): ChatModel {
  const ordered = turns.filter(({ purpose }) => purpose === null);
  return modelOf(name, ordered.length, (request) => turnInOrder(turns, ordered, request));
}

/** The first turn that fits what was said. */
export function scriptedByText(name: string, turns: readonly ScriptedTurn[]): ChatModel {
  return modelOf(name, turns.length, ({ said, purpose }) => {
    const last = lastText(said);
    const turn = turns.find(
      (each) => each.purpose === purpose && each.contains.every((text) => last.includes(text)),
    );
    if (turn !== undefined) return turn;
    const wanted = purpose === null ? '' : ` with the purpose "${purpose}"`;
    throw new Error(`the script has no turn${wanted} for ${JSON.stringify(last.slice(0, 200))}`);
  });
}

type Asked = Pick<TurnRequest, 'said' | 'before' | 'purpose'>;

function modelOf(name: string, count: number, choose: (asked: Asked) => ScriptedTurn): ChatModel {
  return {
    name,
    description: `${count} scripted ${count === 1 ? 'turn' : 'turns'}`,
    async takeTurn({ said, before, purpose, signal, onText }) {
      if (signal.aborted) throw new Error('stopped');
      const { text, calls, error, inputTokens, outputTokens } = choose({ said, before, purpose });
      if (error !== null) throw new Error(error);
      for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
        onText(piece);
        // As a stream: the listener can stop it between two words.
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted) throw new Error('stopped');
      }
      const content = [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ tool, args }, at) => ({
          type: 'call' as const,
          id: `call_${before + 1}_${at + 1}`,
          tool,
          input: JSON.stringify(args),
        })),
      ];
      return {
        turn: { model: 'script', finish: calls.length > 0 ? 'tool-calls' : 'stop', content },
        usage: { inputTokens, outputTokens, costMicros: 0 },
        cachedInputTokens: 0,
      };
    },
  };
}

function turnInOrder(
  all: readonly ScriptedTurn[],
  ordered: readonly ScriptedTurn[],
  { said, before, purpose }: Asked,
): ScriptedTurn {
  if (purpose !== null) {
    const found = all.find((turn) => turn.purpose === purpose);
    if (found === undefined) throw new Error(`the script has no turn with the purpose "${purpose}"`);
    return found;
  }
  const turn = ordered[before];
  if (turn === undefined)
    throw new Error(
      `the script has ${ordered.length} ${ordered.length === 1 ? 'turn' : 'turns'}, but this is turn ${before + 1}`,
    );
  const last = lastText(said);
  const missing = turn.contains.find((text) => !last.includes(text));
  if (missing !== undefined)
    throw new Error(
      `turn ${before + 1} of the script is for something else: expected ${JSON.stringify(missing)}, got ${JSON.stringify(last.slice(0, 200))}`,
    );
  return turn;
}

function lastText(said: readonly Said[]): string {
  const last = said.at(-1);
  return last === undefined
    ? ''
    : last.by === 'user'
      ? last.text
      : last.results.map(({ text }) => text).join('\n');
}
