// A form of a run, asked field by field of the person at this terminal.
//
// Enter accepts the default in brackets or skips an optional field; a required field is asked until it has a value. A suggested
// choice or yes is not a default: it has to be typed. An invalid value is asked again immediately, with the reason. A cancel
// word cancels the run at any field; Ctrl-D leaves the whole form for later, and no partial form is sent.
import type { Abort } from '../../base/abort.ts';
import { emptyObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { FormField } from '../../run/clarify/form.ts';
import { isPrefilled, prefillOf, readField } from '../../run/clarify/form.ts';
import type { CommandContext } from '../context.ts';
import { openForm, renderForm, saysMore, shown } from './render-form.ts';
import { readTyped } from './typed-answer.ts';

/** The values by field, a cancel word, or null for later. */
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
    `Enter accepts the default in [brackets], or skips the field. Ctrl-D: answer later.${cancelWords.length === 0 ? '' : ` ${cancelWords.map(printableLine).join(' or ')}: cancel the run.`}`,
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
        context.err.line(`${printableLine(field.name)} is required`);
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
  return `${printableLine(`${label}${what}${standing === '' ? (required ? '' : ' (optional)') : ` [${standing}]`}`)} > `;
}
