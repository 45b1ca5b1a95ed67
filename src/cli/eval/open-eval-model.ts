// Whom an evaluation asks: a model of the configuration, or a script.
//
// E1. Nobody is taken in the place of a model that is not there.
// E2. A script is read by what was said, not by order: a turn is for every request whose last text holds what it `contains`;
//     the first that fits is given, as often as it fits. Evaluations are many conversations, in an order that is drawn.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import { parseScript } from '../../scripted/script-file.ts';
import type { ScriptedTurn } from '../../scripted/script-turns.ts';
import { openChatModel } from '../../answerers/open-chat-model.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { ChatModel, Said, TurnRequest } from '../../ports/model.ts';
import type { CommandContext } from '../context.ts';

const maxScriptBytes = 64 * 1024 * 1024;

/** Throws ENVIRONMENT, USAGE or FILE_INVALID (E1). `what` needs it, such as `techne eval output`. */
export async function openEvalModel(
  { io }: CommandContext,
  { loaded: { config }, files }: SkillLibrary,
  wanted: string | null,
  what: string,
): Promise<ChatModel> {
  const open = (spec: string): Promise<ChatModel> =>
    openChatModel({ wanted: spec, config, variables: io.env, files });
  if (wanted === null) {
    try {
      return await open('model');
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      throw new TechneError(error.code, `${what} asks a model: ${error.message}`, {
        cause: error,
        ...(error.hint === null ? {} : { hint: error.hint }),
      });
    }
  }
  const model = await open(wanted);
  if (!wanted.startsWith('script:')) return model;
  const path = wanted.slice('script:'.length);
  const parsed = parseScript(
    decodeUtf8((await files.read(path, maxScriptBytes))?.bytes ?? new Uint8Array()).text,
    path,
  );
  if (!parsed.ok || parsed.script.chat === null)
    throw new TechneError('FILE_INVALID', `${path} has no "chat"`, {
      hint: 'write the turns of the model under "chat:" (docs/guide/evaluating.md)',
    });
  return scriptedByText(wanted, parsed.script.chat);
}

/** E2. */
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
