// A paused run -> what it waits for, and what would let it continue in an evaluation.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printableLine } from '../../base/printable.ts';
import type { RunResult } from '../../run/result/result.ts';
import { argvText } from '../run/describe-effect.ts';
import { isForm, openForm } from '../run/render-form.ts';
import { isApproval } from '../run/render-question.ts';

const longest = 120;

/** One line. */
export function waitingText({ questions, undecided }: Pick<RunResult, 'questions' | 'undecided'>): string {
  const waits = [
    ...new Set([
      ...questions.map(({ question, audience }) => waitOf(question, audience)),
      ...undecided.map(({ kind }) => `a decision about a ${kind} whose outcome is not known`),
    ]),
  ];
  return `the run waits for ${waits.length === 0 ? 'an answer that an evaluation does not give' : waits.join('; and for ')}`;
}

function waitOf(question: Json, audience: string): string {
  if (!isJsonObject(question)) return `an answer of the ${audience}`;
  if (isApproval(question)) return approvalOf(question);
  if (isForm(question)) return formOf(question);
  const { purpose } = question;
  return `an answer of the ${audience}${typeof purpose === 'string' ? ` (${shown(purpose)})` : ''}, who is not asked in an evaluation`;
}

function approvalOf({ kind, tool, argv }: JsonObject): string {
  if (kind === 'tool')
    return `the approval of the tool ${shown(typeof tool === 'string' ? tool : '')}, which an evaluation does not give`;
  return `the approval of the command ${shown(Array.isArray(argv) ? argvText(argv as readonly Json[]) : '')}; allow it under commands.allow in the configuration`;
}

function formOf(question: JsonObject): string {
  const { step } = question;
  const names = openForm(question).fields.map(({ name }) => name);
  return `the form ${shown(typeof step === 'string' ? step : '')}${names.length === 0 ? '' : ` (${shown(names.join(', '))})`}, which an evaluation does not fill in; a script can, under "inputs"`;
}

function shown(text: string): string {
  const line = printableLine(text.replace(/\s+/g, ' ').trim());
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
