// Whether the input at the prompt needs another line: inside a bracket or a """string""", after a backslash at the end of a line,
// and in a block (def, if, for), which ends with an empty line.

const block = /^(?:def|if|for)\b/;

/** `lines` as typed so far, at least one. */
export function needsMore(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  if (isOpen(text)) return true;
  return block.test(text) && lines.at(-1)?.trim() !== '';
}

/** An unclosed one-line string is an error, not a reason for another line. */
function isOpen(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at] as string;
    if (unit === '#') {
      const end = text.indexOf('\n', at);
      if (end === -1) return depth > 0;
      at = end;
    } else if (unit === '"' || unit === "'") {
      const end = endOfString(text, at);
      if (end === -1) return true;
      at = end;
    } else if ('([{'.includes(unit)) depth += 1;
    else if (')]}'.includes(unit)) depth = Math.max(0, depth - 1);
    else if (unit === '\\' && at === text.length - 1) return true;
  }
  return depth > 0;
}

/** The offset of the last unit of the string that starts at `start`; -1 if it is not closed. */
function endOfString(text: string, start: number): number {
  const quote = text[start] as string;
  const long = text.startsWith(quote.repeat(3), start);
  const close = long ? quote.repeat(3) : quote;
  for (let at = start + close.length; at < text.length; at += 1) {
    if (text.startsWith(close, at)) return at + close.length - 1;
    // A backslash escapes the next quote in raw strings too.
    if (text[at] === '\\') {
      at += 1;
      if (at >= text.length) return -1;
    } else if (text[at] === '\n' && !long) return at - 1;
  }
  return long ? -1 : text.length - 1;
}
