// techne answer
//
// JSON: as of techne run after the run went on; {run, question, delivery} with --no-resume, or when another process drives it.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { Audience } from '../../journal/entry.ts';
import { isAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { askHere } from '../run/ask-here.ts';
import { continueRun } from '../run/continue-run.ts';
import { withArchive } from '../run/open-archive.ts';
import { openQuestionsOf } from '../run/open-questions.ts';
import type { OpenQuestionOf } from '../run/open-questions.ts';
import { parseValue } from '../run/read-input.ts';
import { isApproval } from '../run/render-question.ts';
import { readBytes } from '../star/read-program.ts';

const maxAnswerBytes = 1_000_000;

export async function runAnswer(context: CommandContext): Promise<number> {
  const { args, io, json, out } = context;
  const given = await givenAnswer(context);
  // A person at the terminal is whoever may answer anything; another program is what started the run, until it says otherwise.
  const from = (args.value('as') as Audience | null) ?? (isAtTerminal(io) ? 'operator' : 'caller');
  const delivered = await withArchive(context, async (archive) => {
    const run = await archive.find(args.positionals[0] as string);
    const question = chooseQuestion(run, await openQuestionsOf(archive, run), args.value('question'));
    if (args.flag('approve') && !isApproval(question.question)) throw usage(`question ${question.id} asks for an answer, not for an approval`, 'give it with --text or --value');
    const value = given ?? (await askAtTerminal(context, question));
    if (value === null) return null;
    const delivery = await archive.runner.answer(question.run, { question: question.id, nonce: question.nonce, value, from }).catch((error: unknown) => {
      throw withHint(error, question, from);
    });
    return { run, question: question.id, delivery };
  });
  if (delivered === null) {
    context.err.line('Nothing was answered; the run stays paused.');
    return exitCodes.paused;
  }
  if (delivered.delivery === 'recorded' && !args.flag('no-resume')) return continueRun(context, delivered.run, args.value('answerer'));
  if (json) out.json(delivered);
  else out.line(delivered.delivery === 'posted' ? `The process that drives run ${delivered.run} will take the answer.` : `Written down. To go on: techne runs resume ${delivered.run}`);
  return 0;
}

/** null when none stands on the command line. */
async function givenAnswer({ args, io }: CommandContext): Promise<Json> {
  const text = args.value('text');
  const structured = args.value('value') ?? (args.value('json') || null);
  const approval = args.value('approve');
  if ([text, structured, approval].filter((one) => one !== null).length > 1) throw usage('--text, --value and --approve contradict each other', 'give one of them');
  if (approval !== null) return approval;
  if (text !== null) return text === '-' ? read('-', io) : text;
  if (structured === null) {
    if (isAtTerminal(io)) return null;
    throw usage('the answer is missing', 'give it with --text, --value or --approve');
  }
  return parseValue(structured.startsWith('@') ? await read(structured.slice(1), io) : structured, 'the answer');
}

async function read(from: string, io: CommandContext['io']): Promise<string> {
  return new TextDecoder().decode(await readBytes(from, io, maxAnswerBytes)).replace(/\r?\n$/, '');
}

function chooseQuestion(run: string, open: readonly OpenQuestionOf[], given: string | null): OpenQuestionOf {
  const fitting = given === null ? open : open.filter(({ id }) => id.toUpperCase().startsWith(given.toUpperCase()) || id.toUpperCase().endsWith(given.toUpperCase()));
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  if (open.length === 0) throw new TechneError('QUESTION_UNKNOWN', `run ${run} waits for no answer`, { hint: `techne runs show ${run}` });
  const ids = open.map(({ id, key, audience }) => `${id} (call ${key}, for the ${audience})`).join(', ');
  if (first === undefined) throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no open question "${printableLine(given ?? '')}"`, { hint: `open are ${ids}` });
  throw usage(`run ${run} waits for ${fitting.length} answers: --question is missing`, `one of ${ids}`);
}

async function askAtTerminal(of: CommandContext, question: OpenQuestionOf): Promise<Json> {
  // Ctrl-C ends the command, as it does where nothing is under way.
  return askHere(of, question, new AbortController().signal);
}

function withHint(error: unknown, { audience }: OpenQuestionOf, from: Audience): unknown {
  if (!(error instanceof TechneError) || error.code !== 'ANSWER_REFUSED' || audience === from || audience === 'caller') return error;
  return new TechneError(error.code, error.message, { hint: `a person answers it at a terminal; --as ${audience} is for programs that a person has told to answer on their behalf`, cause: error });
}

function usage(message: string, hint: string): TechneError {
  return new TechneError('USAGE', message, { hint });
}
