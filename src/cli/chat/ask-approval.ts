// May this be done? Asked of the person at the terminal, with all that would be done.
//
// A1. A file that is written is shown as it would be; an edit as what goes and what comes. What is long is cut in the
//     middle, and says so.
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printable, printableLine } from '../../base/printable.ts';
import type { Approval } from '../../host/ports/command-host.ts';
import { cutMiddle } from '../../run/result/cut-text.ts';
import type { CommandContext } from '../context.ts';
import { askApprovalWord } from '../run/ask-here.ts';
import { renderApproval } from '../run/render-approval.ts';

const line = '(o)nce, (a)lways, (d)eny, (n)ever; Enter: no: ';
const maxUnits = 6000;
const maxLines = 60;

export function askChatApproval(context: CommandContext, question: JsonObject, signal: Abort): Promise<Approval | null> {
  return askApprovalWord(context, () => context.err.write(`\n${renderChatApproval(question).join('\n')}\n`), line, signal);
}

export function renderChatApproval(question: JsonObject): readonly string[] {
  const { tool, args, reason } = question;
  if (!isJsonObject(args) || typeof args['path'] !== 'string') return renderApproval(question);
  const { path, content, old_text: before, new_text: after } = args;
  const why = typeof reason === 'string' ? [`why it is asked: ${printableLine(reason)}`] : [];
  if (tool === 'write_file' && typeof content === 'string') return ['A file is to be written:', '', `  ${printableLine(path)}`, ...block(content, '+'), '', ...why];
  if (tool === 'edit_file' && typeof before === 'string' && typeof after === 'string') return ['A file is to be changed:', '', `  ${printableLine(path)}`, ...block(before, '-'), ...block(after, '+'), '', ...why];
  return renderApproval(question);
}

function block(text: string, sign: string): readonly string[] {
  const lines = cutMiddle(text.replace(/\n$/, ''), maxUnits).text.split('\n');
  const half = maxLines / 2;
  const shown = lines.length <= maxLines ? lines : [...lines.slice(0, half), `[… ${lines.length - maxLines} lines left out …]`, ...lines.slice(-half)];
  return shown.map((each) => `  ${sign} ${printable(each)}`);
}
