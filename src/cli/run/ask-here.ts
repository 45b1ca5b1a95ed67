// Questions of a run, asked of the person at this terminal.
//
// H1. An approval is one of four words; anything else asks again. Nothing is approved by pressing Enter.
// H2. Enter alone at an approval, or Ctrl-D, leaves the question open: the run stays paused.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { Terminal } from '../../host/answerers/open-answerers.ts';
import { AnswerLater } from '../../host/ports/answerer.ts';
import { approvals } from '../../host/ports/command-host.ts';
import type { Approval } from '../../host/ports/command-host.ts';
import type { CommandContext } from '../context.ts';
import type { Progress } from './progress.ts';
import type { AskedQuestion } from './render-question.ts';
import { choicesOf, isApproval, renderQuestion, schemaOf } from './render-question.ts';
import { parseValue } from './read-input.ts';
import { readTyped } from './typed-answer.ts';

/** Where the answerer `person` asks, while the run goes on. */
export function createTerminal(context: CommandContext, progress: Progress): Terminal {
  return {
    async ask({ prompt, purpose, choices, schema }, signal) {
      progress.hold();
      try {
        const question = { type: 'ask', prompt, ...(purpose === null ? {} : { purpose }), ...(choices === null ? {} : { choices }), ...(schema === null ? {} : { schema }) };
        const typed = await askText(context, { question, audience: 'person' }, signal);
        if (typed === null) throw new AnswerLater('person');
        return typed;
      } finally {
        progress.release();
      }
    },
  };
}

/** The answer to a question that a run waits for; null leaves it open. */
export async function askHere(context: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>, signal: Abort): Promise<Json> {
  if (isApproval(asked.question)) return askApproval(context, asked, signal);
  for (;;) {
    const typed = await askText(context, asked, signal);
    if (typed === null || schemaOf(asked.question) === null) return typed;
    try {
      return parseValue(typed, 'the answer');
    } catch (error) {
      if (!(error instanceof TechneError)) throw error;
      context.err.line(printableLine(error.message));
    }
  }
}

async function askText(context: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>, signal: Abort): Promise<string | null> {
  const until = choicesOf(asked.question) === null ? 'text' : 'line';
  const how = until === 'line' ? 'Ctrl-D: later' : 'end it with an empty line; Ctrl-D: later';
  return readTyped(context, { until, show: () => write(context, asked, `Answer (${how}): `) }, signal);
}

const letters: { readonly [letter: string]: Approval } = { o: 'once', a: 'always', d: 'deny', n: 'never' };

async function askApproval(context: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>, signal: Abort): Promise<Approval | null> {
  let isFirst = true;
  for (;;) {
    const show = (): void => (isFirst ? write(context, asked, approvalLine) : context.err.write(`Please type one of them. ${approvalLine}`));
    const typed = (await readTyped(context, { until: 'line', show }, signal))?.trim().toLowerCase() ?? '';
    if (typed === '') return null;
    const found = letters[typed] ?? approvals.find((approval) => approval === typed);
    if (found !== undefined) return found;
    isFirst = false;
  }
}

const approvalLine = '(o)nce, (a)lways, (d)eny, (n)ever, or Enter to decide later: ';

function write({ err }: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>, line: string): void {
  err.write(`\n${renderQuestion(asked).join('\n')}\n${line}`);
}
