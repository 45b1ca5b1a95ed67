// The turns of a script -> a model that answers by what was said, not by order.
//
// A turn answers every request whose last text holds what the turn `contains`; the first that fits is given, as often
// as it fits. An evaluation has many conversations in random order.
import type { ChatModel, Said, TurnRequest } from '../ports/model.ts';
import type { ScriptedTurn } from './script-turns.ts';

export function scriptedByText(name: string, turns: readonly ScriptedTurn[]): ChatModel {
  return {
    name,
    description: `${turns.length} scripted ${turns.length === 1 ? 'turn' : 'turns'}`,
    async takeTurn({ said, before, purpose, signal, onText }: TurnRequest) {
      if (signal.aborted) throw new Error('stopped');
      const last = lastText(said);
      const turn = turns.find(
        (each) => each.purpose === purpose && each.contains.every((text) => last.includes(text)),
      );
      if (turn === undefined)
        throw new Error(
          `the script has no turn${purpose === null ? '' : ` with the purpose "${purpose}"`} for ${JSON.stringify(last.slice(0, 200))}`,
        );
      const { text, calls, error, inputTokens, outputTokens } = turn;
      if (error !== null) throw new Error(error);
      if (text !== '') onText(text);
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

function lastText(said: readonly Said[]): string {
  const last = said.at(-1);
  return last === undefined
    ? ''
    : last.by === 'user'
      ? last.text
      : last.results.map(({ text }) => text).join('\n');
}
