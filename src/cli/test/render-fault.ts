// The fault of a test -> text.
//
// Texts of several lines are shown as a diff, `-` expected and `+` got; other values as two rows.
import type { Json } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import { placeOf } from '../../base/span.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import type { TestFault } from '../../measure/testing/skill-test.ts';
import type { Paint } from '../io.ts';

const maxShown = 600;
/** Common lines around a difference. */
const around = 2;
const maxLines = 40;

/** Lines without their indent. `text` is the test file. */
export function renderFault(fault: TestFault, text: string, paint: Paint): readonly string[] {
  const { line, column } = placeOf(text, fault.span.start);
  const head = `${printableLine(fault.message)} ${paint.dim(`(line ${line}:${column})`)}`;
  const { expected, got } = fault;
  if (expected === null && got === null) return [head];
  if (
    typeof expected === 'string' &&
    typeof got === 'string' &&
    !fault.message.includes('contain') &&
    (expected + got).includes('\n')
  )
    return [head, ...renderDiff(expected, got, paint)];
  const rows = [head];
  // Values that look the same differ in type: "1" and 1.
  const quoted = expected !== null && got !== null && shownText(expected) === shownText(got);
  if (expected !== null) rows.push(...labelled('expected', expected, quoted, (part) => paint.green(part)));
  rows.push(
    ...(got === null
      ? expected === null || /^(?:answers|commands) \d/.test(fault.what)
        ? []
        : [`  got       ${paint.red('nothing')}`]
      : labelled('got', got, quoted, (part) => paint.red(part))),
  );
  return rows;
}

function shownText(value: Json): string {
  return typeof value === 'string' ? printable(value) : renderJson(value);
}

function labelled(
  label: string,
  value: Json,
  quoted: boolean,
  colour: (text: string) => string,
): readonly string[] {
  const whole = quoted ? printable(renderJson(value)) : shownText(value);
  const shown = whole.length > maxShown ? `${whole.slice(0, maxShown)} …` : whole;
  return shown
    .split('\n')
    .map((line, at) =>
      `  ${(at === 0 ? label : '').padEnd(8)}  ${colour(line === '' ? ' ' : line)}`.trimEnd(),
    );
}

function renderDiff(expected: string, got: string, paint: Paint): readonly string[] {
  const lines = diffLines(expected, got);
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [`  ${paint.green('- expected')}  ${paint.red('+ got')}`];
  let left = false;
  for (const [at, { sign, text }] of lines.entries()) {
    if (!isNear(at)) {
      left = true;
      continue;
    }
    if (left) shown.push('    …');
    left = false;
    const line = `  ${sign} ${printable(text)}`.trimEnd();
    shown.push(sign === '-' ? paint.green(line) : sign === '+' ? paint.red(line) : line);
    if (shown.length > maxLines) return [...shown, '    …'];
  }
  return left ? [...shown, '    …'] : shown;
}
