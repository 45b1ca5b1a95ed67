// May this be done? Asked of the person at the terminal, with all that would be done.
//
// A1. A file that is written is shown as it would be; an edit as what goes and what comes. What is long is cut in the
//     middle, and says so. That all places of a text are changed is said, with their number.
import { resolve } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { Approval } from '../../ports/command-host.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { CommandContext } from '../context.ts';
import { counted } from '../../base/render-table.ts';
import { askApprovalWord } from '../run/ask-here.ts';
import { renderApproval } from '../run/render-approval.ts';
import { countPlaces } from './count-places.ts';

const line = '(o)nce, (a)lways, (d)eny, (n)ever; Enter: no: ';
const maxUnits = 6000;
const maxLines = 60;

export function askChatApproval(
  context: CommandContext,
  question: JsonObject,
  workspace: string,
  signal: Abort,
): Promise<Approval | null> {
  return askApprovalWord(
    context,
    () => context.err.write(`\n${renderChatApproval(question, workspace).join('\n')}\n`),
    line,
    signal,
  );
}

export function renderChatApproval(question: JsonObject, workspace: string): readonly string[] {
  const { tool, args, reason } = question;
  if (!isJsonObject(args) || typeof args['path'] !== 'string') return renderApproval(question);
  const { path, content, old_text: before, new_text: after, replace_all: all } = args;
  const why = typeof reason === 'string' ? [`why it is asked: ${printableLine(reason)}`] : [];
  if (tool === 'write_file' && typeof content === 'string')
    return ['A file is to be written:', '', `  ${printableLine(path)}`, ...block(content, '+'), '', ...why];
  if (tool === 'edit_file' && typeof before === 'string' && typeof after === 'string')
    return [
      `A file is to be changed${all === true ? everyPlace(countPlaces(resolve(workspace, path), before)) : ''}:`,
      '',
      `  ${printableLine(path)}`,
      ...block(before, '-'),
      ...block(after, '+'),
      '',
      ...why,
    ];
  return renderApproval(question);
}

function everyPlace(places: number | null): string {
  return `, in every place where the text stands${places === null ? '' : ` (${counted(places, 'place')})`}`;
}

function block(text: string, sign: string): readonly string[] {
  const lines = cutMiddle(text.replace(/\n$/, ''), maxUnits).text.split('\n');
  const half = maxLines / 2;
  const shown =
    lines.length <= maxLines
      ? lines
      : [...lines.slice(0, half), `[… ${lines.length - maxLines} lines left out …]`, ...lines.slice(-half)];
  return shown.map((each) => `  ${sign} ${printable(each)}`);
}
