// techne answer
//
// JSON: as for techne run after the run resumed; {run, question, delivery} with --no-resume, or if another process drives it.
import { inStore } from '../in-store.ts';
import { archivePlace } from '../archive-place.ts';
import { neverAborted } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import { emptyObject, isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { Audience } from '../../journal/entry.ts';
import type { Delivery } from '../../run/tell/tell-run.ts';
import { requirePerson } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { askWatched } from '../run/drive-run.ts';
import { continueRun } from '../run/continue-run.ts';
import type { RunArchive } from '../../techne/open-archive.ts';
import { withArchive } from '../../techne/open-archive.ts';
import { nameKey } from '../run/describe-effect.ts';
import { parseValue } from '../../techne/run-input.ts';
import { isForm } from '../run/render-form.ts';
import { isApproval } from '../run/render-question.ts';
import { readBytes } from '../star/read-program.ts';
import { isAsk } from '../../run/effect/effect.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { PendingQuestion } from '../../run/result/result.ts';
import { nearest } from '../../base/nearest.ts';
import { formOf, readField } from '../../run/clarify/form.ts';
import { isAtTerminal } from '../io.ts';

const maxAnswerBytes = 1_000_000;

export async function runAnswer(context: CommandContext): Promise<number> {
  const { args, io, err } = context;
  const given = await givenAnswer(context);
  // A person at the terminal is the operator; a program is the caller, unless it declares otherwise.
  const from = (args.value('as') as Audience | null) ?? (isAtTerminal(io) ? 'operator' : 'caller');
  if (from === 'operator' || args.flag('approve')) requirePerson(io, 'approving a command', allowInstead);
  const delivered = await withArchive(archivePlace(context), async (archive) => {
    const run = await archive.find(args.positionals[0] as string);
    const question = chooseQuestion(
      run,
      await openQuestionsOf(archive, run),
      args.value('question'),
      args.values('set').length > 0 ? given : null,
      await answeredIn(archive, run),
    );
    if (args.flag('approve') && !isApproval(question.question))
      throw usage(
        `question ${question.id} asks for an answer, not for an approval`,
        'give it with --text or --value',
      );
    if (given !== null && args.values('set').length > 0 && !isForm(question.question))
      throw usage(
        `question ${question.id} is not a form, so it has no fields to set`,
        'give the answer with --text or --value',
      );
    mustBeFields(question.question, given);
    mustFit(question.question, given);
    if (given !== null)
      return { run, question: question.id, delivery: await deliver(archive, question, given, from) };
    for (;;) {
      // Ctrl-C ends the command, as usual.
      const reply = await askWatched(context, archive.store, question, neverAborted);
      if (reply === 'open') return null;
      const delivery =
        reply === 'settled' ? reply : await deliverTyped(context, archive, question, reply.answer, from);
      if (delivery !== 'again') return { run, question: question.id, delivery };
    }
  });
  if (delivered === null) {
    err.line('Nothing was answered; the run stays paused.');
    return exitCodes.paused;
  }
  if (delivered.delivery === 'settled')
    return continueRun(context, delivered.run, args.value('answerer'), true);
  const { delivery } = delivered;
  if (delivery === 'recorded' && !args.flag('no-resume')) {
    try {
      return await continueRun(context, delivered.run, args.value('answerer'));
    } catch (error) {
      // Another terminal that showed the same question has answered it.
      if (!(error instanceof TechneError) || error.code !== 'RUN_OWNED') throw error;
      return say(context, { ...delivered, delivery: 'posted' });
    }
  }
  return say(context, { ...delivered, delivery });
}

function say(
  { json, quiet, out, err, args }: CommandContext,
  delivered: { readonly run: string; readonly question: string; readonly delivery: Delivery },
): number {
  if (json) out.json(delivered);
  else
    (quiet ? err : out).line(
      delivered.delivery === 'posted'
        ? `The process that drives run ${delivered.run} continues it with the answer.`
        : inStore(`Recorded. To resume: techne runs resume ${delivered.run}`, args.value('store')),
    );
  return 0;
}

/** null when the command line has none. */
async function givenAnswer({ args, io }: CommandContext): Promise<Json> {
  const text = args.value('text');
  const structured = args.value('value') ?? (args.value('json') || null);
  const approval = args.value('approve');
  const fields = args.values('set').length === 0 ? null : readFields(args.values('set'));
  if ([text, structured, approval, fields].filter((one) => one !== null).length > 1)
    throw usage('--set, --text, --value and --approve contradict each other', 'give one of them');
  if (fields !== null) return fields;
  if (approval !== null) return approval;
  if (text !== null) return text === '-' ? readText('-', io) : text;
  if (structured === null) {
    if (isAtTerminal(io)) return null;
    throw usage(
      'the answer is missing',
      'give it with --set, --text, --value or --approve; at a terminal, techne asks for it',
    );
  }
  return parseValue(
    structured.startsWith('@') ? await readText(structured.slice(1), io) : structured,
    'the answer',
  );
}

async function readText(from: string, io: CommandContext['io']): Promise<string> {
  return new TextDecoder().decode(await readBytes(from, io, maxAnswerBytes)).replace(/\r?\n$/, '');
}

/** `fields`: the values of --set, for a form that has these fields. `answered`: questions that are no longer open. */
function chooseQuestion(
  run: string,
  open: readonly OpenQuestionOf[],
  given: string | null,
  fields: Json,
  answered: readonly OpenQuestionOf[],
): OpenQuestionOf {
  const named = given === null ? open : open.filter((question) => isCalled(question, given));
  const fitting =
    named.length > 1 && fields !== null ? named.filter(({ question }) => hasFields(question, fields)) : named;
  const [first] = fitting;
  if (first !== undefined && fitting.length === 1) return first;
  const before = given === null ? undefined : answered.find((question) => isCalled(question, given));
  if (named.length === 0 && before !== undefined)
    throw new TechneError(
      'QUESTION_UNKNOWN',
      `question "${printableLine(given ?? '')}" of run ${run} is already answered`,
      {
        hint: `techne runs show ${run} has the answer; techne runs fork ${run} --from '${printableLine(before.key.replace(/\/.*/, ''))}' starts again before it`,
      },
    );
  if (open.length === 0)
    throw new TechneError('QUESTION_UNKNOWN', `run ${run} does not wait for an answer`, {
      hint: `techne runs show ${run}`,
    });
  const ids = open
    .map(
      ({ id, key, audience, question }) =>
        `${isForm(question) ? `${stepOf(question) ?? nameKey(key)} (${id}` : `${id} (call ${nameKey(key)}`}, for the ${audience})`,
    )
    .join(', ');
  if (named.length === 0)
    throw new TechneError(
      'QUESTION_UNKNOWN',
      `run ${run} has no open question "${printableLine(given ?? '')}"`,
      { hint: `open questions: ${ids}` },
    );
  throw usage(`run ${run} waits for ${named.length} answers: --question is missing`, `one of ${ids}`);
}

/** By its id, the beginning or end of it, or the step that asks, as the form or the progress of the run names it. */
function isCalled({ id, key, question }: OpenQuestionOf, given: string): boolean {
  return (
    id.toUpperCase().startsWith(given.toUpperCase()) ||
    id.toUpperCase().endsWith(given.toUpperCase()) ||
    stepOf(question) === given ||
    nameKey(key) === given
  );
}

function stepOf(question: Json): string | null {
  return isJsonObject(question) && typeof question['step'] === 'string' ? question['step'] : null;
}

async function answeredIn({ runner }: RunArchive, run: string): Promise<readonly OpenQuestionOf[]> {
  return (await runner.inspect(run)).questions.filter(({ answer }) => answer !== null);
}

const allowInstead =
  'run it in a terminal, or allow the command under "commands.allow" in ~/.techne/config.json';

async function deliver(
  { runner }: RunArchive,
  question: OpenQuestionOf,
  value: Json,
  from: Audience,
): Promise<Delivery> {
  try {
    return await runner.answer(question.run, { question: question.id, nonce: question.nonce, value, from });
  } catch (error) {
    throw withHint(error, question, from);
  }
}

/** A typed answer may not fit, or come too late; neither is a wrong command line. */
async function deliverTyped(
  { err }: CommandContext,
  archive: RunArchive,
  question: OpenQuestionOf,
  value: Json,
  from: Audience,
): Promise<Delivery | 'settled' | 'again'> {
  try {
    return await deliver(archive, question, value, from);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    const isLate = error.code === 'QUESTION_UNKNOWN' || error.code === 'QUESTION_EXPIRED';
    if (!isLate && error.code !== 'ANSWER_REFUSED') throw error;
    err.line(
      isLate ? `Too late: ${printableLine(error.message)}.` : `Not accepted: ${printableLine(error.message)}`,
    );
    return isLate ? 'settled' : 'again';
  }
}

function withHint(error: unknown, { audience }: OpenQuestionOf, from: Audience): unknown {
  if (
    !(error instanceof TechneError) ||
    error.code !== 'ANSWER_REFUSED' ||
    audience === from ||
    audience === 'caller'
  )
    return error;
  const hint =
    audience === 'operator'
      ? allowInstead
      : 'a person answers it at a terminal; --as person is for programs that answer on behalf of a person';
  return new TechneError(error.code, error.message, { hint, cause: error });
}

function usage(message: string, hint: string): TechneError {
  return new TechneError('USAGE', message, { hint });
}

type OpenQuestionOf = Pick<PendingQuestion, 'run' | 'id' | 'nonce' | 'key' | 'audience' | 'question'>;

/** The open questions of a run and of its nested runs. */
async function openQuestionsOf(archive: RunArchive, run: string): Promise<readonly OpenQuestionOf[]> {
  const view = await archive.runner.inspect(run);
  const own = questionsOf(view);
  // Only nested agents start nested runs.
  if (!view.effects.some(({ kind, children }) => isAsk(kind) && children.length > 0)) return own;
  const found = [...own];
  for (const name of await archive.index.nested(run))
    found.push(...questionsOf(await archive.runner.inspect(name)));
  return found;
}

function questionsOf({ run, questions, endedAt }: RunView): readonly OpenQuestionOf[] {
  return endedAt === null
    ? questions.filter(({ answer }) => answer === null).map((question) => ({ ...question, run }))
    : [];
}

/** `--set FIELD=VALUE`, as the values of a form. The values are texts; the engine converts them to the types of the fields. */
function readFields(given: readonly string[]): Json {
  const fields = emptyObject();
  for (const one of given) {
    const at = one.indexOf('=');
    const name = one.slice(0, Math.max(0, at)).trim();
    if (name === '')
      throw new TechneError('USAGE', `--set "${printableLine(one)}" is not FIELD=VALUE`, {
        hint: 'write --set topic=tides',
      });
    if (Object.hasOwn(fields, name))
      throw new TechneError('USAGE', `--set ${printableLine(name)} is given twice`, { hint: 'give it once' });
    fields[name] = one.slice(at + 1);
  }
  return fields;
}

/** Checks the field names before the question is answered. Throws USAGE. */
function mustBeFields(question: Json, given: Json): void {
  if (!isForm(question) || !isJsonObject(given)) return;
  const names = formOf(question).fields.map(({ name }) => name);
  const strange = Object.keys(given).find((name) => !names.includes(name));
  if (strange === undefined) return;
  const meant = nearest(strange, names);
  throw new TechneError('USAGE', `the form has no field "${printableLine(strange)}"`, {
    hint: meant === null ? `it has ${names.join(', ')}` : `did you mean "${meant}"?`,
  });
}

/** Whether the form has every given field. */
function hasFields(question: Json, given: Json): boolean {
  if (!isForm(question) || !isJsonObject(given)) return false;
  const names = formOf(question).fields.map(({ name }) => name);
  return Object.keys(given).every((name) => names.includes(name));
}

/** Checks the values before anything else, such as who may answer. Throws ANSWER_REFUSED. */
function mustFit(question: Json, given: Json): void {
  if (!isForm(question) || !isJsonObject(given)) return;
  const faults = formOf(question).fields.flatMap((field) => {
    const result = Object.hasOwn(given, field.name) ? readField(field, given[field.name] as Json) : undefined;
    return result?.ok === false ? [result.fault] : [];
  });
  if (faults.length > 0) throw new TechneError('ANSWER_REFUSED', faults.join('; '));
}
