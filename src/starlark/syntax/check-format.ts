// Formats of other languages that are bound to fail when they run.
import type { Expression, StringLiteral } from './ast.ts';
import type { Cursor } from './cursor.ts';

//   "%" "(" name ")" flags width "." precision letter
// The repeats are bounded, so that the time is linear however the text continues.
const conversion = /%(?:%|(?:\([^()]{0,100}\))?([-+ #0]{0,5}[0-9*]{0,9}(?:\.[0-9*]{0,9})?)([a-zA-Z]))/g;
const field = /\{\{|\}\}|\{[^{}:]*(:)[^{}]*\}/g;

/** `format` is on the left of `%`. */
export function checkFormat(c: Cursor, format: StringLiteral): void {
  for (const [written, extra, letter] of format.value.matchAll(conversion)) {
    if (extra === undefined || extra === '') continue;
    c.fault(
      'STAR_FORMAT',
      format.start,
      format.end,
      `${written} has a width, precision or flag, which % does not take`,
      extra.includes(' ')
        ? 'write %% for a percent sign'
        : `write %${letter}, and pad or round the value yourself`,
    );
    return;
  }
}

/** `"…{:5}…".format(x)` */
export function checkFormatCall(c: Cursor, call: Expression): void {
  if (
    call.kind !== 'call' ||
    call.callee.kind !== 'dot' ||
    call.callee.name !== 'format' ||
    call.callee.object.kind !== 'string'
  )
    return;
  const format = call.callee.object;
  for (const [written, colon] of format.value.matchAll(field)) {
    if (colon === undefined) continue;
    c.fault(
      'STAR_FORMAT',
      format.start,
      format.end,
      `${written.slice(0, 40)} has a format after the colon, which format does not take`,
      'write {}, and pad or round the value yourself',
    );
    return;
  }
}
