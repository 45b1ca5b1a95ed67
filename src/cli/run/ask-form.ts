// A form of a run, asked field by field of the person at this terminal.
//
// F1. Enter takes what is shown in brackets, or leaves out what is not needed; what is needed is asked until it is there.
//     A suggested choice or yes is told with the form and not in brackets: it has to be typed (clarify.ts, C3).
// F2. What does not fit is asked again with the reason, right away.
// F3. A word that cancels the run does so at any field. Ctrl-D leaves the whole form for later; nothing is sent by halves.
import type { Abort } from '../../base/abort.ts';
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { FormField } from '../../run/clarify/form.ts';
import { isPrefilled, prefillOf, readField } from '../../run/clarify/form.ts';
import type { CommandContext } from '../context.ts';
import { openForm, renderForm, saysMore, shown } from './render-form.ts';
import { readTyped } from './typed-answer.ts';

/** The values by field, a word that cancels, or null for later. */
export async function askForm(
  context: CommandContext,
  question: JsonObject,
  cancelWords: readonly string[],
  signal: Abort,
): Promise<Json> {
  const { fields } = openForm(question);
  const values = emptyObject();
  let head: readonly string[] = [
    '',
    ...renderForm(question),
    '',
    `Enter: what stands in [brackets], or nothing. Ctrl-D: later.${cancelWords.length === 0 ? '' : ` ${cancelWords.map(printableLine).join(' or ')}: cancel the run.`}`,
  ];
  for (const field of fields) {
    for (;;) {
      const lines = head;
      head = [];
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
        context.err.line(`${printableLine(field.name)} is needed`);
      else break;
    }
  }
  return values;
}

function promptOf(field: FormField): string {
  const { name, type, choices, required, prompt } = field;
  const what = type === 'enum' ? ` (${(choices ?? []).join('/')})` : type === 'bool' ? ' (yes/no)' : '';
  const standing = shown(prefillOf(field) ?? '');
  const label = !saysMore(field) || prompt.length > 60 ? name : `${name}: ${prompt}`;
  return `${printableLine(`${label}${what}${standing === '' ? (required ? '' : ' (can be left out)') : ` [${standing}]`}`)} > `;
}
