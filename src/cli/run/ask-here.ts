// Asks the person at this terminal the questions of a run.
//
// An approval is one of four words, typed after the question was shown; anything else asks again. Enter, typing ahead and pasting
// approve nothing. Enter at an approval, or Ctrl-D without input, leaves the question open, and the run stays paused. A cancel
// word is accepted by every question.
//
// A form is asked field by field. Enter accepts the default in brackets or skips an optional field; a required field is asked until
// it has a value. A suggested choice or yes is not a default: it has to be typed. An invalid value is asked again immediately, with
// the reason. Ctrl-D leaves the whole form for later, and no partial form is sent.
import type { Abort } from '../../base/abort.ts';
import { TechneError } from '../../base/error.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import { approvals } from '../../ports/command-host.ts';
import type { Approval } from '../../ports/command-host.ts';
import type { CommandContext } from '../context.ts';
import type { AskedQuestion } from './render-question.ts';
import { cancelWordsOf, choicesOf, isApproval, renderQuestion, schemaOf } from './render-question.ts';
import { parseValue } from '../../techne/run-input.ts';
import { isForm, openForm, renderForm, saysMore, shownValue } from './render-form.ts';
import { readTyped } from './typed-answer.ts';
import { emptyObject } from '../../base/json.ts';
import type { FormField } from '../../run/clarify/form.ts';
import { isPrefilled, prefillOf, readField } from '../../run/clarify/form.ts';

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
        `Type your answer, then a line with only "." (Ctrl-D before any text: answer later${cancel}):`,
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

const approvalLine = 'Allow it? (o)nce, (a)lways, (d)eny, (n)ever; Enter: decide later: ';

function write({ err }: CommandContext, asked: Pick<AskedQuestion, 'question' | 'audience'>): void {
  err.write(`\n${renderQuestion(asked).join('\n')}\n`);
}

/** Asks a form field by field. Returns the values by field, a cancel word, or null for later. */
async function askForm(
  context: CommandContext,
  question: JsonObject,
  cancelWords: readonly string[],
  signal: Abort,
): Promise<Json> {
  const head = [
    '',
    ...renderForm(question),
    '',
    `Enter accepts the default in [brackets], or skips the field. Ctrl-D: answer later.${cancelWords.length === 0 ? '' : ` ${cancelWords.map(printableLine).join(' or ')}: cancel the run.`}`,
  ];
  return askFields(context, openForm(question).fields, { head, cancelWords, signal });
}

/** The values by field, a cancel word, or null for Ctrl-D. */
export async function askFields(
  context: CommandContext,
  fields: readonly FormField[],
  {
    head,
    cancelWords,
    signal,
  }: { readonly head: readonly string[]; readonly cancelWords: readonly string[]; readonly signal: Abort },
): Promise<JsonObject | string | null> {
  const values = emptyObject();
  let above = head;
  for (const field of fields) {
    for (;;) {
      const lines = above;
      above = [];
      const typed = await readTyped(
        context,
        {
          until: 'line',
          prompt: promptOf(field),
          show: () => lines.forEach((line) => context.err.line(line)),
        },
        signal,
      );
      if (typed === null) return null;
      const text = typed.text.trim();
      if (cancelWords.includes(text.toLowerCase())) return text;
      const read = readField(field, text === '' && isPrefilled(field) ? (prefillOf(field) ?? null) : text);
      if (read?.ok === true) values[field.name] = read.value;
      if (read?.ok === false) context.err.line(printableLine(read.fault));
      else if (read === undefined && field.required)
        context.err.line(`${printableLine(field.name)} is required`);
      else break;
    }
  }
  return values;
}

function promptOf(field: FormField): string {
  const { name, type, choices, required, prompt } = field;
  const what = type === 'enum' ? ` (${(choices ?? []).join('/')})` : type === 'bool' ? ' (yes/no)' : '';
  const standing = shownValue(prefillOf(field) ?? '');
  const label = !saysMore(field) || prompt.length > 60 ? name : `${name}: ${prompt}`;
  return `${printableLine(`${label}${what}${standing === '' ? (required ? '' : ' (optional)') : ` [${standing}]`}`)} > `;
}
