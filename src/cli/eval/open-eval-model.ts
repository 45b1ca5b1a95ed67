// Opens the model that an evaluation asks: one of the configuration, or a script. No other model takes the place of one
// that is missing.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import { parseScript } from '../../scripted/script-file.ts';
import { scriptedByText } from '../../scripted/model.ts';
import { openChatModel } from '../../answerers/open-chat-model.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { CommandContext } from '../context.ts';

const maxScriptBytes = 64 * 1024 * 1024;

/** Throws ENVIRONMENT, USAGE or FILE_INVALID. `what`: the command that needs it, such as `techne eval output`. */
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
