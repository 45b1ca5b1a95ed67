// Asks the person at this terminal the questions of a run.
//
// An approval is one of four words, typed after the question was shown; anything else asks again. Enter, typing ahead and pasting
// approve nothing. Enter at an approval, or Ctrl-D without input, leaves the question open, and the run stays paused. A cancel
// word is accepted by every question.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { approvals } from '../../ports/command-host.ts';
import type { Approval } from '../../ports/command-host.ts';
import type { CommandContext } from '../context.ts';
import type { AskedQuestion } from './render-question.ts';
import { cancelWordsOf, choicesOf, isApproval, renderQuestion, schemaOf } from './render-question.ts';
import { askForm } from './ask-form.ts';
import { parseValue } from './read-input.ts';
import { isForm } from './render-form.ts';
import { readTyped } from './typed-answer.ts';

/** The answer to a question; null leaves it open. */
export async function askHere(
  context: CommandContext,
  asked: Pick<AskedQuestion, 'question' | 'audience'>,
  signal: Abort,
): Promise<Json> {
  if (isApproval(asked.question)) return askApproval(context, asked, signal);
  if (isForm(asked.question)) return askForm(context, asked.question, cancelWordsOf(asked.question), signal);
  for (;;) {
    const typed = await askText(context, asked, signal);
    if (
      typed === null ||
      schemaOf(asked.question) === null ||
      cancelWordsOf(asked.question).includes(typed.trim().toLowerCase())
    )
      return typed;
    try {
      return parseValue(typed, 'the answer');
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      context.err.line(printableLine(error.message));
    }
  }
}

async function askText(
  context: CommandContext,
  asked: Pick<AskedQuestion, 'question' | 'audience'>,
  signal: Abort,
): Promise<string | null> {
  const until = choicesOf(asked.question) === null ? 'text' : 'line';
  const alone = cancelWordsOf(asked.question);
  const cancel = alone.length === 0 ? '' : `; ${alone.join(' or ')}: cancel the run`;
  const prompt = until === 'line' ? `Answer (Ctrl-D: answer later${cancel}): ` : '';
  const show = (): void => {
    write(context, asked);
    if (until === 'text')
      context.err.line(
        `Answer (end with a line of a single "." or with Ctrl-D; Ctrl-D first: answer later${cancel}):`,
      );
  };
  return (await readTyped(context, { until, alone, prompt, show }, signal))?.text ?? null;
}

const letters = new Map<string, Approval>([
  ['o', 'once'],
  ['a', 'always'],
  ['d', 'deny'],
  ['n', 'never'],
]);

async function askApproval(
  context: CommandContext,
  asked: Pick<AskedQuestion, 'question' | 'audience'>,
  signal: Abort,
): Promise<Approval | null> {
  return askApprovalWord(context, () => write(context, asked), approvalLine, signal);
}

/** `show` writes the question; `line` lists the accepted words. */
export async function askApprovalWord(
  context: CommandContext,
  show: () => void,
  line: string,
  signal: Abort,
): Promise<Approval | null> {
  let again: string | null = null;
  for (;;) {
    const showNow = (): void => (again === null ? show() : context.err.line(again));
    const typed = await readTyped(context, { until: 'line', prompt: line, show: showNow }, signal);
    const word = typed?.text.trim().toLowerCase() ?? '';
    if (typed === null || (word === '' && !typed.pasted)) return null;
    const found = letters.get(word) ?? approvals.find((approval) => approval === word);
    if (found !== undefined && !typed.pasted) return found;
    again = typed.pasted
      ? 'Pasted text and several lines are not accepted. Please type the answer.'
      : 'Please type one of them.';
  }
}

const approvalLine = '(o)nce, (a)lways, (d)eny, (n)ever, or Enter to decide later: ';

function write({ err }: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>): void {
  err.write(`\n${renderQuestion(asked).join('\n')}\n`);
}
