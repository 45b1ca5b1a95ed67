// Texts of models, skills and tools -> Markdown in which they stay text: clients render titles and contents.
import { printable, printableLine } from '../base/printable.ts';

/** On one line, as code. */
export function codeSpan(text: string): string {
  const line = printableLine(text);
  const fence = '`'.repeat(longestRun(line) + 1);
  const isPadded = /^[ `]|[ `]$/.test(line) || line === '';
  return isPadded ? `${fence} ${line} ${fence}` : fence + line + fence;
}

/** As a block that the text cannot end. */
export function codeBlock(text: string): string {
  const shown = printable(text.trimEnd());
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  // Not as arguments of one call: a text can have more runs than a call takes.
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
