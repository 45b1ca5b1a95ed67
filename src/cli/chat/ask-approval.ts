// Asks the person at the terminal to approve a tool call, and shows everything it would do.
//
// A new file is shown in full, an edit as removed and added text. Long text is cut in the middle, with a note. An edit of all
// occurrences says how many there are.
import { resolve } from 'node:path';
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { Approval } from '../../ports/command-host.ts';
import type { CommandContext } from '../context.ts';
import { counted } from '../../base/render-table.ts';
import { askApprovalWord } from '../run/ask-here.ts';
import { renderApproval, shownLines } from '../run/render-approval.ts';
import { readFileSync, statSync } from 'node:fs';

const line = '(o)nce, (a)lways, (d)eny, (n)ever; Enter: no: ';
const limits = { maxUnits: 6000, maxLines: 60 };

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
  const why = typeof reason === 'string' ? [`reason: ${printableLine(reason)}`] : [];
  if (tool === 'write_file' && typeof content === 'string')
    return [
      'The model wants to write a file:',
      '',
      `  ${printableLine(path)}`,
      ...shownLines(content, '+', limits),
      '',
      ...why,
    ];
  if (tool === 'edit_file' && typeof before === 'string' && typeof after === 'string')
    return [
      `The model wants to change a file${all === true ? everyPlace(countPlaces(resolve(workspace, path), before)) : ''}:`,
      '',
      `  ${printableLine(path)}`,
      ...shownLines(before, '-', limits),
      ...shownLines(after, '+', limits),
      '',
      ...why,
    ];
  return renderApproval(question);
}

function everyPlace(places: number | null): string {
  return `, everywhere the text occurs${places === null ? '' : ` (${counted(places, 'place')})`}`;
}

const maxBytes = 16 * 1024 * 1024;

/** How often the text occurs in the file; null if the file cannot be read. */
function countPlaces(path: string, text: string): number | null {
  if (text === '') return null;
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(path, 'utf8').split(text).length - 1 : null;
  } catch {
    return null; // the tool itself reports what is wrong with the file
  }
}
