// The model of a conversation: the requested one, or the first that is available.
//
// Only a model or a script can hold a conversation. Anything else is ENVIRONMENT or USAGE with what to do; no other
// model is used instead.
import type { Config } from '../config/types.ts';
import { TechneError } from '../base/error.ts';
import { detectAnswerers, resolveWish } from './detect-answerers.ts';
import type { Files } from '../ports/files.ts';
import type { ChatModel } from '../ports/model.ts';

interface OpenChatModelOptions {
  /** `model`, `model:NAME`, `script:FILE` with an absolute path; null is the first model that is there. */
  readonly wanted: string | null;
  readonly config: Pick<Config, 'models'>;
  readonly variables: { readonly [name: string]: string | undefined };
  readonly files: Files;
}

export async function openChatModel({
  wanted,
  config,
  variables,
  files,
}: OpenChatModelOptions): Promise<ChatModel> {
  if (wanted?.startsWith('script:') === true) return scripted(wanted.slice('script:'.length), files);
  if (wanted !== null && wanted !== 'model' && !wanted.startsWith('model:')) {
    throw new TechneError('USAGE', `"${wanted}" cannot hold a conversation`, {
      hint: 'a model can, or a script: --answer model, --answer model:NAME or --answer script:FILE',
    });
  }
  const candidates = detectAnswerers({ config, variables, hasTerminal: false, findProgram: () => null });
  const found = resolveWish(wanted ?? 'model', candidates);
  if (!('kind' in found))
    throw new TechneError(
      'ENVIRONMENT',
      wanted === null ? `techne chat needs a model: ${found.message}` : found.message,
      { hint: `${found.hint}. "techne doctor" shows what there is` },
    );
  if (found.kind !== 'model') throw new Error('the wish was for a model');
  const { createChatModel } = await import('../node/models/endpoint-models.ts');
  return createChatModel({ label: found.label, endpoint: found.endpoint }, { variables });
}

async function scripted(path: string, files: Files): Promise<ChatModel> {
  const [{ loadScript }, { createScriptedModel }] = await Promise.all([
    import('../scripted/world.ts'),
    import('../scripted/model.ts'),
  ]);
  const { chat, answers } = await loadScript(path, files);
  return createScriptedModel(`script:${path}`, chat ?? turnsOfAnswers(answers));
}

/** A script without `chat`: its answers, in order. */
function turnsOfAnswers(
  answers: readonly {
    readonly contains: readonly string[];
    readonly gives:
      | { readonly kind: 'answer'; readonly text: string }
      | { readonly kind: 'error'; readonly message: string };
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly span: { readonly start: number; readonly end: number };
  }[],
) {
  return answers.map(({ contains, gives, inputTokens, outputTokens, span }) => ({
    purpose: null,
    contains,
    calls: [],
    inputTokens,
    outputTokens,
    span,
    text: gives.kind === 'answer' ? gives.text : '',
    error: gives.kind === 'error' ? gives.message : null,
  }));
}
