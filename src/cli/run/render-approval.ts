// The text of an approval: the skill, the exact command or tool call, its input, and the reason.
//
// Everything that the command or tool gets is shown. Long text is cut in the middle, with a note, because an attacker would hide
// an instruction at the end. Nothing in it can move the cursor or hide a line.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import { argvText } from './describe-effect.ts';

/** Lines without an indent. */
export function renderApproval(question: JsonObject): readonly string[] {
  const { kind, skill, argv, cwd, stdin, env, pass_env: pass, files, tool, args, reason } = question;
  const isTool = kind === 'tool';
  return [
    `A ${isTool ? 'tool' : 'command'} needs an approval:`,
    '',
    isTool
      ? `  ${printableLine(textOf(tool))} ${printableLine(renderJson(args ?? {}))}`
      : `  ${printableLine(Array.isArray(argv) ? argvText(argv as readonly Json[]) : renderJson(argv ?? null))}`,
    '',
    ...(typeof skill === 'string' ? [`of the skill ${printableLine(skill)}`] : []),
    ...(typeof cwd === 'string' ? [`in ${printableLine(cwd)}`] : []),
    ...(typeof stdin === 'string' && stdin !== ''
      ? block(`with ${stdin.length} characters on its standard input:`, stdin)
      : []),
    ...(isJsonObject(env)
      ? Object.entries(env).flatMap(([name, value]) =>
          block(`with the variable ${printableLine(name)}:`, textOf(value)),
        )
      : []),
    ...(Array.isArray(pass) && pass.length > 0
      ? [`with your variables ${printableLine(pass.join(', '))}`]
      : []),
    ...(Array.isArray(files)
      ? (files as readonly Json[]).flatMap((file) =>
          isJsonObject(file)
            ? block(`after writing the file ${printableLine(textOf(file['path']))}:`, textOf(file['content']))
            : [],
        )
      : []),
    ...(typeof reason === 'string' ? [`reason: ${printableLine(reason)}`] : []),
  ];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : renderJson(value ?? null);
}

function block(title: string, text: string): readonly string[] {
  return [title, ...shownLines(text, '|', { maxUnits: 4000, maxLines: 40 })];
}

/** The lines of a text behind a sign; of a long one the middle is left out, with a note. */
export function shownLines(
  text: string,
  sign: string,
  { maxUnits, maxLines }: { readonly maxUnits: number; readonly maxLines: number },
): readonly string[] {
  const lines = cutMiddle(text.replace(/\n$/, ''), maxUnits).text.split('\n');
  const half = maxLines / 2;
  const shown =
    lines.length <= maxLines
      ? lines
      : [...lines.slice(0, half), `[… ${lines.length - maxLines} lines omitted …]`, ...lines.slice(-half)];
  return shown.map((line) => `  ${sign} ${printable(line)}`);
}
