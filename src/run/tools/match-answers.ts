// The answers of a caller and the questions of a run -> what is to be delivered, and what was given before.
//
// A caller may repeat a call when it missed the result, so a repeated answer must reach no other question. An answer that
// names its question is for that one. One that names none is for the only open question, unless the caller has given the
// same answer in this run before: then it counts as a repetition and is not given again. The nonce proves that the caller
// was asked; it can be left out only in the session that was asked, and only of a single open question. Everything is
// checked before anything is answered.
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { QuestionView, RunView } from '../history/inspect.ts';
import { isSameAnswer } from '../question/question.ts';
import type { AnswerArguments } from './run-tools.ts';
import { notForCaller, questionOf } from './run-tools.ts';

interface AnswerRules {
  /** Whether the caller may answer it at all. */
  readonly isOwn: (asked: QuestionView) => boolean;
  /** Whether it was asked in the session of the caller. */
  readonly wasAskedHere: (asked: QuestionView) => boolean;
}

interface MatchedAnswers {
  readonly open: readonly { readonly asked: QuestionView; readonly answer: Json }[];
  /** The question that an answer without one was given to before; `null` for none. */
  readonly repeated: string | null;
  /** Whether a nonce was given: the caller is the one that the run asks. */
  readonly isProven: boolean;
}

/** Throws QUESTION_UNKNOWN and ANSWER_REFUSED. `questions`: those of `knownQuestions`. */
export function matchAnswers(
  { run, answers }: AnswerArguments,
  questions: readonly QuestionView[],
  { isOwn, wasAskedHere }: AnswerRules,
): MatchedAnswers {
  const open = questions.filter((asked) => asked.answer === null && isOwn(asked));
  const matched: { readonly asked: QuestionView; readonly answer: Json }[] = [];
  let repeated: string | null = null;
  for (const { question: id, nonce, answer } of answers) {
    const before = id === null ? questions.findLast((asked) => isRepetition(asked, answer)) : undefined;
    if (before !== undefined) {
      repeated = before.id;
      continue;
    }
    const asked = id === null ? onlyOpen(run, open) : questionOf({ run, questions }, id);
    if (!isOwn(asked)) throw notForCaller(run, asked);
    if (nonce !== null && nonce !== asked.nonce)
      throw new TechneError('ANSWER_REFUSED', `the nonce is not that of question ${asked.id}`);
    if (asked.answer === null) {
      if (nonce === null && open.length > 1) throw severalOpen(run, open.length);
      if (nonce === null && !wasAskedHere(asked)) throw askedElsewhere(run, asked);
      matched.push({ asked, answer });
    } else if (!isSameAnswer(asked.question, asked.answer.value, answer))
      throw new TechneError(
        'QUESTION_UNKNOWN',
        `question ${asked.id} of run ${run} is already answered, with something else`,
        { hint: `call run_status with {"run": "${run}"}` },
      );
  }
  return { open: matched, repeated, isProven: answers.some(({ nonce }) => nonce !== null) };
}

/** The questions of a run, with those that its nested runs have got an answer to, where an answer may have been for one of them. */
export async function knownQuestions(
  view: RunView,
  { answers }: AnswerArguments,
  inspect: (run: string) => Promise<RunView>,
): Promise<readonly QuestionView[]> {
  const { questions } = view;
  if (answers.every(({ question }) => questions.some(({ id }) => id === question))) return questions;
  const inside: QuestionView[] = [];
  const ahead = view.nested.map(({ run }) => run);
  for (let run = ahead.shift(); run !== undefined; run = ahead.shift()) {
    const nested = await inspect(run).catch((error: unknown) => {
      // Begun, and not yet written; or removed.
      if (error instanceof TechneError && error.code === 'RUN_UNKNOWN') return null;
      throw error;
    });
    if (nested === null) continue;
    inside.push(...nested.questions.filter(({ answer, run: of }) => answer !== null && of === run));
    ahead.push(...nested.nested.map((each) => each.run));
  }
  return [...inside, ...questions];
}

/** For a caller that sees a question of another. */
export function askedElsewhereNote(run: string, question: string): string {
  return `Question ${question} is for the client that was asked, not for you. If that was you, before a restart, call run_answer with {"run": "${run}", "question": "${question}", "nonce": …, "answer": …}, with the nonce that came with it. A person can answer at a terminal: techne answer ${run}.`;
}

/** For a caller whose answer was given to none of the open questions. */
export function repetitionNote(question: string): string {
  return `The answer to question ${question} was given before, so it was not given again. To give the same answer to a question that is open now, name that question.`;
}

function isRepetition({ question, answer }: QuestionView, given: Json): boolean {
  return (
    answer !== null &&
    (answer.by === 'caller' || answer.by === 'caller for the person') &&
    isSameAnswer(question, answer.value, given)
  );
}

function onlyOpen(run: string, open: readonly QuestionView[]): QuestionView {
  const [first] = open;
  if (first === undefined)
    throw new TechneError('QUESTION_UNKNOWN', `run ${run} has no open question that the caller can answer`, {
      hint: `call run_status with {"run": "${run}"}`,
    });
  if (open.length > 1) throw severalOpen(run, open.length);
  return first;
}

function severalOpen(run: string, count: number): TechneError {
  return new TechneError(
    'ANSWER_REFUSED',
    `${count} questions of run ${run} are open, so an answer needs the id and the nonce of its question`,
    {
      hint: `all in one call: {"run": "${run}", "answers": [{"question": …, "nonce": …, "answer": …}, …]}`,
    },
  );
}

function askedElsewhere(run: string, { id }: QuestionView): TechneError {
  return new TechneError(
    'ANSWER_REFUSED',
    `question ${id} of run ${run} was not asked in this session, so its answer needs the nonce that came with it`,
    {
      hint: `take question and nonce from the result that asked it; without them a person answers at a terminal: techne answer ${run}`,
    },
  );
}
